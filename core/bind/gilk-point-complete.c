/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point-complete.c - completes the text of a program for a given probe point, and
 * watchpoint expressions
 *
 * Only the driver can find the offsets of the kernel variables that hold the current task and the
 * CPU number. Completion does not need them, so it uses dummy values.
 */
#include "core/bind/gilk-point-complete.h"

#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-private.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/cfg/gilk-name-match.h"
#include "core/image/gilk-image-user.h"
#include "core/image/gilk-type-scope.h"
#include "core/types/gilk-btf.h"

#define SOMEWHERE 8

/* Returns the local variables at the probe point from debug data; NULL or empty if there are
 * none. */
static const GArray *
get_given_locals (gpointer data, GError **error G_GNUC_UNUSED)
{
  return data;
}

static uint64_t
address_of (const GilkCfg *cfg, guint number, GilkWhere where)
{
  const GilkBlock *block = &cfg->blocks[number];
  const guint at = gilk_point_boundary (cfg, number, where);

  return at < block->first_insn + block->n_insns ? cfg->insns[at].addr : block->end;
}

/*
 * Returns the types that programs can use at @addr, from BTF or debug data. If @module lacks types,
 * returns those of the kernel alone and sets @alone. Returns NULL without @error if the kernel's
 * types are missing as well.
 */
static GilkBtf *
find_types (GilkImage *image, uint32_t module, uint64_t addr, gboolean *alone, GCancellable *cancellable, GError **error)
{
  const GilkTypeScope scope = { .module = module, .place.code = addr };
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_scope_types (image, &scope, cancellable, &local);

  if (btf == NULL && module != 0 && gilk_types_are_missing (local))
    {
      g_clear_error (&local);
      btf = gilk_types_get (gilk_image_types (image), NULL, cancellable, &local);
      *alone = TRUE;
    }
  if (btf == NULL && !gilk_types_are_missing (local))
    g_propagate_error (error, g_steal_pointer (&local));

  return btf;
}

GPtrArray *
gilk_point_complete (const GilkCfg *cfg,
                     guint          block,
                     GilkWhere      where,
                     gboolean       may_change,
                     const char *const  *labels,
                     const char         *text,
                     gsize               offset,
                     GCancellable       *cancellable,
                     GilkTextPart       *part,
                     GError            **error)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const gboolean is_user = gilk_image_user_path (cfg->image) != NULL;
  g_autoptr(GError) local = NULL;
  gboolean alone = FALSE;
  const uint64_t addr = address_of (cfg, block, where);
  g_autoptr(GilkBtf) btf = !is_user ? find_types (cfg->image, cfg->function->module, addr, &alone, cancellable, &local) : NULL;
  g_autoptr(GArray) locals = !is_user ? gilk_debug_variables (gilk_image_debug (cfg->image), addr, cancellable, NULL) : NULL;
  GilkProgramPlace place = {
    .locals = get_given_locals, .data = locals, .btf = btf, .types_alone = alone, .may_change = may_change,
    .current_task = SOMEWHERE, .cpu_number = SOMEWHERE, .task_pid = SOMEWHERE, .task_tgid = SOMEWHERE, .task_comm = SOMEWHERE,
  };

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  gilk_bound_program_fill_point (&place, cfg, block, where, FALSE);

  return gilk_complete (text, offset, &place, symbols, labels, part);
}

/* ---- completes watchpoint expressions ---- */

#define MEMORY_FROM 0xff00000000000000ull
#define CONSTANT_LATER 400     /* subtracted from the score of constants, so that they are listed
                                * after variables */

/* Returns TRUE for symbols that are in data sections, but are not variables: tables that the linker
 * or compiler has made. */
static gboolean
is_table_symbol (const char *name)
{
  static const char *const prefixes[] = {
    "__ksym", "__kstr", "__kcrctab", "__param", "__func__", "__PRETTY", "__UNIQUE", "__setup", "__initcall", "__already_done",
    "__crc_", "__pfx_", "__bpf_trace", "__event_", "__syscall_meta", "__p_syscall", "___", "__SCK__", "__SCT__",
    "__mod_", "__print_once", "__warned", "_entry", "event_class_", ".", "__start_", "__stop_", "__tracepoint_", "__tpstrtab",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;

  return gilk_symbol_is_marker (name);
}

static void
choice_free (gpointer data)
{
  GilkWatchpointChoice *choice = data;

  g_free (choice->text);
  g_free (choice->note);
  g_free (choice);
}

static int
compare_choices (gconstpointer one, gconstpointer other)
{
  const GilkWatchpointChoice *a = *(const GilkWatchpointChoice *const *) one, *b = *(const GilkWatchpointChoice *const *) other;

  return a->score != b->score ? b->score - a->score : strcmp (a->text, b->text);
}

/* Returns the part of @text that names the variable: all of @text, or the part after a cast. */
static const char *
skip_cast (const char *text)
{
  const char *close = *text == '(' ? strchr (text, ')') : NULL;

  for (text = close != NULL ? close + 1 : text; close != NULL && *text == ' '; text++)
    ;

  return text;
}

/* Puts the first @length bytes of @text, such as a cast, in front of each choice. */
static void
add_prefix (GPtrArray *choices, const char *text, gsize length)
{
  for (guint i = 0; i < choices->len; i++)
    {
      GilkWatchpointChoice *choice = g_ptr_array_index (choices, i);
      char *whole = g_strdup_printf ("%.*s%s", (int) length, text, choice->text);

      g_free (choice->text);
      choice->text = whole;
      choice->matched = length < 64 ? choice->matched << length : 0;
    }
}

/* Sorts the choices, best first. Removes duplicates, and then all choices beyond @limit. */
static void
sort_choices (GPtrArray *choices, guint limit)
{
  g_ptr_array_sort (choices, compare_choices);
  for (guint i = choices->len; i-- > 1;)
    {
      const GilkWatchpointChoice *one = g_ptr_array_index (choices, i), *before = g_ptr_array_index (choices, i - 1);

      if (strcmp (one->text, before->text) == 0)
        g_ptr_array_remove_index (choices, i);
    }
  if (choices->len > limit)
    g_ptr_array_set_size (choices, (int) limit);
}

/* ---- variables ---- */

/* The range of the kernel's init data, which are freed after boot. */
typedef struct {
  uint64_t init_start, init_end;
} InitSection;

static gboolean
is_variable (GilkSymbols *symbols, const GilkSymbol *symbol, const InitSection *gone, gboolean *per_cpu)
{
  *per_cpu = gilk_watchpoint_is_per_cpu (symbols, symbol);
  if (gilk_symbols_is_code (symbols, symbol) || is_table_symbol (symbol->name))
    return FALSE;

  return *per_cpu || (symbol->addr >= MEMORY_FROM && !(symbol->addr >= gone->init_start && symbol->addr < gone->init_end));
}

static void
add_variable (GPtrArray *choices, GilkSymbols *symbols, const GilkSymbol *symbol, gboolean per_cpu, int score, uint64_t matched)
{
  GilkWatchpointChoice *choice = g_new0 (GilkWatchpointChoice, 1);

  choice->text = symbol->module == 0 ? g_strdup (symbol->name)
                 : g_strdup_printf ("%s [%s]", symbol->name, gilk_symbols_module (symbols, symbol->module));
  choice->matched = matched;
  choice->per_cpu = per_cpu;
  choice->score = score - (symbol->type == 'r' || symbol->type == 'R' ? CONSTANT_LATER : 0);
  g_ptr_array_add (choices, choice);
}

static void
find_variables (GPtrArray *choices, GilkSymbols *symbols, const char *pattern)
{
  const InitSection gone = { gilk_symbols_address (symbols, "__init_begin"), gilk_symbols_address (symbols, "__init_end") };
  guint count;
  const GilkSymbol *all = gilk_symbols_all (symbols, &count);

  for (guint i = 0; i < count; i++)
    {
      gboolean per_cpu;
      uint64_t matched;
      int score;

      if (gilk_name_matches (all[i].name, pattern, &score, &matched) && is_variable (symbols, &all[i], &gone, &per_cpu))
        add_variable (choices, symbols, &all[i], per_cpu, score, matched);
    }
}

/* ---- members ---- */

typedef struct {
  GPtrArray     *choices;
  const GilkBtf *btf;
  /* the typed text up to and including the dot in front of the member's name */
  const char    *parent;
  gsize          typed;            /* number of characters of the member's name that were typed */
} Members;

static void
add_member (const char *name, guint type, gpointer data)
{
  Members *members = data;
  GilkWatchpointChoice *choice = g_new0 (GilkWatchpointChoice, 1);
  gsize before = strlen (members->parent);

  choice->text = g_strconcat (members->parent, name, NULL);
  choice->note = gilk_btf_type_name (members->btf, type);
  for (gsize i = before; i < before + members->typed && i < 64; i++)
    choice->matched |= 1ull << i;
  choice->score = -(int) members->choices->len;       /* list members in order of declaration */
  g_ptr_array_add (members->choices, choice);
}

static void
find_members (GPtrArray *choices, GilkImage *image, const char *text, const char *point, GCancellable *cancellable)
{
  g_autofree char *variable = g_strndup (text, (gsize) (point - text));
  g_autofree char *parent = g_strndup (text, (gsize) (point + 1 - text));
  guint type = 0;
  g_autoptr(GilkBtf) btf = gilk_watchpoint_type (image, variable, &type, cancellable);
  Members members = { choices, btf, parent, strlen (point + 1) };

  if (btf != NULL)
    gilk_btf_members (btf, type, point + 1, add_member, &members);
}

typedef struct {
  GPtrArray  *choices;
  const char *word;                /* keyword before the name, such as "struct ", or "" */
} Types;

static void
add_type (const char *name, gpointer data)
{
  const Types *types = data;
  GilkWatchpointChoice *choice = g_new0 (GilkWatchpointChoice, 1);

  choice->text = g_strdup_printf ("(%s%s) ", types->word, name);
  choice->score = -(int) strlen (name);
  g_ptr_array_add (types->choices, choice);
}

/* Completes the type of a cast. */
static void
complete_type (GPtrArray *choices, GilkImage *image, const char *begun, GCancellable *cancellable)
{
  g_autoptr(GilkBtf) btf = gilk_types_get (gilk_image_types (image), NULL, cancellable, NULL);

  const char *space = strrchr (begun, ' ');
  g_autofree char *word = g_strndup (begun, space != NULL ? (gsize) (space + 1 - begun) : 0);
  Types types = { choices, word };

  if (btf != NULL && *begun != '\0')
    gilk_btf_names_with_prefix (btf, begun, add_type, &types);
}

GPtrArray *
gilk_watchpoint_choices (GilkImage    *image,
                         const char   *text,
                         guint         limit,
                         GCancellable *cancellable)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func (choice_free);
  const char *point = strrchr (text, '.'), *name = skip_cast (text);

  if (g_str_has_prefix (text, "0x"))
    return choices;
  if (*text == '(' && strchr (text, ')') == NULL)
    complete_type (choices, image, text + 1, cancellable);
  else if (point != NULL && strpbrk (point, ")]") == NULL)
    find_members (choices, image, text, point, cancellable);
  if (choices->len == 0 && *name != '(' && *name != '\0')
    find_variables (choices, gilk_image_symbols (image), name);
  sort_choices (choices, limit);
  if (choices->len > 0 && name > text && strchr (name, '.') == NULL)
    add_prefix (choices, text, (gsize) (name - text));

  return choices;
}

GPtrArray *
gilk_watchpoint_code_choices (GilkFunctions *functions,
                              const char    *text,
                              guint          limit)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func (choice_free);
  g_autoptr(GArray) found = *text != '\0' && strchr (text, '+') == NULL && !g_str_has_prefix (text, "0x")
                            ? gilk_functions_find (functions, text, limit) : NULL;

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const GilkMatch *match = &g_array_index (found, GilkMatch, i);
      GilkWatchpointChoice *choice = g_new0 (GilkWatchpointChoice, 1);

      choice->text = gilk_functions_name (functions, match->function);
      choice->matched = match->matched;
      choice->score = match->score;
      g_ptr_array_add (choices, choice);
    }

  return choices;
}
