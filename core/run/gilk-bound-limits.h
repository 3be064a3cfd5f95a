/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-limits.h - what samples of a bound plan's hooks have, and conditions of it that end its run
 *
 * Threads: that of the bound plan.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"
#include "core/run/gilk-run-limit.h"

G_BEGIN_DECLS

/* What samples of a hook have: how many fields, the first of @fields. None if it takes no samples, or they are times alone. */
guint    gilk_bound_fields (const GilkBoundPlan *bound, guint hook, struct ilk_field fields[ILK_FIELDS_MAX]);
/* Is it a number of which it makes sense to say which is the larger? */
gboolean gilk_bound_field_is_number (const struct ilk_field *field);
/* Is it one besides of which sums and quantiles say something, as of a process's they do not? */
gboolean gilk_bound_field_is_amount (const struct ilk_field *field);
/* The time from one hit to the next, which any hook has whose samples come one by one: no field of the payload, but measured
 * as one is. FALSE: it has none */
gboolean gilk_bound_interval (const GilkBoundPlan *bound, guint hook, struct ilk_field *field);
gboolean gilk_bound_field_is_interval (const struct ilk_field *field);
/* Its bytes in the payload of a sample, as a number. FALSE: the sample is too short for it */
gboolean gilk_bound_field_read (const struct ilk_field *field, const void *payload, gsize bytes, double *value);

/**
 * gilk_bound_limit:
 * @hook: (out): its hook in @bound, one that is not gone; G_MAXUINT: all hooks
 * @field: (out): of a quantile, the field it is of
 * FALSE: @bound has not what it names
 */
gboolean gilk_bound_limit (const GilkBoundPlan *bound, const GilkRunLimit *limit, guint *hook, struct ilk_field *field,
                           double *number, GError **error);
/* All of those that its plan has. */
gboolean gilk_bound_check_limits (const GilkBoundPlan *bound, GError **error);

G_END_DECLS
