/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-listing.h - lists the code of a bound plan's hook as text
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/splice/gilk-patch-listing.h"

G_BEGIN_DECLS

/**
 * gilk_bound_listing_new:
 * @hook: index in @bound
 * Returns: a listing as from gilk_patch_listing_new(), with the names of the program's maps;
 *   NULL with the hook's own error, or with GILK_ERROR_USAGE if the hook has no patch of its own
 */
GilkPatchListing *gilk_bound_listing_new (const GilkBoundPlan *bound, guint hook, GilkDecoder *decoder, GError **error);

G_END_DECLS
