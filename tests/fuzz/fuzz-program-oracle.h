/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-oracle.h - between the files of the interpreter of the language
 */
#pragma once

#include "core/program/gilk-ctype.h"
#include "tests/fuzz/fuzz-program.h"

typedef struct {
  gboolean  object;
  GilkCType type;
  uint64_t  v;                 /* an object's address */
  guint     bit, bits;         /* of a bit field: from the address */
} Value;

typedef struct {
  const char *name;
  Value       value;
} Let;

struct _Oracle {
  GilkBtf                *btf;
  const GilkProgramPlace *place;
  const GilkSyntax       *syntax;
  GilkPrototype           prototype;
  const ModelMachine     *machine;
  GHashTable             *kept;          /* char * -> int64_t * */
  GHashTable             *turns;         /* GilkNode * -> uint64_t[MODEL_CPUS] */
  GArray                 *lets, *samples;
  uint8_t                 gates[16];     /* by number of the hook */
  guint                   counts, bad;
  gboolean                over;
};

typedef enum { FINE, BAD } Fate;

/* What is kept by that name; NULL: nothing, and it is not to be made. */
int64_t *oracle_find       (Oracle *o, const char *name, gboolean make);
/* The slot that has @key in that map, or with @take one that was free; NULL: none. */
char    *oracle_slot       (Oracle *o, const char *map, uint64_t key, gboolean take);
/* What @node comes to: a number or a pointer. */
Fate     oracle_evaluate   (Oracle *o, const GilkNode *node, Value *out);
/* @value as one of @type has it. */
uint64_t oracle_convert    (const Value *value, const GilkCType *type);
/* Bytes of what @pointer points to. */
uint64_t oracle_target     (Oracle *o, const Value *pointer);
