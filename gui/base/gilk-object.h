/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-object.h - signals of the window's classes
 */
#pragma once

#include <glib-object.h>

/* Adds the signal @name to the class under construction, without a default handler or a result.
 * @n_params: number of types that follow, one for each parameter. Emit it by its name. */
void gilk_add_signal (gpointer klass, const char *name, guint n_params, ...);
