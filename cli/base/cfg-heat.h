/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-heat.h - draws a function's control-flow graph, coloured by how often a run executed each
 * block and edge
 */
#pragma once

#include "cli/base/picture.h"
#include "cli/base/session.h"
#include "core/cfg/gilk-cfg-fold.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/plot/gilk-graph-paint.h"

/* Maximum number of blocks in a graph that is drawn in full. The text of a larger graph would be
 * illegible, so its blocks that never ran are folded. */
#define CLI_HEAT_BLOCKS 60

typedef struct {
  uint64_t        *hits;      /* number of hits of each block; GILK_HITS_UNKNOWN: not counted */
  uint64_t         max;
  GilkKnownCounts *known;     /* counts of blocks and edges that are derived from @hits */
} CliHeat;

gboolean cli_heat_counts_whole_run (const GilkStoredHook *hook);
/* Returns the counts of blocks and edges of @cfg's function, from @session's run; NULL: the run has
 * none. @function: the function's name in hooks. (transfer full) */
CliHeat *cli_heat_new              (const CliSession *session, GilkCfg *cfg, const char *function, const char *module);
void     cli_heat_free             (CliHeat *heat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliHeat, cli_heat_free)

void     cli_heat_apply     (const CliHeat *heat, GilkGraphLook *look);
/* Folds blocks that are known never to have run. Returns the number of hidden blocks. */
guint    cli_heat_fold_cold (const CliHeat *heat, const GilkCfg *cfg, GilkCfgFold *fold);
/* Writes a picture of the whole graph. If the graph is large, folds the blocks that never ran. */
gboolean cli_heat_picture   (Cli *cli, const CliHeat *heat, GilkCfg *cfg, GilkDecoder *decoder, const CliPicture *picture,
                             GError **error);
