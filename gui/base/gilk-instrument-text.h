/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-instrument-text.h - text descriptions of instruments: help and recorded fields
 */
#pragma once

#include "core/emit/gilk-inline.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* Return the help and the recorded fields as text. (transfer full) */
char *gilk_instrument_text        (const struct ilk_instrument_desc *desc);
char *gilk_instrument_text_inline (const GilkInline *known);

G_END_DECLS
