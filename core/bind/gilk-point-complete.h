/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.h - completes the text of a program for a given probe point, and
 * watchpoint expressions
 *
 * Threads: any. The first call for a kernel or module requests types from the target and may block.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-point.h"
#include "core/language/gilk-complete.h"

G_BEGIN_DECLS

/**
 * gilk_point_complete:
 * @block, @where: the probe point in @cfg
 * @labels, @text, @offset, @part: as in gilk_complete()
 * Returns: (transfer full): as from gilk_complete(); NULL with an error: cancelled, or the target
 *   is lost. Missing kernel types are not an error: then fewer completions are found
 */
GPtrArray *gilk_point_complete (const GilkCfg *cfg, guint block, GilkWhere where, gboolean may_change,
                                const char *const *labels, const char *text, gsize offset,
                                GCancellable *cancellable, GilkTextPart *part, GError **error);

/*
 * Completes watchpoint expressions.
 *
 * Threads: any. Completing members requests types from the target and may block.
 */

typedef struct {
  char    *text;               /* the completed text: "jiffies_64", "name [module]", "(struct s)
                                * v.member" */
  char    *note;               /* (nullable): the type of the variable or member */
  uint64_t matched;            /* bit i: character i of the text matches the input (i < 64) */
  gboolean per_cpu;            /* the text names a per-CPU variable */
  int      score;
} GilkWatchpointChoice;

/**
 * gilk_watchpoint_choices:
 * @text: the text typed so far: part of a name, as for gilk_functions_find(); a variable, "." and
 *   the start of a member's name, which may be empty; or "(" and the start of a type's name
 * Returns variables, best match first, at most @limit; none if nothing matches, or if the type of
 * the variable is unknown.
 * Returns: (transfer full) (element-type GilkWatchpointChoice)
 */
GPtrArray *gilk_watchpoint_choices      (GilkImage *image, const char *text, guint limit, GCancellable *cancellable);
/* Works like gilk_watchpoint_choices(), but returns functions, for execute watchpoints. */
GPtrArray *gilk_watchpoint_code_choices (GilkFunctions *functions, const char *text, guint limit);

G_END_DECLS
