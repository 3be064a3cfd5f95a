/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-user.h - functions of programs and libraries on the target, beside the kernel's
 *
 * They are named "user:PATH:NAME", and are looked up as any function of the kernel's list is; files are read when they
 * are first named. "user:PATH:name@2" is the second of a name, "user:PATH:0x1140" what is at an address of the file.
 *
 * Threads: any; a file that is not known yet blocks on the target.
 */
#pragma once

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

#define GILK_FUNCTION_USER "user:"

/* Does the name mean a function of a program? */
gboolean       gilk_function_is_user   (const char *name);
/* Its path and what is behind that, of a name that means one; FALSE: it is not written whole. */
gboolean       gilk_function_split_user (const char *name, char **path, const char **function);

/* The functions of the file at @path; @functions: the kernel's, as long as which they live. (transfer none) */
GilkFunctions *gilk_functions_program  (GilkFunctions *functions, const char *path, GError **error);
/* The list that @function, which was looked up in @functions, is of. (transfer none) */
GilkFunctions *gilk_functions_of       (GilkFunctions *functions, const GilkFunction *function);

/* The function of a program whose name in C++ or Rust is @name, without arguments. NULL: there is none, or with
 * GILK_ERROR_AMBIGUOUS several. (transfer none) */
const GilkFunction *gilk_functions_scoped (GilkFunctions *program, const char *name, GError **error);

/* What it is in: "kernel", a module, or the path of its file. */
const char    *gilk_functions_module_name (GilkFunctions *functions, const GilkFunction *function);

G_END_DECLS
