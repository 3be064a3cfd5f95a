/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-listing.h - the code of a hook of a bound plan, as lines to be shown
 *
 * Threads: that of the plan. On failure there is none.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "core/splice/gilk-patch-listing.h"

G_BEGIN_DECLS

/**
 * gilk_bound_listing_new:
 * @hook: of @bound, by number
 * Returns: as gilk_patch_listing_new(), with what its program keeps by name; NULL, with the hook's own error, or
 *   GILK_ERROR_USAGE: it has no patch to show
 */
GilkPatchListing *gilk_bound_listing_new (const GilkBoundPlan *bound, guint hook, GilkDecoder *decoder, GError **error);

G_END_DECLS
