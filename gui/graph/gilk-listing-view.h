/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-view.h - listing of a function: the contents of the graph in address order
 *
 * The current row is the graph's current instruction, and input is reported by the graph's signals.
 * The listing's own signal is "toggle-view" (return to the graph).
 */
#pragma once

#include <gtk/gtk.h>

#include "core/bind/gilk-text-owners.h"
#include "gui/base/gilk-rows.h"
#include "gui/graph/gilk-graph-view.h"

#define GILK_TYPE_LISTING_VIEW (gilk_listing_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkListingView, gilk_listing_view, GILK, LISTING_VIEW, GtkScrolledWindow)

GtkWidget *gilk_listing_view_new    (GilkGraphView *view);
/* Updates the rows. Must be called when marks, counts or search matches have changed. */
void       gilk_listing_view_update (GilkListingView *self);
void       gilk_listing_view_focus  (GilkListingView *self);
/* Shows the column of source lines once the graph's data have them. */
void       gilk_listing_view_show_source (GilkListingView *self);

/*
 * Tree model over the instructions of a function, with cells computed on demand.
 *
 * The index of a row is the index of its instruction. Nothing is copied, so the largest
 * function opens at once.
 */

enum {
  GILK_LISTING_MARK,       /* string: marks of the pre- and post-hook at this instruction */
  GILK_LISTING_HITS,       /* string: hits of the block, on its first instruction */
  GILK_LISTING_OFFSET,     /* markup: offset in the function */
  GILK_LISTING_BYTES,      /* string */
  GILK_LISTING_TEXT,       /* markup: instruction, notes on operands, arrow if there is a target */
  GILK_LISTING_CURRENT,    /* string: instruction that is in the kernel now, if it differs from the
                            * original */
  GILK_LISTING_OWNER,      /* string: who changed the bytes: ilk, ftrace, a static key … */
  GILK_LISTING_SOURCE,     /* string: source line, if it differs from that of the previous row */
  GILK_LISTING_TOOLTIP,    /* markup: description for the tooltip */
  GILK_LISTING_HEAT,       /* GdkRGBA, boxed: colour of the hits; NULL: not counted */
  GILK_LISTING_INK,        /* GdkRGBA, boxed: colour of text that is readable on
                            * GILK_LISTING_HEAT */
  GILK_LISTING_FOUND,      /* GdkRGBA, boxed: colour of a search match; NULL: no match */
  GILK_LISTING_N_COLUMNS
};

#define GILK_TYPE_LISTING_MODEL (gilk_listing_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkListingModel, gilk_listing_model, GILK, LISTING_MODEL, GilkRowModel)

/* Creates a model of the function that @view shows. Marks, counts and matches are read from
   @view on demand. */
GilkListingModel *gilk_listing_model_new (GilkGraphView *view);

/* Emits "row-changed" for rows whose marks or counts changed. */
void     gilk_listing_model_update      (GilkListingModel *self);
/* Sets the code that is in the kernel now, with its owners. @now: (transfer full): result of
 * gilk_text_owners_read() */
void     gilk_listing_model_set_current (GilkListingModel *self, GilkCurrentText *now);
gboolean gilk_listing_model_has_changes (GilkListingModel *self);

/* gilk_listing_target() returns the block that instruction @insn branches to; -1: no block of this
 * function. gilk_listing_target_function() returns the name of the other function that @insn calls
 * or jumps to; NULL: none. (transfer full) (nullable) */
int   gilk_listing_target          (const GilkGraphData *data, guint insn);
char *gilk_listing_target_function (const GilkGraphData *data, guint insn);
