/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function.c - finds the functions of a kernel from its symbols
 *
 * A symbol extends to the next one. gcc moves unlikely code of function foo into a separate,
 * distant part "foo.cold". Both parts belong to foo and jump into each other, also into the middle.
 * Several static functions may have the same name, so a cold part whose name matches several
 * functions belongs to the one that jumps into it.
 *
 * One pass over all text on construction finds such jumps, and all other addresses to which code of
 * another function may jump: if the graph missed such an address, a splice could cover a branch
 * target. The pass takes less time than reading the text from the target.
 */
#include "core/cfg/gilk-function.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-function-private.h"
#include "core/image/gilk-image-user.h"

/* A function under construction, with all symbols at its address. */
typedef struct {
  GilkFunction function;
  guint        first, n;    /* index of the first symbol at this address, and number of symbols */
} Draft;

static gboolean
is_text_symbol (const GilkSymbol *symbol)
{
  return (symbol->type == 't' || symbol->type == 'T' ||
          symbol->type == 'w' || symbol->type == 'W') && symbol->addr != 0;
}

static guint
get_area_refusal (const GilkArea *area)
{
  static const guint refusals[] = {
    [GILK_AREA_TEXT] = GILK_REFUSAL_NONE,
    [GILK_AREA_NOINSTR] = GILK_REFUSAL_NOINSTR,
    [GILK_AREA_ENTRY] = GILK_REFUSAL_ENTRY,
    [GILK_AREA_INIT] = GILK_REFUSAL_INIT,
    [GILK_AREA_THUNK] = GILK_REFUSAL_THUNK,
    [GILK_AREA_BLACKLIST] = GILK_REFUSAL_BLACKLIST,
  };

  return area == NULL ? GILK_REFUSAL_GENERATED : refusals[area->kind];
}

/*
 * Returns the rank of a symbol among those at one address, by which the function's name is chosen;
 * lower is better: global names before local names, section boundaries last.
 */
static int
rank_name (const GilkSymbol *symbol)
{
  if (gilk_symbol_is_marker (symbol->name))
    return 8;

  return symbol->type == 'T' ? 0 : symbol->type == 't' ? 1 : 2;
}

/**
 * start_draft:
 * Collects the symbols at the address of symbols[*i] and moves *i past them.
 * Returns: FALSE if no function starts at that address
 */
static gboolean
start_draft (GilkImage *image, GilkSymbols *table, const GilkSymbol *symbols, guint count,
             guint *i, Draft *draft)
{
  const GilkSymbol *best = NULL;
  uint64_t size = 0;
  guint aliases = 0, refusal;
  const GilkArea *area;

  memset (draft, 0, sizeof *draft);
  draft->first = *i;
  for (uint64_t addr = symbols[*i].addr; *i < count && symbols[*i].addr == addr; (*i)++)
    {
      const GilkSymbol *symbol = &symbols[*i];

      if (!is_text_symbol (symbol))
        continue;
      size = MAX (size, symbol->size);
      aliases++;
      if (best == NULL || rank_name (symbol) < rank_name (best))
        best = symbol;
    }
  draft->n = *i - draft->first;

  if (best == NULL || size == 0 || g_str_has_prefix (best->name, "__pfx_") ||
      g_str_has_prefix (best->name, "__cfi_") || gilk_symbol_is_marker (best->name))
    return FALSE;

  area = gilk_image_area (image, best->addr);
  /* A name can imply a refusal only in the kernel, not in a user program. */
  refusal = gilk_image_user_path (image) != NULL ? GILK_REFUSAL_NONE
            : gilk_function_name_refusal (best->name, gilk_symbols_module (table, best->module));
  if (area == NULL && refusal != GILK_REFUSAL_GENERATED)
    return FALSE;
  if (get_area_refusal (area) != GILK_REFUSAL_NONE && refusal != GILK_REFUSAL_GENERATED)
    refusal = get_area_refusal (area);

  draft->function = (GilkFunction) {
    .name = best->name, .module = best->module, .n_aliases = (uint16_t) (aliases - 1),
    .refusal = (uint16_t) refusal, .hot = { best->addr, best->addr + size },
  };
  return TRUE;
}

/* ---- cold parts ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const GilkName *x = a, *y = b;

  return strcmp (x->name, y->name) ?: GILK_ORDER (x->function, y->function);
}

static void
index_names (GilkFunctions *self, const GilkSymbol *symbols, const GArray *drafts)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (GilkName));

  for (guint i = 0; i < drafts->len; i++)
    {
      const Draft *draft = &g_array_index (drafts, Draft, i);

      for (guint k = draft->first; k < draft->first + draft->n; k++)
        if (is_text_symbol (&symbols[k]))
          {
            GilkName name = { symbols[k].name, i };

            g_array_append_val (names, name);
          }
    }

  g_array_sort (names, compare_names);
  self->n_names = names->len;
  self->names = (GilkName *) (void *) g_array_free (names, FALSE);
}

/* Appends to @out the functions of @module whose name is the first @length bytes of @name. */
static void
collect_owners (const GilkFunctions *self, const char *name, gsize length,
                uint32_t module, GArray *out)
{
  guint low = GILK_BISECT (self->n_names, i, strncmp (self->names[i].name, name, length) < 0);

  for (; low < self->n_names && strncmp (self->names[low].name, name, length) == 0; low++)
    if (self->names[low].name[length] == '\0' &&
        self->all[self->names[low].function].module == module)
      g_array_append_val (out, self->names[low].function);
}

/* Returns whether another cold part in the same module has the same name as @cold. */
static gboolean
has_namesake (const GilkFunctions *self, const Draft *cold)
{
  g_autoptr(GArray) same = g_array_new (FALSE, FALSE, sizeof (guint));

  collect_owners (self, cold->function.name, strlen (cold->function.name),
                  cold->function.module, same);
  return same->len > 1;
}

static void
set_cold_part (GilkFunction *owner, uint64_t start, uint64_t end)
{
  owner->cold = (GilkRange) { start, end };
}

/* Joins cold parts with their functions, first by name, then by jumps. Sets joined[i] if draft i
 * has become part of another function. */
static void
join_cold_parts (GilkFunctions *self, const GArray *drafts, gboolean *joined)
{
  g_autoptr(GArray) open = g_array_new (FALSE, FALSE, sizeof (GilkOpenCold));
  g_autoptr(GArray) candidates = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(GArray) open_drafts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < drafts->len; i++)
    {
      const Draft *draft = &g_array_index (drafts, Draft, i);
      gsize base = gilk_function_cold_base (draft->function.name);
      guint before = candidates->len;
      GilkOpenCold cold = { draft->function.hot.start, draft->function.hot.end, G_MAXUINT };

      if (base == 0)
        continue;
      collect_owners (self, draft->function.name, base, draft->function.module, candidates);
      if (candidates->len == before)
        continue;
      if (candidates->len == before + 1 && !has_namesake (self, draft) &&
          self->all[g_array_index (candidates, guint, before)].cold.start == 0)
        {
          set_cold_part (&self->all[g_array_index (candidates, guint, before)],
                         cold.start, cold.end);
          g_array_set_size (candidates, before);
          joined[i] = TRUE;
          continue;
        }
      g_array_append_val (open, cold);
      g_array_append_val (open_drafts, i);
    }

  gilk_functions_join_cold (self, (GilkOpenCold *) open->data, open->len,
                            (guint *) candidates->data, candidates->len);
  for (guint i = 0; i < open->len; i++)
    {
      GilkOpenCold *cold = &g_array_index (open, GilkOpenCold, i);

      if (cold->owner == G_MAXUINT || self->all[cold->owner].cold.start != 0)
        continue;
      set_cold_part (&self->all[cold->owner], cold->start, cold->end);
      joined[g_array_index (open_drafts, guint, i)] = TRUE;
    }
}

/* Removes functions that became parts of other functions (@joined) from the list, and corrects the
 * indices of functions in the list of names. */
static void
drop_joined (GilkFunctions *self, const gboolean *joined)
{
  g_autofree guint *renumbered = g_new (guint, self->n_all + 1);
  guint n = 0, kept = 0;

  for (guint i = 0; i < self->n_all; i++)
    {
      renumbered[i] = joined[i] ? G_MAXUINT : n;
      if (!joined[i])
        self->all[n++] = self->all[i];
    }
  self->n_all = n;

  for (guint i = 0; i < self->n_names; i++)
    if (renumbered[self->names[i].function] != G_MAXUINT)
      {
        self->names[kept] = self->names[i];
        self->names[kept++].function = renumbered[self->names[i].function];
      }
  self->n_names = kept;
}

GILK_DEFINE_ORDER (compare_parts, GilkFunctionPart, start)

static void
index_parts (GilkFunctions *self)
{
  guint n = 0;

  self->parts = g_new (GilkFunctionPart, 2 * self->n_all + 1);
  for (guint i = 0; i < self->n_all; i++)
    {
      const GilkFunction *f = &self->all[i];

      self->parts[n++] = (GilkFunctionPart) { f->hot.start, f->hot.end, i };
      if (f->cold.start != 0)
        self->parts[n++] = (GilkFunctionPart) { f->cold.start, f->cold.end, i };
    }
  self->n_parts = n;
  qsort (self->parts, n, sizeof (GilkFunctionPart), compare_parts);
}

/* ---- public functions ---- */

GilkFunctions *
gilk_functions_new (GilkImage *image)
{
  GilkFunctions *self = g_new0 (GilkFunctions, 1);
  GilkSymbols *table = gilk_image_symbols (image);
  g_autoptr(GArray) drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  g_autofree gboolean *joined = NULL;
  const GilkSymbol *symbols;
  guint count, i = 0;
  Draft draft;

  g_atomic_ref_count_init (&self->ref_count);
  self->image = gilk_image_ref (image);
  self->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_functions_unref);
  g_mutex_init (&self->programs_lock);
  g_mutex_init (&self->finder_lock);

  symbols = gilk_symbols_all (table, &count);
  while (i < count)
    if (start_draft (image, table, symbols, count, &i, &draft))
      g_array_append_val (drafts, draft);

  self->n_all = drafts->len;
  self->all = g_new (GilkFunction, drafts->len + 1);
  for (i = 0; i < drafts->len; i++)
    self->all[i] = g_array_index (drafts, Draft, i).function;

  joined = g_new0 (gboolean, drafts->len + 1);
  self->swept = gilk_image_load_all (image, NULL, NULL, NULL);
  index_names (self, symbols, drafts);
  join_cold_parts (self, drafts, joined);
  drop_joined (self, joined);
  index_parts (self);

  if (self->swept)
    gilk_functions_sweep (self);

  return self;
}

GILK_DEFINE_REF (GilkFunctions, gilk_functions, ref_count)

void
gilk_functions_unref (GilkFunctions *functions)
{
  if (functions == NULL || !g_atomic_ref_count_dec (&functions->ref_count))
    return;

  g_ptr_array_unref (functions->programs);
  g_mutex_clear (&functions->programs_lock);
  gilk_image_unref (functions->image);
  g_free (functions->all);
  if (functions->finder != NULL)
    functions->finder_free (functions->finder);
  g_mutex_clear (&functions->finder_lock);
  gilk_free_all (functions->names, functions->parts, functions->inbound, functions);
}

const GilkFunction *
gilk_functions_all (GilkFunctions *functions, guint *count)
{
  *count = functions->n_all;
  return functions->all;
}
