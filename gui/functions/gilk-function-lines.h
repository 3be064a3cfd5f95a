/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-lines.h - finds the functions that contain the code of a source line, or an inlined
 * copy of a function
 *
 * Reads debug data in a worker thread.
 */
#pragma once

#include "gui/functions/gilk-function-model.h"

G_BEGIN_DECLS

/* @text: "fs/pipe.c:538", or the name of a function that was inlined everywhere */
void    gilk_function_lines_async  (GilkFunctions *functions, GilkImage *image, const char *text, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/* Returns the rows, never NULL. @message: (out) (nullable) (transfer full): a message about the
   result. (transfer full) (element-type GilkFunctionRow) */
GArray *gilk_function_lines_finish (GAsyncResult *result, char **message);

G_END_DECLS
