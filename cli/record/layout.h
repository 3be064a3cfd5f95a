/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.h - declares functions that the files of "gilk layout" share
 */
#pragma once

#include "cli/base/kernel.h"
#include "cli/base/session.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-run.h"
#include "core/splice/gilk-code-layout.h"

/* ---- functions of layout.c ---- */

/* Each of the steps (counting blocks, measuring a layout, keeping a layout) is a run in the
 * session. */

/* A function whose code layout is changed. */
typedef struct {
  const GilkFunction *function;
  char         *name;         /* name as in plans */
  GilkCfg      *cfg;
  gboolean      inner;        /* the function was added as a callee; only clones of other functions
                               * call its clone */
  gboolean      left_out;     /* the function was never called, so its layout is not changed */
  GilkCodeLayout *layout;     /* the new layout; set once the function was counted */
  GilkLayoutFigures after;    /* figures of the function with the new layout */
} CliLayoutFunction;

/* Effect of the new layout on the duration of calls, measured in alternating intervals of time. */
typedef struct {
  gboolean  known;
  char     *why_not;            /* a sentence */
  guint     pairs;
  uint64_t  calls;
  double    before_ns, after_ns;
  double    difference, low, high;     /* relative difference (after − before) / before, with its
                                        * 95 % confidence interval */
} CliLayoutTimes;

typedef struct {
  Cli         *cli;
  CliKernel   *kernel;
  GilkDecoder *decoder;
  GilkStore   *store;
  gboolean     joined;          /* clones of the named functions call each other, not the
                                 * originals */
  guint        n_callees;       /* maximum number of callees to optimise in addition to the named
                                 * functions */
  GPtrArray   *functions;       /* CliLayoutFunction: named functions first, then callees */
  guint        n_roots;
  GPtrArray   *refused;         /* names of callees that cannot be cloned */
  GilkLayoutFigures before, after;   /* figures of all functions together with the old and the
                                      * new layout, per call of the first function */
  CliLayoutTimes times;
} CliLayout;

void           cli_layout_clear (CliLayout *layout);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliLayout, cli_layout_clear)

static inline CliLayoutFunction *
cli_layout_function (const CliLayout *layout, guint i)
{
  return g_ptr_array_index (layout->functions, i);
}

/* Adds the functions @names; the kernel must be set. Fails if one cannot be cloned. */
gboolean       cli_layout_add_functions    (CliLayout *layout, char *const *names, GError **error);
/* Adds the callees that were called most, so that at most n_callees are added in total. Returns the
 * number of callees added by this call. */
guint          cli_layout_add_callees (CliLayout *layout, GError **error);
/* Computes the effect of the new layouts of all functions; FALSE if no named function was
 * called. */
gboolean       cli_layout_compute_figures    (CliLayout *layout, GError **error);
/* Binds all clones with their new layouts, without hooks. (transfer full) */
GilkBoundPlan *cli_layout_bind     (const CliLayout *layout, GError **error);
/* Adds the clones of callees to @bound, and sets the new layouts for these clones and for the
 * clones that @bound already has. */
gboolean       cli_layout_bind_into  (const CliLayout *layout, GilkBoundPlan *bound, GError **error);
/* Runs @bound (transfer full) to the end; Ctrl-C ends the run early. @figures: (nullable): set to
 * the run's figures, which the caller must clear. @id: (nullable): set to the run's row id. */
gboolean       cli_layout_run      (const CliLayout *layout, GilkBoundPlan *bound, uint64_t duration_ns,
                                    const char *doing, GilkRunFigures *figures, gint64 *id, GError **error);

/* ---- functions of layout-count.c ---- */

/* Counts blocks and edges for @for_ns. Then adds the callees that were called most and counts again
 * for @for_ns, until no callee is added, five times at most. */
gboolean cli_layout_count (CliLayout *layout, uint64_t for_ns, GError **error);
/* Takes the counts from a session's run on the same kernel. */
gboolean cli_layout_read_counts (CliLayout *layout, const CliSession *session, GError **error);

/* ---- functions of layout-measure.c ---- */

/* Measures the duration of calls of the first function. The function's clone has the original
 * layout in some time intervals and the new layout in others, in random order, and has the same
 * hooks in all of them. If the duration cannot be measured, this is not an error: @layout->times
 * has the reason. */
gboolean cli_layout_measure (CliLayout *layout, guint pairs, uint64_t interval_ns, GError **error);
