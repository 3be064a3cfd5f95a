/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locate.c - looks up a location in kernel text: an address, a name with an offset, or a
 * source line; and the functions that match a pattern
 */
#include "core/cfg/gilk-locate.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-name-match.h"

#define ADDRESS_DIGITS 12    /* minimum number of hexadecimal digits of an address: fewer may be
                              * a name, such as "add_fdb" */

/* Strips the text around a location in a stack trace, such as "RIP: " in front of it and "/0x5d0",
 * the size of the function, after it. (transfer full) */
static char *
strip_context (const char *text)
{
  static const char *const before[] = { "RIP: ", "0010:", "? " };
  g_autofree char *copy = g_strstrip (g_strdup (text));
  const char *start = copy;
  char *size = strchr (copy, '/');

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    if (g_str_has_prefix (start, before[i]))
      start += strlen (before[i]);
  if (size != NULL && strchr (copy, '+') != NULL && strchr (copy, '+') < size)
    {
      char *module = strchr (size, ' ');

      memmove (size, module != NULL ? module : "", module != NULL ? strlen (module) + 1 : 1);
    }

  return g_strdup (start);
}

static gboolean
parse_address (const char *text, uint64_t *addr)
{
  gboolean marked = g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");
  const char *digits = marked ? text + 2 : text;
  gsize n = strspn (digits, "0123456789abcdefABCDEF");

  if (digits[n] != '\0' || n > 16 || n < (marked ? 1 : ADDRESS_DIGITS))
    return FALSE;
  *addr = g_ascii_strtoull (digits, NULL, 16);

  return TRUE;
}

/* Splits "name+0x41 [module]". @name: (out) (transfer full): name and module */
static gboolean
parse_offset (const char *text, char **name, uint64_t *offset)
{
  const char *plus = strrchr (text, '+');
  char *end = NULL;

  if (plus == NULL || plus == text || !g_ascii_isxdigit (plus[1]))
    return FALSE;
  *offset = g_ascii_strtoull (plus + 1, &end, g_str_has_prefix (plus + 1, "0x") ? 16 : 10);
  if (end == plus + 1 || (*end != '\0' && *end != ' '))
    return FALSE;
  *name = g_strdup_printf ("%.*s%s", (int) (plus - text), text, end);

  return TRUE;
}

GilkLocateKind
gilk_locate_kind (const char *text)
{
  g_autofree char *place = strip_context (text);
  g_autofree char *name = NULL;
  g_auto(GilkSourceLine) line = { 0 };
  uint64_t number;

  if (parse_address (place, &number))
    return GILK_LOCATE_ADDRESS;
  if (gilk_source_line_parse (place, &line))
    return GILK_LOCATE_LINE;

  return parse_offset (place, &name, &number) ? GILK_LOCATE_OFFSET : GILK_LOCATE_NONE;
}

static gboolean
find_offset (GilkFunctions *functions, const char *text, GilkLocated *place, GError **error)
{
  g_autofree char *name = NULL;
  char *cold;
  GilkRange range;
  uint64_t offset;

  if (!parse_offset (text, &name, &offset))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("%s is not a location. Write an address, NAME+0x41 or FILE.c:LINE."), text);
  cold = strstr (name, ".cold");
  if (cold != NULL)
    memmove (cold, cold + 5, strlen (cold + 5) + 1);
  place->function = gilk_functions_lookup (functions, name, error);
  if (place->function == NULL)
    return FALSE;
  range = cold != NULL ? place->function->cold : place->function->hot;
  place->addr = range.start + offset;
  if (offset < range.end - range.start)
    return TRUE;

  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("%s has %u bytes: +0x%x is past its end. The location may come from another "
                      "kernel."), name,
                    (guint) (range.end - range.start), (guint) offset);
}

gboolean
gilk_locate (GilkFunctions *functions, const char *text, GilkLocated *place, GError **error)
{
  g_autofree char *bared = strip_context (text);
  g_autofree char *hex = NULL;

  if (!parse_address (bared, &place->addr))
    return find_offset (functions, bared, place, error);
  hex = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) place->addr);
  place->function = gilk_functions_lookup (functions, hex, error);

  return place->function != NULL;
}

char *
gilk_locate_offset_text (const GilkFunction *function, uint64_t addr)
{
  const gboolean cold = addr - function->cold.start < function->cold.end - function->cold.start;

  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", cold ? ".cold" : "",
                          (guint64) (addr - (cold ? function->cold.start : function->hot.start)));
}

/* Searches modules until one has the line; skips modules without debug data. */
GArray *
gilk_locate_line (GilkImage *image, const GilkSourceLine *line, guint *nearest, GCancellable *cancellable, GError **error)
{
  GilkDebug *debug = gilk_image_debug (image);
  GilkSymbols *symbols = gilk_image_symbols (image);
  g_autoptr(GError) local = NULL;
  GArray *locations = gilk_debug_locations (debug, line->module, line->file, line->line, nearest, cancellable, &local);

  for (guint i = 1; line->module == NULL && i < gilk_symbols_n_modules (symbols) &&
                    (locations == NULL || (locations->len == 0 && *nearest == 0)); i++)
    {
      GArray *more = gilk_debug_locations (debug, gilk_symbols_module (symbols, i), line->file, line->line, nearest, cancellable,
                                           NULL);

      if (more == NULL)
        continue;
      g_clear_pointer (&locations, g_array_unref);
      g_clear_error (&local);
      locations = more;
    }
  if (locations == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return locations;
}

/* Appends @more to @locations up to GILK_DWARF_LOCATIONS_MAX; sets *@cut if some are left out.
 * @locations: (transfer full) (nullable); @more: (transfer full) */
static GArray *
join_locations (GArray *locations, GArray *more, gboolean *cut)
{
  const guint had = locations != NULL ? locations->len : 0, room = GILK_DWARF_LOCATIONS_MAX - MIN (had, GILK_DWARF_LOCATIONS_MAX);

  if (locations == NULL)
    return more;
  *cut |= more->len > room;
  g_array_set_size (more, MIN (more->len, room));
  g_array_append_vals (locations, more->data, more->len);
  g_array_set_clear_func (more, NULL);          /* the strings in @more now belong to @locations */
  g_array_unref (more);

  return locations;
}

/* ---- where a function was inlined ---- */

static gboolean
is_mangled_name (const char *linkage, gpointer data)
{
  return gilk_cxx_name_is (linkage, data);
}

GilkFunctions *
gilk_locate_functions (GilkFunctions *functions, const char *name, GError **error)
{
  g_autofree char *path = NULL;

  if (!gilk_function_is_user (name))
    return functions;
  if (gilk_function_split_user (name, &path, &name))
    return gilk_functions_program (functions, path, error);
  return gilk_fail_null (error, GILK_ERROR_USAGE,
      _("%s does not name a function of a program. Write user:PATH:FUNCTION, with the absolute path of the "
        "program or library on the target."), name);
}

static GArray *
locate_in_program (GilkFunctions *functions, const char *name, gboolean *more, GCancellable *cancellable, GError **error)
{
  GilkFunctions *program = gilk_locate_functions (functions, name, error);
  g_autofree char *path = NULL, *mangled = NULL;
  GilkDwarfMatch match = { .name = name };

  if (program == NULL || !gilk_function_split_user (name, &path, &match.name))
    return NULL;
  mangled = strstr (match.name, "::") != NULL ? gilk_cxx_name_mangled (match.name) : NULL;
  if (mangled != NULL)
    {
      match.is_linkage = is_mangled_name;
      match.data = mangled;
    }

  return gilk_debug_inlined (gilk_image_debug (program->image), NULL, &match, more, cancellable, error);
}

/* Searches the kernel and all modules, because a function of a header may be inlined in each.
 * Modules without debug data are skipped. */
static GArray *
locate_in_kernel (GilkImage *image, const char *name, gboolean *more, GCancellable *cancellable, GError **error)
{
  g_auto(GilkNamed) named = gilk_named_split (name);
  const GilkDwarfMatch match = { .name = named.name };
  GilkDebug *debug = gilk_image_debug (image);
  GilkSymbols *symbols = gilk_image_symbols (image);
  const char *only = *named.module != '\0' ? named.module : NULL;
  g_autoptr(GError) local = NULL;
  GArray *locations;

  locations = gilk_debug_inlined (debug, only, &match, more, cancellable, &local);
  for (guint i = 1; only == NULL && i < gilk_symbols_n_modules (symbols) && !g_cancellable_is_cancelled (cancellable); i++)
    {
      gboolean cut = FALSE;
      GArray *others = gilk_debug_inlined (debug, gilk_symbols_module (symbols, i), &match, &cut, cancellable, NULL);

      *more |= cut;
      if (others != NULL)
        locations = join_locations (locations, others, more);
    }
  if (locations == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return locations;
}

GArray *
gilk_locate_inlined (GilkFunctions *functions, const char *name, gboolean *more, GCancellable *cancellable, GError **error)
{
  g_autoptr(GError) local = NULL;
  GArray *locations;

  *more = FALSE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  locations = gilk_function_is_user (name) ? locate_in_program (functions, name, more, cancellable, &local)
                                           : locate_in_kernel (functions->image, name, more, cancellable, &local);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    g_clear_pointer (&locations, g_array_unref);           /* do not return incomplete results */
  else if (locations == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return locations;
}

/* ---- parses a source line given on the command line ---- */

void
gilk_source_line_clear (GilkSourceLine *line)
{
  g_free (line->module);
  g_free (line->file);
}

gboolean
gilk_source_line_parse (const char *text, GilkSourceLine *line)
{
  static const char *const endings[] = { ".c", ".h", ".S", ".s", ".rs" };
  const char *colon = strrchr (text, ':'), *first = strchr (text, ':');
  gboolean source = FALSE;
  guint64 number = 0;

  if (colon == NULL || colon == text || !gilk_parse_unsigned (colon + 1, 10, 1, 1 << 24, &number))
    return FALSE;
  *line = (GilkSourceLine) { .line = (guint) number };
  if (first != colon)
    line->module = g_strndup (text, (gsize) (first - text));
  first = first != colon ? first + 1 : text;
  line->file = g_strndup (first, (gsize) (colon - first));
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    source |= g_str_has_suffix (line->file, endings[i]);
  if (!source || strchr (line->file, ':') != NULL || g_strcmp0 (line->module, "user") == 0)
    {
      gilk_source_line_clear (line);
      *line = (GilkSourceLine) { 0 };
      return FALSE;
    }

  return TRUE;
}

/* ---- functions that match a pattern ---- */

gboolean
gilk_locate_is_pattern (GilkFunctions *functions, const char *name)
{
  const char *colon = gilk_function_is_user (name) ? strrchr (name, ':') : NULL;
  g_autoptr(GError) local = NULL;

  return strpbrk (colon != NULL ? colon : name, GILK_FUNCTION_PATTERN) != NULL && strstr (name, "(*") == NULL &&
         gilk_functions_lookup (functions, name, &local) == NULL && g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static GPtrArray *
match_all (GilkFunctions *functions, const char *name, const char *module)
{
  GPtrArray *found = g_ptr_array_new ();
  GilkSymbols *symbols = gilk_image_symbols (functions->image);
  g_autofree gboolean *matches = g_new0 (gboolean, functions->n_all + 1);

  for (guint i = 0; i < functions->n_names; i++)
    if (g_pattern_match_simple (name, functions->names[i].name))
      matches[functions->names[i].function] = TRUE;
  for (guint i = 0; i < functions->n_all; i++)
    if (matches[i] && (*module == '\0' || g_pattern_match_simple (module, gilk_symbols_module (symbols, functions->all[i].module))))
      g_ptr_array_add (found, &functions->all[i]);

  return found;
}

GPtrArray *
gilk_locate_matches (GilkFunctions *functions, const char *pattern, GError **error)
{
  GilkFunctions *of = gilk_locate_functions (functions, pattern, error);
  g_auto(GilkNamed) named = { 0 };
  g_autofree char *path = NULL;
  const char *name;

  if (of == NULL)
    return NULL;
  if (gilk_function_is_user (pattern) && gilk_function_split_user (pattern, &path, &name))
    return match_all (of, name, "");

  named = gilk_named_split (pattern);
  if (named.ordinal != 0)
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("%s is a pattern with a number, but only the name of one function can have a number. Leave it out."), pattern);

  return match_all (of, named.name, named.module);
}
