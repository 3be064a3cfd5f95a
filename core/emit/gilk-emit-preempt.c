/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit-preempt.c - writes code that disables and enables preemption around a hit
 */
#include "core/emit/gilk-emit.h"

enum { INC = 0, DEC = 1 };

static void
adjust_count (GilkAsm *as, const struct ilk_info *info, guint step, gboolean wide)
{
  gilk_asm_mem (as, wide, 0xff, step, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
}

void
gilk_emit_preempt_disable (GilkAsm               *as,
                           const struct ilk_info *info)
{
  adjust_count (as, info, INC, FALSE);
}

void
gilk_emit_preempt_enable (GilkAsm               *as,
                          const struct ilk_info *info,
                          gboolean               backward)
{
  const gboolean looks = info->reschedule != 0 && !backward;
  gsize over;

  adjust_count (as, info, DEC, looks && info->preempt_bytes == 8);
  if (!looks)
    return;

  /*
   * The kernel keeps "need resched" as the highest bit of the count, inverted: one comparison with
   * 0 checks both.
   */
  over = gilk_asm_jcc_ahead (as, GILK_CC_NE);
  gilk_asm_call (as, info->reschedule);
  as->insns--;                                   /* not counted: executed only after an interrupt */
  gilk_asm_land (as, over);
}
