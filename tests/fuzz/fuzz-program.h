/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program.h - draws random programs, and interprets programs to compute their results
 */
#pragma once

#include "core/language/gilk-syntax.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/program-hit.h"

typedef struct {
  uint64_t random;
  GString *text;
  guint    lets;               /* number of variables v0, v1, .. declared so far */
  guint    nest;
  gboolean samples;            /* TRUE: the program writes samples, all with the same fields */
  guint    shape;
} Writer;

static inline guint
draw_below (uint64_t *random, guint below)
{
  return fuzz_draw (random, below);
}

/* Draws a program that is valid, except that it may divide by a constant 0. */
void writer_program (Writer *writer);

/* ---- interpreter of the language in gilk-probes(7), on the syntax tree ---- */

typedef struct _Oracle Oracle;

Oracle  *oracle_new     (GilkBtf *btf, const GilkProgramPlace *place, const GilkSyntax *syntax);
void     oracle_free    (Oracle *oracle);
void     oracle_hit     (Oracle *oracle, const ModelMachine *machine);
guint    oracle_counts  (const Oracle *oracle);
guint    oracle_bad     (const Oracle *oracle);
/* Returns the gates, which say whether each hook is on, indexed by the numbers that program_hook()
 * returns. */
const uint8_t *oracle_gates (const Oracle *oracle);
/* Returns all fields of all samples, in order. The fields of a sample are followed by a mask of its
 * bad fields, those whose value could not be read. */
const GArray *oracle_samples (const Oracle *oracle);
/* Returns the final values of the program's globals and maps by name (char * -> int64_t *):
 * globals, counters (summed over all CPUs), missed keys of a map ("m!"), and keys or buckets
 * ("m[5]"). */
GHashTable *oracle_kept (const Oracle *oracle);
