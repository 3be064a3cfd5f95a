/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-finder.c - searches for functions at each keystroke, and ranks the results
 *
 * Names are in one buffer, in lower case, in the order in which results with equal scores are
 * shown. A bit set of letters rejects most names quickly. There are few different scores, so
 * results are sorted with a counting sort.
 */
#include "core/cfg/gilk-finder.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-name-match.h"

#define REFUSED_LATER 100   /* subtracted from the score of refused functions, which cannot be
                             * hooked */
#define ALIAS_LATER     1   /* subtracted from the score of aliases */

typedef struct {
  uint64_t    letters;
  guint       at;            /* offset of the lower-case name in GilkFinder.small */
  guint       function;
  const char *name;          /* original spelling */
  guint       module;        /* @module and @refused are copied from the function, so that a search
                              * reads only this array */
  guint16     length;
  guint8      first;         /* the name is the function's own, not an alias */
  guint8      refused;
} Name;

struct _GilkFinder {
  const GilkFunctions *functions;
  GString             *small;
  Name                *names;
  guint                n_names;
};

/* ---- construction ---- */

/* Compares names, ignoring leading underscores, so that related names stay together. */
static int
compare_shown (const void *a, const void *b)
{
  const Name *x = a, *y = b;
  const char *p = x->name + strspn (x->name, "_"), *q = y->name + strspn (y->name, "_");

  return (*p == '.') - (*q == '.') ?: g_ascii_strcasecmp (p, q) ?:
         (int) ((p - x->name) - (q - y->name)) ?: GILK_ORDER (x->function, y->function);
}

static void
add_name (GilkFinder *self, Name *name)
{
  gsize length = strlen (name->name);

  name->at = (guint) self->small->len;
  name->length = (guint16) MIN (length, G_MAXUINT16);
  name->letters = gilk_name_letters (name->name);
  for (gsize i = 0; i <= length; i++)
    g_string_append_c (self->small, g_ascii_tolower (name->name[i]));
}

static GilkFinder *
finder_new (const GilkFunctions *functions)
{
  GilkFinder *self = g_new0 (GilkFinder, 1);

  self->functions = functions;
  self->small = g_string_new (NULL);
  self->names = g_new0 (Name, functions->n_names + 1);
  for (guint i = 0; i < functions->n_names; i++)
    {
      const GilkName *name = &functions->names[i];

      if (i > 0 && name->function == name[-1].function && strcmp (name->name, name[-1].name) == 0)
        continue;
      self->names[self->n_names++] = (Name) {
        .function = name->function, .name = name->name,
        .module = functions->all[name->function].module,
        .first = strcmp (functions->all[name->function].name, name->name) == 0,
        .refused = functions->all[name->function].refusal != 0,
      };
    }
  qsort (self->names, self->n_names, sizeof (Name), compare_shown);
  for (guint i = 0; i < self->n_names; i++)
    add_name (self, &self->names[i]);

  return self;
}

static void
finder_free (gpointer data)
{
  GilkFinder *finder = data;

  g_string_free (finder->small, TRUE);
  g_free (finder->names);
  g_free (finder);
}

GilkFinder *
gilk_functions_finder (GilkFunctions *functions)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&functions->finder_lock);

  if (functions->finder == NULL)
    {
      functions->finder = finder_new (functions);
      functions->finder_free = finder_free;
    }

  return functions->finder;
}

/* ---- search, at each keystroke ---- */

typedef struct {
  const GilkFinder      *finder;
  const GilkFinderQuery *query;
  GilkNamed              named;
  GilkPattern            pattern;
  GPatternSpec          *glob;
  guint16               *scores;     /* score + 1 of each name; 0: not shown */
  guint                 *counts;     /* for each score: number of names that have it */
  uint64_t              *seen;       /* bit set of the functions already counted in @n_fit */
  GilkFound             *found;
} Search;

static gboolean
is_of_module (const Search *search, guint module)
{
  GilkSymbols *symbols = gilk_image_symbols (search->finder->functions->image);

  if (search->query->module != GILK_ANY_MODULE && module != search->query->module)
    return FALSE;

  return *search->named.module == '\0' || strcmp (gilk_symbols_module (symbols, module), search->named.module) == 0;
}

static int
score_name (const Search *search, const Name *name)
{
  const char *small = search->finder->small->str + name->at;
  int score;

  if (search->glob != NULL)
    return g_pattern_spec_match (search->glob, name->length, small, NULL)
           ? MAX (GILK_PATTERN_SCORES / 2 - (int) name->length, 0) : -1;
  score = gilk_pattern_score (&search->pattern, small, name->length, NULL);
  if (score < 0)
    return -1;
  if (search->pattern.n_words == 0)
    return name->first ? 0 : -1;

  score -= name->refused ? REFUSED_LATER : 0;
  return MAX (score - (name->first ? 0 : ALIAS_LATER), 0);
}

/*
 * Counts a function and its marks (flags defined by the caller), but only once if several of its
 * names match. Returns whether the function has the wanted marks.
 */
static gboolean
count_marks (Search *search, guint function)
{
  uint8_t marks = search->query->marks != NULL ? search->query->marks[function] : 0;
  uint64_t bit = 1ull << (function % 64);

  if ((search->seen[function / 64] & bit) == 0)
    {
      search->seen[function / 64] |= bit;
      search->found->n_fit++;
      for (guint i = 0; i < GILK_FINDER_MARKS; i++)
        search->found->n_marked[i] += marks >> i & 1;
    }

  return (marks & search->query->wanted) == search->query->wanted;
}

static void
match_name (Search *search, guint i)
{
  const Name *name = &search->finder->names[i];
  GilkFunctions *functions = (GilkFunctions *) search->finder->functions;
  int score;

  if (search->glob == NULL && (name->letters & search->pattern.letters) != search->pattern.letters)
    return;
  if (!is_of_module (search, name->module))
    return;
  score = score_name (search, name);
  if (score < 0)
    return;
  if (search->named.ordinal != 0 &&
      gilk_functions_ordinal (functions, &functions->all[name->function]) != search->named.ordinal)
    return;
  if (!count_marks (search, name->function))
    return;
  search->scores[i] = (guint16) (score + 1);
  search->counts[score]++;
}

/* Sorts results by score, then by order of names; keeps each function once, under its best name. */
static void
sort_results (Search *search)
{
  const GilkFinder *finder = search->finder;
  GilkFound *found = search->found;
  guint *order, n = 0;

  for (int score = GILK_PATTERN_SCORES - 1; score >= 0; score--)
    {
      guint count = search->counts[score];

      search->counts[score] = n;
      n += count;
    }
  order = found->rows = g_new (guint, n + 1);
  for (guint i = 0; i < finder->n_names; i++)
    if (search->scores[i] != 0)
      order[search->counts[search->scores[i] - 1]++] = i;

  memset (search->seen, 0, (finder->functions->n_all / 64 + 1) * sizeof (uint64_t));
  for (guint i = 0; i < n; i++)
    {
      guint function = finder->names[order[i]].function;
      uint64_t bit = 1ull << (function % 64);

      if ((search->seen[function / 64] & bit) == 0)
        found->rows[found->n_rows++] = order[i];
      search->seen[function / 64] |= bit;
    }
}

GilkFound *
gilk_finder_find (GilkFinder *finder, const GilkFinderQuery *query)
{
  g_autofree guint16 *scores = g_new0 (guint16, finder->n_names + 1);
  g_autofree guint *counts = g_new0 (guint, GILK_PATTERN_SCORES);
  g_autofree uint64_t *seen = g_new0 (uint64_t, finder->functions->n_all / 64 + 1);
  g_auto(GilkNamed) named = gilk_named_split (query->typed);
  g_autoptr(GPatternSpec) glob = NULL;
  Search search = { finder, query, .scores = scores, .counts = counts, .seen = seen };

  search.named = named;
  search.found = g_new0 (GilkFound, 1);
  gilk_pattern_init (&search.pattern, named.name);
  if (strpbrk (named.name, "*?") != NULL)
    {
      g_autofree char *small = g_ascii_strdown (named.name, -1);

      search.glob = glob = g_pattern_spec_new (small);
    }
  for (guint i = 0; i < finder->n_names; i++)
    match_name (&search, i);
  sort_results (&search);

  return search.found;
}

const GilkFunction *
gilk_finder_row (GilkFinder *finder, guint row, const char **name)
{
  if (name != NULL)
    *name = finder->names[row].name;

  return &finder->functions->all[finder->names[row].function];
}

void
gilk_found_free (GilkFound *found)
{
  if (found == NULL)
    return;
  g_free (found->rows);
  g_free (found);
}

/* ---- best matches of a pattern ---- */

GArray *
gilk_functions_find (GilkFunctions *functions, const char *pattern, guint limit)
{
  const GilkFinderQuery query = { .typed = pattern, .module = GILK_ANY_MODULE };
  GilkFinder *finder = gilk_functions_finder (functions);
  g_autoptr(GilkFound) found = gilk_finder_find (finder, &query);
  g_auto(GilkNamed) named = gilk_named_split (pattern);
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (GilkMatch));

  for (guint i = 0; i < found->n_rows && i < limit; i++)
    {
      GilkMatch match = { .function = gilk_finder_row (finder, found->rows[i], NULL) };

      if (strpbrk (named.name, "*?") != NULL ||
          !gilk_name_matches (match.function->name, named.name, &match.score, &match.matched))
        match.matched = 0;
      g_array_append_val (matches, match);
    }

  return matches;
}
