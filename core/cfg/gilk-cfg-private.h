/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-private.h - data shared by the files that build and describe graphs
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* The bytes that one part of the function had when the graph was built. The image owns them. */
typedef struct {
  uint64_t       start;
  gsize          length;    /* length without filler at the end */
  const uint8_t *bytes;
} GilkText;

typedef struct {
  GilkCfg  cfg;                /* must be first: a GilkCfg * is cast to a GilkCfgFull */
  GilkText texts[2];           /* hot, cold */
  guint    n_texts;
  GilkCfg *whole;              /* the graph with uncut blocks from which this one was made
                                * (gilk_cfg_new_cut()); NULL if this graph is not cut */
  GilkFunction recorded;       /* the function of a recorded graph, which lacks a list of functions
                                * (GilkFunctions) */
  char    *recorded_name;
  gsize    fingerprints_known; /* set once @fingerprints and @graph_fingerprint are computed
                                * (g_once_init_enter()) */
  uint64_t *fingerprints;      /* fingerprint of each block */
  uint64_t graph_fingerprint;
} GilkCfgFull;

/* Fills in insns, blocks, edges, entry and refusal. Instructions at @cuts start blocks, too. In
 * gilk-cfg-build.c. */
void gilk_cfg_build      (GilkCfgFull *full, GilkDecoder *decoder, const uint64_t *cuts, guint n_cuts);
/* Finds back edges, loop headers and loop depths. In gilk-cfg-loops.c. */
void gilk_cfg_find_loops (GilkCfg *cfg);

G_END_DECLS
