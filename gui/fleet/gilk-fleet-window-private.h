/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-window-private.h - private header of the fleet window's source files
 *
 * gilk-fleet-actions.c has the actions on results and the plan, gilk-fleet-window.c the rest.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/fleet/gilk-fleet.h"

G_BEGIN_DECLS

enum { COLUMN_SPEC, COLUMN_KERNEL, COLUMN_STATE, COLUMN_START, COLUMN_SAMPLES, COLUMN_RATE, COLUMN_LOST, COLUMN_REFUSED,
       COLUMN_MEMBER,            /* uint: index in the fleet of the last run plus 1; 0: added since */
       N_COLUMNS };

typedef struct {
  GtkWindow    *parent, *window;     /* (unowned) */
  GSettings    *settings;
  GilkPlan     *plan;
  GilkFleet    *fleet;               /* NULL: none started yet */
  guint         refresh;
  GtkEntry     *target, *length;
  GtkWidget    *add, *remove, *run, *open, *compare, *copy, *partial;
  GtkListStore *store;
  GtkTreeView  *tree, *hits;
  GtkWidget    *hits_box;
  GtkLabel     *problems, *command;
  GtkWidget    *problems_box;        /* scrolled window around @problems */
  GHashTable   *last_outputs;        /* target -> its last output; NULL: requested */
  GCancellable *cancellable;
} GilkFleetWindow;

guint gilk_fleet_n_rows          (const GilkFleetWindow *self);
/* Shows @error in the message area. */
void  gilk_fleet_show_error      (GilkFleetWindow *self, const GError *error);
/* Opens the session that the target of @row recorded by a window action: "open-path", or "open-beside" to compare. */
void  gilk_fleet_open_session    (GilkFleetWindow *self, guint row, const char *action);
/* Open the session of the selected row, else the first recorded one; the second also opens the
   next one beside it. */
void  gilk_fleet_open_results    (GilkFleetWindow *self);
void  gilk_fleet_open_comparison (GilkFleetWindow *self);
/* Copies and shows the equivalent command. */
void  gilk_fleet_copy_command    (GilkFleetWindow *self);

/* ---- table of hits: one row per hook, one column per target ---- */

/* Fills @tree. Returns FALSE if no target ran. */
gboolean gilk_fleet_hits_show  (GtkTreeView *tree, GilkFleet *fleet, const GilkPlan *plan);
/* Adds a text column in the style of the fleet's tables; @column: of the model */
void     gilk_fleet_add_column (GtkTreeView *tree, const char *title, int column, gboolean is_number);

G_END_DECLS
