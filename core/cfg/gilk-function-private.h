/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-private.h - what core/cfg knows of functions beside the public list
 */
#pragma once

#include "core/cfg/gilk-finder.h"
#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

/* A part of a function, hot or cold: parts are sorted by start and do not overlap. */
typedef struct {
  uint64_t start, end;
  guint    function;        /* index into functions */
} GilkPart;

/* A name, first or alias, of a function. */
typedef struct {
  const char *name;
  guint       function;
} GilkName;

struct _GilkFunctions {
  gatomicrefcount ref_count;
  GilkImage    *image;
  GilkFunction *all;        guint n_all;       /* by address of the entry */
  GilkName     *names;      guint n_names;     /* by name, then by address */
  GilkPart     *parts;      guint n_parts;
  uint64_t     *inbound;    guint n_inbound;   /* sorted, distinct */
  GMutex        programs_lock;                 /* gilk-function-user.c */
  GPtrArray    *programs;                      /* GilkFunctions: of files, in the order they were read */
  GMutex        finder_lock;                   /* gilk-finder.c */
  GilkFinder   *finder;     /* NULL until it is asked for */
  GDestroyNotify finder_free;
  gboolean      swept;      /* FALSE: the text could not be read, nothing is known */
};

/* ---- gilk-function-parts.c ---- */

/* The part that covers @addr, NULL if none. */
const GilkPart *gilk_functions_part (const GilkFunctions *functions, uint64_t addr);

/* Places in [start, end) that code outside their own function may go to. */
const uint64_t *gilk_functions_inbound (const GilkFunctions *functions,
                                        uint64_t start, uint64_t end, guint *count);

/* ---- gilk-function-sweep.c ---- */

/* A cold part whose name fits more than one function. */
typedef struct {
  uint64_t start, end;
  guint    owner;           /* index into all, G_MAXUINT while it is not known */
} GilkOpenCold;

/* Finds the owner of each of @colds (sorted) by the jumps that reach it from the
 * functions @candidates (indices). */
void gilk_functions_join_cold (GilkFunctions *functions, GilkOpenCold *colds, guint n_colds,
                               const guint *candidates, guint n_candidates);
/* Decodes all parts once and collects inbound. */
void gilk_functions_sweep     (GilkFunctions *functions);
typedef void (*GilkBranchFunc) (GilkFunctions *functions, const GilkPart *from, const GilkInsn *insn, gpointer user_data);

/* Calls @func for each direct branch or call in @part. */
void gilk_functions_each_branch (GilkFunctions *functions, const GilkPart *part, GilkBranchFunc func, gpointer user_data);
/* Length of @bytes without a long tail of int3 or zero. */
gsize gilk_text_without_filler (const uint8_t *bytes, gsize length);

/* ---- gilk-function-names.c ---- */

/* GilkRefusal that a name alone calls for, 0 if none. */
guint    gilk_function_name_refusal (const char *name, const char *module);
/* FALSE if its memory was given back or never was text. */
gboolean gilk_function_has_text     (const GilkFunction *function);
/* Length of the name without ".cold" or ".cold.N"; 0 if @name is no cold part's. */
gsize    gilk_function_cold_base    (const char *name);

/* ---- gilk-function-lookup.c ---- */

/* What a text names. */
typedef struct {
  char *name;
  char *module;      /* "" if none was given */
  guint ordinal;     /* 0 if none was given */
} GilkNamed;

/* Takes "name [module]" and "module:name" apart, and "@2" from the end of the name. */
GilkNamed gilk_named_split (const char *text);
void      gilk_named_clear (GilkNamed *named);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkNamed, gilk_named_clear)

G_END_DECLS
