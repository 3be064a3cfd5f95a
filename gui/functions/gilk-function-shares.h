/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-shares.h - cache of how much of each function is hookable
 *
 * A worker thread decodes the functions of visible rows, some at a time. Signal "changed": more
 * results are available.
 */
#pragma once

#include <gio/gio.h>

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_TYPE_FUNCTION_SHARES (gilk_function_shares_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionShares, gilk_function_shares, GILK, FUNCTION_SHARES, GObject)

GilkFunctionShares  *gilk_function_shares_new     (GilkFunctions *functions);
/* Returns how much of @function is hookable; NULL: not computed yet. Functions that cannot be
 * decoded have 0 points. */
const GilkHookShare *gilk_function_shares_lookup  (GilkFunctionShares *self, const GilkFunction *function);
/* Requests how much of each function is hookable. @functions: (element-type GilkFunction) (transfer
 * full): the visible functions. Replaces the previous request, except for the step in progress. */
void                 gilk_function_shares_request (GilkFunctionShares *self, GPtrArray *functions);

G_END_DECLS
