/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-private.h - the parts of a sweep: what a pass goes by, and what it adds
 */
#pragma once

#include "core/analysis/gilk-cells.h"
#include "core/analysis/gilk-sweep.h"

G_BEGIN_DECLS

/* Numbers of a range of keys. */
typedef struct {
  uint64_t n[GILK_SWEEP_SIDES];
  uint64_t low, high;         /* of those there are */
  gboolean wanted;
} GilkSweepPiece;

typedef struct { uint64_t low, high; } GilkSweepRange;

/* What a pass goes by. Nobody writes it meanwhile, but for what is taken: by atomic steps. */
typedef struct {
  enum { COUNTING, KEEPING, STEPPING } what;
  GilkCells cells;            /* counting */
  GArray   *ranges;           /* GilkSweepRange, ascending: all else is not looked at */
  double    unit;
  uint64_t *kept[GILK_SWEEP_SIDES];      /* keeping: keys */
  uint64_t  room[GILK_SWEEP_SIDES], taken[GILK_SWEEP_SIDES];
  uint32_t *steps[GILK_SWEEP_SIDES];     /* stepping: how many of each whole number */
  gint64    base;
} GilkSweepPass;

struct _GilkSweep {
  GilkSweepPass         *pass;
  gboolean               is_fork;
  const GilkSweepViewer *viewer;
  gpointer               data;
  gsize                  room;
  GArray                *pieces;      /* GilkSweepPiece, ascending */
  guint                  next, end;   /* those to be shown; those that this pass takes */
  uint64_t               below[GILK_SWEEP_SIDES];
  gboolean               torn;

  /* what is added */
  gboolean               begun;       /* the first pass is over */
  gboolean               whole;
  GilkSweepSide          sides[GILK_SWEEP_SIDES];
  GilkSweepPiece        *counted;     /* of each cell */
};

/* Room for what a counting pass adds. */
void gilk_sweep_begin_counting (GilkSweep *sweep);

G_END_DECLS
