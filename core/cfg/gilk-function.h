/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function.h - functions of a kernel: hot part, .cold part, aliases
 *
 * Threads: any. gilk_functions_new() reads all text and may block on the target; if it
 * cannot be read functions are known by their symbols alone.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t start, end;      /* [start, end); trailing padding cut off by the decoder, not here */
} GilkRange;

typedef struct {
  const char *name;         /* symbol at the entry; owned by the symbol table */
  uint32_t    module;
  uint16_t    n_aliases;    /* other names at the same address */
  uint16_t    refusal;      /* GilkRefusal that holds for the whole function before decoding, or 0 */
  GilkRange   hot;
  GilkRange   cold;         /* start 0 if there is none */
} GilkFunction;

typedef struct _GilkFunctions GilkFunctions;

/* All functions of the kernel and its live modules, sorted by address. Immutable. */
GilkFunctions      *gilk_functions_new   (GilkImage *image);
GilkFunctions      *gilk_functions_ref   (GilkFunctions *functions);
void                gilk_functions_unref (GilkFunctions *functions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFunctions, gilk_functions_unref)

const GilkFunction *gilk_functions_all   (GilkFunctions *functions, guint *count);
const GilkFunction *gilk_functions_at    (GilkFunctions *functions, uint64_t addr);

/* Between names of which the first is meant that a kernel has. */
#define GILK_FUNCTION_OR "|"

/**
 * gilk_functions_lookup:
 * @name: "pipe_write", "ext4_sync_file [ext4]", "ext4:ext4_sync_file" or "0xffffffff81234560";
 *   "name@2", "name@2 [ext4]" or "ext4:name@2" is the second of that name by address, in the
 *   kernel itself where no module is said; "anon_pipe_write|pipe_write" is the first of these that
 *   there is, for functions that are not called the same in all kernels; "user:PATH:name" is a program's
 *   (gilk-function-user.h)
 * NULL with GILK_ERROR_NOT_FOUND (message offers the nearest names) or _AMBIGUOUS (lists what
 * to say instead).
 */
const GilkFunction *gilk_functions_lookup (GilkFunctions *functions, const char *name, GError **error);

/* Is @name one of @names, which gilk_functions_lookup() takes? */
gboolean            gilk_function_is_named (const char *names, const char *name);

/* What looks it up again, in this boot and others of this build: "name", "name@2",
 * "name [module]", "name@2 [module]" or "name [kernel]". (transfer full) */
char               *gilk_functions_name   (GilkFunctions *functions, const GilkFunction *function);
/* Its number among the functions of its name in its module, by address; 0: it is alone. */
guint               gilk_functions_ordinal (GilkFunctions *functions, const GilkFunction *function);

/* Its other names, by the alphabet; nothing if it has none. (transfer container) (element-type utf8) */
GPtrArray          *gilk_functions_aliases (GilkFunctions *functions, const GilkFunction *function);

typedef struct {
  const GilkFunction *function;
  int                 score;        /* higher is better */
  uint64_t            matched;      /* bit i: character i of the name matched (i < 64) */
} GilkMatch;

/**
 * gilk_functions_find:
 * @pattern: words as in gilk-name-match.h, or a glob if it has * or ?; "" matches all; module and
 *   number as in gilk_functions_lookup(). Functions are found by their other names, too.
 * Returns: (transfer full) (element-type GilkMatch): best first, at most @limit
 */
GArray *gilk_functions_find (GilkFunctions *functions, const char *pattern, guint limit);

G_END_DECLS
