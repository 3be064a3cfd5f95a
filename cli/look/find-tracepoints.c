/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find-tracepoints.c - lists tracepoints with their arguments, for gilk find
 */
#include "cli/look/find-tracepoints.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/bind/gilk-bound-event.h"
#include "core/image/gilk-debug.h"

#define PREFIX "tracepoint:"

/* Returns whether @text contains @pattern, which may be a glob. */
static gboolean
matches (const char *pattern, const char *text)
{
  return strpbrk (pattern, "*?") != NULL ? g_pattern_match_simple (pattern, text) : strstr (text, pattern) != NULL;
}

/* Returns whether @tracepoint matches @pattern: "SYSTEM:NAME", or a part of the system or name. */
static gboolean
is_match (const GilkTracepoint *tracepoint, const char *pattern)
{
  const char *colon = strchr (pattern, ':');
  g_autofree char *system = colon != NULL ? g_strndup (pattern, (gsize) (colon - pattern)) : NULL;
  const char *of = tracepoint->system != NULL ? tracepoint->system : "";

  if (system != NULL)
    return (strpbrk (system, "*?") != NULL ? matches (system, of) : strcmp (system, of) == 0) && matches (colon + 1, tracepoint->name);

  return matches (pattern, tracepoint->name) || matches (pattern, of);
}

/* Returns the BTF types of the tracepoint's module, or of the kernel if no module has it; NULL:
 * there are no types. */
static GilkBtf *
find_types (Cli *cli, const CliKernel *kernel, const GilkTracepoint *tracepoint)
{
  const char *module = gilk_symbols_module (gilk_image_symbols (kernel->image), tracepoint->module);

  return gilk_types_get (gilk_image_types (kernel->image), module, cli->cancellable, NULL);
}

/* Returns the arguments in C syntax; NULL: they are unknown. (element-type utf8) */
static GPtrArray *
list_arguments (Cli *cli, const CliKernel *kernel, const GilkTracepoint *tracepoint)
{
  g_autoptr(GilkBtf) btf = find_types (cli, kernel, tracepoint);
  GPtrArray *list;
  GilkPrototype arguments;

  if (btf == NULL || !gilk_btf_tracepoint (btf, tracepoint->name, &arguments))
    return NULL;
  list = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < arguments.n_arguments; i++)
    {
      g_autofree char *type = gilk_btf_type_name (btf, arguments.arguments[i]), *number = g_strdup_printf ("arg%u", i);
      const char *name = *arguments.names[i] != '\0' ? arguments.names[i] : number;

      g_ptr_array_add (list, g_strdup_printf ("%s%s%s", type != NULL ? type : "?", type != NULL && g_str_has_suffix (type, "*") ? "" : " ",
                                              name));
    }

  return list;
}

static void
add_tracepoint (Cli *cli, const CliKernel *kernel, CliTable *table, const GilkTracepoint *tracepoint)
{
  g_autoptr(GPtrArray) arguments = list_arguments (cli, kernel, tracepoint);
  g_autofree char *text = gilk_tracepoint_text (tracepoint);
  const char *module = gilk_symbols_module (gilk_image_symbols (kernel->image), tracepoint->module);
  g_autofree char *joined = NULL;

  if (cli->doc != NULL)
    {
      cli_json_row (cli->doc, NULL);
      cli_json_string (cli->doc, "tracepoint", text);
      cli_json_string (cli->doc, "module", module);
      if (arguments != NULL)
        cli_json_array (cli->doc, "arguments");
      for (guint i = 0; arguments != NULL && i < arguments->len; i++)
        cli_json_string (cli->doc, NULL, g_ptr_array_index (arguments, i));
      if (arguments != NULL)
        cli_json_end (cli->doc);
      cli_json_end (cli->doc);
      return;
    }
  if (arguments != NULL)
    {
      g_ptr_array_add (arguments, NULL);
      joined = g_strjoinv (", ", (char **) arguments->pdata);
    }
  cli_table_cell (table, text);
  cli_table_cell (table, module);
  cli_table_cell (table, joined != NULL ? joined : "?");
}

gboolean
cli_find_tracepoints (Cli             *cli,
                      const CliKernel *kernel,
                      const char      *pattern,
                      guint            limit,
                      GError         **error)
{
  g_autoptr(GilkTracepoints) tracepoints = gilk_tracepoints_new (kernel->image, cli->cancellable, error);
  g_autoptr(CliTable) table = cli_table_new (_("~TRACEPOINT|<MODULE|~ARGUMENTS"));
  const char *rest = pattern + strlen (PREFIX);
  const GilkTracepoint *all;
  guint n, shown = 0;
  gboolean more = FALSE;

  if (tracepoints == NULL)
    return FALSE;
  cli_kernel_to_json (cli, kernel->target);
  cli_json_array (cli->doc, "tracepoints");
  all = gilk_tracepoints_all (tracepoints, &n);
  for (guint i = 0; i < n && !more; i++)
    if (is_match (&all[i], rest))
      {
        more = limit != 0 && shown == limit;
        if (!more)
          add_tracepoint (cli, kernel, table, &all[i]);
        shown += !more;
      }
  cli_json_end (cli->doc);
  cli_json_bool (cli->doc, "more", more);
  if (shown == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND, _("No tracepoint matches \"%s\". Try fewer letters; tracepoints of a module exist "
                                                     "while it is loaded."), rest);
  cli_print_table (cli, table);
  if (more)
    cli_note (cli, _("More tracepoints match; --limit 0 shows all."));

  return TRUE;
}
