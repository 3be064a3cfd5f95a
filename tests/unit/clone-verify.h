/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clone-verify.h - decodes a clone and checks the invariants of clones
 *
 * Every branch leads to the start of an instruction of the clone or of the original; every
 * exception table entry has the address of an instruction, and a fix-up in the clone starts an
 * instruction; unwind entries ascend and start at the first byte.
 */
#pragma once

#include "core/splice/gilk-splice.h"

/* Returns an array that is TRUE at each offset where an instruction of the clone starts; NULL if
 * the clone cannot be decoded. */
static inline gboolean *
clone_starts (GilkDecoder *decoder, const GByteArray *code, uint64_t slot)
{
  gboolean *starts = g_new0 (gboolean, code->len + 1);
  GilkInsn insn;

  for (guint at = 0; at < code->len; at += insn.len)
    {
      starts[at] = TRUE;
      if (!gilk_insn_decode (decoder, code->data + at, code->len - at, slot + at, &insn))
        {
          g_free (starts);
          return NULL;
        }
    }

  return starts;
}

/* Returns whether a branch from the clone to @addr in the original is allowed. */
static inline gboolean
clone_may_leave_to (const GilkCfg *cfg, uint64_t addr)
{
  const GilkFunction *f = cfg->function;

  if ((addr < f->hot.start || addr >= f->hot.end) &&
      (addr < f->cold.start || addr >= f->cold.end))
    return TRUE;
  for (guint i = 0; i < cfg->n_insns; i++)
    if (cfg->insns[i].addr == addr)
      return TRUE;

  return addr == f->hot.start;
}

/* Returns: (transfer full) (nullable): a description of the first violation, NULL if there
 * is none */
static inline char *
clone_verify (const GilkCfg *cfg, GilkDecoder *decoder, const GilkCode *code, uint64_t slot)
{
  const guint length = code->code->len;
  g_autofree gboolean *starts = clone_starts (decoder, code->code, slot);
  GilkInsn insn;

  if (starts == NULL)
    return g_strdup ("cannot be decoded");
  for (guint at = 0; at < length; at += insn.len)
    {
      gilk_insn_decode (decoder, code->code->data + at, length - at, slot + at, &insn);
      if (insn.target == 0)
        continue;
      if (insn.target - slot < length ? !starts[insn.target - slot]
                                      : !clone_may_leave_to (cfg, insn.target))
        return g_strdup_printf ("branch at %#x leads to %#" G_GINT64_MODIFIER "x", at, insn.target);
    }
  for (guint i = 0; i < code->faults->len; i++)
    {
      const struct ilk_fault *fault = &g_array_index (code->faults, struct ilk_fault, i);

      if (fault->offset >= length || !starts[fault->offset] ||
          (fault->fixup - slot < length && !starts[fault->fixup - slot]) ||
          (i > 0 && fault[-1].offset >= fault->offset))
        return g_strdup_printf ("exception entry at %#x", fault->offset);
    }
  for (guint i = 0; i < code->orc->len; i++)
    {
      const struct ilk_orc *orc = &g_array_index (code->orc, struct ilk_orc, i);

      if (orc->offset >= length || !starts[orc->offset] ||
          (i == 0 ? orc->offset != 0 : orc[-1].offset >= orc->offset))
        return g_strdup_printf ("unwind entry at %#x", orc->offset);
    }

  return NULL;
}
