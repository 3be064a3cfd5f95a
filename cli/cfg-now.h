/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-now.h - gilk cfg --now: what runs now, and whose the bytes are that are not the function's own
 */
#pragma once

#include "cli/cfg-print.h"

G_BEGIN_DECLS

gboolean cli_cfg_now (CliCfgView *view, GError **error);

G_END_DECLS
