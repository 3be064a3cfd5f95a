/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.h - a probe point as one writes it on a command line
 *
 *   FUNCTION+OFF[:WHERE[:INSTRUMENT[:TACTIC]]]       pipe_write+0x2b1:pre:task
 *   FUNCTION@ANCHOR[:WHERE[:INSTRUMENT[:TACTIC]]]    pipe_read@call:schedule:pre:task
 *   FUNCTION[:WHERE[:INSTRUMENT[:TACTIC]]]           the entry block
 *
 * or, with a probe program (doc/PROBES.md) behind the place, instead of an instrument:
 *
 *   FUNCTION+OFF[:WHERE[:TACTIC]] { PROGRAM }        pipe_write+0x2b1:pre { sample(%rax) }
 *   FUNCTION@ANCHOR[:WHERE[:TACTIC]] { PROGRAM }
 *   FUNCTION[:WHERE[:TACTIC]] { PROGRAM }            vfs_write:entry { if (count > 4096) sample(pid) }
 *
 *   FUNCTION+OFF:at...                               directly before the instruction there
 *
 *   [MODULE:]FILE:LINE[:INSTRUMENT[:TACTIC]]         fs/pipe.c:517, where there are debug data: all its places
 *
 * FUNCTION may name its module, "ext4:ext4_sync_file" or "ext4_sync_file [ext4]", and a
 * number, "name@2" for the second of that name, as gilk_functions_lookup() has it;
 * OFF is hexadecimal, ".cold+0x10" in the cold part; ANCHOR is call:SYMBOL,
 * call:SYMBOL#N, entry or return, as in plan files; WHERE is pre or post or at, or of a FUNCTION alone
 * entry, its begin, where arguments are known, or return, all blocks in which it returns; TACTIC
 * is auto, splice, bounce, clone or trap.
 */
#pragma once

#include <glib.h>

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  char     *function;
  char     *block;         /* "+0x1f", ".cold+0x10"; NULL with an anchor */
  char     *anchor;        /* NULL with a block */
  char     *instrument;    /* NULL if not given */
  char     *program;       /* its text; NULL if not given */
  gboolean  at_returns;    /* the anchor is all of them */
  gboolean  at_line;       /* the function is a line of source: point-lines.h */
  GilkWhere where;
  guint     tactic;        /* enum ilk_tactic, 0 auto */
} CliPoint;

/* @point is untouched on failure. Says nothing about whether the function exists. */
gboolean cli_point_parse (const char *text, CliPoint *point, GError **error);
void     cli_point_clear (CliPoint *point);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPoint, cli_point_clear)

/* The point as a hook of @plan with a label of its own; not yet in it, but its program is, which goes
 * before @instrument. (transfer full) */
GilkPlanHook *cli_point_to_hook (const CliPoint *point, GilkPlan *plan, const char *instrument);

const char *cli_where_name (GilkWhere where);
/* "auto", "splice", "trap"; NULL is auto. */
gboolean cli_parse_tactic (const char *text, guint *tactic, GError **error);

G_END_DECLS
