/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-model.h - the instructions of one function as rows, each made when it is looked at
 *
 * A row is an instruction, with its number as its index: nothing is copied, so that the largest function opens at once.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-text-owners.h"
#include "gui/gilk-graph-view.h"
#include "gui/gilk-row-model.h"

G_BEGIN_DECLS

enum {
  GILK_LISTING_MARK,       /* string: of the hooks at the block's edges that this instruction is at */
  GILK_LISTING_HITS,       /* string: of the block, at its first instruction */
  GILK_LISTING_PLACE,      /* markup: distance from the start */
  GILK_LISTING_BYTES,      /* string */
  GILK_LISTING_TEXT,       /* markup, with what operands mean and an arrow to where it leads */
  GILK_LISTING_NOW,        /* string: what the bytes are by now, where that is something else */
  GILK_LISTING_OWNER,      /* string: whose they are: ilk, ftrace, a static key */
  GILK_LISTING_SOURCE,     /* string: where it differs from the row before */
  GILK_LISTING_SAID,       /* markup: all of it in words */
  GILK_LISTING_HEAT,       /* GdkRGBA, boxed; NULL: not counted */
  GILK_LISTING_INK,        /* GdkRGBA, boxed: what is read on that heat */
  GILK_LISTING_FOUND,      /* GdkRGBA, boxed; NULL: not what was searched for */
  GILK_LISTING_N_COLUMNS
};

#define GILK_TYPE_LISTING_MODEL (gilk_listing_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkListingModel, gilk_listing_model, GILK, LISTING_MODEL, GilkRowModel)

/* Of what @view shows now, with its marks, counts and search as they are when a row is looked at. */
GilkListingModel *gilk_listing_model_new (GilkGraphView *view);

/* Marks or counts may have changed. */
void              gilk_listing_model_update   (GilkListingModel *self);
/* @now: (transfer full): of gilk_text_owners_read(). */
void              gilk_listing_model_take_now (GilkListingModel *self, GilkTextNow *now);
gboolean          gilk_listing_model_differs  (GilkListingModel *self);

/* Block whose instruction @insn leads to, or -1; and else the function that it calls or jumps to. (transfer full) (nullable) */
int   gilk_listing_target          (const GilkGraphData *data, guint insn);
char *gilk_listing_target_function (const GilkGraphData *data, guint insn);

G_END_DECLS
