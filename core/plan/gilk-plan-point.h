/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-point.h - parses probe points and watchpoints
 *
 * All parts of Gilk that read probe points use this parser: plan files, command line options, the
 * GUI, and the binding of plans to a kernel. An unknown word is an error, whose message suggests
 * the most similar known word.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

typedef enum {
  GILK_ANCHOR_ENTRY,           /* "entry" */
  GILK_ANCHOR_RETURN,          /* "return", "return#2" */
  GILK_ANCHOR_CALL,            /* anchor such as "call:SYMBOL" or "call:SYMBOL#2" */
} GilkAnchorKind;

typedef struct {
  GilkAnchorKind kind;
  char          *symbol;       /* the called function; NULL: the anchor is not a call */
  guint          nth;          /* N selects the Nth block that matches, from 1; 0: exactly one block
                                * must match */
} GilkAnchor;

gboolean gilk_anchor_parse (const char *text, GilkAnchor *anchor, GError **error);
void     gilk_anchor_clear (GilkAnchor *anchor);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkAnchor, gilk_anchor_clear)

/* Checks that @text is a block's offset, such as "+0x1f" or ".cold+0x10". */
gboolean gilk_block_check  (const char *text, GError **error);
/* Parses "pre", "post" or "at". */
gboolean gilk_where_parse  (const char *text, GilkWhere *where, GError **error);
/* Parses "auto", "splice", "bounce", "clone" or "trap"; NULL means auto. */
gboolean gilk_tactic_parse (const char *text, guint *tactic, GError **error);
/* Checks that @text has the form of an instrument's name, but not whether an instrument of that
 * name exists. */
gboolean gilk_instrument_check (const char *text, GError **error);

/**
 * GilkPointText:
 * A probe point on one line:
 *
 *   FUNCTION+OFF[:WHERE[:INSTRUMENT[:TACTIC]]]       pipe_write+0x2b1:pre:task
 *   FUNCTION@ANCHOR[:WHERE[:INSTRUMENT[:TACTIC]]]    pipe_read@call:schedule:pre:task
 *   FUNCTION[:WHERE[:INSTRUMENT[:TACTIC]]]           the entry block
 *
 * or, with a probe program (gilk-probes(7)) instead of an instrument:
 *
 *   FUNCTION+OFF[:WHERE[:TACTIC]] { PROGRAM }        pipe_write+0x2b1:pre { sample(%rax) }
 *   FUNCTION@ANCHOR[:WHERE[:TACTIC]] { PROGRAM }
 *   FUNCTION[:WHERE[:TACTIC]] { PROGRAM }            vfs_write:entry { if (count > 4096) count() }
 *
 *   FUNCTION+OFF:at...                               in front of the instruction at OFF
 *
 * or, with debug data, all addresses of a source line or of the inlined copies of a function:
 *
 *   [MODULE:]FILE:LINE[:INSTRUMENT[:TACTIC]]         fs/pipe.c:517
 *   FUNCTION:inlined[:INSTRUMENT[:TACTIC]]
 *
 * or a tracepoint or timer (gilk-plan-event.h):
 *
 *   tracepoint:SYSTEM:NAME[:INSTRUMENT], profile:99hz[:INSTRUMENT], interval:1s[:INSTRUMENT]
 *   tracepoint:SYSTEM:NAME { PROGRAM }, ...
 *
 * FUNCTION may include its module ("ext4:ext4_sync_file" or "ext4_sync_file [ext4]") and a number:
 * "name@2" is the second function of that name, as in gilk_functions_lookup(). OFF is hexadecimal;
 * in the cold part it is ".cold+0x10". ANCHOR is as in gilk_anchor_parse(). WHERE is pre, post or
 * at; for a FUNCTION alone also entry (its start, where arguments are available), return (all
 * blocks in which it returns) or inlined.
 */
typedef struct {
  char     *function;
  char     *block;         /* the block's offset, such as "+0x1f"; NULL if @anchor is set */
  char     *anchor;        /* text of the anchor; NULL if @block is set */
  char     *instrument;    /* the instrument's name; NULL if not given */
  char     *program;       /* the program's text; NULL if not given */
  gboolean  at_returns;    /* the point selects all blocks in which the function returns */
  gboolean  is_event;      /* @function is a tracepoint or timer */
  gboolean  at_line;       /* @function is a source line */
  gboolean  at_inlined;    /* the point selects all places where the function was inlined */
  GilkWhere where;
  guint     tactic;        /* requested tactic (enum ilk_tactic); 0: auto */
} GilkPointText;

/* Parses a probe point. Does not check that the function exists. */
gboolean gilk_point_text_parse (const char *text, GilkPointText *point, GError **error);
void     gilk_point_text_clear (GilkPointText *point);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPointText, gilk_point_text_clear)
/* Formats a probe point in its canonical form, which gilk_point_text_parse() accepts. (transfer
 * full) */
char    *gilk_point_text_format (const GilkPointText *point);
/*
 * Makes a hook for the point, with a label that is unused in @plan. Adds the point's program to
 * @plan, but not the hook. @instrument: the hook's instrument if the point has neither an
 * instrument nor a program. (transfer full)
 */
GilkPlanHook *gilk_point_text_to_hook (const GilkPointText *point, GilkPlan *plan, const char *instrument);

/*
 * Watchpoints of a plan as text.
 *
 *   jiffies_64:w                                     writes to a variable
 *   tcp_memory_allocated:rw                          reads and writes
 *   (struct task_struct) init_task.usage:w           a member; cast if BTF lacks the variable
 *   0xffffffff82a0d040:w8                            8 bytes at an address
 *   softnet_data.processed:w,cpu=0                   one CPU's copy of a per-CPU variable
 *   softnet_data.processed:w,cpu=each                each CPU's accesses to its own copy
 *   vfs_write+0x10:x                                 execution of an instruction
 *   jiffies_64:w,limit=1000                          1000 accesses per CPU and second, then a pause
 *   ?:w8                                             8 bytes; programs set the address with watch()
 *
 * On a command line "LABEL=" may be in front, and "{ PROGRAM }" at the end.
 */

#define GILK_WATCHPOINT_INSTRUMENT "watchpoint"     /* instrument name of watchpoints in sessions */

/* Special values of GilkPlanWatchpoint.cpu. */
#define GILK_WATCHPOINT_NO_CPU  (-1)                /* the watchpoint does not name a CPU */
#define GILK_WATCHPOINT_EACH_CPU (-2)

#define GILK_WATCHPOINT_MOVABLE "?"                       /* expression of a watchpoint whose
                                                           * address programs set */

struct _GilkPlanWatchpoint {
  guint    access;             /* enum gilk_watch_access */
  guint    bytes;              /* size of the watched data in bytes; 0: the variable's size */
  int      cpu;                /* CPU number, or GILK_WATCHPOINT_*_CPU */
  uint64_t rate_limit;         /* maximum accesses per CPU and second; 0: the agent's default */
  gboolean is_movable;         /* programs set the address of the watchpoint */
};

/* Parses a watchpoint such as "jiffies_64:w". @what: (out) (transfer full): its expression, the
 * part in front of the last colon */
gboolean      gilk_plan_watchpoint_parse    (const char *text, char **what, GilkPlanWatchpoint *watch, GError **error);
/* Formats the watchpoint of @hook in canonical form. (transfer full) */
char         *gilk_plan_watchpoint_text     (const GilkPlanHook *hook);
/* Makes a watchpoint hook, with a label that is unused in @plan. In gilk-plan.c. (transfer full) */
GilkPlanHook *gilk_plan_watchpoint_hook_new (const GilkPlan *plan, const char *text, GError **error);
/* Makes a watchpoint hook from a command line option, and adds its program to @plan. In
 * gilk-plan-point-text.c. (transfer full) */
GilkPlanHook *gilk_plan_watchpoint_hook_new_line (GilkPlan *plan, const char *text, GError **error);
gboolean      gilk_plan_hook_set_watchpoint (GilkPlanHook *hook, const char *text, GError **error);
/* Returns "w", "rw" or "x". */
const char   *gilk_access_name         (guint access);

G_END_DECLS
