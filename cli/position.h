/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position.h - functions that are laid out anew by what runs in them, and what that was good for
 *
 * The parts of gilk position: counting, measuring, keeping; each is a run of the session.
 */
#pragma once

#include "cli/kernel.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-run.h"
#include "core/splice/gilk-position.h"

G_BEGIN_DECLS

typedef struct {
  const GilkFunction *function;
  char         *name;           /* as plans have it */
  GilkCfg      *cfg;
  gboolean      inner;          /* a callee, whose clone the others alone call */
  gboolean      left_out;       /* it was never called, and stays as it is */
  GilkPosition *position;       /* once it was counted */
  GilkPositionFigures after;    /* of its new order */
} CliPositioned;

/* What of the time of calls was seen in blocks of time. */
typedef struct {
  gboolean  known;
  char     *why_not;            /* a sentence */
  guint     pairs;
  uint64_t  calls;
  double    before_ns, after_ns;
  double    difference, low, high;     /* after less before, as a share of before; 95 % */
} CliPositionTimes;

typedef struct {
  Cli         *cli;
  CliKernel   *kernel;
  GilkDecoder *decoder;
  GilkStore   *store;
  gboolean     joined;          /* those that were named call each other's clones */
  guint        n_callees;       /* at most so many are taken along */
  GPtrArray   *functions;       /* CliPositioned: those that were named first */
  guint        n_roots;
  GPtrArray   *refused;         /* names of callees that no clone can be made of */
  GilkPositionFigures before, after;   /* of all together, a call of the first */
  CliPositionTimes times;
} CliPositions;

void           cli_positions_clear (CliPositions *positions);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPositions, cli_positions_clear)

static inline CliPositioned *
cli_positioned_at (const CliPositions *positions, guint i)
{
  return g_ptr_array_index (positions->functions, i);
}

/* With its kernel set. Refuses what no clone can be made of. */
gboolean       cli_positions_begin    (CliPositions *positions, char *const *names, GError **error);
/* The callees that are called most of all that was counted, up to as many as there may be. Returns: how many are new */
guint          cli_positions_add_callees (CliPositions *positions, GError **error);
/* Figures of all that was counted; FALSE if nothing was called that was named. */
gboolean       cli_positions_judge    (CliPositions *positions, GError **error);
/* All clones in their new orders, without hooks. (transfer full) */
GilkBoundPlan *cli_positions_bind     (const CliPositions *positions, GError **error);
/* The same of callees only, beside the hooks that are in @bound, whose clones get their new orders, too. */
gboolean       cli_positions_bind_in  (const CliPositions *positions, GilkBoundPlan *bound, GError **error);
/* A run to its end, which Ctrl-C brings on. @bound: (transfer full); @figures: (nullable): to be cleared; @id: (nullable) */
gboolean       cli_positions_run      (const CliPositions *positions, GilkBoundPlan *bound, uint64_t duration_ns,
                                       const char *doing, GilkRunFigures *figures, gint64 *id, GError **error);

G_END_DECLS
