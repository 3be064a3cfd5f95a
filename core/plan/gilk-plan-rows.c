/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-rows.c - a plan's hooks as a list of rows: grouped by function, collapsed, searched
 *
 * The hooks of each function form a linked list (an array with the index of the next hook), so that
 * fifty thousand hooks are grouped in one pass.
 */
#include "core/plan/gilk-plan-rows.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

#define FOLD_ABOVE 60            /* functions are collapsed initially if the plan has more hooks
                                  * than this */
#define NONE       G_MAXUINT

struct _GilkPlanRows {
  GArray     *groups;            /* GilkPlanGroup */
  GArray     *rows;              /* GilkPlanRow */
  GArray     *next;              /* (element-type guint): for each hook of the plan: index of the
                                  * next hook of the same function */
  GArray     *row_of;            /* (element-type int): row of each hook; -1: the hook is not
                                  * shown */
  GHashTable *by_hand;           /* key: function; value: TRUE if the user collapsed it, FALSE if
                                  * the user expanded it */
  char      **words;
  gboolean    fold_all, fold_said;
  guint       n_hooks;
};

GILK_DEFINE_CLEAR (group_clear, GilkPlanGroup, self, g_free (self->function))

GilkPlanRows *
gilk_plan_rows_new (void)
{
  GilkPlanRows *rows = g_new0 (GilkPlanRows, 1);

  rows->groups = gilk_array_new (sizeof (GilkPlanGroup), group_clear);
  rows->rows = g_array_new (FALSE, FALSE, sizeof (GilkPlanRow));
  rows->next = g_array_new (FALSE, FALSE, sizeof (guint));
  rows->row_of = g_array_new (FALSE, FALSE, sizeof (int));
  rows->by_hand = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return rows;
}

void
gilk_plan_rows_free (GilkPlanRows *rows)
{
  if (rows == NULL)
    return;

  g_array_unref (rows->groups);
  g_array_unref (rows->rows);
  g_array_unref (rows->next);
  g_array_unref (rows->row_of);
  g_hash_table_unref (rows->by_hand);
  g_strfreev (rows->words);
  g_free (rows);
}

/* Converts a letter to lower case, like g_ascii_tolower(), but inlined, which is faster. */
static inline char
to_lower (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* Searches @text for @word, ignoring case; @word must be in lower case. strcasestr() takes ten
 * times as long, and up to fifty thousand hooks are searched for each typed letter. */
static gboolean
contains_word (const char *text, const char *word)
{
  for (; *text != '\0'; text++)
    {
      gsize n = 0;

      while (word[n] != '\0' && to_lower (text[n]) == word[n])
        n++;
      if (word[n] == '\0')
        return TRUE;
    }

  return FALSE;
}

char **
gilk_plan_search_words (const char *text)
{
  g_autofree char *small = g_ascii_strdown (text, -1);

  return text[0] != '\0' ? g_strsplit (small, " ", -1) : NULL;
}

gboolean
gilk_plan_hook_matches (const GilkPlanHook *hook,
                        char *const        *words)
{
  const char *const texts[] = {
    hook->label, hook->function, hook->block, hook->anchor, gilk_where_name (hook->where), hook->instrument,
  };

  for (guint w = 0; words != NULL && words[w] != NULL; w++)
    {
      gboolean found = words[w][0] == '\0';

      for (gsize i = 0; !found && i < G_N_ELEMENTS (texts); i++)
        found = texts[i] != NULL && contains_word (texts[i], words[w]);
      if (!found)
        return FALSE;
    }

  return TRUE;
}

/* ---- grouping of hooks by function ---- */

static GilkPlanGroup *
find_or_add_group (GilkPlanRows       *rows,
                   GHashTable         *known,
                   const GilkPlanHook *hook)
{
  gpointer at;
  GilkPlanGroup group = { .head = NONE, .tail = NONE, .start_ns = G_MAXUINT64 };
  GilkPlanGroup *last = rows->groups->len > 0
    ? &g_array_index (rows->groups, GilkPlanGroup, rows->groups->len - 1) : NULL;

  /* in long plans, the previous hook is usually in the same function */
  if (last != NULL && strcmp (last->function, hook->function) == 0)
    return last;
  if (g_hash_table_lookup_extended (known, hook->function, NULL, &at))
    return &g_array_index (rows->groups, GilkPlanGroup, GPOINTER_TO_UINT (at));

  group.function = g_strdup (hook->function);
  g_array_append_val (rows->groups, group);
  g_hash_table_insert (known, group.function, GUINT_TO_POINTER (rows->groups->len - 1));

  return &g_array_index (rows->groups, GilkPlanGroup, rows->groups->len - 1);
}

static void
add_hook (GilkPlanRows       *rows,
          GilkPlanGroup      *group,
          guint               index,
          const GilkPlanHook *hook)
{
  if (group->tail != NONE)
    g_array_index (rows->next, guint, group->tail) = index;
  else
    group->head = index;
  group->tail = index;
  group->start_ns = MIN (group->start_ns, hook->start_ns);
  if (group->n_hooks == 0)
    group->stop_ns = hook->stop_ns;
  else
    group->stop_ns = hook->stop_ns == 0 || group->stop_ns == 0 ? 0 : MAX (group->stop_ns, hook->stop_ns);
  group->n_hooks++;
}

static void
group_hooks (GilkPlanRows   *rows,
             const GilkPlan *plan)
{
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  g_array_set_size (rows->groups, 0);
  g_array_set_size (rows->next, plan->hooks->len);
  g_array_set_size (rows->row_of, plan->hooks->len);
  rows->n_hooks = 0;
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      g_array_index (rows->next, guint, i) = NONE;
      g_array_index (rows->row_of, int, i) = -1;
      if (!gilk_plan_hook_matches (hook, rows->words))
        continue;
      add_hook (rows, find_or_add_group (rows, known, hook), i, hook);
      rows->n_hooks++;
    }
}

static gboolean
is_folded (GilkPlanRows        *rows,
           const GilkPlanGroup *group)
{
  gpointer folded;

  if (group->n_hooks < 2)
    return FALSE;
  if (g_hash_table_lookup_extended (rows->by_hand, group->function, NULL, &folded))
    return GPOINTER_TO_INT (folded);

  return rows->fold_said ? rows->fold_all : rows->n_hooks > FOLD_ABOVE;
}

static void
add_row (GilkPlanRows *rows, guint group, int hook)
{
  GilkPlanRow row = { group, hook };

  g_array_append_val (rows->rows, row);
}

void
gilk_plan_rows_update (GilkPlanRows   *rows,
                       const GilkPlan *plan)
{
  group_hooks (rows, plan);
  g_array_set_size (rows->rows, 0);
  for (guint g = 0; g < rows->groups->len; g++)
    {
      GilkPlanGroup *group = &g_array_index (rows->groups, GilkPlanGroup, g);

      group->folded = is_folded (rows, group);
      if (group->n_hooks > 1)
        add_row (rows, g, -1);
      for (guint i = group->head; i != NONE; i = g_array_index (rows->next, guint, i))
        {
          if (!group->folded)
            add_row (rows, g, (int) i);
          g_array_index (rows->row_of, int, i) = (int) rows->rows->len - 1;
        }
    }
}

void
gilk_plan_rows_search (GilkPlanRows *rows,
                       const char   *text)
{
  g_strfreev (rows->words);
  rows->words = gilk_plan_search_words (text);
}

void
gilk_plan_rows_fold (GilkPlanRows *rows,
                     guint         group,
                     gboolean      folded)
{
  g_hash_table_insert (rows->by_hand, g_strdup (g_array_index (rows->groups, GilkPlanGroup, group).function),
                       GINT_TO_POINTER (folded));
}

void
gilk_plan_rows_fold_all (GilkPlanRows *rows,
                         gboolean      folded)
{
  g_hash_table_remove_all (rows->by_hand);
  rows->fold_said = TRUE;
  rows->fold_all = folded;
}

/* ---- lookup of rows ---- */

guint
gilk_plan_rows_count (const GilkPlanRows *rows)
{
  return rows->rows->len;
}

const GilkPlanRow *
gilk_plan_rows_get (const GilkPlanRows *rows,
                    guint               row)
{
  return &g_array_index (rows->rows, GilkPlanRow, row);
}

const GilkPlanGroup *
gilk_plan_rows_group (const GilkPlanRows *rows,
                      guint               row)
{
  return &g_array_index (rows->groups, GilkPlanGroup, gilk_plan_rows_get (rows, row)->group);
}

int
gilk_plan_rows_find (const GilkPlanRows *rows,
                     guint               hook)
{
  return hook < rows->row_of->len ? g_array_index (rows->row_of, int, hook) : -1;
}

GArray *
gilk_plan_rows_hooks (const GilkPlanRows *rows,
                      guint               row)
{
  GArray *hooks = g_array_new (FALSE, FALSE, sizeof (guint));
  guint only = (guint) gilk_plan_rows_get (rows, row)->hook;

  if (gilk_plan_rows_get (rows, row)->hook >= 0)
    g_array_append_val (hooks, only);
  else
    for (guint i = gilk_plan_rows_group (rows, row)->head; i != NONE; i = g_array_index (rows->next, guint, i))
      g_array_append_val (hooks, i);

  return hooks;
}
