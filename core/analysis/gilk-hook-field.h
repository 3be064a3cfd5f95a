/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-field.h - the values of a figure: a field of the samples, or a value derived from them
 *
 * Names of derived values are used like names of fields: on command lines, in stored selections and
 * in conditions. A field's name is [a-z_][a-z0-9_]*; "time" and "interval" hide fields of these
 * names, and new names must not be possible names of fields.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_TIME     "time"            /* time of the sample */
#define GILK_INTERVAL "interval"        /* time since the previous sample */
#define GILK_ELAPSED  "call-time"       /* duration of a call, from its two samples (gilk-hook-elapsed.h) */

typedef enum { GILK_FIELD_OWN, GILK_FIELD_TIME, GILK_FIELD_INTERVAL, GILK_FIELD_ELAPSED } GilkFieldKind;

/* @field: (nullable): NULL for hits, which are OWN. All other kinds are in seconds. */
GilkFieldKind gilk_field_kind        (const char *field);
/* Returns the name for titles, such as "time between hits"; for a field of samples its own name.
 * (nullable) for NULL */
const char   *gilk_field_name        (const char *field);
/* Returns TRUE if the field is a duration, from which the cost of hits can be subtracted. */
gboolean      gilk_field_is_duration (const char *field);

G_END_DECLS
