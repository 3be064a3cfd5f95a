/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - returns stable names of constants, such as states, for text and JSON
 */
#include "cli/base/names.h"

#include "core/cfg/gilk-cfg.h"
#include "core/plan/gilk-plan.h"
#include "ilk/ilk-abi.h"

static const char *
get_name (const char *const *names, gsize count, guint i)
{
  return i < count && names[i] != NULL ? names[i] : "unknown";
}

const char *
cli_state_name (guint state)
{
  static const char *const names[] = {
    [ILK_STATE_RESERVED] = "reserved", [ILK_STATE_PREPARED] = "prepared",
    [ILK_STATE_TRAPPED] = "trapped", [ILK_STATE_ARMED] = "armed",
    [ILK_STATE_RESTORED] = "restored", [ILK_STATE_RETIRED] = "retired",
    [ILK_STATE_FAILED] = "failed", [ILK_STATE_GONE] = "gone",
    [ILK_STATE_LENDING] = "lending",
  };

  return get_name (names, G_N_ELEMENTS (names), state);
}

const char *
cli_wait_name (guint wait)
{
  static const char *const names[] = {
    [ILK_WAIT_NONE] = "none", [ILK_WAIT_GRACE] = "grace", [ILK_WAIT_STACKS] = "stacks",
    [ILK_WAIT_TASK] = "task", [ILK_WAIT_LIVE] = "live",
  };

  return get_name (names, G_N_ELEMENTS (names), wait);
}

const char *
cli_edge_name (guint kind)
{
  static const char *const names[] = {
    [GILK_EDGE_FALL] = "falls", [GILK_EDGE_TAKEN] = "taken", [GILK_EDGE_NOT_TAKEN] = "not-taken",
    [GILK_EDGE_JUMP] = "jumps", [GILK_EDGE_STATIC_KEY] = "static-key", [GILK_EDGE_FIXUP] = "fixup",
  };

  return get_name (names, G_N_ELEMENTS (names), kind);
}

const char *
cli_ending_name (guint ending)
{
  static const char *const names[] = {
    [GILK_END_FALL] = "fall", [GILK_END_JCC] = "branch", [GILK_END_JUMP] = "jump",
    [GILK_END_RETURN] = "return", [GILK_END_TAIL_CALL] = "tail-call",
    [GILK_END_NORETURN] = "noreturn", [GILK_END_TRAP] = "trap", [GILK_END_INDIRECT] = "indirect",
  };

  return get_name (names, G_N_ELEMENTS (names), ending);
}

const char *
cli_field_name (guint type)
{
  static const char *const names[] = {
    [ILK_FIELD_U64] = "u64", [ILK_FIELD_S64] = "s64", [ILK_FIELD_U32] = "u32",
    [ILK_FIELD_S32] = "s32", [ILK_FIELD_HEX64] = "hex64", [ILK_FIELD_TEXT] = "text",
  };

  return get_name (names, G_N_ELEMENTS (names), type);
}
