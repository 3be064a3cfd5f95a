/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-branches.c - branches between blocks of a clone, short where they reach
 */
#include "core/emit/gilk-clone-branches.h"

#include <string.h>

typedef struct {
  gsize    end;            /* offset of the branch's end, just after its displacement */
  guint    block;
  gboolean is_long;        /* the caller requires the long form */
} Written;

typedef enum {
  FORM_LONG,
  FORM_SHORT,
  FORM_LONG_AGAIN,         /* the branch was short, and did not reach its target */
} Form;

void
gilk_clone_branches_init (GilkCloneBranches *branches)
{
  branches->written = g_array_new (FALSE, FALSE, sizeof (Written));
  branches->forms = g_array_new (FALSE, TRUE, sizeof (uint8_t));
}

void
gilk_clone_branches_clear (GilkCloneBranches *branches)
{
  g_array_unref (branches->written);
  g_array_unref (branches->forms);
}

static uint8_t *
get_form (const GilkCloneBranches *branches, guint i)
{
  return &g_array_index (branches->forms, uint8_t, i);
}

static gboolean
is_short (const GilkCloneBranches *branches, guint i)
{
  return i < branches->forms->len && *get_form (branches, i) == FORM_SHORT;
}

static void
note_branch (GilkCloneBranches *branches, const GilkAsm *as, guint block, gboolean is_long)
{
  const Written written = { as->code->len, block, is_long };

  g_array_append_val (branches->written, written);
}

void
gilk_clone_branches_jcc (GilkCloneBranches *branches,
                         GilkAsm           *as,
                         guint              cc,
                         guint              block)
{
  if (is_short (branches, branches->written->len))
    gilk_asm_hop (as, 0x70 | cc);
  else
    gilk_asm_jcc (as, cc, gilk_asm_here (as));
  note_branch (branches, as, block, FALSE);
}

void
gilk_clone_branches_jmp (GilkCloneBranches *branches,
                         GilkAsm           *as,
                         guint              block)
{
  if (is_short (branches, branches->written->len))
    gilk_asm_hop (as, 0xeb);
  else
    gilk_asm_jmp (as, gilk_asm_here (as));
  note_branch (branches, as, block, FALSE);
}

void
gilk_clone_branches_jmp_long (GilkCloneBranches *branches,
                              GilkAsm           *as,
                              guint              block)
{
  gilk_asm_jmp (as, gilk_asm_here (as));
  note_branch (branches, as, block, TRUE);
}

static int64_t
get_distance (const Written *written, const gsize *starts)
{
  return (int64_t) starts[written->block] - (int64_t) written->end;
}

gboolean
gilk_clone_branches_shorten (GilkCloneBranches *branches,
                             const gsize       *starts)
{
  gboolean changed = FALSE;

  g_array_set_size (branches->forms, branches->written->len);
  for (guint i = 0; i < branches->written->len; i++)
    {
      const Written *written = &g_array_index (branches->written, Written, i);
      int64_t distance = get_distance (written, starts);
      gboolean reaches = distance == (int8_t) distance && !written->is_long;
      uint8_t *form = get_form (branches, i), was = *form;

      if (was == FORM_LONG && reaches)
        *form = FORM_SHORT;
      else if (was == FORM_SHORT && !reaches)
        *form = FORM_LONG_AGAIN;
      changed |= *form != was;
    }
  if (changed)
    g_array_set_size (branches->written, 0);

  return changed;
}

void
gilk_clone_branches_fill (const GilkCloneBranches *branches,
                          GilkAsm                 *as,
                          const gsize             *starts)
{
  for (guint i = 0; i < branches->written->len; i++)
    {
      const Written *written = &g_array_index (branches->written, Written, i);
      const int64_t distance = get_distance (written, starts);
      const int32_t wide = (int32_t) distance;

      if (!is_short (branches, i))
        memcpy (as->code->data + written->end - sizeof wide, &wide, sizeof wide);
      else if (distance == (int8_t) distance)
        as->code->data[written->end - 1] = (uint8_t) distance;
      else
        as->too_far = TRUE;
    }
}
