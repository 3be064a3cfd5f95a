/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tactic.c - stable names of tactics (ways to hook a probe point), for plans, sessions, text
 * and JSON
 */
#include "core/base/gilk-tactic.h"

static const char *const names[GILK_BPF_TACTICS_END] = {
  [ILK_TACTIC_NONE] = "none", [ILK_TACTIC_SPLICE] = "splice", [ILK_TACTIC_BOUNCE] = "bounce",
  [ILK_TACTIC_CLONE] = "clone", [ILK_TACTIC_TRAP] = "trap",
  [GILK_TACTIC_BREAKPOINT] = "breakpoint", [GILK_TACTIC_FENTRY] = "fentry", [GILK_TACTIC_KPROBE] = "kprobe", [GILK_TACTIC_UPROBE] = "uprobe",
  [GILK_TACTIC_TRACEPOINT] = "tracepoint", [GILK_TACTIC_TIMER] = "timer",
};

const char *
gilk_tactic_name (guint tactic)
{
  return tactic < G_N_ELEMENTS (names) && names[tactic] != NULL ? names[tactic] : "unknown";
}

gboolean
gilk_tactic_name_is_bpf (const char *name)
{
  for (guint tactic = 0; tactic < G_N_ELEMENTS (names); tactic++)
    if (gilk_tactic_is_bpf (tactic) && g_strcmp0 (name, names[tactic]) == 0)
      return TRUE;

  return FALSE;
}
