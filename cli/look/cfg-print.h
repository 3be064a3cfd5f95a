/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-print.h - a function's graph as text or JSON, with the cost of each point
 */
#pragma once

#include "cli/look/cfg-targets.h"
#include "core/cfg/gilk-cfg-source.h"
#include "core/dataflow/gilk-operand-notes.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

typedef struct {
  Cli                *cli;
  CliKernel          *kernel;
  GilkCfg            *cfg;
  GilkDecoder        *decoder;
  GilkLiveness       *liveness;
  GilkInstrumentKind  kind;         /* instrument for which costs are shown */
  gboolean            insns;        /* also list instructions */
  GilkOperandNotes   *notes;        /* (nullable): symbols and members that operands refer to */
  GilkCfgSource      *source;       /* (nullable): source lines */
  CliCfgTargets      *targets;      /* (nullable): recorded targets of indirect calls */
  guint8              seen[256];    /* flags of refusals seen, by number */
} CliCfgView;

/* Returns the tactic and cost of a hook at a point. Marks a refusal in @view->seen. */
GilkChoice cli_cfg_preview (CliCfgView *view, guint block, GilkWhere where);

void cli_cfg_to_text (CliCfgView *view);
void cli_cfg_to_json (CliCfgView *view);

G_END_DECLS
