/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-private.h - contents of a list of functions, for core/cfg
 */
#pragma once

#include "core/cfg/gilk-finder.h"
#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

/* A part of a function, hot or cold. Parts are sorted by start and do not overlap. */
typedef struct {
  uint64_t start, end;
  guint    function;        /* index of the function in GilkFunctions.all */
} GilkFunctionPart;

/* A name of a function: its own name or an alias. */
typedef struct {
  const char *name;
  guint       function;
} GilkName;

struct _GilkFunctions {
  gatomicrefcount ref_count;
  GilkImage    *image;
  GilkFunction *all;        guint n_all;       /* functions, sorted by address of the entry */
  GilkName     *names;      guint n_names;     /* names of functions, sorted by name, then by
                                                * address */
  GilkFunctionPart     *parts;      guint n_parts;
  uint64_t     *inbound;    guint n_inbound;   /* targets of jumps from other functions; sorted */
  GMutex        programs_lock;                 /* protects the list of programs, for
                                                * gilk-function-user.c */
  GPtrArray    *programs;                      /* GilkFunctions of user programs */
  GMutex        finder_lock;                   /* protects the finder, for gilk-finder.c */
  GilkFinder   *finder;     /* the finder; NULL before its first use */
  GDestroyNotify finder_free;
  gboolean      swept;      /* FALSE: the text could not be read, so @inbound is unknown */
};

/* ---- functions in gilk-function-parts.c ---- */

/* Returns the part of a function that covers @addr; NULL if there is none. */
const GilkFunctionPart *gilk_functions_part (const GilkFunctions *functions, uint64_t addr);

/* A cold part whose name matches more than one function. */
typedef struct {
  uint64_t start, end;
  guint    owner;           /* index of the owner in GilkFunctions.all; G_MAXUINT: not known
                             * yet */
} GilkOpenCold;

/* Finds the owner of each cold part in the sorted array @colds: the function that jumps into that
 * part. @candidates: indices of the functions to search */
void gilk_functions_join_cold (GilkFunctions *functions, GilkOpenCold *colds, guint n_colds,
                               const guint *candidates, guint n_candidates);
typedef void (*GilkBranchFunc) (GilkFunctions *functions, const GilkFunctionPart *from, const GilkInsn *insn, gpointer user_data);

/* Calls @func for each direct branch or call in @part. */
void gilk_functions_each_branch (GilkFunctions *functions, const GilkFunctionPart *part, GilkBranchFunc func, gpointer user_data);
/* Returns the length of @bytes without most of the int3 and zero bytes at their end. */
gsize gilk_text_without_filler (const uint8_t *bytes, gsize length);

/* ---- functions in gilk-function-inbound.c ---- */

/* Returns the addresses in [start, end) to which code of another function may jump. */
const uint64_t *gilk_functions_inbound (const GilkFunctions *functions,
                                        uint64_t start, uint64_t end, guint *count);
/* Fills in @inbound, the targets of jumps between functions: decodes all parts once, unless the
 * result is cached. */
void gilk_functions_sweep     (GilkFunctions *functions);

/* ---- functions in gilk-function-names.c ---- */

/* Returns the GilkRefusal of a function that must not be hooked because of its name; 0 if the name
 * does not matter. */
guint    gilk_function_name_refusal (const char *name, const char *module);
/* Returns FALSE if the function's memory was freed or never was kernel text. */
gboolean gilk_function_has_text     (const GilkFunction *function);
/* Returns the length of @name without ".cold" or ".cold.N"; 0 if @name is not the name of a cold
 * part. */
gsize    gilk_function_cold_base    (const char *name);

/* ---- functions in gilk-function-lookup.c ---- */

/* Parts of a function's name as given by the user. */
typedef struct {
  char *name;
  char *module;      /* module named by the user; "" if none */
  guint ordinal;     /* the number after "@", such as 2 in "read@2"; 0 if not given */
} GilkNamed;

/* Splits "name [module]" or "module:name", with an optional "@2" at the end of the name. */
GilkNamed gilk_named_split (const char *text);
void      gilk_named_clear (GilkNamed *named);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkNamed, gilk_named_clear)

G_END_DECLS
