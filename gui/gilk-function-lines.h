/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-lines.h - to which functions a line of source was compiled, and into which another one was inlined
 *
 * Reads debug data, off the main thread.
 */
#pragma once

#include "gui/gilk-function-model.h"

G_BEGIN_DECLS

/* @text: "fs/pipe.c:538", or the name of a function that has no code of its own */
void    gilk_function_lines_async  (GilkFunctions *functions, GilkImage *image, const char *text, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/* (transfer full) (element-type GilkFunctionRow). Never NULL. @told: (out) (nullable) (transfer full): what is to be said of them */
GArray *gilk_function_lines_finish (GAsyncResult *result, char **told);

G_END_DECLS
