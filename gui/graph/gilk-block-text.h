/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-block-text.h - bytes and text of a block's instructions, with their source lines where known
 */
#pragma once

#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

/* Returns the first 12 instructions of @block, each as a row of bytes and a row of text.
   (transfer full) */
char *gilk_block_text (const GilkGraphData *data, guint block);

G_END_DECLS
