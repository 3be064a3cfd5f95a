/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * against-picture.h - GILK's figure 3: histogram and spectrum of a hook next to those of a capture
 */
#pragma once

#include "cli/picture.h"
#include "core/analysis/gilk-against.h"

G_BEGIN_DECLS

gboolean cli_against_picture (Cli *cli, const CliPicture *picture, const GilkAgainst *against,
                              GError **error);

G_END_DECLS
