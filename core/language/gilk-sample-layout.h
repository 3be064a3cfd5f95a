/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sample-layout.h - the common field layout of all samples of a program, and the meanings
 * of numbers, for display
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include "core/language/gilk-names.h"
#include "core/language/gilk-syntax.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct {
  struct ilk_field fields[ILK_FIELDS_MAX];
  /* (nullable), interned: for each field: what its number stands for, such as "symbol" or
   * "errno" */
  const char      *meanings[ILK_FIELDS_MAX];
  guint            count;
  gboolean         samples;          /* the program takes samples */
  gboolean         has_bad;          /* the last field is the mask of bad fields */
  guint            payload;          /* size of a sample's fields in bytes, a multiple of 8 */
  uint8_t          used[ILK_SAMPLE_MAX / 8];   /* for each 8-byte word of the payload: bit mask of
                                                * the bytes that fields use */
} GilkSampleLayout;

/* Returns whether @value, a typed node, is a time in nanoseconds, computed by ns(). */
gboolean gilk_node_is_time (const GilkNode *value);
/**
 * gilk_sample_layout_add:
 * @sample: a sample with typed fields
 * Names the fields of the first sample, and checks that later ones have the same fields.
 * Returns: FALSE with the source's error set
 */
gboolean gilk_sample_layout_add   (GilkSampleLayout *layout, const GilkNode *sample, GilkSource *source);
/* Places the fields. Must be called after all samples were added. FALSE with an error at @last if
 * they do not fit. */
gboolean gilk_sample_layout_finish (GilkSampleLayout *layout, const GilkNode *last, GilkSource *source);

/* ---- finds the meaning of an expression's number, for display ---- */

/**
 * gilk_value_meaning:
 * @value: a typed node
 *
 * Returns: (nullable), interned: one of the "Meanings" in data/schema.sql: "symbol" for a
 *   function pointer, a pointer to a struct of functions, or symbol(); "errno" for a signed value
 *   that a function returns; "enum NAME"
 */
const char *gilk_value_meaning (const GilkBtf *btf, const GilkNode *value);
/* Returns the enum ilk_meaning for @meaning. */
uint16_t    gilk_value_meaning_code (const char *meaning);

G_END_DECLS
