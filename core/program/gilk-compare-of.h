/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare-of.h - which comparison an operator is
 *
 * Threads: any.
 */
#pragma once

#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

/* Of the mark of a token, for unsigned sides; FALSE: it compares nothing. */
gboolean    gilk_compare_of      (guint mark, GilkCompare *compare);
GilkCompare gilk_compare_negated (GilkCompare compare);
/* Of unsigned sides: with the sides changed; and the same of signed ones. */
GilkCompare gilk_compare_turned  (GilkCompare compare);
GilkCompare gilk_compare_signed  (GilkCompare compare);

G_END_DECLS
