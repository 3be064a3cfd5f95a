/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-point.h - where a hook is, as people write it: the one parser of blocks, anchors, edges and tactics
 *
 * Plan files, options, the workbench and the binding of a plan read these words here. A word that is not known is an error
 * that names the nearest one; it never stands for another place.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

typedef enum {
  GILK_ANCHOR_ENTRY,           /* "entry" */
  GILK_ANCHOR_RETURN,          /* "return", "return#2" */
  GILK_ANCHOR_CALL,            /* "call:SYMBOL", "call:SYMBOL#2" */
} GilkAnchorKind;

typedef struct {
  GilkAnchorKind kind;
  char          *symbol;       /* of a call; else NULL */
  guint          nth;          /* from 1; 0: the only one */
} GilkAnchor;

gboolean gilk_anchor_parse (const char *text, GilkAnchor *anchor, GError **error);
void     gilk_anchor_clear (GilkAnchor *anchor);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkAnchor, gilk_anchor_clear)

/* Is @text a block's offset, "+0x1f" or ".cold+0x10"? */
gboolean gilk_block_check  (const char *text, GError **error);
/* "pre", "post", "at" */
gboolean gilk_where_parse  (const char *text, GilkWhere *where, GError **error);
/* "auto", "splice", "bounce", "clone", "trap"; NULL is auto */
gboolean gilk_tactic_parse (const char *text, guint *tactic, GError **error);
/* Is @text written as an instrument's name? Whether there is one, the target says. */
gboolean gilk_instrument_check (const char *text, GError **error);

/**
 * GilkPointText:
 * A point on one line:
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
 *   FUNCTION:inlined[:INSTRUMENT[:TACTIC]]           where there are debug data: all places it was inlined at
 *
 * FUNCTION may name its module, "ext4:ext4_sync_file" or "ext4_sync_file [ext4]", and a
 * number, "name@2" for the second of that name, as gilk_functions_lookup() has it;
 * OFF is hexadecimal, ".cold+0x10" in the cold part; ANCHOR is as gilk_anchor_parse() has it; WHERE is pre, post or at, or of
 * a FUNCTION alone entry, its begin, where arguments are known, return, all blocks in which it returns, or inlined.
 */
typedef struct {
  char     *function;
  char     *block;         /* "+0x1f", ".cold+0x10"; NULL with an anchor */
  char     *anchor;        /* NULL with a block */
  char     *instrument;    /* NULL if not given */
  char     *program;       /* its text; NULL if not given */
  gboolean  at_returns;    /* the anchor is all of them */
  gboolean  at_line;       /* the function is a line of source */
  gboolean  at_inlined;    /* all places at which the function was inlined */
  GilkWhere where;
  guint     tactic;        /* enum ilk_tactic, 0 auto */
} GilkPointText;

/* Says nothing about whether the function exists. */
gboolean gilk_point_text_parse (const char *text, GilkPointText *point, GError **error);
void     gilk_point_text_clear (GilkPointText *point);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPointText, gilk_point_text_clear)
/* As gilk_point_text_parse() reads it, each part in its usual spelling. (transfer full) */
char    *gilk_point_text_format (const GilkPointText *point);
/* The point as a hook of @plan with a label of its own; not yet in it, but its program is, which goes
 * before @instrument. (transfer full) */
GilkPlanHook *gilk_point_text_to_hook (const GilkPointText *point, GilkPlan *plan, const char *instrument);

G_END_DECLS
