/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-params.h - entries for an instrument's parameters, made from its description
 *
 * An empty entry means the instrument's preset. Signal "changed" (name, text or
 * NULL): a value was entered that the instrument takes; anything else stays in
 * its entry, marked as an error.
 */
#pragma once

#include <gtk/gtk.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_TYPE_PARAMS (gilk_params_get_type ())
G_DECLARE_FINAL_TYPE (GilkParams, gilk_params, GILK, PARAMS, GtkGrid)

/* @desc is copied; NULL: no rows. @values: name -> text. Text that is being typed stays
 * as long as the value behind it is the same. */
void     gilk_params_show  (GilkParams *self, const struct ilk_instrument_desc *desc, GHashTable *values);
/* Forgets what is being typed: the next show is about something else. */
void     gilk_params_reset (GilkParams *self);
/* TRUE if @text, where empty is the preset, is a value of @param. */
gboolean gilk_params_check (const struct ilk_param *param, const char *text, GError **error);

G_END_DECLS
