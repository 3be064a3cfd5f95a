/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-lines.h - to which functions a line of source was compiled
 *
 * Reads debug data, off the main thread.
 */
#pragma once

#include "gui/gilk-function-model.h"

G_BEGIN_DECLS

/* @text: "fs/pipe.c:538" */
void    gilk_function_lines_async  (GilkFunctions *functions, GilkImage *image, const char *text, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/* (transfer full) (element-type GilkFunctionRow) */
GArray *gilk_function_lines_finish (GAsyncResult *result, GError **error);

G_END_DECLS
