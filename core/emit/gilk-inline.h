/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inline.h - the instruments that are emitted into a patch: one table
 *
 * Whoever lists instruments, or asks what an inline one does, asks here.
 *
 * Threads: any; the table is constant.
 */
#pragma once

#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

typedef struct {
  const char        *name;
  const char        *help;      /* English: a sentence without its full stop */
  GilkInstrumentKind kind;
  gboolean           samples;   /* each hit is a sample; else hits are counted only */
  struct ilk_field   field;     /* of its samples; no name: their times alone */
} GilkInline;

/* In the order in which to show them. */
const GilkInline *gilk_inlines        (guint *count);
/* NULL: no inline instrument has that name. */
const GilkInline *gilk_inline_by_name (const char *name);
/* Is it that one? A module is none of them. @name is nullable. */
gboolean          gilk_inline_is      (const char *name, GilkInstrumentKind kind);
/* Its name. @kind is inline; that of a counter is what is bound where nobody says another. */
const char       *gilk_inline_name    (GilkInstrumentKind kind);

/* Is the module of that name one of Gilk's own tests? It can be bound, and is shown to who asks for all. */
gboolean          gilk_instrument_is_of_tests (const char *name);

G_END_DECLS
