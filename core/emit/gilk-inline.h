/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inline.h - the table of inline instruments, which are emitted into a patch
 *
 * The table is the only source of the names, help texts and sample fields of inline instruments.
 *
 * Threads: any; the table is constant.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

typedef struct {
  const char        *name;
  const char        *help;      /* help text: a sentence in English, without its full stop */
  GilkInstrumentKind kind;
  gboolean           samples;   /* each hit records a sample; if FALSE, hits are only counted */
  struct ilk_field   field;     /* the only field of a sample; if the field is unnamed, a
                                 * sample is just a time */
} GilkInline;

/* Returns all inline instruments, in display order. */
const GilkInline *gilk_inlines        (guint *count);
/* Returns the inline instrument called @name; NULL if there is none. */
const GilkInline *gilk_inline_by_name (const char *name);
/* Returns whether @name (nullable) is the name of inline instrument @kind; never TRUE for an
 * instrument module. */
gboolean          gilk_inline_is      (const char *name, GilkInstrumentKind kind);
/* Returns the name of @kind, an inline instrument. */
const char       *gilk_inline_name    (GilkInstrumentKind kind);

/*
 * Returns whether @name is an instrument module that belongs to Gilk's own tests. Such a module can
 * be bound to hooks, but it is listed only if all instruments are requested.
 */
gboolean          gilk_instrument_is_of_tests (const char *name);

G_END_DECLS
