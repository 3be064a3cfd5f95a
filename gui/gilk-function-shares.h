/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-shares.h - how much of functions can be hooked, found for those in view and kept
 *
 * A worker decodes them, some at a time. Signal "changed": more are known.
 */
#pragma once

#include <gio/gio.h>

#include "core/splice/gilk-share.h"

G_BEGIN_DECLS

#define GILK_TYPE_FUNCTION_SHARES (gilk_function_shares_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionShares, gilk_function_shares, GILK, FUNCTION_SHARES, GObject)

GilkFunctionShares  *gilk_function_shares_new    (GilkFunctions *functions);
/* NULL: not known, or not yet. Points is 0 of a function that cannot be decoded. */
const GilkHookShare *gilk_function_shares_lookup (GilkFunctionShares *self, const GilkFunction *function);
/* @functions: const GilkFunction, (transfer full): those in view; what was wanted before and is not begun, is not any more */
void                 gilk_function_shares_want   (GilkFunctionShares *self, GPtrArray *functions);

G_END_DECLS
