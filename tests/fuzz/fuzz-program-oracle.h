/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program-oracle.h - declares what the files of the language's interpreter share
 */
#pragma once

#include "core/language/gilk-ctype.h"
#include "tests/fuzz/fuzz-program.h"

typedef struct {
  gboolean  object;
  GilkCType type;
  uint64_t  v;                 /* the value, or the object's address if @object is TRUE */
  guint     bit, bits;         /* bit field: offset in bits from the address, and width */
  gboolean  in_user;           /* the object is in the memory of the current task, or v is a pointer
                                * to that memory */
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
  GHashTable             *kept;          /* values of the program's globals, counters and maps by
                                          * name: char * -> int64_t * */
  /* How often each CPU has evaluated each node: GilkNode * -> uint64_t[MODEL_CPUS] */
  GHashTable             *turns;
  GArray                 *lets, *samples;
  uint8_t                 gates[16];     /* gate values by hook number: whether each hook is on */
  guint                   counts, bad;
  gboolean                over;
};

typedef enum { FINE, BAD } Fate;

/* Returns the value stored under @name. If there is none, creates it if @make is set, and returns
 * NULL otherwise. */
int64_t *oracle_find       (Oracle *o, const char *name, gboolean make);
/* Returns the slot of @key in @map. If there is none and @take is set, returns a free slot. Returns
 * NULL if @take is not set or all slots are in use. */
char    *oracle_slot       (Oracle *o, const char *map, uint64_t key, gboolean take);
/* Reads the kernel's memory, or with @in_user the memory of the current task. */
gboolean oracle_read       (Oracle *o, gboolean in_user, uint64_t address, guint size, uint64_t *value);
/* Evaluates @node. The result, a number or a pointer, is stored in @out. */
Fate     oracle_evaluate   (Oracle *o, const GilkNode *node, Value *out);
/* Returns @value converted to @type. */
uint64_t oracle_convert    (const Value *value, const GilkCType *type);
/* Returns the size in bytes of the object to which @pointer points. */
uint64_t oracle_target     (Oracle *o, const Value *pointer);
