/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows.h - what a hook recorded as lines: CSV (RFC 4180) or a JSON object each
 *
 * Hooks that take samples give hook, cpu, t_ns and their fields, by time; those that only count
 * give the readings of their counters: hook, t_ns, count (hits where an instrument of a module
 * tells them). A field with a unit is named FIELD_UNIT. Behind one whose numbers have a meaning (gilk-store-names.h) comes
 * FIELD_name with their names: empty, or null, where a number has none. Where there are notes, CSV has a last column of that
 * name: a note stands in the first line of its time, one on a moment in the first that is not before it.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store-notes.h"

G_BEGIN_DECLS

typedef struct _GilkRows GilkRows;

typedef enum { GILK_ROWS_CSV, GILK_ROWS_JSON } GilkRowsForm;

/* What is asked for of hooks, at least one, all of one run and instrument, by id. */
typedef struct {
  const GilkStoredHook *hooks;
  guint                 n_hooks;
  gint64                from_ns, to_ns;   /* from the one on, before the other */
  const char *const    *conditions;       /* as gilk_samples_add_condition() has them; or NULL */
  const GArray         *notes;            /* GilkStoredNote, by time; nullable, not looked at for JSON */
} GilkRowsChoice;

GilkRows *gilk_rows_new    (GilkStore *store, const GilkRowsChoice *choice, GilkRowsForm form,
                            GError **error);
void      gilk_rows_free   (GilkRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRows, gilk_rows_free)

/* The line with the names of the columns; CSV only. */
void      gilk_rows_header (GilkRows *rows, GString *lines);
/* Appends some thousand lines, their number is added to @n (nullable). FALSE at the end, or with
 * @error. */
gboolean  gilk_rows_next   (GilkRows *rows, GString *lines, uint64_t *n, GError **error);

/* The name of a field's column, with its unit. (transfer full) */
char     *gilk_rows_column (const char *column, const char *unit);

G_END_DECLS
