/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress-box.h - bar above the content: the work in progress, and a button to cancel it
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_PROGRESS_BOX (gilk_progress_box_get_type ())
G_DECLARE_FINAL_TYPE (GilkProgressBox, gilk_progress_box, GILK, PROGRESS_BOX, GtkBox)

/* Shows the progress of connecting, and of preparing or changing a run. */
void gilk_progress_box_follow      (GilkProgressBox *self, GilkConnection *connection, GilkRecorder *recorder);
/* Sets whether a graph is being loaded. The box shows this unless other work is in progress. */
void gilk_progress_box_set_loading (GilkProgressBox *self, gboolean loading);

G_END_DECLS
