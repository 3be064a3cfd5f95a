/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-survey.h - surveys how each point of a kernel would be hooked
 *
 * Either each point is planned alone, as gilk cfg shows it, or all points of a function are planned
 * together, to be live at the same time, possibly in a clone. With BPF, each point is a kprobe of
 * its own.
 *
 * Threads: only the caller's, which also runs @func; a scan blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-scan.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_SURVEY_CAUSES 256

typedef enum {
  GILK_SIZE_TINY,          /* block of less than 2 bytes: no jump fits */
  GILK_SIZE_SHORT,         /* block of 2 to 4 bytes: a short jump fits */
  GILK_SIZE_LONG,          /* block of 5 or more bytes: a jump fits */
  GILK_N_SIZES,
} GilkSizeClass;

typedef struct {
  uint64_t points;
  uint64_t refused;
  uint64_t by_tactic[ILK_TACTIC_TRAP + 1];       /* number of points for each enum ilk_tactic,
                                                  * without refused points */
  uint64_t kprobes;                              /* with BPF: number of points that can have a
                                                  * kprobe */
} GilkSurveyShare;

typedef struct {
  guint    functions, refused_functions;
  guint    area_functions; /* number of functions that are refused as a whole because of the area of
                            * code in which they are */
  guint    whole;          /* number of functions whose points are all hooked without a trap */
  guint    clones;         /* number of functions that are cloned as a whole */
  uint64_t area_points;    /* number of points in the functions that @area_functions counts */
  GilkSurveyShare total;
  GilkSurveyShare by_where[2];                 /* GilkWhere */
  GilkSurveyShare by_size[GILK_N_SIZES];
  uint64_t trapped_by[GILK_SURVEY_CAUSES];     /* number of points hooked by a trap, for each
                                                * GilkRefusal that prevented a splice */
  uint64_t refused_by[GILK_SURVEY_CAUSES];     /* GilkRefusal */
} GilkSurvey;

/* Called for each block, on the calling thread. @points: the plans of the block's start and end,
 * indexed by GilkWhere. All arguments are borrowed. */
typedef void (*GilkSurveyFunc) (const GilkCfg *cfg, guint block, const GilkChoice points[2],
                                gpointer user_data);

GilkSizeClass gilk_block_size_class (const GilkBlock *block);

/* Returns how many points the driver reaches by a jump, not by a trap. */
uint64_t      gilk_survey_jumped     (const GilkSurveyShare *share);

/* Adds one function, with each of its points planned alone. @func: (nullable) */
void gilk_survey_add (GilkSurvey *survey, const GilkCfg *cfg, GilkDecoder *decoder,
                      GilkInstrumentKind kind, GilkSurveyFunc func, gpointer user_data);

/* Adds one function, with all of its points planned together, to be live at the same time. */
void gilk_survey_add_together (GilkSurvey *survey, const GilkCfg *cfg, GilkDecoder *decoder,
                               GilkInstrumentKind kind, GilkSurveyFunc func,
                               gpointer user_data);

/**
 * gilk_survey_scan:
 * @module: index of the module to survey (0: the kernel proper); negative: all
 *
 * Adds all functions of the module, or of all modules. Keeps one graph in memory at a time. @survey
 * is unchanged on failure.
 */
gboolean gilk_survey_scan (GilkFunctions *functions, int module, gboolean together,
                           GilkInstrumentKind kind,
                           GilkSurveyFunc func, gpointer user_data, GilkSurvey *survey,
                           const GilkProgress *progress, GCancellable *cancellable,
                           GError **error);

G_END_DECLS
