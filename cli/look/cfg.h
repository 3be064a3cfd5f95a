/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg.h - declares functions that the files of "gilk cfg" share
 */
#pragma once

#include "cli/base/cfg-heat.h"
#include "cli/base/kernel.h"
#include "cli/base/picture.h"
#include "core/cfg/gilk-cfg-source.h"
#include "core/cfg/gilk-cfg.h"
#include "core/dataflow/gilk-operand-notes.h"
#include "core/splice/gilk-splice.h"

/* ---- functions of cfg-targets.c ---- */

typedef struct _CliCfgTargets CliCfgTargets;

/* Reads the last run of the session at @path. The session must be of the same kernel. */
CliCfgTargets *cli_cfg_targets_new  (Cli *cli, CliKernel *kernel, const GilkCfg *cfg, const char *path, GError **error);
void           cli_cfg_targets_free (CliCfgTargets *targets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliCfgTargets, cli_cfg_targets_free)

/* Prints a line for each target of the call at instruction @index. */
void cli_cfg_targets_print   (const CliCfgTargets *targets, guint index);
/* Adds the recorded targets of indirect calls, as edges, in the member "calls" of the open
 * object. */
void cli_cfg_targets_to_json (const CliCfgTargets *targets);
/* Returns notes on instructions for a picture, by index of the instruction; NULL: no note. */
const char *const *cli_cfg_targets_notes   (const CliCfgTargets *targets);

/* Returns how often the session of @targets hit each block and edge of @cfg's function; NULL: the
 * session has no such counts. (transfer full) */
CliHeat           *cli_cfg_targets_heat    (const CliCfgTargets *targets, CliKernel *kernel, GilkCfg *cfg);

/* ---- functions of cfg-print.c ---- */

typedef struct {
  Cli                *cli;
  CliKernel          *kernel;
  GilkCfg            *cfg;
  GilkDecoder        *decoder;
  GilkLiveness       *liveness;
  GilkInstrumentKind  kind;         /* kind of the instrument whose cost at each point is shown */
  gboolean            insns;        /* also list instructions */
  GilkOperandNotes   *notes;        /* (nullable): notes on the symbols and struct members that
                                     * operands refer to */
  GilkCfgSource      *source;       /* (nullable): source lines */
  CliCfgTargets      *targets;      /* (nullable): recorded targets of indirect calls */
  guint8              seen[256];    /* seen[R]: 1 if some point of the function cannot be hooked
                                     * because of refusal R */
} CliCfgView;

/* Returns how a point would be hooked, and the cost; if it cannot be hooked, sets the reason's
 * element of @view->seen. */
GilkChoice cli_cfg_preview (CliCfgView *view, guint block, GilkWhere where);

void cli_cfg_to_text (CliCfgView *view);
void cli_cfg_to_json (CliCfgView *view);

/* ---- functions of cfg-patch.c ---- */

/* Prints the machine code of a hook's patch (its out-of-line code). @place: location and suffixes
 * of the hook, as in a plan: "+0x2b1:pre:count" or "@entry". */
gboolean cli_cfg_patch (CliCfgView *view, const char *function, const char *place,
                        const CliPicture *picture, GError **error);

/* ---- gilk cfg --now ---- */

gboolean cli_cfg_now (CliCfgView *view, GError **error);

/* ---- functions of cfg-calls.c ---- */

/* Lists callers, callees or both. @session: (nullable): a session whose last run supplies indirect
 * calls */
gboolean cli_cfg_calls (Cli *cli, CliKernel *kernel, const char *function, gboolean callers, gboolean callees,
                        const char *session, GError **error);

/* ---- call graph ---- */

typedef struct {
  guint       up, down;        /* number of levels of callers (@up) and of callees (@down) */
  const char *session;         /* (nullable): its last run supplies counts and indirect calls */
  gboolean    dot;
  const CliPicture *picture;
} CliCallGraphOptions;

/* Parses the numbers of levels of callers and callees, and sets @up and @down of @options. @text:
 * "3,1", or "2" if both numbers are 2; NULL: both numbers are 1. */
gboolean cli_call_graph_parse_levels (const char *text, CliCallGraphOptions *options, GError **error);
gboolean cli_cfg_call_graph (Cli *cli, CliKernel *kernel, const char *function, const CliCallGraphOptions *options, GError **error);
