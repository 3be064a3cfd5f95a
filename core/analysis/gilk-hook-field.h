/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-field.h - of what a figure is: a field of the samples, or what is worked out of them
 *
 * Names of the second kind stand where names of fields do, on command lines, in sessions' marks and in conditions. A field is
 * called [a-z_][a-z0-9_]*; "time" and "interval" hide fields of these names, and later names are to be none that a field can have.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_TIME     "time"            /* when the sample was */
#define GILK_INTERVAL "interval"        /* since the one before */
#define GILK_ELAPSED  "call-time"       /* how long a call took, of its two samples (gilk-hook-elapsed.h) */

typedef enum { GILK_FIELD_OWN, GILK_FIELD_TIME, GILK_FIELD_INTERVAL, GILK_FIELD_ELAPSED } GilkFieldKind;

/* @field: (nullable): the hits, and OWN. What is not OWN is in seconds. */
GilkFieldKind gilk_field_kind        (const char *field);
/* What it is called in titles, "time between hits"; a field of samples by its own name. (nullable) of NULL */
const char   *gilk_field_name        (const char *field);
/* Is it a length of time, of which the cost of hits can be taken? */
gboolean      gilk_field_is_duration (const char *field);

G_END_DECLS
