/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-params.h - entries for an instrument's parameters, built from its description
 *
 * An empty entry means the parameter's default. Signal "changed" (name, text or NULL): the user
 * entered a valid value. An invalid value stays in its entry, marked as an error.
 */
#pragma once

#include <gtk/gtk.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_TYPE_PARAMS (gilk_params_get_type ())
G_DECLARE_FINAL_TYPE (GilkParams, gilk_params, GILK, PARAMS, GtkGrid)

/* @desc: copied; NULL: no rows. @values: name -> text. Text that the user is typing stays as long
 * as the value in @values is unchanged. */
void     gilk_params_show  (GilkParams *self, const struct ilk_instrument_desc *desc, GHashTable *values);
/* Discards text that the user is typing; call it before showing another hook. */
void     gilk_params_reset (GilkParams *self);
/* Returns whether @text is a valid value of @param. Empty text stands for the default. */
gboolean gilk_params_check (const struct ilk_param *param, const char *text, GError **error);

G_END_DECLS
