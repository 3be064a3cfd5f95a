/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-load.c - reads a kernel's symbols and side tables into an image
 *
 * Independent requests are sent together, so that opening an image over a slow connection takes a
 * few round trips, instead of one per module and table.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/debug/gilk-dwarf.h"
#include "core/image/gilk-debug.h"
#include "core/image/gilk-image-loader.h"
#include "core/link/gilk-request.h"

/* Maximum size of a module's table. This is the only bound if the table is in the module's last
 * section, because the end of that section is unknown. */
#define TABLE_MAX (256u << 10)
/* Maximum sizes of all tables, of kernel text and of module text: far more than any kernel has. */
#define TABLES_MAX       (512u << 20)
#define KERNEL_TEXT_MAX  (1u << 30)
#define MODULE_TEXT_MAX  (64u << 20)
#define MODULES_MAX      16384u

static void
module_free (gpointer data)
{
  GilkModule *module = data;

  g_free (module->name);
  g_clear_pointer (&module->sections, g_array_unref);
  g_free (module);
}

static void
loader_clear (GilkLoader *loader)
{
  g_clear_pointer (&loader->image, gilk_image_unref);
  g_clear_pointer (&loader->areas, g_array_unref);
  g_clear_pointer (&loader->modules, g_ptr_array_unref);
  g_clear_pointer (&loader->jobs, g_array_unref);
  gilk_free_all (loader->boot_id, loader->blacklist, loader->ftrace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkLoader, loader_clear)

/* ---- ranges between symbols ---- */

gboolean
gilk_loader_range_of (GilkSymbols       *symbols,
                      const char        *from,
                      const char        *to,
                      uint64_t           most,
                      struct gilk_range *range,
                      GError           **error)
{
  const uint64_t start = gilk_symbols_address (symbols, from);
  const uint64_t end = gilk_symbols_address (symbols, to);

  *range = (struct gilk_range) { start, 0 };
  if (start == 0 || end == 0)
    return TRUE;
  if (start < GILK_TEXT_FIRST || end > GILK_TEXT_END || start > end || end - start > most)
    return gilk_answer_invalid (error, _("symbol %s at 0x%" PRIx64 " and symbol %s at 0x%" PRIx64 " do not enclose a "
                                         "valid range of text"), from, (guint64) start, to, (guint64) end);
  range->len = end - start;

  return TRUE;
}

/* ---- modules; a line of /proc/modules is "name size users a,b, Live 0x0" ---- */

static gboolean
is_named_ilk (const char *used_by)
{
  return g_str_equal (used_by, "ilk");
}

/* Returns whether a module is an arena: a module in which the driver stores the code of patches,
 * and which can disappear at any time. */
static gboolean
is_arena (const char *name)
{
  return g_str_has_prefix (name, "ilk_arena_");
}

/* Parses /proc/modules. The modules that it lists as users of ilk (the driver) are instruments:
 * modules whose functions hooks call. */
static gboolean
parse_modules (GilkLoader *loader,
               const char *text,
               GError    **error)
{
  g_autoptr (GHashTable) instruments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                              NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 6);
      GilkModule *module;

      if (g_strv_length (words) < 5)
        continue;
      if (is_named_ilk (words[0]))
        {
          g_auto (GStrv) users = g_strsplit (words[3], ",", -1);

          for (guint k = 0; users[k] != NULL; k++)
            g_hash_table_add (instruments, g_strdup (users[k]));
        }
      /* Skip modules that are being loaded, because the kernel may still patch them. */
      if (!g_str_equal (words[4], "Live") || is_arena (words[0]))
        continue;
      if (!gilk_is_module_name (words[0]) || loader->modules->len == MODULES_MAX)
        return gilk_answer_invalid (error, _("\"%.60s\" is not a valid name of a module, or there are too many "
                                             "modules"), words[0]);
      module = g_new0 (GilkModule, 1);
      module->name = g_strdup (words[0]);
      g_ptr_array_add (loader->modules, module);
    }

  for (guint i = 0; i < loader->modules->len; i++)
    {
      GilkModule *module = g_ptr_array_index (loader->modules, i);

      module->ours = is_named_ilk (module->name) || g_hash_table_contains (instruments, module->name);
    }

  return TRUE;
}

/* Reads the sections of all modules. Removes modules without sections: they have been unloaded. */
static gboolean
read_sections (GilkLoader *loader,
               GError    **error)
{
  g_autofree uint32_t *seqs = g_new0 (uint32_t, loader->modules->len + 1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < loader->modules->len; i++)
    {
      const GilkModule *module = g_ptr_array_index (loader->modules, i);

      seqs[i] = gilk_target_send_bytes (loader->target, GILK_GET_SECTIONS, module->name,
                                        strlen (module->name), error);
      ok = seqs[i] != 0;
    }
  for (guint i = 0; i < loader->modules->len; i++)
    {
      GilkModule *module = g_ptr_array_index (loader->modules, i);
      g_autoptr (GByteArray) answer = NULL;
      g_autoptr (GError) local = NULL;

      if (seqs[i] == 0)
        break;
      if (!ok)
        {
          gilk_target_drop_answer (loader->target, seqs[i]);
          continue;
        }
      answer = gilk_target_wait (loader->target, GILK_GET_SECTIONS, seqs[i],
                                 loader->cancellable, &local);
      if (answer != NULL)
        module->sections = gilk_sections_parse ((const char *) answer->data, answer->len);
      else if (!g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          ok = FALSE;
        }
    }

  return ok;
}

/* Sets the start of a module's text and an upper bound of its end. The exact end is set later, from
 * the ORC table. */
static gboolean
set_text_bounds (GilkLoader *loader,
                 GilkModule *module,
                 GError    **error)
{
  int index = gilk_symbols_find_module (loader->image->symbols, module->name);

  if (module->sections == NULL || index < 0)
    return TRUE;
  module->index = (uint32_t) index;
  for (guint i = 0; i < module->sections->len; i++)
    {
      const GilkSection *section = &g_array_index (module->sections, GilkSection, i);

      if (!gilk_section_is_text (section))
        continue;
      if (module->text_start == 0)
        module->text_start = section->start;
      /* Since Linux 6.10 text is separate from data and may be the last section, whose end is
       * unknown. */
      module->text_end = section->last ? MIN (section->end, module->text_start + MODULE_TEXT_MAX) : section->end;
    }
  if (module->text_end - module->text_start > MODULE_TEXT_MAX)
    return gilk_answer_invalid (error, _("module %s has %" PRIu64 " bytes of text, which exceeds the limit"),
                                module->name, (guint64) (module->text_end - module->text_start));

  return TRUE;
}

/*
 * Finds constant data, mainly strings. Leaves out variables in the kernel's .rodata that are
 * written during boot (__ro_after_init). A module may have several sections of constants.
 */
static gboolean
find_constants (GilkLoader *loader,
                GError    **error)
{
  GilkSymbols *symbols = loader->image->symbols;
  struct gilk_range all, written;

  if (!gilk_loader_range_of (symbols, "__start_rodata", "__end_rodata", KERNEL_TEXT_MAX, &all, error) ||
      !gilk_loader_range_of (symbols, "__start_ro_after_init", "__end_ro_after_init", all.len, &written, error))
    return FALSE;
  if (written.len > 0 && written.addr - all.addr < all.len)
    {
      gilk_image_add_constants (loader->image, all.addr, written.addr);
      gilk_image_add_constants (loader->image, written.addr + written.len, all.addr + all.len);
    }
  else
    gilk_image_add_constants (loader->image, all.addr, all.addr + all.len);

  for (guint i = 0; i < loader->modules->len; i++)
    {
      const GilkModule *module = g_ptr_array_index (loader->modules, i);

      for (guint k = 0; module->sections != NULL && k < module->sections->len; k++)
        {
          const GilkSection *section = &g_array_index (module->sections, GilkSection, k);

          if (g_str_has_prefix (section->name, ".rodata"))
            gilk_image_add_constants (loader->image, section->start, section->end);
        }
    }

  return TRUE;
}

/* ---- side tables of the kernel and its modules ---- */

static void
add_job (GilkLoader              *loader,
         const GilkModule        *module,
         GilkTableFunc            func,
         const struct gilk_range *range)
{
  const GilkTableJob job = { module, func, *range, 0 };

  if (range->len > 0)
    g_array_append_val (loader->jobs, job);
}

static void
add_section_job (GilkLoader        *loader,
                 const GilkModule  *module,
                 GilkTableFunc      func,
                 const GilkSection *section,
                 uint64_t           most)
{
  const struct gilk_range range = { section->start, MIN (section->end - section->start, most) };

  add_job (loader, module, func, &range);
}

static const struct {
  const char *start, *stop;      /* symbols at the start and at the end of the table in the kernel's
                                  * own memory */
  const char *section;           /* name of the section that contains the table in a module */
  GilkTableFunc   func;
} tables[] = {
  { "__start___ex_table", "__stop___ex_table", "__ex_table", gilk_table_extable },
  { "__start___bug_table", "__stop___bug_table", "__bug_table", gilk_table_bugs },
  { "__start___jump_table", "__stop___jump_table", "__jump_table", gilk_table_jump_labels },
  { "__start_static_call_sites", "__stop_static_call_sites", ".static_call_sites",
    gilk_table_static_calls },
};

static gboolean
collect_jobs (GilkLoader *loader,
              GError    **error)
{
  GilkSymbols *symbols = loader->image->symbols;
  struct gilk_range range;

  for (gsize t = 0; t < G_N_ELEMENTS (tables); t++)
    {
      if (!gilk_loader_range_of (symbols, tables[t].start, tables[t].stop, KERNEL_TABLE_MAX,
                                 &range, error))
        return FALSE;
      add_job (loader, NULL, tables[t].func, &range);
      for (guint i = 0; i < loader->modules->len; i++)
        {
          const GilkModule *module = g_ptr_array_index (loader->modules, i);
          const GilkSection *section = gilk_sections_find (module->sections, tables[t].section);

          if (section != NULL && module->text_start != 0)
            add_section_job (loader, module, tables[t].func, section, TABLE_MAX);
        }
    }

  /* Add the two parts of a module's ORC table (addresses and entries) one after the other, because
   * add_orc_table() takes them as a pair. */
  for (guint i = 0; i < loader->modules->len; i++)
    {
      const GilkModule *module = g_ptr_array_index (loader->modules, i);
      const GilkSection *ips = gilk_sections_find (module->sections, ".orc_unwind_ip");
      const GilkSection *entries = gilk_sections_find (module->sections, ".orc_unwind");

      if (ips == NULL || entries == NULL || module->text_start == 0)
        continue;
      add_section_job (loader, module, NULL, ips, TABLE_MAX);
      add_section_job (loader, module, NULL, entries, TABLE_MAX * 3 / 2);
    }

  return TRUE;
}

/* Adds a module's ORC table, whose last entry marks the end of the module's text. */
static void
add_orc_table (GilkLoader   *loader,
               GilkTableJob *ips,
               GilkTableJob *entries,
               GBytes       *bytes)
{
  GilkModule *module = (GilkModule *) ips->module;
  g_autoptr (GBytes) ip_bytes = g_bytes_new_from_bytes (bytes, ips->offset, ips->range.len);
  g_autoptr (GBytes) entry_bytes = g_bytes_new_from_bytes (bytes, entries->offset,
                                                           entries->range.len);
  GilkOrcTable *table = gilk_orc_table_new (ip_bytes, ips->range.addr, entry_bytes,
                                            module->text_start, module->text_end);

  if (table->count > 0)
    {
      module->text_end = MIN (module->text_end, gilk_orc_table_ip (table, table->count - 1));
      module->end_known = TRUE;
    }
  g_ptr_array_add (loader->image->module_orc, table);
}

/* Sets the size of the entries in bug tables (struct bug_entry). The kernel's own table comes first
 * and determines the size for modules, too. */
static gboolean
set_bug_size (GilkLoader         *loader,
              const GilkTableJob *job,
              GilkTable          *table,
              GError            **error)
{
  if (job->module == NULL)
    loader->image->bug_size = gilk_table_bug_size (table);
  table->bug_size = loader->image->bug_size;
  if (table->bug_size != 0 || gilk_table_is_empty (table))
    return TRUE;

  return gilk_fail (error, GILK_ERROR_DRIVER,
      _("This kernel's bug table (struct bug_entry) has a layout that this release of Gilk does not support, so Gilk "
        "cannot tell where code continues after a WARN. Try a newer release."));
}

static gboolean
read_tables (GilkLoader *loader,
             GError    **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  g_autoptr (GBytes) bytes = NULL;
  uint8_t *out;
  gsize total = 0;

  if (!collect_jobs (loader, error))
    return FALSE;
  for (guint i = 0; i < loader->jobs->len; i++)
    {
      GilkTableJob *job = &g_array_index (loader->jobs, GilkTableJob, i);

      job->offset = total;
      total += job->range.len;
      g_array_append_val (ranges, job->range);
    }
  if (total > TABLES_MAX)
    return gilk_answer_invalid (error, _("tables of %zu bytes"), total);
  out = g_malloc (total + 1);
  bytes = g_bytes_new_take (out, total);
  if (!gilk_target_read_text (loader->target,
                              (const struct gilk_range *) (gpointer) ranges->data,
                              ranges->len, out, NULL, loader->cancellable, error))
    return FALSE;

  for (guint i = 0; i < loader->jobs->len; i++)
    {
      GilkTableJob *job = &g_array_index (loader->jobs, GilkTableJob, i);
      GilkTable table = {
        .bytes = out + job->offset,
        .length = job->range.len,
        .base = job->range.addr,
        .text_start = job->module != NULL ? job->module->text_start : loader->text_start,
        .text_end = job->module != NULL ? job->module->text_end : loader->text_end,
      };

      if (job->func == gilk_table_bugs && !set_bug_size (loader, job, &table, error))
        return FALSE;
      if (job->func != NULL)
        job->func (&table, loader->image->sites);
      else if (i + 1 < loader->jobs->len)
        {
          add_orc_table (loader, job, job + 1, bytes);
          i++;
        }
    }

  return TRUE;
}

/* ---- opening of an image ---- */

static gboolean
find_kernel_text (GilkLoader *loader,
                  GError    **error)
{
  GilkSymbols *symbols = loader->image->symbols;
  struct gilk_range text;

  if (!gilk_loader_range_of (symbols, "_stext", "_etext", KERNEL_TEXT_MAX, &text, error))
    return FALSE;
  loader->text_start = text.addr;
  loader->text_end = text.addr + text.len;
  if (text.len > 0)
    {
      gilk_symbols_limit_text (symbols, 0, loader->text_start, loader->text_end);
      gilk_image_add_region (loader->image, 0, loader->text_start, loader->text_end);
      return TRUE;
    }

  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("The kernel's symbols do not include the bounds of its text; it needs CONFIG_KALLSYMS_ALL, which "
        "Debian's kernels have."));
}

/* Reads the modules and their sections. Must be called before the symbols are read, because the
 * cache key of the symbols depends on modules and sections. */
static gboolean
read_modules (GilkLoader *loader,
              GError    **error)
{
  GilkFileJob jobs[] = {
    { .file = GILK_FILE_MODULES, .needed = TRUE },
    { .file = GILK_FILE_BOOT_ID },
  };
  gboolean good = gilk_loader_read_files (loader, jobs, G_N_ELEMENTS (jobs), error) &&
                  parse_modules (loader, jobs[0].text, error) && read_sections (loader, error);

  loader->boot_id = g_steal_pointer (&jobs[1].text);
  if (good)
    gilk_loader_set_cache_key (loader, jobs[0].text);
  gilk_file_jobs_clear (jobs, G_N_ELEMENTS (jobs));

  return good;
}

static gboolean
load_symbols (GilkLoader *loader,
              GError    **error)
{
  const gboolean cached = gilk_target_uses_cache (loader->target);
  GilkFileJob jobs[] = {
    { .file = GILK_FILE_KALLSYMS, .needed = TRUE, .cached_as = "symbols" },
    { .file = GILK_FILE_FTRACE, .cached_as = "functions" },
    { .file = GILK_FILE_BLACKLIST },
    { .file = GILK_FILE_MODULES, .needed = TRUE },
  };
  g_autoptr (GilkSymbols) symbols = NULL;
  gboolean good;

  gilk_progress (loader->progress, _("Reading symbols"), 0);
  good = (!cached || read_modules (loader, error)) &&
         gilk_loader_read_files (loader, jobs, G_N_ELEMENTS (jobs), error);
  if (good)
    symbols = gilk_symbols_new_parse (jobs[0].text, jobs[0].length, error);
  if (symbols != NULL)
    {
      loader->image = gilk_image_new_empty (loader->target, symbols);
      loader->image->boot_key = gilk_loader_boot_key (loader);
    }
  good = symbols != NULL && (cached || (parse_modules (loader, jobs[3].text, error) && read_sections (loader, error))) &&
         find_kernel_text (loader, error);
  if (good && cached)
    gilk_loader_cache_files (loader, jobs, G_N_ELEMENTS (jobs), jobs[3].text);
  loader->blacklist = g_steal_pointer (&jobs[2].text);
  loader->ftrace = g_steal_pointer (&jobs[1].text);
  if (good)
    loader->image->module_list = g_steal_pointer (&jobs[3].text);
  gilk_file_jobs_clear (jobs, G_N_ELEMENTS (jobs));

  return good;
}

static gboolean
load_image (GilkLoader *loader,
            GError    **error)
{
  const char *file = gilk_target_kernel_file (loader->target);

  if (!load_symbols (loader, error))
    return FALSE;

  gilk_progress (loader->progress, _("Reading tables"), 0.6);
  for (guint i = 0; i < loader->modules->len; i++)
    if (!set_text_bounds (loader, g_ptr_array_index (loader->modules, i), error))
      return FALSE;
  if (!find_constants (loader, error) || !read_tables (loader, error))
    return FALSE;

  gilk_progress (loader->progress, _("Reading function entries"), 0.8);
  if (!gilk_loader_add_fentry_sites (loader, error))
    return FALSE;

  gilk_loader_add_areas (loader);
  if (file != NULL && g_getenv ("GILK_DEBUG") == NULL && gilk_dwarf_has_data (file))
    gilk_debug_use (gilk_image_debug (loader->image), file);
  gilk_image_seal (loader->image, g_steal_pointer (&loader->areas));
  gilk_progress (loader->progress, _("Reading function entries"), 1);

  return TRUE;
}

GilkImage *
gilk_image_open (GilkTarget         *target,
                 const GilkProgress *progress,
                 GCancellable       *cancellable,
                 GError            **error)
{
  g_auto (GilkLoader) loader = {
    .target = target,
    .progress = progress,
    .cancellable = cancellable,
    .areas = g_array_new (FALSE, FALSE, sizeof (GilkArea)),
    .modules = g_ptr_array_new_with_free_func (module_free),
    .jobs = g_array_new (FALSE, FALSE, sizeof (GilkTableJob)),
  };
  GError *local = NULL;

  if (load_image (&loader, &local))
    return g_steal_pointer (&loader.image);

  if (g_error_matches (local, GILK_ERROR, GILK_ERROR_PROTOCOL) ||
      g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    gilk_target_reject_answer (target, local, error);
  else
    g_propagate_error (error, local);
  return NULL;
}
