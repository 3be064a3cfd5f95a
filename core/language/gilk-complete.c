/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-complete.c - completes words in a program
 *
 * The tokens in front of the cursor decide which kind of word may follow. To complete a struct
 * member after "." or "->", the type of the operand in front of it is needed. To find this type, a
 * short program is made that consists of the variables in scope and a "let" (a variable
 * declaration) with the operand, and the types of that program are computed.
 */
#include "core/language/gilk-complete.h"

#include <string.h>

#include "core/language/gilk-event-names.h"
#include "core/language/gilk-typing.h"

#define OPERAND "gilk_operand"

typedef struct {
  const char             *text;          /* program text up to the cursor */
  const GilkProgramPlace *place;
  /* tokens of @text, without the unfinished word and the end token */
  GArray                 *tokens;
  GString                *seen;          /* program made of only the declarations and "let"s that
                                          * are in scope */
  GPtrArray              *lets;          /* names of the "let"s, in the order of the text */
  char                   *begun;         /* the part of the unfinished word that is already
                                          * written */
  GPtrArray              *found;
} Completer;

/* ---- keywords of the language ---- */

static const struct {
  const char *text, *about;
  gboolean    statement, may_change, crash;
} words[] = {
  { "let", "let NAME = EXPRESSION", TRUE },
  { "if", "if (CONDITION) STATEMENT else STATEMENT", TRUE },
  { "else", "else STATEMENT", TRUE },
  { "sample(", "sample(FIELD, NAME = FIELD, ...)", TRUE },
  { "count()", "count()", TRUE },
  { "start(", "start(HOOK)", TRUE },
  { "stop(", "stop(HOOK)", TRUE },
  { "stop run", "stop run", TRUE },
  { "freeze", "freeze", TRUE },
  { "marker(", "marker(\"NAME\", EXPRESSION)", TRUE },
  { "notify(", "notify(\"TEXT\")", TRUE },
  { "crash(", "crash(\"TEXT\")", TRUE, FALSE, TRUE },
  { "return", "return", TRUE },
  { "global", "global NAME = NUMBER", TRUE },
  { "counter", "counter NAME", TRUE },
  { "histogram", "histogram NAME(BITS)", TRUE },
  { "map", "map NAME[KEYS]", TRUE },
  { "table", "table NAME[KEYS]", TRUE },
  { "common", "common map NAME[KEYS]", TRUE },
  { "nullify(", "nullify(VALUE)", TRUE, TRUE },
  { "replace(", "replace(FUNCTION)", TRUE, TRUE },
  { "take", "take", TRUE, TRUE },
  { "pass", "pass", TRUE, TRUE },
  { "every(", "every(NUMBER)", FALSE },
  { "limit(", "limit(NUMBER)", FALSE },
  { "chance(", "chance(NUMBER)", FALSE },
  { "ns(", "ns(TICKS)", FALSE },
  { "symbol(", "symbol(ADDRESS)", FALSE },
  { "string(", "string(ADDRESS, BYTES)", FALSE },
  { "user(", "user(POINTER)", FALSE },
  { "stack()", "stack()", FALSE },
  { "event(", "event(COUNTER)", FALSE },
  { "take(", "take(TABLE, KEY)", FALSE },
  { "variable(", "variable(NAME)", FALSE },
  { "sizeof(", "sizeof(TYPE)", FALSE },
  { "struct", "struct NAME", FALSE },
  { "union", "union NAME", FALSE },
  { "enum", "enum NAME", FALSE },
};

static const char *const registers[] = {
  "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

gboolean
gilk_complete_is_word (const char *name)
{
  const gsize length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (length > 0 && strcspn (words[i].text, "( ") == length && strncmp (words[i].text, name, length) == 0)
      return TRUE;

  return FALSE;
}

/* ---- lookup in the tokens in front of the cursor ---- */

static const GilkToken *
get_token (const Completer *self, guint i)
{
  return &g_array_index (self->tokens, GilkToken, i);
}

static gboolean
is_mark (const Completer *self, guint i, guint mark)
{
  return get_token (self, i)->kind == GILK_TOKEN_MARK && get_token (self, i)->mark == mark;
}

static gboolean
is_word (const Completer *self, guint i, const char *word)
{
  const GilkToken *token = get_token (self, i);

  return token->kind == GILK_TOKEN_NAME && strlen (word) == token->part.length &&
         strncmp (self->text + token->part.offset, word, token->part.length) == 0;
}

static gboolean
is_one_of (const Completer *self, guint i, const char *const *of)
{
  for (guint w = 0; of[w] != NULL; w++)
    if (is_word (self, i, of[w]))
      return TRUE;

  return FALSE;
}

/* Returns the index of the opening bracket that matches the closing bracket at token @i; @i if
 * there is none. */
static guint
find_opening (const Completer *self, guint i)
{
  const guint close = get_token (self, i)->mark, open = close == GILK_MARK (')') ? GILK_MARK ('(') : GILK_MARK ('[');
  guint deep = 0;

  for (guint at = i + 1; at-- > 0;)
    {
      deep += is_mark (self, at, close);
      if (is_mark (self, at, open) && --deep == 0)
        return at;
    }

  return i;
}

/* Returns whether token @i, or the unfinished word after the last token, starts a statement. */
static gboolean
starts_statement (const Completer *self, guint i)
{
  guint open;

  if (i == 0 || is_mark (self, i - 1, GILK_MARK (';')) || is_mark (self, i - 1, GILK_MARK ('{')) ||
      is_mark (self, i - 1, GILK_MARK ('}')) || is_word (self, i - 1, "else"))
    return TRUE;
  if (!is_mark (self, i - 1, GILK_MARK (')')))
    return FALSE;
  open = find_opening (self, i - 1);

  return open > 0 && is_word (self, open - 1, "if");
}

/* Returns the first token of the operand that ends before token @end; @end if there is none. */
static guint
find_operand_start (const Completer *self, guint end)
{
  guint i = end;

  while (i > 0)
    {
      const guint last = i - 1;

      if (is_mark (self, last, GILK_MARK (']')))
        {
          i = find_opening (self, last);
          if (i == last)
            return end;
          continue;
        }
      if (is_mark (self, last, GILK_MARK (')')))
        {
          i = find_opening (self, last);
          if (i == last || (i > 0 && is_word (self, i - 1, "if")))
            return end;
          return i > 0 && get_token (self, i - 1)->kind == GILK_TOKEN_NAME ? i - 1 : i;
        }
      if (get_token (self, last)->kind != GILK_TOKEN_NAME)
        return end;
      if (last > 0 && (is_mark (self, last - 1, GILK_MARK ('.')) || is_mark (self, last - 1, GILK_MARKS ('-', '>'))))
        {
          i = last - 1;
          continue;
        }
      return last > 0 && is_mark (self, last - 1, GILK_MARK ('%')) ? last - 1 : last;
    }

  return end;
}

/* ---- names in scope ---- */

/* Returns the index of the token that ends the statement at token @i; 0 if the statement ends after
 * the cursor. */
static guint
find_statement_end (const Completer *self, guint i)
{
  guint deep = 0;

  for (; i < self->tokens->len; i++)
    {
      deep += is_mark (self, i, GILK_MARK ('(')) || is_mark (self, i, GILK_MARK ('['));
      deep -= deep > 0 && (is_mark (self, i, GILK_MARK (')')) || is_mark (self, i, GILK_MARK (']')));
      if (deep == 0 && (is_mark (self, i, GILK_MARK (';')) || is_mark (self, i, GILK_MARK ('}'))))
        return i;
    }

  return 0;
}

/* The lengths of the lists of visible names, saved at the start of a block of the program and
 * restored at its end. */
typedef struct {
  gsize length;
  guint lets;
} Scope;

/* Collects the names in scope at the cursor. Names declared in a block that ends before the cursor
 * are left out. Maps are declared outside of blocks. */
static void
read_scope (Completer *self)
{
  static const char *const kinds[] = { "let", "global", "counter", "histogram", "map", "table", "common", NULL };
  g_autoptr(GArray) scopes = g_array_new (FALSE, FALSE, sizeof (Scope));

  for (guint i = 0; i < self->tokens->len; i++)
    {
      const Scope here = { self->seen->len, self->lets->len };
      const GilkToken *first = get_token (self, i), *last;
      const guint name = i + 1 + (is_word (self, i, "common") ? 1 : 0);
      guint end;

      if (is_mark (self, i, GILK_MARK ('{')))
        g_array_append_val (scopes, here);
      else if (is_mark (self, i, GILK_MARK ('}')) && scopes->len > 0)
        {
          const Scope *outer = &g_array_index (scopes, Scope, scopes->len - 1);

          g_string_truncate (self->seen, outer->length);
          g_ptr_array_set_size (self->lets, (gint) outer->lets);
          g_array_set_size (scopes, scopes->len - 1);
        }
      if (!starts_statement (self, i) || !is_one_of (self, i, kinds) || name >= self->tokens->len ||
          get_token (self, name)->kind != GILK_TOKEN_NAME)
        continue;
      end = find_statement_end (self, i);
      if (end == 0)
        continue;
      last = get_token (self, end - 1);
      g_string_append_len (self->seen, self->text + first->part.offset,
                           (gssize) (last->part.offset + last->part.length - first->part.offset) +
                           (last->kind == GILK_TOKEN_STRING ? 1 : 0));
      g_string_append (self->seen, "; ");
      g_ptr_array_add (self->lets, g_strndup (self->text + get_token (self, name)->part.offset,
                                              get_token (self, name)->part.length));
    }
}

static gboolean
is_type (const char *name, gpointer data)
{
  GilkCType type;

  return gilk_ctype_find (((const GilkNames *) data)->place->btf, name, &type);
}

/*
 * Calls @visit for each "let" (variable declaration) of @program, in order. Does not check whether
 * the values are available at the probe point: they have a type in any case, and the compiler
 * reports the error later.
 */
static void
visit_lets (const Completer *self, const char *program,
            void (*visit) (const char *name, const GilkCType *type, gpointer data), gpointer data)
{
  GilkSource source = { .text = program };
  GilkProgramPlace place = *self->place;
  g_autoptr(GilkNames) names = gilk_names_new (&place, &source);
  GilkMapList *maps = gilk_map_list_new ();
  g_autoptr(GArray) gates = g_array_new (FALSE, TRUE, sizeof (int));
  g_autoptr(GArray) calls = g_array_new (FALSE, TRUE, sizeof (GilkProgramCall));
  GilkTyping typing = { .source = &source, .place = &place, .names = names, .maps = maps, .gates = gates,
                        .calls = calls };
  g_autoptr(GilkSyntax) syntax = gilk_syntax_new (&source, is_type, names);

  place.at_entry = place.at_return = place.at_exit = TRUE;
  if (syntax != NULL)
    gilk_typing_program (&typing, syntax->program);
  for (const GilkNode *node = syntax != NULL ? syntax->program->first : NULL; node != NULL; node = node->next)
    if (node->kind == GILK_NODE_LET)
      visit (node->name, &node->first->type, data);
  gilk_map_list_free (maps);
  g_clear_error (&source.error);
}

/* ---- candidates for a completion ---- */

static void
completion_free (gpointer data)
{
  GilkCompletion *completion = data;

  g_free (completion->text);
  g_free (completion->about);
  g_free (completion);
}

static void
add_completion (Completer *self, GilkCompletionKind kind, const char *text, char *about)
{
  GilkCompletion *completion;

  if (!g_str_has_prefix (text, self->begun) || self->found->len >= GILK_COMPLETIONS_MAX)
    {
      g_free (about);
      return;
    }
  completion = g_new0 (GilkCompletion, 1);
  *completion = (GilkCompletion) { kind, g_strdup (text), about };
  g_ptr_array_add (self->found, completion);
}

static void
add_name (const char *name, const GilkCType *type, gpointer data)
{
  Completer *self = data;

  add_completion (self, GILK_COMPLETES_NAME, name, type != NULL ? gilk_ctype_name (self->place->btf, type) : NULL);
}

static void
add_member (const char *name, guint type, gpointer data)
{
  Completer *self = data;

  add_completion (self, GILK_COMPLETES_MEMBER, name, gilk_btf_type_name (self->place->btf, type));
}

static void
add_type (const char *name, gpointer data)
{
  add_completion (data, GILK_COMPLETES_TYPE, name, NULL);
}

static void
add_constant (const char *name, gpointer data)
{
  Completer *self = data;
  int64_t value;

  if (gilk_btf_constant (self->place->btf, name, &value))
    add_completion (self, GILK_COMPLETES_CONSTANT, name, g_strdup_printf ("%" G_GINT64_FORMAT, value));
}

static void
find_operand (const char *name, const GilkCType *type, gpointer data)
{
  if (strcmp (name, OPERAND) == 0)
    *(GilkCType *) data = *type;
}

/* Adds to the completions the struct members of the operand in front of token @mark, a "." or
 * "->". */
static void
add_members (Completer *self, guint mark)
{
  const guint first = find_operand_start (self, mark);
  GilkCType type = { 0 }, target;
  g_autofree char *program = NULL;
  uint32_t begin;

  if (first == mark || self->place->btf == NULL)
    return;
  begin = get_token (self, first)->part.offset;
  program = g_strdup_printf ("%slet " OPERAND " = %s(%.*s)", self->seen->str,
                             is_mark (self, mark, GILK_MARK ('.')) ? "&" : "",
                             (int) (get_token (self, mark)->part.offset - begin), self->text + begin);
  visit_lets (self, program, find_operand, &type);
  if (gilk_ctype_is_pointer (&type) && gilk_ctype_target (self->place->btf, &type, &target) && target.stars == 0 &&
      target.base.kind == GILK_TYPE_STRUCT)
    gilk_btf_members (self->place->btf, target.base.id, self->begun, add_member, self);
}

static void
add_symbols (Completer *self, GilkSymbols *symbols, GilkCompletionKind kind)
{
  guint count = 0;
  const GilkSymbol *all = symbols != NULL ? gilk_symbols_all (symbols, &count) : NULL;

  for (guint i = 0; i < count; i++)
    if (g_str_has_prefix (all[i].name, self->begun) &&
        (kind == GILK_COMPLETES_FUNCTION ? gilk_symbols_is_code : gilk_symbols_is_variable) (symbols, &all[i]))
      add_completion (self, kind, all[i].name, all[i].module != 0 ? g_strdup (gilk_symbols_module (symbols, all[i].module)) : NULL);
}

/* Adds all completions except struct members. @statement: TRUE at the start of a statement; FALSE
 * where a value is expected */
static void
add_words (Completer *self, gboolean statement)
{
  GilkSource scratch = { .text = "" };
  GilkProgramPlace place = *self->place;
  g_autoptr(GilkNames) names = gilk_names_new (&place, &scratch);

  visit_lets (self, self->seen->str, add_name, self);
  for (guint i = 0; i < self->lets->len; i++)      /* adds the names of maps, and of "let"s that
                                                    * could not be parsed */
    add_completion (self, GILK_COMPLETES_NAME, g_ptr_array_index (self->lets, i), NULL);
  gilk_names_foreach (names, add_name, self);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].statement == statement && (!words[i].may_change || self->place->may_change) &&
        (!words[i].crash || self->place->crash))
      add_completion (self, GILK_COMPLETES_WORD, words[i].text, g_strdup (words[i].about));
  if (!statement && strlen (self->begun) >= 2 && self->place->btf != NULL)
    {
      gilk_btf_names_with_prefix (self->place->btf, self->begun, add_type, self);
      gilk_btf_constants_with_prefix (self->place->btf, self->begun, add_constant, self);
    }
  g_clear_error (&scratch.error);
}

/* ---- finds which kind of word may follow ---- */

/* Returns whether a "%" is directly in front of the word and is not a modulo operator. */
static gboolean
is_register (const Completer *self, uint32_t begin)
{
  const guint n = self->tokens->len;

  if (n == 0 || !is_mark (self, n - 1, GILK_MARK ('%')) || get_token (self, n - 1)->part.offset + 1 != begin)
    return FALSE;

  return n == 1 || (get_token (self, n - 2)->kind == GILK_TOKEN_MARK && !is_mark (self, n - 2, GILK_MARK (')')) &&
                    !is_mark (self, n - 2, GILK_MARK (']')));
}

static gboolean
is_in_call (const Completer *self, const char *const *of)
{
  const guint n = self->tokens->len;

  return n >= 2 && is_mark (self, n - 1, GILK_MARK ('(')) && is_one_of (self, n - 2, of);
}

static void
add_struct_names (Completer *self, guint word)
{
  g_autofree char *begun = g_strdup_printf ("%.*s %s", (int) get_token (self, word)->part.length,
                                            self->text + get_token (self, word)->part.offset, self->begun);

  if (self->place->btf != NULL)
    gilk_btf_names_with_prefix (self->place->btf, begun, add_type, self);
}

static void
add_events (Completer *self)
{
  guint n;
  const GilkEventName *names = gilk_event_names (&n);

  for (guint i = 0; i < n; i++)
    add_completion (self, GILK_COMPLETES_NAME, names[i].name, NULL);
}

static void
collect_completions (Completer *self, uint32_t begin, GilkSymbols *symbols, const char *const *labels)
{
  static const char *const composites[] = { "struct", "union", "enum", NULL };
  static const char *const of_hooks[] = { "start", "stop", NULL }, *const of_functions[] = { "replace", NULL };
  static const char *const of_variables[] = { "variable", NULL }, *const of_counters[] = { "event", NULL };
  const guint n = self->tokens->len;

  if (is_register (self, begin))
    for (guint i = 0; i < G_N_ELEMENTS (registers); i++)
      add_completion (self, GILK_COMPLETES_REGISTER, registers[i], NULL);
  else if (n > 0 && (is_mark (self, n - 1, GILK_MARK ('.')) || is_mark (self, n - 1, GILK_MARKS ('-', '>'))))
    add_members (self, n - 1);
  else if (n > 0 && is_one_of (self, n - 1, composites))
    add_struct_names (self, n - 1);
  else if (is_in_call (self, of_hooks))
    for (guint i = 0; labels != NULL && labels[i] != NULL; i++)
      add_completion (self, GILK_COMPLETES_LABEL, labels[i], NULL);
  else if (is_in_call (self, of_functions))
    add_symbols (self, symbols, GILK_COMPLETES_FUNCTION);
  else if (is_in_call (self, of_variables))
    add_symbols (self, symbols, GILK_COMPLETES_VARIABLE);
  else if (is_in_call (self, of_counters))
    add_events (self);
  else
    add_words (self, starts_statement (self, n));
}

static int
compare_completions (gconstpointer a, gconstpointer b)
{
  const GilkCompletion *one = *(GilkCompletion *const *) a, *other = *(GilkCompletion *const *) b;

  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;

  return strcmp (one->text, other->text);
}

/*
 * Removes duplicates: a type may be in the kernel's and in a module's BTF, and a "let" and an
 * argument can share a name.
 */
static void
drop_duplicates (GPtrArray *found)
{
  for (guint i = found->len; i-- > 1;)
    if (strcmp (((GilkCompletion *) g_ptr_array_index (found, i))->text,
                ((GilkCompletion *) g_ptr_array_index (found, i - 1))->text) == 0)
      g_ptr_array_remove_index (found, i);
}

/*
 * Appends a letter at the cursor, so that the word there ends in a name token. Inside a comment,
 * a number or a string the letter does not become a name, so there are no completions.
 */
GPtrArray *
gilk_complete (const char             *text,
               gsize                   offset,
               const GilkProgramPlace *place,
               GilkSymbols            *symbols,
               const char *const      *labels,
               GilkTextPart           *part)
{
  const uint32_t end = (uint32_t) MIN (offset, GILK_PROGRAM_TEXT_MAX);
  g_autofree char *before = g_strdup_printf ("%.*s_", (int) end, text);
  GilkSource source = { .text = before };
  g_autoptr(GArray) tokens = gilk_tokens_new (&source);
  Completer self = { before, place, tokens, .found = g_ptr_array_new_with_free_func (completion_free) };
  const GilkToken *last = tokens != NULL && tokens->len >= 2 ? get_token (&self, tokens->len - 2) : NULL;

  g_clear_error (&source.error);
  *part = (GilkTextPart) { end, 0 };
  if (last == NULL || last->kind != GILK_TOKEN_NAME || last->part.offset + last->part.length != end + 1)
    return self.found;
  *part = (GilkTextPart) { last->part.offset, last->part.length - 1 };
  self.begun = g_strndup (before + part->offset, part->length);
  self.seen = g_string_new (NULL);
  self.lets = g_ptr_array_new_with_free_func (g_free);
  g_array_set_size (tokens, tokens->len - 2);
  read_scope (&self);
  collect_completions (&self, part->offset, symbols, labels);
  if (self.found->len > 0 && ((GilkCompletion *) g_ptr_array_index (self.found, 0))->kind != GILK_COMPLETES_MEMBER)
    g_ptr_array_sort (self.found, compare_completions);
  drop_duplicates (self.found);
  g_string_free (self.seen, TRUE);
  g_ptr_array_unref (self.lets);
  g_free (self.begun);

  return self.found;
}
