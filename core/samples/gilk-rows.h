/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows.h - formats a hook's data as lines: CSV (RFC 4180), or one JSON object per line
 *
 * For hooks that take samples, a line has hook, cpu, t_ns and the fields, by time. For hooks that
 * only count, a line has a reading of the counter: hook, t_ns, count (the column is named hits if a
 * module's instrument reports the hits). A field with a unit is named FIELD_UNIT. A field whose
 * numbers have names (gilk-store-names.h) is followed by FIELD_name: empty, or null, if a number is
 * nameless. If there are notes, the last column of CSV is "note": a note is in the first line
 * within its time range, or, if it marks a single time, in the first line at or after that time.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/store/gilk-store-notes.h"

G_BEGIN_DECLS

typedef struct _GilkRows GilkRows;

typedef enum { GILK_ROWS_CSV, GILK_ROWS_JSON } GilkRowsForm;

/* The data to write. @hooks: at least one hook, all of one run and instrument, sorted by id. */
typedef struct {
  const GilkStoredHook *hooks;
  guint                 n_hooks;
  gint64                from_ns, to_ns;   /* time range: from_ns is inclusive, to_ns exclusive */
  const char *const    *conditions;       /* conditions as in gilk_samples_add_condition(); NULL:
                                           * none */
  const GArray         *notes;            /* (nullable) (element-type GilkStoredNote): sorted by
                                           * time; ignored for JSON */
} GilkRowsChoice;

GilkRows *gilk_rows_new    (GilkStore *store, const GilkRowsChoice *choice, GilkRowsForm form,
                            GError **error);
void      gilk_rows_free   (GilkRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRows, gilk_rows_free)

/* Appends the line with the column names; CSV only. */
void      gilk_rows_header (GilkRows *rows, GString *lines);
/* Appends up to a few thousand lines and adds their number to @n (nullable). Returns FALSE at the
 * end, or with @error. */
gboolean  gilk_rows_next   (GilkRows *rows, GString *lines, uint64_t *n, GError **error);

/* Returns the name of a field's column, with its unit. (transfer full) */
char     *gilk_rows_column (const char *column, const char *unit);

/* The first lines of the data, as a table of texts. */
typedef struct {
  GStrv      columns;
  GPtrArray *rows;              /* (element-type GStrv): one for each row, with one text per
                                 * column */
  gboolean   more;              /* there are more samples than the table has */
} GilkRowsTable;

/* Reads the first @most rows, or all if there are fewer. (transfer full) */
GilkRowsTable *gilk_rows_table_read (GilkStore *store, const GilkRowsChoice *choice, guint most, GError **error);
void           gilk_rows_table_free (GilkRowsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRowsTable, gilk_rows_table_free)

G_END_DECLS
