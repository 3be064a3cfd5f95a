/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-private.h - what the files of the graph share
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* The text of one part as it was when the graph was built; owned by the image. */
typedef struct {
  uint64_t       start;
  gsize          length;    /* without the filler at its end */
  const uint8_t *bytes;
} GilkText;

typedef struct {
  GilkCfg  cfg;             /* first: a GilkCfg * is a GilkCfgFull * */
  GilkText texts[2];        /* hot, cold */
  guint    n_texts;
  GilkCfg *whole;           /* that it was cut from; NULL: it is whole */
  GilkFunction recorded;    /* of a recorded graph, which has no functions to point into */
  char    *recorded_name;
  gsize    prints_known;    /* g_once_init_enter: the two below */
  uint64_t *prints;         /* per block */
  uint64_t graph_print;
} GilkCfgFull;

/* gilk-cfg-build.c: fills insns, blocks, edges, entry and refusal; instructions at @cuts begin blocks, too. */
void gilk_cfg_build      (GilkCfgFull *full, GilkDecoder *decoder, const uint64_t *cuts, guint n_cuts);
/* gilk-cfg-loops.c: back edges, loop heads and depths. */
void gilk_cfg_find_loops (GilkCfg *cfg);

G_END_DECLS
