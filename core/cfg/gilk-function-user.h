/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-user.h - reads the functions of user programs and libraries on the target
 *
 * Such functions are named "user:PATH:NAME" and looked up like functions of the kernel; a file is
 * read when it is first named. "user:PATH:name@2" is the second function of that name,
 * "user:PATH:0x1140" the function at an address of the file.
 *
 * Threads: any; reading a new file blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

#define GILK_FUNCTION_USER "user:"

/* Returns whether the name refers to a user program. */
gboolean       gilk_function_is_user   (const char *name);
/* Splits the name of a user program's function into path and function. Returns FALSE if the
 * name is incomplete. */
gboolean       gilk_function_split_user (const char *name, char **path, const char **function);

/* Returns the functions of the file at @path; they live as long as @functions, the kernel's
 * functions. (transfer none) */
GilkFunctions *gilk_functions_program  (GilkFunctions *functions, const char *path, GError **error);
/* Returns the list that contains @function: @functions, or a user program's list. (transfer
 * none) */
GilkFunctions *gilk_functions_of       (GilkFunctions *functions, const GilkFunction *function);

/* Returns the function of a program whose C++ or Rust name, without arguments, is @name. NULL if no
 * function has that name, or with GILK_ERROR_AMBIGUOUS if several functions have it. (transfer
 * none) */
const GilkFunction *gilk_functions_scoped (GilkFunctions *program, const char *name, GError **error);

/* Returns "kernel", the name of the function's module, or the path of its file. */
const char    *gilk_functions_module_name (GilkFunctions *functions, const GilkFunction *function);

G_END_DECLS
