/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-coverage.h - how every point of a kernel would be hooked, added up
 *
 * Each point is planned alone, as gilk cfg shows it, or all points of a function are
 * planned together, to be live at once, by clones too.
 *
 * Threads: the caller's, in which @func is called too; a scan blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-scan.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_COVERAGE_CAUSES 256

typedef enum {
  GILK_SIZE_TINY,          /* under 2 bytes: no jump at all fits */
  GILK_SIZE_SHORT,         /* 2 to 4: a short jump */
  GILK_SIZE_LONG,          /* 5 and more */
  GILK_N_SIZES,
} GilkSizeClass;

typedef struct {
  uint64_t points;
  uint64_t refused;
  uint64_t by_tactic[ILK_TACTIC_TRAP + 1];       /* enum ilk_tactic, of those not refused */
} GilkCoverageShare;

typedef struct {
  guint    functions, refused_functions;
  guint    area_functions; /* in code areas that are refused as such */
  guint    whole;          /* functions with every point hooked without a trap */
  guint    clones;         /* functions cloned for it */
  uint64_t area_points;    /* of functions in code areas that are refused as such */
  GilkCoverageShare total;
  GilkCoverageShare by_where[2];                 /* GilkWhere */
  GilkCoverageShare by_size[GILK_N_SIZES];
  uint64_t trapped_by[GILK_COVERAGE_CAUSES];     /* GilkRefusal that stood in the way of a splice */
  uint64_t refused_by[GILK_COVERAGE_CAUSES];     /* GilkRefusal */
} GilkCoverage;

/* Called for each block; @points: by GilkWhere. On the calling thread, all borrowed. */
typedef void (*GilkCoverageFunc) (const GilkCfg *cfg, guint block, const GilkChoice points[2],
                                  gpointer user_data);

/* TRUE for the code areas no hook may ever be in, whatever the planner learns. */
gboolean      gilk_refusal_is_area     (guint refusal);
GilkSizeClass gilk_block_size_class    (const GilkBlock *block);

/* Points reached by any tactic but a trap. */
uint64_t      gilk_coverage_jumped     (const GilkCoverageShare *share);

/* Adds one function. @func may be NULL. */
void gilk_coverage_add (GilkCoverage *coverage, const GilkCfg *cfg, GilkDecoder *decoder,
                        GilkInstrumentKind kind, GilkCoverageFunc func, gpointer user_data);

/* Likewise, with all points of the function live together. */
void gilk_coverage_add_together (GilkCoverage *coverage, const GilkCfg *cfg, GilkDecoder *decoder,
                                 GilkInstrumentKind kind, GilkCoverageFunc func,
                                 gpointer user_data);

/**
 * gilk_coverage_scan:
 * @module: index of the module to add up (0 the kernel proper), negative for all
 *
 * Keeps one graph at a time. @coverage is untouched on failure.
 */
gboolean gilk_coverage_scan (GilkFunctions *functions, int module, gboolean together,
                             GilkInstrumentKind kind,
                             GilkCoverageFunc func, gpointer user_data, GilkCoverage *coverage,
                             const GilkProgress *progress, GCancellable *cancellable,
                             GError **error);

G_END_DECLS
