/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-around.h - gilk cfg --call-graph: callers and callees of a function, several levels each way,
 * as text or a picture
 */
#pragma once

#include "cli/kernel.h"
#include "cli/picture.h"

G_BEGIN_DECLS

typedef struct {
  guint       up, down;        /* number of levels of callers, of callees */
  const char *session;         /* its last run supplies counts and indirect calls; NULL: none */
  gboolean    dot;
  const CliPicture *picture;
} CliAroundWish;

/* @text: "2", or "3,1": levels of callers, of callees; NULL: one each. Sets @up and @down of @wish,
 * or neither. */
gboolean cli_around_levels (const char *text, CliAroundWish *wish, GError **error);
gboolean cli_cfg_around (Cli *cli, CliKernel *kernel, const char *function, const CliAroundWish *wish, GError **error);

G_END_DECLS
