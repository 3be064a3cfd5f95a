/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inline.h - the table of inline instruments, which are emitted into a patch
 *
 * It is the only source of names, help and fields of inline instruments.
 *
 * Threads: any; the table is constant.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

typedef struct {
  const char        *name;
  const char        *help;      /* a sentence in English, without its full stop */
  GilkInstrumentKind kind;
  gboolean           samples;   /* each hit is a sample; otherwise hits are only counted */
  struct ilk_field   field;     /* the field of each sample; if it is unnamed, samples have only a
                                 * time */
} GilkInline;

/* Returns all inline instruments, in display order. */
const GilkInline *gilk_inlines        (guint *count);
/* Returns NULL if no inline instrument has that name. */
const GilkInline *gilk_inline_by_name (const char *name);
/* Returns whether @name (nullable) is inline instrument @kind. FALSE for instrument modules. */
gboolean          gilk_inline_is      (const char *name, GilkInstrumentKind kind);
/* Returns the name of @kind, which must be inline. The counter is the default instrument. */
const char       *gilk_inline_name    (GilkInstrumentKind kind);

/*
 * Returns whether a module belongs to Gilk's own tests. It can be bound, but is listed only if
 * all instruments are requested.
 */
gboolean          gilk_instrument_is_of_tests (const char *name);

G_END_DECLS
