/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-shape.h - the fields that all samples of a program have
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-syntax.h"

G_BEGIN_DECLS

typedef struct {
  struct ilk_field fields[ILK_FIELDS_MAX];
  const char      *meanings[ILK_FIELDS_MAX];   /* interned, of the nodes; (nullable) */
  guint            count;
  gboolean         samples;          /* there is one */
  gboolean         has_bad;          /* the last field tells which of the others are */
  guint            payload;          /* bytes, a multiple of 8 */
  uint8_t          used[ILK_SAMPLE_MAX / 8];   /* bytes of each word that a field has: a bit for each */
} GilkShape;

/* Is the number of @value, which has its meaning, one of nanoseconds, for ns() made it? */
gboolean gilk_shape_is_time (const GilkNode *value);
/**
 * gilk_shape_take:
 * @sample: its fields have types
 * Names the fields, or looks whether they are those of the samples before.
 * Returns: FALSE, failed
 */
gboolean gilk_shape_take   (GilkShape *shape, const GilkNode *sample, GilkSource *source);
/* After all samples: gives each field its place. FALSE, failed at @last: there is no room. */
gboolean gilk_shape_finish (GilkShape *shape, const GilkNode *last, GilkSource *source);

G_END_DECLS
