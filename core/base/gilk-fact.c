/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fact.c - stores facts about an object as rows
 */
#include "core/base/gilk-fact.h"

#include <string.h>

#include "core/base/gilk-memory.h"

GILK_DEFINE_CLEAR (free_fact, GilkFact, fact,
                   gilk_free_all (fact->name, fact->value, fact->explanation, fact))

GilkFacts *
gilk_facts_new (const char *title,
                const char *about)
{
  GilkFacts *facts = g_new (GilkFacts, 1);

  *facts = (GilkFacts) { g_strdup (title), g_strdup (about), g_ptr_array_new_with_free_func (free_fact) };

  return facts;
}

void
gilk_facts_free (GilkFacts *facts)
{
  g_free (facts->title);
  g_free (facts->about);
  g_ptr_array_unref (facts->list);
  g_free (facts);
}

GilkFact *
gilk_facts_take (GilkFacts *facts,
                 char      *name,
                 char      *value,
                 char      *explanation)
{
  GilkFact *fact = g_new0 (GilkFact, 1);

  fact->name = name;
  fact->value = value;
  fact->explanation = explanation;
  g_ptr_array_add (facts->list, fact);

  return fact;
}

GilkFact *
gilk_facts_add (GilkFacts  *facts,
                const char *name,
                char       *value,
                const char *explanation)
{
  return gilk_facts_take (facts, g_strdup (name), value, g_strdup (explanation));
}

void
gilk_fact_add_number (GilkFact   *fact,
                      const char *key,
                      double      value)
{
  for (guint i = 0; i < GILK_FACT_NUMBERS; i++)
    if (fact->numbers[i].key == NULL)
      {
        fact->numbers[i] = (GilkFactNumber) { key, value };
        return;
      }
  g_return_if_reached ();
}

const GilkFact *
gilk_facts_find (const GilkFacts *facts,
                 const char      *name)
{
  for (guint i = 0; i < gilk_facts_n (facts); i++)
    if (strcmp (gilk_facts_at (facts, i)->name, name) == 0)
      return gilk_facts_at (facts, i);

  return NULL;
}
