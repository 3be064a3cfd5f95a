/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-inbound.c - finds jumps between functions, in one pass over all text
 *
 * The pass is linear, not recursive, so data in the text are decoded as code. This can only add
 * addresses to the result: splices avoid these addresses needlessly. It never hides an address.
 * After an invalid instruction decoding continues at the next byte.
 *
 * The result is cached with a checksum of the text that was decoded, and used again while that text is
 * the same.
 */
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/cfg/gilk-function-private.h"
#include "core/image/gilk-boot-cache.h"
#include "core/link/gilk-request.h"

#define JUMPS "jumps"

const uint64_t *
gilk_functions_inbound (const GilkFunctions *functions,
                        uint64_t start, uint64_t end, guint *count)
{
  guint low = GILK_BISECT (functions->n_inbound, i, functions->inbound[i] < start);

  *count = 0;
  while (low + *count < functions->n_inbound && functions->inbound[low + *count] < end)
    (*count)++;

  return functions->inbound + low;
}

/* Appends @to to @found if a function other than @from's contains @to, but does not start there. */
static void
add_inbound (GilkFunctions *self, const GilkFunctionPart *from, uint64_t to, GArray *found)
{
  const GilkFunctionPart *part = gilk_functions_part (self, to);

  if (part != NULL && (from == NULL || part->function != from->function) &&
      to != self->all[part->function].hot.start)
    g_array_append_val (found, to);
}

static void
note_jump (GilkFunctions *self, const GilkFunctionPart *from, const GilkInsn *insn, gpointer user_data)
{
  if (insn->target < from->start || insn->target >= from->end)
    add_inbound (self, from, insn->target, user_data);
}

/* Returns whether the part is in the driver's arena, the memory for patches. Code there jumps back
 * into the hooked functions. */
static gboolean
is_arena (GilkFunctions *self, const GilkFunctionPart *part)
{
  return part != NULL && g_str_equal (self->all[part->function].name, "ilk_arena_section");
}

/* Adds the targets of fix-ups and static keys, which may be in another function, too. */
static void
note_sites (GilkFunctions *self, GArray *found)
{
  guint count;
  const GilkSite *sites = gilk_image_sites (self->image, 0, UINT64_MAX, &count);

  for (guint i = 0; i < count; i++)
    {
      const GilkFunctionPart *from = gilk_functions_part (self, sites[i].addr);

      if ((sites[i].kind == GILK_SITE_EXTABLE || sites[i].kind == GILK_SITE_JUMP_LABEL) && !is_arena (self, from))
        add_inbound (self, from, sites[i].other, found);
    }
}

/* Returns whether the search for jumps between functions decodes the code of @part. */
static gboolean
is_swept (GilkFunctions *self, const GilkFunctionPart *part)
{
  return gilk_function_has_text (&self->all[part->function]) && !is_arena (self, part);
}

/* Sorts addresses and removes duplicates. */
static void
sort_addresses (GArray *found)
{
  uint64_t *all = (uint64_t *) (void *) found->data;
  guint n = 0;

  g_array_sort (found, gilk_order_uint64);
  for (guint i = 0; i < found->len; i++)
    if (n == 0 || all[i] != all[n - 1])
      all[n++] = all[i];
  g_array_set_size (found, n);
}

/* Returns a checksum of everything that determines the result of decoding: this program, the text,
 * and the bounds of the functions' parts. */
static uint64_t
sum_parts (GilkFunctions *self)
{
  XXH64_state_t state;
  struct stat program = { 0 };

  XXH64_reset (&state, 0);
  if (stat ("/proc/self/exe", &program) == 0)
    {
      const uint64_t id[] = { program.st_ino, (uint64_t) program.st_size, (uint64_t) program.st_mtim.tv_sec,
                              (uint64_t) program.st_mtim.tv_nsec };

      XXH64_update (&state, id, sizeof id);
    }
  for (guint i = 0; i < self->n_parts; i++)
    {
      const GilkFunctionPart *part = &self->parts[i];
      const uint64_t part_data[] = { part->start, part->end, self->all[part->function].hot.start, is_swept (self, part) };
      const uint8_t *bytes = part_data[3] ? gilk_image_bytes (self->image, part->start, part->end - part->start, NULL) : NULL;

      XXH64_update (&state, part_data, sizeof part_data);
      if (bytes != NULL)
        XXH64_update (&state, bytes, part->end - part->start);
    }

  return XXH64_digest (&state);
}

/* Appends the cached addresses if they were found in text with the checksum @sum. The cache file
 * has the checksum, followed by the addresses. */
static gboolean
read_cached (const char *key, uint64_t sum, GArray *found)
{
  gsize length;
  g_autofree char *file = gilk_boot_cache_read (key, JUMPS, &length);

  if (file == NULL || length < sizeof sum || length % sizeof sum != 0 || memcmp (file, &sum, sizeof sum) != 0)
    return FALSE;
  g_array_append_vals (found, file + sizeof sum, (guint) (length / sizeof sum - 1));

  return TRUE;
}

/* Appends the targets of all branches that lead into another function. */
static void
find_jumps (GilkFunctions *self, GArray *found)
{
  GilkTarget *target = gilk_image_target (self->image);
  g_autofree char *key = target != NULL ? gilk_target_cache_key (target) : NULL;
  uint64_t sum = key != NULL ? sum_parts (self) : 0;

  if (key != NULL && read_cached (key, sum, found))
    return;
  for (guint i = 0; i < self->n_parts; i++)
    if (is_swept (self, &self->parts[i]))
      gilk_functions_each_branch (self, &self->parts[i], note_jump, found);
  sort_addresses (found);
  if (key != NULL)
    {
      g_array_prepend_val (found, sum);
      gilk_boot_cache_write (key, JUMPS, found->data, found->len * sizeof sum);
      g_array_remove_index (found, 0);
    }
}

void
gilk_functions_sweep (GilkFunctions *functions)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  find_jumps (functions, found);
  note_sites (functions, found);
  sort_addresses (found);
  functions->n_inbound = found->len;
  functions->inbound = (uint64_t *) (void *) g_array_free (found, FALSE);
}
