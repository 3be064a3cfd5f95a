/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hint.h - a remark in a bar that is shown whole or not at all
 *
 * It asks for no room: what else is in the bar comes first, and the hint gets what is left.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GILK_TYPE_HINT (gilk_hint_get_type ())
G_DECLARE_FINAL_TYPE (GilkHint, gilk_hint, GILK, HINT, GtkLabel)

G_END_DECLS
