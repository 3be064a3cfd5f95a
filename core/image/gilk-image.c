/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image.c - live text of a kernel, and the side tables that describe the text
 *
 * Each region of text has a buffer of its full size, which is filled in chunks on demand: any range
 * is contiguous, and unread pages do not occupy memory.
 */
#include "core/image/gilk-image-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/image/gilk-text-cache.h"

#define INT3         0xcc
#define SITE_BYTES   5          /* maximum length of an instruction that the kernel patches */
#define RENEW_PART   32         /* the text cache is written again if more than 1/RENEW_PART of the
                                 * text was not found in it */
/* number of bytes on each side of a seam (border between cached and new text) that are read again:
 * the maximum length of code that is patched at once */
#define SEAM_BYTES   16u
#define SETTLE_TRIES 7
#define SETTLE_US    1000       /* delay before text is read a second time, µs; doubles with each
                                 * attempt */

GILK_DEFINE_CLEAR (region_clear, GilkRegion, region, gilk_free_all (region->bytes, region->valid))

GilkImage *
gilk_image_new_empty (GilkTarget  *target,
                      GilkSymbols *symbols)
{
  GilkImage *image = g_new0 (GilkImage, 1);

  g_atomic_ref_count_init (&image->refs);
  image->target = target != NULL ? gilk_target_ref (target) : NULL;
  image->symbols = gilk_symbols_ref (symbols);
  image->types = gilk_types_new (target);
  image->debug = gilk_debug_new (target, symbols);
  image->sites = g_array_new (FALSE, FALSE, sizeof (GilkSite));
  image->noreturns = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  image->return_thunks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  image->indirect_thunks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  image->module_orc = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_orc_table_free);
  image->constants = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  image->modules_lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  image->regions = gilk_array_new (sizeof (GilkRegion), region_clear);
  g_mutex_init (&image->lock);

  return image;
}

void
gilk_image_add_region (GilkImage *image,
                       uint32_t   module,
                       uint64_t   start,
                       uint64_t   end)
{
  const GilkRegion region = { .start = start, .end = end, .module = module };

  if (start < end)
    g_array_append_val (image->regions, region);
}

GILK_DEFINE_ORDER (compare_regions, GilkRegion, start)

/* Finds, by name, functions that never return, return thunks and indirect thunks. The keys of the
 * sets point into the symbol table, which lives as long as the image. */
static void
index_names (GilkImage *image)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (image->symbols, &count);

  for (guint i = 0; i < count; i++)
    {
      if (!gilk_symbol_is_text (&all[i]))
        continue;
      if (gilk_name_is_noreturn (all[i].name))
        g_hash_table_add (image->noreturns, (gpointer) &all[i].addr);
      if (gilk_name_is_return_thunk (all[i].name))
        g_hash_table_add (image->return_thunks, (gpointer) &all[i].addr);
      if (gilk_name_is_indirect_thunk (all[i].name))
        g_hash_table_add (image->indirect_thunks, (gpointer) &all[i].addr);
    }
}

void
gilk_image_seal (GilkImage *image,
                 GArray    *areas)
{
  g_array_sort (image->regions, compare_regions);
  gilk_sites_sort (image->sites);
  image->areas = gilk_areas_flatten (areas);
  g_array_unref (areas);

  image->text_areas = g_array_new (FALSE, FALSE, sizeof (GilkArea));
  for (guint i = 0; i < image->areas->len; i++)
    if (g_array_index (image->areas, GilkArea, i).kind == GILK_AREA_TEXT)
      g_array_append_val (image->text_areas, g_array_index (image->areas, GilkArea, i));

  index_names (image);
}

GilkImage *
gilk_image_new_static (GilkSymbols    *symbols,
                       uint64_t        base,
                       const uint8_t  *bytes,
                       gsize           length,
                       const GilkSite *sites,
                       guint           n_sites)
{
  GilkImage *image = gilk_image_new_empty (NULL, symbols);
  GArray *areas = g_array_new (FALSE, FALSE, sizeof (GilkArea));
  GilkRegion *region;

  gilk_image_add_region (image, 0, base, base + length);
  if (length > 0)
    {
      region = &g_array_index (image->regions, GilkRegion, 0);
      region->bytes = g_memdup2 (bytes, length);
      region->valid = g_malloc (length / GILK_CHUNK + 1);
      memset (region->valid, GILK_CHUNK_VALID, length / GILK_CHUNK + 1);
    }
  if (n_sites > 0)
    g_array_append_vals (image->sites, sites, n_sites);
  gilk_areas_add (areas, GILK_AREA_TEXT, 0, base, base + length);
  gilk_image_seal (image, areas);

  return image;
}

void
gilk_image_set_static_orc (GilkImage *image,
                           GBytes    *ips,
                           uint64_t   ips_base,
                           GBytes    *entries)
{
  g_clear_pointer (&image->kernel_orc, gilk_orc_table_free);
  image->kernel_orc = gilk_orc_table_new (ips, ips_base, entries, 0, G_MAXUINT64);
  image->orc_numbers = gilk_orc_numbers_of (image->kernel_orc);
}

GILK_DEFINE_REF (GilkImage, gilk_image, refs)

void
gilk_image_unref (GilkImage *image)
{
  if (!g_atomic_ref_count_dec (&image->refs))
    return;

  if (image->user != NULL)
    {
      gilk_image_unref (image->user->kernel);
      g_free (image->user->path);
      g_array_unref (image->user->segments);
      gilk_free_all (image->user->build_id, image->user->debug_link, image->user);
    }
  g_clear_pointer (&image->target, gilk_target_unref);
  g_hash_table_unref (image->noreturns);
  g_hash_table_unref (image->return_thunks);
  g_hash_table_unref (image->indirect_thunks);
  gilk_symbols_unref (image->symbols);
  gilk_types_free (image->types);
  gilk_debug_free (image->debug);
  g_array_unref (image->sites);
  g_clear_pointer (&image->areas, g_array_unref);
  g_clear_pointer (&image->text_areas, g_array_unref);
  g_ptr_array_unref (image->module_orc);
  g_array_unref (image->constants);
  g_clear_pointer (&image->static_constants, g_bytes_unref);
  g_hash_table_unref (image->modules_lost);
  gilk_free_all (image->module_list, image->boot_key);
  g_array_unref (image->regions);
  g_clear_pointer (&image->kernel_orc, gilk_orc_table_free);
  g_mutex_clear (&image->lock);
  g_free (image);
}

GilkSymbols *
gilk_image_symbols (GilkImage *image)
{
  return image->symbols;
}

GilkTypes *
gilk_image_types (GilkImage *image)
{
  return image->types;
}

GilkDebug *
gilk_image_debug (GilkImage *image)
{
  return image->debug;
}

GilkTarget *
gilk_image_target (GilkImage *image)
{
  return image->target;
}

/* ---- regions of text; called with the lock held ---- */

static GilkRegion *
find_region (GilkImage *image,
             uint64_t   addr,
             gsize      length)
{
  guint low = GILK_BISECT (image->regions->len, i,
                           g_array_index (image->regions, GilkRegion, i).start <= addr);
  GilkRegion *region;

  if (low == 0)
    return NULL;

  region = &g_array_index (image->regions, GilkRegion, low - 1);
  return addr < region->end && length <= region->end - addr ? region : NULL;
}

/* Finds the next sequence of chunks in [*@from, @to) that have to be read because their state is
 * below @enough. */
static gboolean
find_missing_run (const GilkRegion *region,
                  GilkChunkState    enough,
                  gsize            *from,
                  gsize             to,
                  gsize            *run_end)
{
  while (*from < to && region->valid[*from] >= enough)
    (*from)++;
  for (*run_end = *from; *run_end < to && region->valid[*run_end] < enough; (*run_end)++)
    ;

  return *from < to;
}

/* Returns the sites that the kernel is currently patching. @bytes: text of [@start, @end).
 * (element-type struct gilk_range) (transfer full) */
static GArray *
find_patched_sites (GilkImage *image, uint64_t start, uint64_t end, const uint8_t *bytes)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  guint count;
  const GilkSite *sites = gilk_image_sites (image, start, end, &count);

  for (guint i = 0; i < count; i++)
    {
      const struct gilk_range range = {
        .addr = sites[i].addr, .len = MIN (SITE_BYTES, end - sites[i].addr),
      };

      if ((sites[i].kind == GILK_SITE_JUMP_LABEL || sites[i].kind == GILK_SITE_STATIC_CALL ||
           sites[i].kind == GILK_SITE_FENTRY) && bytes[range.addr - start] == INT3)
        g_array_append_val (ranges, range);
    }

  return ranges;
}

/*
 * Reads again the sites that have an int3: the kernel writes one for a moment while it patches a
 * static key, a static call or an ftrace site. An int3 that is still there after all attempts
 * belongs to another tool, and the function that contains it is refused.
 */
static gboolean
reread_patched_sites (GilkImage *image, uint64_t start, uint64_t end, uint8_t *bytes,
                      GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < SETTLE_TRIES; i++)
    {
      g_autoptr(GArray) ranges = find_patched_sites (image, start, end, bytes);
      g_autofree uint8_t *now = g_malloc (ranges->len * SITE_BYTES + 1);
      gsize at = 0;

      if (ranges->len == 0)
        return TRUE;
      if (i > 0)
        g_usleep (SETTLE_US << (i - 1));
      if (!gilk_target_read_text (image->target, (const struct gilk_range *) (gpointer) ranges->data,
                                  ranges->len, now, NULL, cancellable, error))
        return FALSE;
      for (guint j = 0; j < ranges->len; j++)
        {
          const struct gilk_range *range = &g_array_index (ranges, struct gilk_range, j);

          memcpy (bytes + (range->addr - start), now + at, range->len);
          at += range->len;
        }
    }

  return TRUE;
}

/* Reads a range of the text as it is now, from the target. */
static gboolean
read_text (GilkImage               *image,
           const struct gilk_range *range,
           uint8_t                 *bytes,
           const GilkProgress      *progress,
           GCancellable            *cancellable,
           GError                 **error)
{
  if (image->user != NULL)
    return image->user->read (image, range->addr, range->len, bytes, cancellable, error);

  return gilk_target_read_text (image->target, range, 1, bytes, progress, cancellable, error) &&
         reread_patched_sites (image, range->addr, range->addr + range->len, bytes, cancellable, error);
}

/* Reads the chunks in [@from, @to) whose state is below @enough. A chunk that was read by an earlier
 * call has to be read again, because hooks may have been removed since. */
static gboolean
fill_chunks (GilkImage          *image,
             GilkRegion         *region,
             GilkChunkState      enough,
             gsize               from,
             gsize               to,
             const GilkProgress *progress,
             GCancellable       *cancellable,
             GError            **error)
{
  const gsize size = region->end - region->start;
  gsize run_end;

  gilk_region_allocate (region);
  while (find_missing_run (region, enough, &from, to, &run_end))
    {
      const struct gilk_range range = {
        .addr = region->start + from * GILK_CHUNK,
        .len = MIN (run_end * GILK_CHUNK, size) - from * GILK_CHUNK,
      };

      if (!read_text (image, &range, region->bytes + from * GILK_CHUNK, progress, cancellable, error))
        return FALSE;
      memset (region->valid + from, GILK_CHUNK_READ, run_end - from);
      from = run_end;
    }

  return TRUE;
}

/* Puts the original bytes back where @hooks changed the chunks just read, and marks these chunks
 * valid. @hooks: as reported after the chunks were read; NULL: no hooks in this text */
static void
validate_chunks (GilkRegion   *region,
                 gsize         from,
                 gsize         to,
                 const GArray *hooks)
{
  const gsize size = region->end - region->start;

  if (hooks != NULL)
    gilk_image_restore_original (hooks, region->start + from * GILK_CHUNK, MIN (to * GILK_CHUNK, size) - from * GILK_CHUNK,
                                 region->bytes + from * GILK_CHUNK);
  for (gsize i = from; i < to; i++)
    if (region->valid[i] == GILK_CHUNK_READ)
      region->valid[i] = GILK_CHUNK_VALID;
}

/*
 * While hooks of any client are live, the text contains jumps and int3s of the driver. Functions
 * are decoded from the original bytes, which the driver reports.
 */

/* Replaces the @len bytes at @site by @old if all of them are within @bytes. If the patch is not
 * @live, replaces them only if they are equal to @new. */
static void
restore_bytes (uint64_t       site,
               guint          len,
               const uint8_t *old,
               const uint8_t *new,
               gboolean       live,
               uint64_t       start,
               gsize          length,
               uint8_t       *bytes)
{
  if (len == 0 || site < start || site + len > start + length)
    return;
  if (live || memcmp (bytes + (site - start), new, len) == 0)
    memcpy (bytes + (site - start), old, len);
}

/* Returns the status of all clients' patches, including recently restored patches. Must be called
 * after text was read, so that no patch is missed. (transfer full) (element-type struct
 * ilk_patch_status) */
static GArray *
read_patches (GilkImage    *image,
              GCancellable *cancellable,
              GError      **error)
{
  if (image->target == NULL || !gilk_target_has_driver (image->target) || gilk_target_way (image->target) != GILK_WAY_ILK)
    return g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));

  return gilk_target_status (image->target, TRUE, NULL, cancellable, error);
}

void
gilk_image_restore_original (const GArray *hooks,
                             uint64_t      start,
                             gsize         length,
                             uint8_t      *bytes)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const struct ilk_patch_status *hook = &g_array_index (hooks, struct ilk_patch_status, i);
      const gboolean live = hook->state == ILK_STATE_TRAPPED || hook->state == ILK_STATE_ARMED;

      restore_bytes (hook->site, hook->len, hook->old, hook->new_, live, start, length, bytes);
      if (hook->aux != 0)
        restore_bytes (hook->aux, ILK_BOUNCE_BYTES, hook->aux_old, hook->aux_new,
                       hook->aux_laid_mono_ns != 0 && hook->aux_restored_mono_ns == 0, start, length, bytes);
    }
}

static gboolean
fill_original (GilkImage  *image,
               GilkRegion *region,
               gsize       from,
               gsize       to,
               GError    **error)
{
  g_autoptr(GArray) hooks = NULL;
  gsize first = from, last = from;

  if (region->valid != NULL && !find_missing_run (region, GILK_CHUNK_VALID, &first, to, &last))
    return TRUE;
  if (!fill_chunks (image, region, GILK_CHUNK_VALID, from, to, NULL, NULL, error))
    return FALSE;
  if (image->user == NULL)
    {
      hooks = read_patches (image, NULL, error);
      if (hooks == NULL)
        return FALSE;
    }
  validate_chunks (region, from, to, hooks);

  return TRUE;
}

const uint8_t *
gilk_image_bytes (GilkImage *image,
                  uint64_t   addr,
                  gsize      length,
                  GError   **error)
{
  const uint8_t *bytes = NULL;
  GilkRegion *region;

  g_mutex_lock (&image->lock);
  region = find_region (image, addr, length);
  if (region == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("0x%" PRIx64 " is not in the text of the kernel or of a loaded module; if a module was loaded or "
                     "unloaded, connect again."), addr);
    }
  else
    {
      gsize into = addr - region->start;

      if (fill_original (image, region, into / GILK_CHUNK, (into + MAX (length, 1) - 1) / GILK_CHUNK + 1, error))
        bytes = region->bytes + into;
    }
  g_mutex_unlock (&image->lock);

  return bytes;
}

typedef struct {
  const GilkProgress *outer;
  double              done, span;
} Share;

static void
share_progress (const char *what,
                double      fraction,
                gpointer    user_data)
{
  const Share *share = user_data;

  gilk_progress (share->outer, what, share->done + fraction * share->span);
}

/* Marks all chunks of text that are not valid as missing. Returns their total size in bytes. */
static gsize
forget_invalid (GilkImage *image)
{
  gsize n = 0;

  g_mutex_lock (&image->lock);
  for (guint i = 0; i < image->regions->len; i++)
    {
      GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      for (gsize k = 0; k < gilk_region_count_chunks (region); k++)
        {
          if (region->valid != NULL && region->valid[k] == GILK_CHUNK_VALID)
            continue;
          if (region->valid != NULL)
            region->valid[k] = GILK_CHUNK_MISSING;
          n += MIN (GILK_CHUNK, region->end - region->start - k * GILK_CHUNK);
        }
    }
  g_mutex_unlock (&image->lock);

  return n;
}

/* Lists the seams between cached chunks and chunks that must be read: bytes on both sides of the
 * border. (transfer full) (element-type struct gilk_range) */
static GArray *
list_seams (GilkImage *image)
{
  GArray *seams = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));

  g_mutex_lock (&image->lock);
  for (guint i = 0; i < image->regions->len; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      for (gsize k = 1; region->valid != NULL && k < gilk_region_count_chunks (region); k++)
        {
          const uint64_t border = region->start + k * GILK_CHUNK;
          const struct gilk_range seam = { border - SEAM_BYTES, MIN (SEAM_BYTES, region->end - border) + SEAM_BYTES };

          if ((region->valid[k - 1] == GILK_CHUNK_MISSING) != (region->valid[k] == GILK_CHUNK_MISSING))
            g_array_append_val (seams, seam);
        }
    }
  g_mutex_unlock (&image->lock);

  return seams;
}

/*
 * Makes text consistent if a part of it came from the cache: reads the seams again, and sites that
 * have an int3. Code at a seam may have been patched after one side was compared and before the
 * other side was read, and cached text may have an int3 of the kernel's own patching.
 */
static gboolean
settle_text (GilkImage     *image,
             const GArray  *seams,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autofree uint8_t *now = g_malloc (2 * SEAM_BYTES * (gsize) seams->len + 1);
  gboolean ok = gilk_target_read_text (image->target, (const struct gilk_range *) (gpointer) seams->data, seams->len, now, NULL,
                                       cancellable, error);
  gsize at = 0;

  g_mutex_lock (&image->lock);
  for (guint i = 0; ok && i < seams->len; i++)
    {
      const struct gilk_range *seam = &g_array_index (seams, struct gilk_range, i);
      GilkRegion *region = find_region (image, seam->addr, seam->len);

      memcpy (region->bytes + (seam->addr - region->start), now + at, seam->len);
      at += seam->len;
    }
  for (guint i = 0; ok && i < image->regions->len; i++)
    {
      GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      ok = reread_patched_sites (image, region->start, region->end, region->bytes, cancellable, error);
    }
  g_mutex_unlock (&image->lock);

  return ok;
}

gboolean
gilk_image_load_all (GilkImage          *image,
                     const GilkProgress *progress,
                     GCancellable       *cancellable,
                     GError            **error)
{
  Share share = { progress, 0, 0 };
  const GilkProgress inner = { share_progress, &share };
  g_autoptr(GArray) hooks = NULL, seams = NULL;
  gsize total = forget_invalid (image), cached;
  gboolean ok = TRUE;

  cached = gilk_text_cache_fill (image, cancellable);
  seams = list_seams (image);
  for (guint i = 0; ok && i < image->regions->len; i++)
    {
      GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      share.span = (double) (region->end - region->start) / (double) MAX (total, 1);
      g_mutex_lock (&image->lock);
      ok = fill_chunks (image, region, GILK_CHUNK_READ, 0, gilk_region_count_chunks (region), &inner, cancellable, error);
      g_mutex_unlock (&image->lock);
      share.done += share.span;
    }
  if (ok && cached > 0)
    ok = settle_text (image, seams, cancellable, error);
  hooks = ok ? read_patches (image, cancellable, error) : NULL;
  if (hooks != NULL && total - cached > total / RENEW_PART)
    gilk_text_cache_save (image);
  for (guint i = 0; hooks != NULL && i < image->regions->len; i++)
    {
      GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      g_mutex_lock (&image->lock);
      validate_chunks (region, 0, gilk_region_count_chunks (region), hooks);
      g_mutex_unlock (&image->lock);
    }

  return hooks != NULL;
}

/* ---- lookups by address ---- */

static guint
find_first_site (GilkImage *image,
                 uint64_t   addr)
{
  return GILK_BISECT (image->sites->len, i, g_array_index (image->sites, GilkSite, i).addr < addr);
}

const GilkSite *
gilk_image_sites (GilkImage *image,
                  uint64_t   start,
                  uint64_t   end,
                  guint     *count)
{
  guint first = find_first_site (image, start);
  guint last = find_first_site (image, end);

  *count = last > first ? last - first : 0;
  return *count > 0 ? &g_array_index (image->sites, GilkSite, first) : NULL;
}

gboolean
gilk_image_is_static_call (GilkImage *image,
                           uint64_t   addr)
{
  guint count;
  const GilkSite *sites = gilk_image_sites (image, addr, addr + 1, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].kind == GILK_SITE_STATIC_CALL)
      return TRUE;

  return FALSE;
}

const GilkArea *
gilk_image_area (GilkImage *image,
                 uint64_t   addr)
{
  guint low = GILK_BISECT (image->areas->len, i,
                           g_array_index (image->areas, GilkArea, i).start <= addr);
  const GilkArea *area;

  if (low == 0)
    return NULL;

  area = &g_array_index (image->areas, GilkArea, low - 1);
  return addr < area->end ? area : NULL;
}

const GilkArea *
gilk_image_text_areas (GilkImage *image,
                       guint     *count)
{
  *count = image->text_areas->len;
  return (const GilkArea *) (gpointer) image->text_areas->data;
}

gboolean
gilk_image_is_noreturn (GilkImage *image,
                        uint64_t   addr)
{
  return g_hash_table_contains (image->noreturns, &addr);
}

gboolean
gilk_image_is_return_thunk (GilkImage *image,
                            uint64_t   addr)
{
  return g_hash_table_contains (image->return_thunks, &addr);
}

gboolean
gilk_image_is_indirect_thunk (GilkImage *image,
                              uint64_t   addr)
{
  return g_hash_table_contains (image->indirect_thunks, &addr);
}
