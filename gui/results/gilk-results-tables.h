/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-tables.h - tables of the results: accesses to a variable, and single samples of a
 * hook
 */
#pragma once

#include <gtk/gtk.h>

#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/session/gilk-session.h"

/*
 * Accesses to a variable.
 *
 * Needs only the session, not a kernel. Signals: "chosen" (pointer: a GilkAccessor of the view, or
 * NULL), "failed" (GError).
 */

#define GILK_TYPE_ACCESSES_VIEW (gilk_accesses_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkAccessesView, gilk_accesses_view, GILK, ACCESSES_VIEW, GtkBox)

/* Shows the accesses seen by @hook of @run; NULL: shows nothing. @run and @hook belong to the
 * session, and must stay valid until the next call. */
void           gilk_accesses_view_show  (GilkAccessesView *self, const GilkSession *session, const GilkSessionRun *run,
                                         const GilkStoredHook *hook);
/* Returns all accesses; NULL while they are being read. (transfer none) (element-type GilkAccessor) */
const GArray  *gilk_accesses_view_all   (GilkAccessesView *self);
GilkGraphView *gilk_accesses_view_graph (GilkAccessesView *self);
void           gilk_accesses_view_set_log_heat (GilkAccessesView *self, gboolean log_heat);

/*
 * Tree model of accesses: cells, sorting and search.
 *
 * A row only holds the index of an access; cells, sorting and search use the array of accesses.
 */

/* Columns of the table; each of them is also a sort order. */
typedef enum {
  GILK_ACCESSES_BLOCK,
  GILK_ACCESSES_COUNT,
  GILK_ACCESSES_SHARE,
  GILK_ACCESSES_LAST,
  GILK_ACCESSES_CONTEXT,
  GILK_ACCESSES_PROCESSES,
  GILK_ACCESSES_INSN,
  GILK_ACCESSES_N_COLUMNS,
} GilkAccessesColumn;

typedef struct _GilkAccessesRows GilkAccessesRows;

GilkAccessesRows *gilk_accesses_rows_new    (void);
void              gilk_accesses_rows_free   (GilkAccessesRows *self);
/* Shows the values of column @what in @cell. A click on the header sorts by that column. */
void              gilk_accesses_rows_set_up (GilkAccessesRows *self, GilkAccessesColumn what, GtkTreeViewColumn *column,
                                             GtkCellRenderer  *cell);
/* Shows @accesses (transfer full) (nullable) (element-type GilkAccessor). */
void              gilk_accesses_rows_set    (GilkAccessesRows *self, GArray *accesses);
/* Shows only the rows whose names, instructions, contexts or processes contain @text; "" shows all
 * rows. */
void              gilk_accesses_rows_search (GilkAccessesRows *self, const char *text);

GtkTreeModel       *gilk_accesses_rows_model   (GilkAccessesRows *self);
/* Returns all accesses, regardless of the search; NULL before they are read. */
const GArray       *gilk_accesses_rows_all     (GilkAccessesRows *self);
/* Returns the access in the row @iter; NULL: the row does not exist. */
const GilkAccessor *gilk_accesses_rows_get     (GilkAccessesRows *self, GtkTreeIter *iter);
/* Returns the visible accesses in display order. The accesses are owned by @self.
 * (transfer container) */
GArray             *gilk_accesses_rows_in_view (GilkAccessesRows *self);

/*
 * Table of single samples of a hook, the first ones that match a condition.
 *
 * Its columns are the fields of the hook's samples; a click on a column's header sorts by it. An
 * invalid condition is marked in its entry. Signal "condition": the user entered another condition.
 */

#define GILK_TYPE_SAMPLES_VIEW (gilk_samples_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkSamplesView, gilk_samples_view, GILK, SAMPLES_VIEW, GtkBox)

/**
 * gilk_samples_view_show:
 * @fields: (element-type GilkStoredField): fields of the hook
 * @from: start of the selected time range, seconds of the run; NaN: all
 * @to: end of the selected time range
 * @conditions: (nullable): conditions in addition to the typed one.
 *
 * Cancels the current read and shows other samples. All arguments are copied. If @hook is NULL, the
 * table is empty.
 */
void        gilk_samples_view_show      (GilkSamplesView *self, const char *path, const GilkStoredHook *hook, const GArray *fields,
                                         double from, double to, const char *const *conditions);
/* Returns the typed condition; NULL: none. */
const char *gilk_samples_view_condition (GilkSamplesView *self);
