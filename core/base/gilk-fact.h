/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fact.h - stores facts about an object as rows, which a terminal, a JSON document and the GUI
 * all show
 *
 * Texts are translated. A value includes its unit, and its confidence interval or error bound.
 *
 * Threads: any, but only one at a time. No function fails.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A number in a row, for programs that read the row. @key is static and names the unit:
 * "order_error_ns". */
typedef struct {
  const char *key;
  double      value;
} GilkFactNumber;

#define GILK_FACT_NUMBERS 6

typedef struct {
  char          *name, *value;
  char          *explanation;            /* explains the row to users; NULL: no explanation */
  GilkFactNumber numbers[GILK_FACT_NUMBERS];   /* unused elements are last and have key NULL */
} GilkFact;

typedef struct {
  char      *title;
  char      *about;                      /* text that applies to all rows; NULL: none */
  GPtrArray *list;                       /* GilkFact */
} GilkFacts;

/* Creates a list of facts that has no rows yet. @title and @about (nullable) are copied. */
GilkFacts *gilk_facts_new  (const char *title, const char *about);
void       gilk_facts_free (GilkFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFacts, gilk_facts_free)

/* Adds a row and returns it. (transfer none) @value is (transfer full); @explanation is
 * (nullable). */
GilkFact *gilk_facts_add (GilkFacts *facts, const char *name, char *value, const char *explanation);
/* Works like gilk_facts_add(), but @name and @explanation are (transfer full), too. */
GilkFact *gilk_facts_take (GilkFacts *facts, char *name, char *value, char *explanation);
/* Adds a number to @fact, which can hold at most GILK_FACT_NUMBERS numbers. */
void      gilk_fact_add_number (GilkFact *fact, const char *key, double value);

static inline guint
gilk_facts_n (const GilkFacts *facts)
{
  return facts->list->len;
}

static inline const GilkFact *
gilk_facts_at (const GilkFacts *facts, guint i)
{
  return g_ptr_array_index (facts->list, i);
}

/* Returns the row called @name. (nullable) */
const GilkFact *gilk_facts_find (const GilkFacts *facts, const char *name);

G_END_DECLS
