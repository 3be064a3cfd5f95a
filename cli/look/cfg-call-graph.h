/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-call-graph.h - gilk cfg --call-graph: callers and callees of a function, several levels each way,
 * as text or a picture
 */
#pragma once

#include "cli/base/kernel.h"
#include "cli/base/picture.h"

G_BEGIN_DECLS

typedef struct {
  guint       up, down;        /* number of levels of callers, of callees */
  const char *session;         /* its last run supplies counts and indirect calls; NULL: none */
  gboolean    dot;
  const CliPicture *picture;
} CliCallGraphOptions;

/* @text: "2", or "3,1": levels of callers, of callees; NULL: one each. Sets @up and @down of @wish,
 * or neither. */
gboolean cli_call_graph_parse_levels (const char *text, CliCallGraphOptions *options, GError **error);
gboolean cli_cfg_call_graph (Cli *cli, CliKernel *kernel, const char *function, const CliCallGraphOptions *options, GError **error);

G_END_DECLS
