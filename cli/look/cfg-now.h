/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-now.h - gilk cfg --now: the code that runs now, and the owners of bytes that differ from the
 * original
 */
#pragma once

#include "cli/look/cfg-print.h"

G_BEGIN_DECLS

gboolean cli_cfg_now (CliCfgView *view, GError **error);

G_END_DECLS
