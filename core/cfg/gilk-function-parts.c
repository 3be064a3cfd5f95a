/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-parts.c - looks up the parts of functions, and finds jumps between functions
 */
#include "core/cfg/gilk-function-private.h"

#include "core/base/gilk-array.h"
#include "core/decode/gilk-insn.h"

const GilkPart *
gilk_functions_part (const GilkFunctions *functions, uint64_t addr)
{
  guint low = GILK_BISECT (functions->n_parts, i, functions->parts[i].start <= addr);

  return low > 0 && addr < functions->parts[low - 1].end ? &functions->parts[low - 1] : NULL;
}

const GilkFunction *
gilk_functions_at (GilkFunctions *functions, uint64_t addr)
{
  const GilkPart *part = gilk_functions_part (functions, addr);

  return part ? &functions->all[part->function] : NULL;
}

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

/*
 * Finds jumps between functions in one pass over all text.
 *
 * The pass is linear, not recursive, so data in the text are decoded as code. This can only add
 * addresses to the result: splices avoid these addresses needlessly. It never hides an address.
 * After an invalid instruction decoding continues at the next byte.
 */

/* Cuts off int3 and zero bytes at the end, but leaves 16 of these bytes, because an instruction may
 * end with such bytes. There may be megabytes of filler: int3 before the next aligned section,
 * zeroes in a module's last page. */
gsize
gilk_text_without_filler (const uint8_t *bytes, gsize length)
{
  gsize end = length;

  while (end > 0 && (bytes[end - 1] == 0xcc || bytes[end - 1] == 0))
    end--;

  return MIN (length, end + 16);
}

void
gilk_functions_each_branch (GilkFunctions *self, const GilkPart *part, GilkBranchFunc func, gpointer user_data)
{
  gsize length = part->end - part->start, at = 0;
  const uint8_t *bytes = gilk_image_bytes (self->image, part->start, length, NULL);
  GilkInsn insn;

  if (bytes == NULL)
    return;

  length = gilk_text_without_filler (bytes, length);
  while (at < length)
    {
      if (!gilk_insn_decode (NULL, bytes + at, length - at, part->start + at, &insn))
        {
          at++;
          continue;
        }
      if (insn.target != 0)
        func (self, part, &insn, user_data);
      at += insn.len;
    }
}

/* ---- owners of cold parts ---- */

typedef struct {
  GilkOpenCold *colds;
  guint         n;
} JoinData;

static void
claim_cold (GilkFunctions *self, const GilkPart *from, const GilkInsn *insn, gpointer user_data)
{
  JoinData *data = user_data;
  guint low;

  if (insn->branch == GILK_BRANCH_CALL)
    return;

  low = GILK_BISECT (data->n, i, data->colds[i].start <= insn->target);

  if (low > 0 && insn->target < data->colds[low - 1].end)
    data->colds[low - 1].owner = from->function;
}

void
gilk_functions_join_cold (GilkFunctions *functions, GilkOpenCold *colds, guint n_colds,
                          const guint *candidates, guint n_candidates)
{
  JoinData data = { colds, n_colds };

  for (guint i = 0; i < n_candidates; i++)
    {
      const GilkFunction *f = &functions->all[candidates[i]];
      GilkPart part = { f->hot.start, f->hot.end, candidates[i] };

      gilk_functions_each_branch (functions, &part, claim_cold, &data);
    }
}

/* ---- inbound ---- */

/* Appends @to to @found if @to is in a function other than @from's, but is not the entry of that
 * function. */
static void
add_inbound (GilkFunctions *self, const GilkPart *from, uint64_t to, GArray *found)
{
  const GilkPart *part = gilk_functions_part (self, to);

  if (part != NULL && (from == NULL || part->function != from->function) &&
      to != self->all[part->function].hot.start)
    g_array_append_val (found, to);
}

static void
note_jump (GilkFunctions *self, const GilkPart *from, const GilkInsn *insn, gpointer user_data)
{
  if (insn->target < from->start || insn->target >= from->end)
    add_inbound (self, from, insn->target, user_data);
}

/* Returns whether the part is the driver's arena. Code in the arena jumps back into the hooked
 * functions. */
static gboolean
is_arena (GilkFunctions *self, const GilkPart *part)
{
  return part != NULL && g_str_equal (self->all[part->function].name, "ilk_arena_section");
}

/* Adds targets of fix-ups and static keys, because these, too, may be in another function. */
static void
note_sites (GilkFunctions *self, GArray *found)
{
  guint count;
  const GilkSite *sites = gilk_image_sites (self->image, 0, UINT64_MAX, &count);

  for (guint i = 0; i < count; i++)
    {
      const GilkPart *from = gilk_functions_part (self, sites[i].addr);

      if ((sites[i].kind == GILK_SITE_EXTABLE || sites[i].kind == GILK_SITE_JUMP_LABEL) && !is_arena (self, from))
        add_inbound (self, from, sites[i].other, found);
    }
}

void
gilk_functions_sweep (GilkFunctions *functions)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  guint n = 0;

  for (guint i = 0; i < functions->n_parts; i++)
    if (gilk_function_has_text (&functions->all[functions->parts[i].function]) &&
        !is_arena (functions, &functions->parts[i]))
      gilk_functions_each_branch (functions, &functions->parts[i], note_jump, found);
  note_sites (functions, found);

  functions->inbound = (uint64_t *) (void *) found->data;
  if (found->len > 0)
    qsort (functions->inbound, found->len, sizeof (uint64_t), gilk_order_uint64);
  for (guint i = 0; i < found->len; i++)
    if (n == 0 || functions->inbound[i] != functions->inbound[n - 1])
      functions->inbound[n++] = functions->inbound[i];

  functions->n_inbound = n;
  g_array_free (found, FALSE);
}
