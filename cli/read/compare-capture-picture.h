/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare-capture-picture.h - GILK's figure 3: histogram and spectrum of a hook next to those of a capture
 */
#pragma once

#include "cli/base/picture.h"
#include "core/analysis/gilk-capture-comparison.h"

G_BEGIN_DECLS

gboolean cli_compare_capture_draw (Cli *cli, const CliPicture *picture, const GilkCaptureComparison *comparison,
                                   GError **error);

G_END_DECLS
