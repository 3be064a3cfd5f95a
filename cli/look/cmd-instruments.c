/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-instruments.c - gilk instruments: lists instruments with their fields and parameters
 *
 * An instrument in a kernel module can describe itself only once the module is loaded. Therefore
 * modules that are not loaded are listed by name only; --load loads them to get their descriptions.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/base/kernel.h"
#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/emit/gilk-inline.h"
#include "core/link/gilk-answers.h"

static void
describe_in_json (Cli *cli, const struct ilk_instrument_desc *desc)
{
  CliJson *json = cli->doc;

  cli_json_object (json, NULL);
  cli_json_string (json, "name", desc->name);
  cli_json_string (json, "kind", "module");
  cli_json_bool (json, "loaded", TRUE);
  cli_json_string (json, "help", desc->help);
  cli_json_uint (json, "version", desc->version);
  cli_json_uint (json, "users", desc->users);
  cli_json_array (json, "fields");
  for (guint i = 0; i < MIN (desc->field_count, ILK_FIELDS_MAX); i++)
    {
      cli_json_row (json, NULL);
      cli_json_string (json, "name", desc->fields[i].name);
      cli_json_string (json, "type", cli_field_name (desc->fields[i].type));
      cli_json_string (json, "unit", desc->fields[i].unit);
      cli_json_string (json, "help", desc->fields[i].help);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_array (json, "params");
  for (guint i = 0; i < MIN (desc->param_count, ILK_PARAMS_MAX); i++)
    {
      cli_json_row (json, NULL);
      cli_json_string (json, "name", desc->params[i].name);
      cli_json_string (json, "unit", desc->params[i].unit);
      cli_json_string (json, "help", desc->params[i].help);
      cli_json_uint (json, "min", desc->params[i].min);
      cli_json_uint (json, "max", desc->params[i].max);
      cli_json_uint (json, "default", desc->params[i].preset);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_heading (Cli *cli, const char *name, const char *kind, const char *help)
{
  cli_print_tinted (cli, CLI_TINT_BOLD, "%-12s", name);
  cli_print (cli, " %s", help);
  cli_print_tinted (cli, CLI_TINT_DIM, "%s(%s)\n", *help != '\0' ? "  " : "", kind);
}

static void
describe_in_text (Cli *cli, const struct ilk_instrument_desc *desc)
{
  g_autofree char *kind = desc->users > 0
    ? g_strdup_printf (ngettext ("module, loaded, used by %u hook", "module, loaded, used by %u hooks",
                                 desc->users), desc->users)
    : g_strdup (_("module, loaded"));
  g_autofree char *help = gilk_agent_translate (desc->help);

  print_heading (cli, desc->name, kind, help);
  for (guint i = 0; i < MIN (desc->field_count, ILK_FIELDS_MAX); i++)
    {
      const struct ilk_field *field = &desc->fields[i];
      g_autofree char *says = gilk_agent_translate (field->help);

      cli_print (cli, _("    field %-12s %-6s %-4s %s\n"), field->name, cli_field_name (field->type),
                 field->unit, says);
    }
  for (guint i = 0; i < MIN (desc->param_count, ILK_PARAMS_MAX); i++)
    {
      const struct ilk_param *param = &desc->params[i];
      g_autofree char *says = gilk_agent_translate (param->help);

      cli_print (cli, _("    param %-12s %-6s %-4s %s (%" PRIu64 " to %" PRIu64
                        ", preset %" PRIu64 ")\n"), param->name, "u64", param->unit,
                 says, (guint64) param->min, (guint64) param->max, (guint64) param->preset);
    }
}

static void
show_brief (Cli *cli, const char *name, const char *kind, gboolean loaded, const char *help)
{
  if (cli->doc == NULL)
    {
      print_heading (cli, name, strcmp (kind, "inline") == 0 ? _("inline, always available")
                                                          : _("module, not loaded; use --load to describe it"),
                     help);
      return;
    }
  cli_json_object (cli->doc, NULL);
  cli_json_string (cli->doc, "name", name);
  cli_json_string (cli->doc, "kind", kind);
  cli_json_bool (cli->doc, "loaded", loaded);
  cli_json_string (cli->doc, "help", *help != '\0' ? help : NULL);
  cli_json_end (cli->doc);
}

static gboolean
is_loaded (const GArray *loaded, const char *name)
{
  for (guint i = 0; i < loaded->len; i++)
    if (strcmp (g_array_index (loaded, struct ilk_instrument_desc, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_shown (const char *name, gboolean all)
{
  return all || !gilk_instrument_is_of_tests (name);
}

static gboolean
load_all (Cli *cli, GilkTarget *target, char **files, gboolean all, GError **error)
{
  if (!gilk_target_load_driver (target, cli->cancellable, error))
    return FALSE;
  for (guint i = 0; files[i] != NULL; i++)
    if (is_shown (files[i], all) && !gilk_target_load_instrument (target, files[i], cli->cancellable, error))
      return FALSE;
  return TRUE;
}

static void
show_loaded (Cli *cli, const GArray *loaded, gboolean all)
{
  for (guint i = 0; i < loaded->len; i++)
    {
      const struct ilk_instrument_desc *desc = &g_array_index (loaded, struct ilk_instrument_desc, i);

      if (!is_shown (desc->name, all))
        continue;
      if (cli->doc != NULL)
        describe_in_json (cli, desc);
      else
        describe_in_text (cli, desc);
    }
}

gboolean
cmd_instruments (Cli *cli, int argc, char **argv, GError **error)
{
  gboolean load = FALSE, all = FALSE;
  const GOptionEntry entries[] = {
    { "load", 0, 0, G_OPTION_ARG_NONE, &load,
      N_("Load the driver and all instruments, so that all can be described"), NULL },
    { "all", 0, 0, G_OPTION_ARG_NONE, &all,
      N_("Also list the instruments of Gilk's own tests"), NULL },
    { NULL },
  };
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GArray) loaded = NULL;
  g_auto(GStrv) files = NULL;
  const GilkInline *inlines;
  guint n_inlines;
  char **words;

  if (!cli_parse (cli, argc, argv, entries, NULL, 0, 0, &words, error))
    return FALSE;
  target = cli_open_target (cli, error);
  if (target == NULL)
    return FALSE;
  files = gilk_target_instrument_files (target, cli->cancellable, error);
  if (files == NULL || (load && !load_all (cli, target, files, all, error)))
    return FALSE;
  loaded = load || gilk_target_has_driver (target)
    ? gilk_target_instruments (target, cli->cancellable, error)
    : g_array_new (FALSE, FALSE, sizeof (struct ilk_instrument_desc));
  if (loaded == NULL)
    return FALSE;

  inlines = gilk_inlines (&n_inlines);
  cli_kernel_to_json (cli, target);
  cli_json_array (cli->doc, "instruments");
  for (guint i = 0; i < n_inlines; i++)
    show_brief (cli, inlines[i].name, "inline", TRUE, _(inlines[i].help));
  show_loaded (cli, loaded, all);
  for (guint i = 0; files[i] != NULL; i++)
    if (is_shown (files[i], all) && !is_loaded (loaded, files[i]))
      show_brief (cli, files[i], "module", FALSE, "");
  cli_json_end (cli->doc);
  return TRUE;
}
