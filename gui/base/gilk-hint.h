/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hint.h - hint in a bar, shown only if it fits completely
 *
 * It requests no width, so it gets only what the other widgets in the bar leave.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_HINT (gilk_hint_get_type ())
G_DECLARE_FINAL_TYPE (GilkHint, gilk_hint, GILK, HINT, GtkLabel)

G_END_DECLS
