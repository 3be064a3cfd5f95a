/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-take-apart.h - a window goes in steps
 *
 * A screen reader is told of each widget that goes, which takes long for all of them: other windows are not held up.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gilk_take_apart:
 * @window: hidden, and of no more use
 * @all: what is most in it; goes part by part, in turns of their own, and @window after that
 * @more: what goes in the same way behind it, though it may not lie in @window
 * What is made of one of GTK's containers, as views of ours are, is one part, but for those of
 * gilk_take_apart_inside().
 */
void gilk_take_apart        (GtkWidget *window, GtkWidget *all, GtkWidget *more);

/* @view has let go of all it does with its widgets, if it did anything: they may go one by one. */
void gilk_take_apart_inside (GtkWidget *view);

G_END_DECLS
