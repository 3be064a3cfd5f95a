/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-comparison.h - comparison operators: lookup by token, negation, swapped and signed forms
 *
 * Threads: any.
 */
#pragma once

#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

/* Sets @compare to the unsigned comparison for token @mark. FALSE if @mark is not a comparison. */
gboolean    gilk_compare_of      (guint mark, GilkCompare *compare);
GilkCompare gilk_compare_negated (GilkCompare compare);
/* For an unsigned @compare, return the equivalent comparison with both sides swapped, and the same
 * comparison for signed numbers. */
GilkCompare gilk_compare_swapped (GilkCompare compare);
GilkCompare gilk_compare_signed  (GilkCompare compare);

G_END_DECLS
