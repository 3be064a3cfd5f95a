/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-symbols.c - live symbol table from /proc/kallsyms, sorted and indexed
 *
 * About 200,000 lines are parsed at each start. For speed, names stay in place in one copy of the
 * file, and all tables refer to symbols by array index.
 */
#include "core/image/gilk-symbols-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"

#define NONE G_MAXUINT32
#define PAGE 4096u
#define NAME_MAX_BYTES 1024  /* maximum length of a name or other word in a line; twice the kernel's
                              * limit for names */

struct _GilkSymbols {
  gatomicrefcount refs;
  char       *text;           /* contents of /proc/kallsyms, split into strings in place */
  GilkSymbol *all;            /* all symbols, sorted by address, then in file order */
  guint       count;
  guint      *namesake;  /* for each symbol, the index of the next with the same name, or NONE */
  guint      *code;           /* for each address with text symbols, in ascending order: index in
                               * @all of the most informative of these symbols */
  guint       n_code;
  GHashTable *names;          /* table from a name to the index of the first symbol with that
                               * name */
  GPtrArray  *modules;        /* names of modules; the first is "kernel" */
  GHashTable *module_index;
};

gboolean
gilk_symbol_is_text (const GilkSymbol *symbol)
{
  return symbol->type == 't' || symbol->type == 'T' ||
         symbol->type == 'w' || symbol->type == 'W';
}

/* ---- parser of lines such as "ffffffff81000000 T name\t[module]\n" ---- */

typedef struct {
  char *at;
  char *end;
  guint line;
} Cursor;

static gboolean
parse_address (Cursor   *cursor,
               uint64_t *address)
{
  guint digits = 0;

  *address = 0;
  while (cursor->at < cursor->end && g_ascii_isxdigit (*cursor->at))
    {
      if (++digits > 16)
        return FALSE;
      *address = *address << 4 | (uint64_t) g_ascii_xdigit_value (*cursor->at++);
    }

  return digits > 0;
}

/* Cuts off the next word in place and returns it; NULL if none is left. @delimiter: (out): the
 * character after the word */
static char *
cut_word (Cursor *cursor,
          char   *delimiter)
{
  char *word = cursor->at;

  while (cursor->at < cursor->end && g_ascii_isgraph (*cursor->at))
    cursor->at++;
  if (cursor->at == word || cursor->at - word > NAME_MAX_BYTES)
    return NULL;

  *delimiter = *cursor->at;     /* at the end of the text, this is the NUL that ends it */
  *cursor->at = '\0';
  if (cursor->at < cursor->end)
    cursor->at++;
  return word;
}

static uint32_t
get_module_number (GilkSymbols *symbols,
                   const char  *name)
{
  gpointer found;

  if (g_hash_table_lookup_extended (symbols->module_index, name, NULL, &found))
    return GPOINTER_TO_UINT (found);

  g_ptr_array_add (symbols->modules, g_strdup (name));
  g_hash_table_insert (symbols->module_index,
                       g_ptr_array_index (symbols->modules, symbols->modules->len - 1),
                       GUINT_TO_POINTER (symbols->modules->len - 1));
  return symbols->modules->len - 1;
}

static gboolean
parse_line (GilkSymbols *symbols,
            Cursor      *cursor,
            GilkSymbol  *symbol)
{
  char delimiter;
  char *module;
  gsize length;

  if (!parse_address (cursor, &symbol->addr) ||
      cursor->end - cursor->at < 4 || cursor->at[0] != ' ' || cursor->at[2] != ' ')
    return FALSE;

  symbol->type = cursor->at[1];
  symbol->module = 0;
  cursor->at += 3;
  symbol->name = cut_word (cursor, &delimiter);
  if (symbol->name == NULL || !g_ascii_isgraph (symbol->type))
    return FALSE;
  if (delimiter == '\n' || delimiter == '\0')
    return TRUE;
  if (delimiter != '\t' || cursor->at == cursor->end || *cursor->at++ != '[')
    return FALSE;

  module = cut_word (cursor, &delimiter);
  length = module != NULL ? strlen (module) : 0;
  if (length < 2 || module[length - 1] != ']' || (delimiter != '\n' && delimiter != '\0'))
    return FALSE;
  module[length - 1] = '\0';
  symbol->module = get_module_number (symbols, module);

  return TRUE;
}

/*
 * State for detecting symbols to skip. kallsyms lists the symbols of each module together. After
 * the last module it lists init functions that ftrace traced while modules were loaded
 * (ftrace_mod_get_kallsym()). The memory of these functions was freed and may contain other code.
 */
typedef struct {
  uint32_t now;
  GArray  *over;             /* for each module (gboolean): all symbols of the module were listed */
} Rows;

static gboolean
is_kept_by_ftrace (Rows             *rows,
                   const GilkSymbol *symbol)
{
  if (symbol->module != rows->now)
    {
      if (rows->over->len <= MAX (rows->now, symbol->module))
        g_array_set_size (rows->over, MAX (rows->now, symbol->module) + 1);
      g_array_index (rows->over, gboolean, rows->now) = TRUE;
      rows->now = symbol->module;
    }

  return symbol->module != 0 && symbol->module < rows->over->len && symbol->type == 'T' &&
         g_array_index (rows->over, gboolean, symbol->module);
}

static gboolean
parse_all (GilkSymbols *symbols,
           gsize        length,
           GError     **error)
{
  g_autoptr (GArray) all = g_array_sized_new (FALSE, FALSE, sizeof (GilkSymbol), length / 40 + 1);
  g_autoptr (GArray) over = g_array_new (FALSE, TRUE, sizeof (gboolean));
  Rows rows = { 0, over };
  Cursor cursor = { symbols->text, symbols->text + length, 1 };
  gboolean hidden = TRUE;

  for (; cursor.at < cursor.end; cursor.line++)
    {
      GilkSymbol symbol = { 0 };

      if (!parse_line (symbols, &cursor, &symbol))
        return gilk_fail (error, GILK_ERROR_FORMAT,
            _("Line %u of the kernel's symbol table is not a symbol; the agent or the saved table is damaged: "
              "connect again."), cursor.line);
      hidden = hidden && symbol.addr == 0;
      if (!is_kept_by_ftrace (&rows, &symbol))
        g_array_append_val (all, symbol);
    }
  if (all->len == 0)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("The kernel's symbol table is empty; the kernel needs CONFIG_KALLSYMS, which Debian's kernels have."));
  if (hidden)
    return gilk_fail (error, GILK_ERROR_PERMISSION,
        _("The kernel hides the addresses of its symbols; run the agent as root, or set "
          "/proc/sys/kernel/kptr_restrict to 1 or 0."));

  symbols->count = all->len;
  symbols->all = (GilkSymbol *) g_array_free (g_steal_pointer (&all), FALSE);
  return TRUE;
}

/* ---- indexes of the symbol table ---- */

static int
compare_by_address (gconstpointer a,
                    gconstpointer b,
                    gpointer      data)
{
  const GilkSymbol *x = a, *y = b;

  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/*
 * Sets the size of each symbol to the distance to the next higher symbol of its module. Goes from
 * the highest address down; for each module, group[] is the address of the symbols just visited,
 * and next[] is the next higher address that has symbols.
 */
static void
set_sizes (GilkSymbols *symbols)
{
  g_autofree uint64_t *group = g_new0 (uint64_t, symbols->modules->len);
  g_autofree uint64_t *next = g_new0 (uint64_t, symbols->modules->len);
  g_autofree gboolean *next_is_text = g_new0 (gboolean, symbols->modules->len);
  g_autofree gboolean *group_is_text = g_new0 (gboolean, symbols->modules->len);

  for (guint i = symbols->count; i-- > 0;)
    {
      GilkSymbol *symbol = &symbols->all[i];
      uint32_t m = symbol->module;
      uint64_t page_end = (symbol->addr | (PAGE - 1)) + 1;

      if (symbol->addr != group[m])
        {
          next[m] = group[m];
          next_is_text[m] = group_is_text[m];
          group[m] = symbol->addr;
          group_is_text[m] = FALSE;
        }
      group_is_text[m] = group_is_text[m] || gilk_symbol_is_text (symbol);

      symbol->size = next[m] > symbol->addr ? next[m] - symbol->addr : 0;
      /* After the last function there is padding, and then data or memory of other owners: so limit
       * the function's size to the end of its page. */
      if (gilk_symbol_is_text (symbol) && !next_is_text[m] &&
          (symbol->size == 0 || symbol->addr + symbol->size > page_end))
        symbol->size = page_end - symbol->addr;
    }
}

gboolean
gilk_symbol_is_marker (const char *name)
{
  return strcmp (name, "_text") == 0 || strcmp (name, "_stext") == 0 ||
         strcmp (name, "_etext") == 0 || strcmp (name, "_sinittext") == 0 ||
         strcmp (name, "_einittext") == 0 ||
         g_str_has_suffix (name, "_text_start") || g_str_has_suffix (name, "_text_end") ||
         g_str_has_suffix (name, "_thunk_start") || g_str_has_suffix (name, "_thunk_end");
}

/* Ranks symbols at the same address (aliases): the lowest rank is the most informative. Code that
 * runs before relocation has aliases such as __pi_memcpy in Linux 7.0. */
static guint
rank_alias (const GilkSymbol *symbol)
{
  if (gilk_symbol_is_marker (symbol->name))
    return 4;

  return (g_str_has_prefix (symbol->name, "__pi_") ? 2 : 0) + (symbol->type == 't');
}

static void
index_text (GilkSymbols *symbols)
{
  symbols->code = g_new (guint, symbols->count);
  for (guint i = 0; i < symbols->count; i++)
    {
      const GilkSymbol *symbol = &symbols->all[i];
      guint *last = symbols->n_code > 0 ? &symbols->code[symbols->n_code - 1] : NULL;

      if (!gilk_symbol_is_text (symbol))
        continue;
      if (last == NULL || symbols->all[*last].addr != symbol->addr)
        symbols->code[symbols->n_code++] = i;
      else if (rank_alias (symbol) < rank_alias (&symbols->all[*last]))
        *last = i;
    }
}

/* Indexes names. Visits symbols from last to first, so that the hash table refers to the first
 * symbol with each name, and each chain of symbols with the same name is in ascending order. */
static void
index_names (GilkSymbols *symbols)
{
  symbols->names = g_hash_table_new (g_str_hash, g_str_equal);
  symbols->namesake = g_new (guint, symbols->count);
  for (guint i = symbols->count; i-- > 0;)
    {
      gpointer later;

      symbols->namesake[i] =
        g_hash_table_lookup_extended (symbols->names, symbols->all[i].name, NULL, &later)
        ? GPOINTER_TO_UINT (later) : NONE;
      g_hash_table_replace (symbols->names, (gpointer) symbols->all[i].name,
                            GUINT_TO_POINTER (i));
    }
}

GilkSymbols *
gilk_symbols_new_parse (const char *kallsyms,
                        gsize       length,
                        GError    **error)
{
  g_autoptr (GilkSymbols) symbols = g_new0 (GilkSymbols, 1);

  g_return_val_if_fail (kallsyms != NULL || length == 0, NULL);

  g_atomic_ref_count_init (&symbols->refs);
  symbols->text = g_malloc (length + 1);
  if (length > 0)
    memcpy (symbols->text, kallsyms, length);
  symbols->text[length] = '\0';
  symbols->modules = g_ptr_array_new_with_free_func (g_free);
  symbols->module_index = g_hash_table_new (g_str_hash, g_str_equal);
  get_module_number (symbols, "kernel");

  if (!parse_all (symbols, length, error))
    return NULL;

  g_qsort_with_data (symbols->all, symbols->count, sizeof (GilkSymbol), compare_by_address, NULL);
  set_sizes (symbols);
  index_text (symbols);
  index_names (symbols);
  return g_steal_pointer (&symbols);
}

GILK_DEFINE_REF (GilkSymbols, gilk_symbols, refs)

void
gilk_symbols_unref (GilkSymbols *symbols)
{
  if (!g_atomic_ref_count_dec (&symbols->refs))
    return;

  g_clear_pointer (&symbols->names, g_hash_table_unref);
  g_clear_pointer (&symbols->module_index, g_hash_table_unref);
  g_clear_pointer (&symbols->modules, g_ptr_array_unref);
  gilk_free_all (symbols->namesake, symbols->code, symbols->all, symbols->text, symbols);
}

/* ---- lookup of symbols ---- */

const GilkSymbol *
gilk_symbols_all (GilkSymbols *symbols,
                  guint       *count)
{
  *count = symbols->count;
  return symbols->all;
}

const char *
gilk_symbols_module (GilkSymbols *symbols,
                     uint32_t     module)
{
  g_return_val_if_fail (module < symbols->modules->len, "kernel");

  return g_ptr_array_index (symbols->modules, module);
}

guint
gilk_symbols_n_modules (GilkSymbols *symbols)
{
  return symbols->modules->len;
}

int
gilk_symbols_find_module (GilkSymbols *symbols,
                          const char  *name)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (symbols->module_index, name, NULL, &found))
    return -1;

  return (int) GPOINTER_TO_UINT (found);
}

const GilkSymbol *
gilk_symbols_next_namesake (GilkSymbols      *symbols,
                            const GilkSymbol *symbol)
{
  guint next = symbols->namesake[symbol - symbols->all];

  return next != NONE ? &symbols->all[next] : NULL;
}

static const GilkSymbol *
find_first_named (GilkSymbols *symbols,
                  const char  *name)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (symbols->names, name, NULL, &found))
    return NULL;

  return &symbols->all[GPOINTER_TO_UINT (found)];
}

/* Returns the first symbol of @module (-1: any) in the chain of symbols with the same name that
 * starts at @symbol. */
static const GilkSymbol *
find_in_module (GilkSymbols      *symbols,
                const GilkSymbol *symbol,
                int               module)
{
  while (symbol != NULL && module >= 0 && symbol->module != (uint32_t) module)
    symbol = gilk_symbols_next_namesake (symbols, symbol);

  return symbol;
}

const GilkSymbol *
gilk_symbols_by_name (GilkSymbols *symbols,
                      const char  *name,
                      gboolean    *more)
{
  const char *bracket = strstr (name, " [");
  g_autofree char *bare = NULL;
  const GilkSymbol *found;
  int module = -1;

  if (more != NULL)
    *more = FALSE;
  if (bracket != NULL && g_str_has_suffix (bracket, "]"))
    {
      g_autofree char *inside = g_strndup (bracket + 2, strlen (bracket) - 3);

      module = gilk_symbols_find_module (symbols, inside);
      if (module < 0)
        return NULL;
      name = bare = g_strndup (name, bracket - name);
    }

  found = find_in_module (symbols, find_first_named (symbols, name), module);
  if (found != NULL && more != NULL)
    *more = find_in_module (symbols, gilk_symbols_next_namesake (symbols, found), module) != NULL;
  return found;
}

/* Returns the number of text symbols at or below @addr. */
static guint
count_text_upto (GilkSymbols *symbols,
                 uint64_t     addr)
{
  return GILK_BISECT (symbols->n_code, i, symbols->all[symbols->code[i]].addr <= addr);
}

const GilkSymbol *
gilk_symbols_at (GilkSymbols *symbols,
                 uint64_t     addr)
{
  guint upto = count_text_upto (symbols, addr);
  const GilkSymbol *symbol;

  if (upto == 0)
    return NULL;

  symbol = &symbols->all[symbols->code[upto - 1]];
  return addr - symbol->addr < symbol->size ? symbol : NULL;
}

const GilkSymbol *
gilk_symbols_exactly (GilkSymbols *symbols,
                      uint64_t     addr,
                      guint       *count)
{
  guint low = GILK_BISECT (symbols->count, i, symbols->all[i].addr < addr);

  for (*count = 0; low + *count < symbols->count && symbols->all[low + *count].addr == addr;)
    (*count)++;
  return *count > 0 ? &symbols->all[low] : NULL;
}

uint64_t
gilk_symbols_address (GilkSymbols *symbols,
                      const char  *name)
{
  const GilkSymbol *symbol = find_first_named (symbols, name);

  return symbol != NULL ? symbol->addr : 0;
}

void
gilk_symbols_limit_text (GilkSymbols *symbols,
                         uint32_t     module,
                         uint64_t     start,
                         uint64_t     end)
{
  guint upto = end > 0 ? count_text_upto (symbols, end - 1) : 0;
  uint64_t last;
  guint i;

  if (upto == 0)
    return;

  /* Go to the first alias of the last function, to change the sizes of all its aliases. */
  i = symbols->code[upto - 1];
  last = symbols->all[i].addr;
  if (last < start)
    return;
  while (i > 0 && symbols->all[i - 1].addr == last)
    i--;
  for (; i < symbols->count && symbols->all[i].addr == last; i++)
    if (symbols->all[i].module == module && gilk_symbol_is_text (&symbols->all[i]))
      symbols->all[i].size = end - last;
}

/* ---- symbols of variables ---- */

/*
 * Without sizes in kallsyms, the start of the next symbol is an upper bound of a variable's end.
 * Between variables there are nameless data, such as strings and constants of the compiler; the
 * last variable of a section ends at a section boundary.
 */

/* Returns whether the symbol is a section boundary, defined by the linker, not a variable. */
static gboolean
is_boundary (const GilkSymbol *symbol)
{
  const char *name = symbol->name;
  static const char *const prefixes[] = { "__start_", "__stop_", "__begin_", "__end_" };
  static const char *const suffixes[] = { "_start", "_stop", "_begin", "_end" };

  /* Functions may have names with these endings, too, such as rcu_read_unlock_end and
   * tcp_rack_start. */
  if (gilk_symbol_is_text (symbol))
    return gilk_symbol_is_marker (name);
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]) || g_str_has_suffix (name, suffixes[i]))
      return TRUE;

  return g_str_equal (name, "_sdata") || g_str_equal (name, "_edata") || gilk_symbol_is_marker (name);
}

/* Ranks symbols at the same address (aliases): the lowest rank is the most informative. Some
 * variables have a read-only alias, such as const_current_task or __ref_stack_chk_guard. */
static guint
rank_data_alias (const GilkSymbol *symbol)
{
  const char *name = symbol->name;

  return (is_boundary (symbol) ? 8 : 0) + (g_str_has_prefix (name, "const_") || g_str_has_prefix (name, "__ref_") ? 4 : 0) +
         (g_str_has_prefix (name, "__") ? 2 : 0) + (g_ascii_islower (symbol->type) ? 1 : 0);
}

const GilkSymbol *
gilk_symbols_covering (GilkSymbols *symbols,
                       uint64_t     addr)
{
  guint count, low;
  const GilkSymbol *all = gilk_symbols_all (symbols, &count), *best;

  low = GILK_BISECT (count, i, all[i].addr <= addr);
  if (low == 0)
    return NULL;

  best = &all[low - 1];
  for (const GilkSymbol *other = best; other-- > all && other->addr == best->addr;)
    if (rank_data_alias (other) <= rank_data_alias (best))
      best = other;
  if (best->addr == addr)
    return best;

  return addr - best->addr < best->size && !is_boundary (best) ? best : NULL;
}

gboolean
gilk_symbols_is_code (GilkSymbols      *symbols,
                      const GilkSymbol *symbol)
{
  if (symbol->module == 0)
    return symbol->addr >= gilk_symbols_address (symbols, "_stext") && symbol->addr < gilk_symbols_address (symbols, "_etext");

  return strchr ("tTwW", symbol->type) != NULL;
}

gboolean
gilk_symbols_is_variable (GilkSymbols      *symbols,
                          const GilkSymbol *symbol)
{
  return !gilk_symbols_is_code (symbols, symbol) && strchr ("aAuU", symbol->type) == NULL;
}
