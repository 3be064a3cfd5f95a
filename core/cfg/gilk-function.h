/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function.h - finds the functions of a kernel, with hot part, cold part and aliases, and
 * of user programs
 *
 * Threads: any. gilk_functions_new() reads all text and may block on the target; if that fails,
 * functions are known only from their symbols.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start, end;      /* address range, including padding that the decoder skips; @end is not
                             * included */
} GilkRange;

typedef struct {
  const char *name;         /* name of the symbol at the entry; owned by the symbol table */
  uint32_t    module;
  uint16_t    n_aliases;    /* number of other names at the same address */
  uint16_t    refusal;      /* GilkRefusal of the whole function, known before decoding; 0: none */
  GilkRange   hot;
  GilkRange   cold;         /* cold part; a function without a cold part has start 0 here */
} GilkFunction;

typedef struct _GilkFunctions GilkFunctions;

/* Returns all functions of the kernel and its live modules, sorted by address. Immutable. */
GilkFunctions      *gilk_functions_new   (GilkImage *image);
GilkFunctions      *gilk_functions_ref   (GilkFunctions *functions);
void                gilk_functions_unref (GilkFunctions *functions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFunctions, gilk_functions_unref)

const GilkFunction *gilk_functions_all   (GilkFunctions *functions, guint *count);
const GilkFunction *gilk_functions_at    (GilkFunctions *functions, uint64_t addr);

/* Characters that make a name a pattern: see gilk_locate_matches(). */
#define GILK_FUNCTION_PATTERN "*?"

/* Separator of alternative names: the first name that exists in the kernel is used. */
#define GILK_FUNCTION_OR "|"

/**
 * gilk_functions_lookup:
 * @name: "pipe_write", "ext4_sync_file [ext4]", "ext4:ext4_sync_file" or "0xffffffff81234560".
 *   "name@2", "name@2 [ext4]" or "ext4:name@2" is the second function of that name by address, of
 *   the kernel itself if no module is given. "anon_pipe_write|pipe_write" is the first of these
 *   names that exists, for functions whose name differs between kernels. "user:PATH:name" is a
 *   function of a user program
 * Returns: NULL with GILK_ERROR_NOT_FOUND (the message suggests similar names) or
 * GILK_ERROR_AMBIGUOUS (the message lists the choices)
 */
const GilkFunction *gilk_functions_lookup (GilkFunctions *functions, const char *name, GError **error);

/* Returns whether @name is one of @names, an argument of gilk_functions_lookup(). */
gboolean            gilk_function_is_named (const char *names, const char *name);

/* Returns a name for gilk_functions_lookup() that is valid in all boots of this build: "name",
 * "name@2", "name [module]", "name@2 [module]" or "name [kernel]". (transfer full) */
char               *gilk_functions_name   (GilkFunctions *functions, const GilkFunction *function);
/* Returns the function's position, from 1, among the functions of the same name in its module,
 * sorted by address; 0 if no other function has the name. */
guint               gilk_functions_ordinal (GilkFunctions *functions, const GilkFunction *function);

/* Returns the function's aliases in alphabetical order; may be empty. (transfer container)
 * (element-type utf8) */
GPtrArray          *gilk_functions_aliases (GilkFunctions *functions, const GilkFunction *function);

typedef struct {
  const GilkFunction *function;
  int                 score;        /* higher is better */
  uint64_t            matched;      /* bit i: character i of the name matched (i below 64) */
} GilkMatch;

/**
 * gilk_functions_find:
 * @pattern: words (see gilk-name-match.h), or a glob if it contains * or ?; "" matches all. A
 *   module and an ordinal may be given as in gilk_functions_lookup(). Aliases are searched, too
 * Returns: (transfer full) (element-type GilkMatch): best first, at most @limit
 */
GArray *gilk_functions_find (GilkFunctions *functions, const char *pattern, guint limit);

/*
 * Reads the functions of user programs and libraries on the target.
 *
 * Such functions are named "user:PATH:NAME" and looked up like functions of the kernel; a file is
 * read when it is first named. "user:PATH:name@2" is the second function of that name,
 * "user:PATH:0x1140" the function at an address of the file.
 *
 * Threads: any; reading a new file blocks on the target.
 */

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

/* Returns the function of a program whose C++ or Rust name, without arguments, is @name. Returns
 * NULL if no function has that name, and NULL with GILK_ERROR_AMBIGUOUS if several functions have
 * it. (transfer none) */
const GilkFunction *gilk_functions_scoped (GilkFunctions *program, const char *name, GError **error);

/* Returns "kernel", the name of the function's module, or the path of its file. */
const char    *gilk_functions_module_name (GilkFunctions *functions, const GilkFunction *function);

G_END_DECLS
