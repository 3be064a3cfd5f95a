/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program.h - programs that are drawn, and what the language says that they do
 */
#pragma once

#include "core/program/gilk-syntax.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/program-hit.h"

typedef struct {
  uint64_t random;
  GString *text;
  guint    lets;               /* v0, v1, .. that are there */
  guint    nest;
  gboolean samples;            /* of this program: which shape is drawn once */
  guint    shape;
} Writer;

static inline guint
draw (uint64_t *random, guint below)
{
  return fuzz_draw (random, below);
}

/* A program that means something, but for divisions by constants that are 0. */
void writer_program (Writer *writer);

/* ---- the language, as doc/PROBES.md has it, walking over the tree ---- */

typedef struct _Oracle Oracle;

Oracle  *oracle_new     (GilkBtf *btf, const GilkProgramPlace *place, const GilkSyntax *syntax);
void     oracle_free    (Oracle *oracle);
void     oracle_hit     (Oracle *oracle, const ModelMachine *machine);
guint    oracle_counts  (const Oracle *oracle);
guint    oracle_bad     (const Oracle *oracle);
/* By the numbers that program_hook() gives. */
const uint8_t *oracle_gates (const Oracle *oracle);
/* All fields of all samples, in turn; the mask of bad ones behind those of each. */
const GArray *oracle_samples (const Oracle *oracle);
/* Globals and counters (of all CPUs), what a map missed ("m!"), a key or bucket ("m[5]"): char * -> int64_t *. */
GHashTable *oracle_kept (const Oracle *oracle);
