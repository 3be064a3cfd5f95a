/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-instrument-words.h - what an instrument does and records, in words
 */
#pragma once

#include "core/emit/gilk-inline.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/* (transfer full) */
char *gilk_instrument_words        (const struct ilk_instrument_desc *desc);
char *gilk_instrument_words_inline (const GilkInline *known);

G_END_DECLS
