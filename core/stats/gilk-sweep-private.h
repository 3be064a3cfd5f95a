/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-private.h - internals of a sweep: parameters and results of a pass
 */
#pragma once

#include "core/stats/gilk-cells.h"
#include "core/stats/gilk-sweep.h"

G_BEGIN_DECLS

/* The numbers in a range of keys. */
typedef struct {
  uint64_t n[GILK_SWEEP_SIDES];
  uint64_t low, high;         /* smallest and largest key that occur */
  gboolean wanted;
} GilkSweepPiece;

typedef struct { uint64_t low, high; } GilkSweepRange;

/* Parameters of a pass. Read-only during the pass, except that
 * kept and counted numbers are added by atomic operations. */
typedef struct {
  enum { COUNTING, KEEPING, STEPPING } what;
  GilkCells cells;            /* counting */
  GArray   *ranges;           /* GilkSweepRange, ascending: other keys are ignored */
  double    unit;
  uint64_t *kept[GILK_SWEEP_SIDES];      /* keeping: keys */
  uint64_t  room[GILK_SWEEP_SIDES], taken[GILK_SWEEP_SIDES];
  uint32_t *steps[GILK_SWEEP_SIDES];     /* stepping: count of each whole number */
  gint64    base;
} GilkSweepPass;

struct _GilkSweep {
  GilkSweepPass         *pass;
  gboolean               is_fork;
  const GilkSweepViewer *viewer;
  gpointer               data;
  gsize                  room;
  GArray                *pieces;      /* GilkSweepPiece, ascending */
  guint                  next, end;   /* next: first piece to pass on; end: end of the pieces that
                                       * this pass takes */
  uint64_t               below[GILK_SWEEP_SIDES];
  gboolean               inconsistent;

  /* results, added to during a pass */
  gboolean               begun;       /* the first pass is over */
  gboolean               whole;
  GilkSweepSummary          sides[GILK_SWEEP_SIDES];
  GilkSweepPiece        *counted;     /* one piece per cell */
};

/* Allocates the results of a counting pass. */
void gilk_sweep_begin_counting (GilkSweep *sweep);

G_END_DECLS
