/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-callees.h - counts block executions in the callees of a function, by adding clones with
 * counters to a plan
 *
 * Each callee is replaced by a clone, an instrumented copy of the function with counters in its
 * blocks. core/splice/gilk-clone.h documents which functions are included, and at which call depth
 * the search stops.
 *
 * Threads: any, each with its own decoder. Blocks on the target.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"
#include "core/plan/gilk-plan.h"
#include "core/splice/gilk-clone.h"

G_BEGIN_DECLS

#define GILK_PLAN_CALLEES_DEPTH 3        /* default of the maximum call depth */

typedef struct {
  GPtrArray *hooks;                    /* (element-type GilkPlanHook): hooks to add to the plan;
                                        * their labels are unused in the plan */
  GArray    *reached;                  /* (element-type GilkCallee): all callees found, including
                                        * functions that cannot be cloned */
  guint      n_cloned;                 /* number of functions with hooks */
} GilkPlanCallees;

void gilk_plan_callees_free (GilkPlanCallees *reach);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanCallees, gilk_plan_callees_free)

typedef struct {
  const char *function;
  guint       depth;                   /* maximum call depth */
  gboolean    fewest;                  /* use only as many counters as are needed to compute the
                                        * counts of all blocks */
} GilkPlanCalleesSettings;

/**
 * gilk_plan_callees_new:
 * @plan: the plan that the caller will add the hooks to; not changed
 *
 * Returns: (transfer full): NULL with GILK_ERROR_REFUSED if the function itself cannot be cloned
 */
GilkPlanCallees *gilk_plan_callees_new (const GilkPlan *plan, const GilkPlanCalleesSettings *settings, GilkFunctions *functions,
                                        GilkImage *image, GilkDecoder *decoder, const GilkProgress *progress,
                                        GCancellable *cancellable, GError **error);
/* Returns a sentence for each reason why callees are not counted. (transfer full) (element-type
 * utf8) */
GPtrArray       *gilk_plan_callees_describe_uncounted (const GilkPlanCallees *reach);

G_END_DECLS
