/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-conditions.h - finds the sample fields of a bound plan's hooks, and checks the plan's
 * stop conditions
 *
 * Threads: only the bound plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/plan/gilk-stop-condition.h"

G_BEGIN_DECLS

/* Fills @fields with the fields of the hook's samples and returns how many there are; 0 if the hook
 * only counts, or records nothing but time stamps. */
guint    gilk_bound_fields (const GilkBoundPlan *bound, guint hook, struct ilk_field fields[ILK_FIELDS_MAX]);
/* Returns TRUE if the field is a number with a meaningful order. */
gboolean gilk_bound_field_is_number (const struct ilk_field *field);
/* Returns TRUE if sums and quantiles of the field are meaningful, which is not so for a pid, for
 * example. */
gboolean gilk_bound_field_is_amount (const struct ilk_field *field);
/* Fills @field with a description of the time between hits. Statistics treat it like a field of the
 * samples, though it is not stored in them. Returns FALSE if the hook does not take samples. */
gboolean gilk_bound_interval (const GilkBoundPlan *bound, guint hook, struct ilk_field *field);
gboolean gilk_bound_field_is_interval (const struct ilk_field *field);
/* Reads the field from a sample's payload, as a number. Returns FALSE if the payload is too
 * short. */
gboolean gilk_bound_field_read (const struct ilk_field *field, const void *payload, gsize bytes, double *value);

/**
 * gilk_bound_condition:
 * @hook: (out): index in @bound of the condition's hook; G_MAXUINT: all hooks. A removed hook is
 *   never found
 * @field: (out): the field of a condition on a quantile
 * @number: (out): the condition's bound, in the field's unit
 * Finds the hook and the field of a stop condition. Returns FALSE if @bound does not have such a
 * hook or field.
 */
gboolean gilk_bound_condition (const GilkBoundPlan *bound, const GilkStopCondition *limit, guint *hook, struct ilk_field *field,
                               double *number, GError **error);
/* Checks all stop conditions of the plan. */
gboolean gilk_bound_check_conditions (const GilkBoundPlan *bound, GError **error);

G_END_DECLS
