/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-parts.h - what the source files of the window of several targets share
 *
 * gilk-fleet-acts.c is what can be done with results and the plan, gilk-fleet-window.c the rest.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-fleet.h"

G_BEGIN_DECLS

enum { COLUMN_SPEC, COLUMN_KERNEL, COLUMN_STATE, COLUMN_BEGAN, COLUMN_SAMPLES, COLUMN_RATE, COLUMN_LOST, COLUMN_REFUSED, N_COLUMNS };

typedef struct {
  GtkWindow    *parent, *window;     /* (unowned) */
  GSettings    *settings;
  GilkPlan     *plan;
  GilkFleet    *fleet;               /* NULL: none was begun */
  guint         refresh;
  GtkEntry     *target, *length;
  GtkWidget    *add, *remove, *run, *open, *beside, *copy, *partial;
  GtkListStore *store;
  GtkTreeView  *tree, *hits;
  GtkWidget    *hits_box;
  GtkLabel     *told, *command;
  GtkWidget    *told_box;            /* where @told is scrolled */
  GHashTable   *words;               /* target -> what it said last; NULL: it was asked for */
  GCancellable *cancellable;
} GilkFleetParts;

guint gilk_fleet_n_rows       (const GilkFleetParts *self);
/* What cannot be, where troubles are told. */
void  gilk_fleet_show_error   (GilkFleetParts *self, const GError *error);
/* By an action of the window: "open-path", or "open-beside" one that is open. */
void  gilk_fleet_open_session (GilkFleetParts *self, guint i, const char *action);
/* That of the row that is chosen, or the first that recorded something; and the next one beside it. */
void  gilk_fleet_open_results (GilkFleetParts *self);
void  gilk_fleet_open_beside  (GilkFleetParts *self);
/* As a command, which is shown, too. */
void  gilk_fleet_copy_command (GilkFleetParts *self);

G_END_DECLS
