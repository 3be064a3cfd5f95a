/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-patch.h - gilk cfg --patch: the bytes of one hook, before and after
 */
#pragma once

#include "cli/look/cfg-print.h"
#include "cli/base/picture.h"

G_BEGIN_DECLS

/* @place: a point as in gilk-build-dir.h without its function, "+0x2b1:pre:count" or "@entry". */
gboolean cli_cfg_patch (CliCfgView *view, const char *function, const char *place,
                        const CliPicture *picture, GError **error);

G_END_DECLS
