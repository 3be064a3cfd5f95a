/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-lookup.c - looks up functions by name, and suggests names if none matches
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-function.h"
#include "core/image/gilk-image-user.h"

#define NAMES_OFFERED 3     /* maximum number of names suggested in the message about an unknown
                             * name */
#define LISTED        4     /* maximum number of functions listed in the message about an
                             * ambiguous name */
#define NAME_MAX_LEN  128   /* maximum length of an unknown name for which similar names are
                             * suggested */

void
gilk_named_clear (GilkNamed *named)
{
  g_free (named->name);
  g_free (named->module);
}

GilkNamed
gilk_named_split (const char *text)
{
  const char *colon = strchr (text, ':');
  const char *open = strstr (text, " [");
  GilkNamed named = { 0 };
  uint64_t ordinal;
  char *at;

  /* An empty pair of brackets is part of the name, which then matches no function. */
  if (open != NULL && g_str_has_suffix (open, "]") && strlen (open) > strlen (" []"))
    {
      named.name = g_strndup (text, (gsize) (open - text));
      named.module = g_strndup (open + 2, strlen (open) - 3);
    }
  else if (colon != NULL && colon > text)
    {
      named.name = g_strdup (colon + 1);
      named.module = g_strndup (text, (gsize) (colon - text));
    }
  else
    {
      named.name = g_strdup (text);
      named.module = g_strdup ("");
    }
  at = strrchr (named.name, '@');
  if (at != NULL && gilk_parse_unsigned (at + 1, 10, 1, G_MAXUINT, &ordinal))
    {
      named.ordinal = (guint) ordinal;
      *at = '\0';
    }

  return named;
}

static const char *
get_module_name (const GilkFunctions *self, const GilkFunction *f)
{
  return gilk_symbols_module (gilk_image_symbols (self->image), f->module);
}

/* Returns the indices of all functions with name or alias @name. */
static GArray *
find_exact (const GilkFunctions *self, const char *name, const char *module)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  guint low = GILK_BISECT (self->n_names, i, strcmp (self->names[i].name, name) < 0);

  for (; low < self->n_names && strcmp (self->names[low].name, name) == 0; low++)
    {
      guint function = self->names[low].function;

      if ((*module == '\0' || strcmp (get_module_name (self, &self->all[function]), module) == 0) &&
          (found->len == 0 || g_array_index (found, guint, found->len - 1) != function))
        g_array_append_val (found, function);
    }

  return found;
}

/*
 * Returns whether @name consists of @asked and of suffixes that a compiler added because it changed
 * the arguments, such as "asked.isra.0" or "asked.constprop.0.isra.0". Parts that were split off,
 * and cold parts, are not variants of the function.
 */
static gboolean
is_variant (const char *name, const char *asked)
{
  g_auto(GStrv) words = NULL;

  if (!g_str_has_prefix (name, asked) || name[strlen (asked)] != '.')
    return FALSE;
  words = g_strsplit (name + strlen (asked) + 1, ".", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], "isra") != 0 && strcmp (words[i], "constprop") != 0 &&
        (*words[i] == '\0' || strspn (words[i], "0123456789") != strlen (words[i])))
      return FALSE;

  return TRUE;
}

/* Returns the indices, in self->names, of the names of a function's variants. */
static GArray *
find_variants (const GilkFunctions *self, const GilkNamed *named)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; named->ordinal == 0 && *named->name != '\0' && i < self->n_names; i++)
    if (is_variant (self->names[i].name, named->name) &&
        (*named->module == '\0' || strcmp (get_module_name (self, &self->all[self->names[i].function]), named->module) == 0))
      g_array_append_val (found, i);

  return found;
}

static guint
find_ordinal (const GilkFunctions *self, const char *name, const GilkFunction *f)
{
  g_autoptr(GArray) found = find_exact (self, name, get_module_name (self, f));

  for (guint i = 0; found->len > 1 && i < found->len; i++)
    if (g_array_index (found, guint, i) == (guint) (f - self->all))
      return i + 1;

  return 0;
}

/* Returns the Levenshtein distance, at most @limit. */
static guint
compute_edit_distance (const char *a, const char *b, guint limit)
{
  gsize la = strlen (a), lb = strlen (b);
  guint row[NAME_MAX_LEN + 1];

  if (la > NAME_MAX_LEN || lb > NAME_MAX_LEN || la + limit <= lb || lb + limit <= la)
    return limit;

  for (gsize j = 0; j <= lb; j++)
    row[j] = (guint) j;
  for (gsize i = 1; i <= la; i++)
    {
      guint diagonal = row[0], best;

      best = row[0] = (guint) i;
      for (gsize j = 1; j <= lb; j++)
        {
          guint above = row[j];
          guint cost = diagonal + (a[i - 1] != b[j - 1]);

          row[j] = MIN (cost, MIN (above, row[j - 1]) + 1);
          diagonal = above;
          best = MIN (best, row[j]);
        }
      if (best >= limit)
        return limit;
    }

  return MIN (row[lb], limit);
}

/* Returns whether @name consists of a prefix and of @asked, such as anon_pipe_read for pipe_read:
 * names often get a prefix when a function is split. */
static gboolean
is_longer (const char *name, const char *asked)
{
  const gsize more = strlen (name) - MIN (strlen (name), strlen (asked));

  return more > 1 && name[more - 1] == '_' && strcmp (name + more, asked) == 0;
}

/* Returns the most similar names, "a, b or c"; NULL if none is similar. (transfer full) */
static char *
list_near_names (const GilkFunctions *self, const char *name)
{
  guint limit = (guint) MIN (4, strlen (name) / 3 + 1);
  guint best[NAMES_OFFERED], where[NAMES_OFFERED], n = 0;
  GString *text;

  for (guint i = 0; i < self->n_names; i++)
    {
      guint distance = compute_edit_distance (name, self->names[i].name, limit), at = n;

      if (is_longer (self->names[i].name, name))
        distance = MIN (distance, 1);

      if (distance >= limit || (i > 0 && strcmp (self->names[i].name,
                                                 self->names[i - 1].name) == 0))
        continue;
      while (at > 0 && best[at - 1] > distance)
        at--;
      if (at == NAMES_OFFERED)
        continue;
      if (n < NAMES_OFFERED)
        n++;
      memmove (&best[at + 1], &best[at], (n - 1 - at) * sizeof best[0]);
      memmove (&where[at + 1], &where[at], (n - 1 - at) * sizeof where[0]);
      best[at] = distance;
      where[at] = i;
    }

  if (n == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == n ? _(" or ") : ", ",
                            self->names[where[i]].name);
  return g_string_free (text, FALSE);
}

static void
set_not_found (const GilkFunctions *self, const char *text, const char *name, GError **error)
{
  g_autofree char *near = error != NULL ? list_near_names (self, name) : NULL;
  const gboolean is_program = gilk_image_user_path (self->image) != NULL;

  if (strpbrk (name, GILK_FUNCTION_PATTERN) != NULL && strstr (name, "(*") == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No function is called %s. Patterns of functions are allowed in \"gilk run --hook POINT\" and \"gilk plan new "
                   "POINT\", but not in a plan file, nor with --span, --edges, --paths or --targets."), text);
  else if (near != NULL && is_program)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This program or library has no function %s; did you mean %s?"), text, near);
  else if (is_program)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This program or library has no function %s (\"gilk find\" lists all "
                   "functions). If the function was inlined, write FUNCTION:inlined, which needs "
                   "debug data."), text);
  else if (near != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This kernel has no function %s; did you mean %s?"), text, near);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("This kernel has no function %s; it may be in a module that is not loaded, or inlined: \"gilk find "
                   "%s\" finds inlined functions if debug data is available."), text, name);
}

/* Returns the function as one word for a command line, such as "ext4:name@2". (transfer full) */
static char *
format_function (GilkFunctions *self, const char *name, const GilkFunction *f, gboolean with_module)
{
  guint ordinal = find_ordinal (self, name, f);
  g_autofree char *number = ordinal != 0 ? g_strdup_printf ("@%u", ordinal) : g_strdup ("");

  if (f->module == 0 && (ordinal != 0 || !with_module))
    return g_strconcat (name, number, NULL);

  return g_strconcat (get_module_name (self, f), ":", name, number, NULL);
}

static void
set_ambiguous (GilkFunctions *self, const char *text, const char *name, const GArray *found,
               GError **error)
{
  g_autoptr(GString) list = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const GilkFunction *f = &self->all[g_array_index (found, guint, i)];
      g_autofree char *word = NULL;

      if (i >= LISTED && i + 1 < found->len)
        continue;
      word = format_function (self, name, f, TRUE);
      g_string_append_printf (list, "%s%s (0x%" G_GINT64_MODIFIER "x)",
                              i == 0 ? "" : i + 1 == found->len ? i > LISTED ? " … " : _(" or ") : ", ",
                              word, f->hot.start);
    }

  g_set_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS,
               _("%s matches %u functions; use %s instead."), text, found->len, list->str);
}

/* Reduces @found to the functions among which an ordinal such as "@2" selects: those in the module
 * that the user named. If he named none: those in the kernel itself or, if there are none, those in
 * the only module that has such functions. Returns FALSE if no function is in the kernel itself and
 * several modules have some. */
static gboolean
keep_numbered (GilkFunctions *self, const GilkNamed *named, GArray *found)
{
  uint32_t module;

  if (found->len == 0 || *named->module != '\0')
    return TRUE;
  module = self->all[g_array_index (found, guint, 0)].module;
  for (guint i = found->len; i-- > 0;)
    if (self->all[g_array_index (found, guint, i)].module != module)
      {
        if (module != 0)
          return FALSE;
        g_array_remove_index (found, i);
      }

  return TRUE;
}

/* Removes functions whose text was freed after boot from @found, unless all were freed. */
static void
drop_freed (GilkFunctions *self, GArray *found)
{
  g_autoptr(GArray) there = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < found->len; i++)
    if (gilk_function_has_text (&self->all[g_array_index (found, guint, i)]))
      g_array_append_val (there, g_array_index (found, guint, i));
  if (there->len == 0)
    return;
  g_array_set_size (found, 0);
  g_array_append_vals (found, there->data, there->len);
}

/* Returns the only function whose name is the requested name plus a suffix of the compiler, such as
 * ".isra.0". Returns NULL and sets @error if no function, or several, have such a name. */
static const GilkFunction *
lookup_variant (GilkFunctions *self, const GilkNamed *named, const char *text, GError **error)
{
  g_autoptr(GArray) found = find_variants (self, named);
  g_autoptr(GString) list = g_string_new (NULL);

  if (found->len == 0)
    set_not_found (self, text, named->name, error);
  if (found->len == 0)
    return NULL;
  if (found->len == 1)
    return &self->all[self->names[g_array_index (found, guint, 0)].function];
  for (guint i = 0; i < found->len; i++)
    {
      const GilkName *variant = &self->names[g_array_index (found, guint, i)];
      g_autofree char *word = format_function (self, variant->name, &self->all[variant->function], TRUE);

      g_string_append_printf (list, "%s%s", i == 0 ? "" : i + 1 == found->len ? _(" or ") : ", ", word);
    }
  return gilk_fail_null (error, GILK_ERROR_AMBIGUOUS,
      _("The compiler made %u functions from %s; use %s instead."), found->len, text, list->str);
}

static const GilkFunction *
lookup_address (GilkFunctions *functions, const char *name, GError **error)
{
  char *end;
  uint64_t addr = g_ascii_strtoull (name, &end, 16);
  const GilkFunction *f = *end == '\0' ? gilk_functions_at (functions, addr) : NULL;

  if (f == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No function of the kernel or its loaded modules contains the address %s; addresses change at every "
                   "boot, so use a name."), name);
  return f;
}

static const GilkFunction *
lookup_one (GilkFunctions *functions, const char *name, GError **error)
{
  g_auto(GilkNamed) named = gilk_named_split (name);
  g_autoptr(GArray) found = NULL;

  if (g_str_has_prefix (name, "0x"))
    return lookup_address (functions, name, error);

  found = find_exact (functions, named.name, named.module);
  if (found->len == 0)
    return lookup_variant (functions, &named, name, error);
  if (named.ordinal != 0 && keep_numbered (functions, &named, found))
    {
      if (named.ordinal <= found->len)
        return &functions->all[g_array_index (found, guint, named.ordinal - 1)];
      return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
          _("There is no function %s: this kernel has only %u of that name. Write a "
            "smaller number, or no number if there is only one function."),
          name, found->len);
    }
  drop_freed (functions, found);
  if (found->len > 1)
    {
      set_ambiguous (functions, name, named.name, found, error);
      return NULL;
    }

  return &functions->all[g_array_index (found, guint, 0)];
}

gboolean
gilk_function_is_named (const char *names, const char *name)
{
  g_auto(GStrv) all = g_strsplit (names, GILK_FUNCTION_OR, -1);

  return g_strv_contains ((const char *const *) all, name);
}

/* Looks up a function of a user program. */
static const GilkFunction *
lookup_user (GilkFunctions *functions, const char *text, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr(GError) local = NULL, scoped = NULL;
  const GilkFunction *found;
  const char *name;
  GilkFunctions *program;

  if (!gilk_function_split_user (text, &path, &name))
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("%s does not name a function of a program. Write user:PATH:FUNCTION, with the absolute path of the "
          "program or library on the target."), text);
  program = gilk_functions_program (functions, path, error);
  if (program == NULL)
    return NULL;
  if (gilk_image_user_is_ifunc (program->image, name))
    return gilk_fail_null (error, GILK_ERROR_REFUSED,
        _("%s of %s has several implementations, of which one is chosen when a program starts. Name one of "
          "them, by its symbol in the library."), name, path);
  found = lookup_one (program, name, &local);
  if (found == NULL && local->code == GILK_ERROR_NOT_FOUND)
    {
      found = gilk_functions_scoped (program, name, &scoped);
      if (scoped != NULL)
        {
          g_clear_error (&local);
          local = g_steal_pointer (&scoped);
        }
    }
  if (found == NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", path);

  return found;
}

const GilkFunction *
gilk_functions_lookup (GilkFunctions *functions, const char *name, GError **error)
{
  g_auto(GStrv) names = g_strsplit (name, GILK_FUNCTION_OR, -1);

  if (gilk_function_is_user (name))
    return lookup_user (functions, name, error);
  for (guint i = 0; names[i] != NULL && names[i + 1] != NULL; i++)
    {
      g_autoptr(GError) local = NULL;
      const GilkFunction *f = lookup_one (functions, names[i], &local);

      if (f != NULL)
        return f;
      if (local->code != GILK_ERROR_NOT_FOUND)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
    }

  /* Look up the last name again, this time with @error, so that the message is about this name. */
  return lookup_one (functions, names[0] != NULL ? names[g_strv_length (names) - 1] : "", error);
}

guint
gilk_functions_ordinal (GilkFunctions *functions, const GilkFunction *function)
{
  return find_ordinal (gilk_functions_of (functions, function), function->name, function);
}

char *
gilk_functions_name (GilkFunctions *list, const GilkFunction *function)
{
  GilkFunctions *functions = gilk_functions_of (list, function);
  guint ordinal = gilk_functions_ordinal (functions, function);
  g_autoptr(GArray) all = find_exact (functions, function->name, "");
  g_autofree char *number = ordinal != 0 ? g_strdup_printf ("@%u", ordinal) : g_strdup ("");

  if (gilk_image_user_path (functions->image) != NULL)
    return g_strconcat (GILK_FUNCTION_USER, gilk_image_user_path (functions->image), ":", function->name, number,
                        NULL);
  if (function->module == 0 && (ordinal != 0 || all->len == 1))
    return g_strconcat (function->name, number, NULL);

  return g_strconcat (function->name, number, " [", get_module_name (functions, function), "]", NULL);
}

GPtrArray *
gilk_functions_aliases (GilkFunctions      *list,
                        const GilkFunction *function)
{
  const GilkFunctions *functions = gilk_functions_of (list, function);
  const guint index = (guint) (function - functions->all);
  GPtrArray *aliases = g_ptr_array_new ();

  for (guint i = 0; function->n_aliases > 0 && i < functions->n_names; i++)
    if (functions->names[i].function == index && strcmp (functions->names[i].name, function->name) != 0)
      g_ptr_array_add (aliases, (gpointer) functions->names[i].name);

  return aliases;
}
