/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-block-text.h - the bytes of a block, an instruction a row, with its line of source where that is known
 */
#pragma once

#include "gui/gilk-graph-data.h"

G_BEGIN_DECLS

/* The first dozen of its instructions. (transfer full) */
char *gilk_block_text (const GilkGraphData *data, guint block);

G_END_DECLS
