/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-watchpoint.h - watchpoints of a plan as text
 *
 *   jiffies_64:w                                     writes to a variable
 *   tcp_memory_allocated:rw                          reads and writes
 *   (struct task_struct) init_task.usage:w           a member; cast if BTF lacks the variable
 *   0xffffffff82a0d040:w8                            8 bytes at an address
 *   softnet_data.processed:w,cpu=0                   one CPU's copy of a per-CPU variable
 *   softnet_data.processed:w,cpu=each                each CPU's accesses to its own copy
 *   vfs_write+0x10:x                                 execution of an instruction
 *   jiffies_64:w,limit=1000                          1000 accesses per CPU and second, then a pause
 *   ?:w8                                             programs set it: watch(LABEL, ADDRESS)
 *
 * On a command line "LABEL=" may be in front, and "{ PROGRAM }" at the end.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

#define GILK_WATCHPOINT_INSTRUMENT "watchpoint"     /* instrument name of watchpoints in sessions */

/* Values of GilkPlanWatchpoint.cpu. */
#define GILK_WATCHPOINT_NO_CPU  (-1)                /* not specified */
#define GILK_WATCHPOINT_EACH_CPU (-2)

#define GILK_WATCHPOINT_MOVABLE "?"                       /* expression of a movable watchpoint */

struct _GilkPlanWatchpoint {
  guint    access;             /* enum ilk_watch_access */
  guint    bytes;              /* size of the watched data; 0: the variable's size */
  int      cpu;                /* CPU number, or GILK_WATCHPOINT_*_CPU */
  uint64_t rate_limit;         /* maximum accesses per CPU and second; 0: the driver's default */
  gboolean is_movable;         /* programs set the address of the watchpoint */
};

/* @what: (out) (transfer full): the expression, which is everything in front of the last colon */
gboolean      gilk_plan_watchpoint_parse    (const char *text, char **what, GilkPlanWatchpoint *watch, GError **error);
/* Formats the watchpoint of @hook in canonical form. (transfer full) */
char         *gilk_plan_watchpoint_text     (const GilkPlanHook *hook);
/* gilk-plan.c: makes a watchpoint hook, with a label that is unused in @plan. (transfer full) */
GilkPlanHook *gilk_plan_watchpoint_hook_new (const GilkPlan *plan, const char *text, GError **error);
/* gilk-plan-watchpoint-line.c: makes a watchpoint hook from a command line; adds its program to
 * @plan. (transfer full) */
GilkPlanHook *gilk_plan_watchpoint_hook_new_line (GilkPlan *plan, const char *text, GError **error);
gboolean      gilk_plan_hook_set_watchpoint (GilkPlanHook *hook, const char *text, GError **error);
/* Returns "w", "rw" or "x". */
const char   *gilk_access_name         (guint access);

G_END_DECLS
