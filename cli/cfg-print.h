/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-print.h - a function's graph as text or JSON, with what each point would cost
 */
#pragma once

#include "cli/cfg-targets.h"
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
  GilkInstrumentKind  kind;         /* what the costs are for */
  gboolean            insns;        /* list instructions too */
  GilkOperandNotes   *notes;        /* (nullable): of what they mean */
  GilkCfgSource      *source;       /* (nullable): lines of it */
  CliCfgTargets      *targets;      /* (nullable): of where indirect calls went */
  guint8              seen[256];    /* refusals met, by number */
} CliCfgView;

/* What a hook at one point would be. Notes the refusal in @view->seen. */
GilkChoice cli_cfg_preview (CliCfgView *view, guint block, GilkWhere where);

void cli_cfg_to_text (CliCfgView *view);
void cli_cfg_to_json (CliCfgView *view);

G_END_DECLS
