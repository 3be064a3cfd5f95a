/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-watch.h - a watch of a plan, as people write it
 *
 *   jiffies_64:w                                     writes of a variable
 *   tcp_memory_allocated:rw                          reads, too
 *   (struct task_struct) init_task.usage:w           a member; the type where the kernel does not tell it
 *   0xffffffff82a0d040:w8                            8 bytes somewhere
 *   softnet_data.processed:w,cpu=0                   a processor's copy of a per-CPU variable
 *   softnet_data.processed:w,cpu=own                 each processor's own, as it writes it itself
 *   vfs_write+0x10:x                                 an instruction that is executed
 *   jiffies_64:w,most=1000                           of each processor a second, behind which it pauses
 *   ?:w8                                             what programs of the plan tell, by watch(LABEL, ADDRESS)
 *
 * On a command line "LABEL=" may stand before it, and "{ PROGRAM }" behind it.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

#define GILK_WATCH_INSTRUMENT "watch"          /* what sessions call it */

/* In a GilkPlanWatch, for the processor. */
#define GILK_WATCH_NO_CPU  (-1)                /* it says none */
#define GILK_WATCH_OWN_CPU (-2)

#define GILK_WATCH_TOLD "?"                       /* what is watched, of one that moves */

struct _GilkPlanWatch {
  guint    access;             /* enum ilk_watch_access */
  guint    bytes;              /* 0: as the variable has */
  int      cpu;                /* or GILK_WATCH_*_CPU */
  uint64_t most;               /* accesses of a processor that are taken in a second; 0: the driver's choice */
  gboolean moves;              /* programs tell where it looks */
};

/* @what: (out) (transfer full): what is watched: all before the last colon. */
gboolean      gilk_plan_watch_parse    (const char *text, char **what, GilkPlanWatch *watch, GError **error);
/* As it was written, but for blanks. @hook has a watch. (transfer full) */
char         *gilk_plan_watch_text     (const GilkPlanHook *hook);
/* gilk-plan.c: a hook of that text, with a label that @plan has not yet. (transfer full) */
GilkPlanHook *gilk_plan_watch_hook_new (const GilkPlan *plan, const char *text, GError **error);
/* gilk-plan-watch-line.c: the same of a command line, with its program, which is the plan's then. */
GilkPlanHook *gilk_plan_watch_hook_new_line (GilkPlan *plan, const char *text, GError **error);
/* Makes a watch of @hook, whatever it was. */
gboolean      gilk_plan_hook_set_watch (GilkPlanHook *hook, const char *text, GError **error);
/* "w", "rw", "x". */
const char   *gilk_access_name         (guint access);

G_END_DECLS
