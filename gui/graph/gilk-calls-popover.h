/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-popover.h - callers and callees of the function in view
 *
 * Signal "open" (pointer: const GilkFunction *; uint64: address of the call in this function, 0:
 * the function's entry).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-calls-source.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_POPOVER (gilk_calls_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsPopover, gilk_calls_popover, GILK, CALLS_POPOVER, GtkPopover)

GilkCallsPopover *gilk_calls_popover_new  (GtkWidget *relative_to, GilkCallsSource *source);
/* @function: one of the functions given to gilk_calls_source_set_kernel() */
void              gilk_calls_popover_show (GilkCallsPopover *self, const GilkFunction *function);

G_END_DECLS
