/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-parts.c - looks up the parts of functions, and finds the owners of cold parts
 */
#include "core/cfg/gilk-function-private.h"

#include "core/base/gilk-array.h"
#include "core/decode/gilk-insn.h"

const GilkFunctionPart *
gilk_functions_part (const GilkFunctions *functions, uint64_t addr)
{
  guint low = GILK_BISECT (functions->n_parts, i, functions->parts[i].start <= addr);

  return low > 0 && addr < functions->parts[low - 1].end ? &functions->parts[low - 1] : NULL;
}

const GilkFunction *
gilk_functions_at (GilkFunctions *functions, uint64_t addr)
{
  const GilkFunctionPart *part = gilk_functions_part (functions, addr);

  return part ? &functions->all[part->function] : NULL;
}

/* Returns the length of @bytes without the int3 and zero bytes at the end, except for up to 16 of
 * them, because an instruction may end with such bytes. There may be megabytes of filler: int3
 * before the next aligned section, zeroes in a module's last page. */
gsize
gilk_text_without_filler (const uint8_t *bytes, gsize length)
{
  gsize end = length;

  while (end > 0 && (bytes[end - 1] == 0xcc || bytes[end - 1] == 0))
    end--;

  return MIN (length, end + 16);
}

void
gilk_functions_each_branch (GilkFunctions *self, const GilkFunctionPart *part, GilkBranchFunc func, gpointer user_data)
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
claim_cold (GilkFunctions *self, const GilkFunctionPart *from, const GilkInsn *insn, gpointer user_data)
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
      GilkFunctionPart part = { f->hot.start, f->hot.end, candidates[i] };

      gilk_functions_each_branch (functions, &part, claim_cold, &data);
    }
}
