/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli.c - parses the options that all commands share, and prints --help
 *
 * GOption's own --help exits; ours prints and returns, so that main() stays the only place that
 * exits.
 */
#include "cli/base/cli.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/terminal.h"
#include "core/base/gilk-strings.h"

#define FALLBACK_TARGET "lab"
#define HELP_WIDTH 78

void
cli_add_shared_options (Cli *cli, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "target", 't', 0, G_OPTION_ARG_STRING_ARRAY, &cli->targets,
      N_("lab, lab:6.1, lab:6.12, local, ssh:HOST, unix:PATH or file:VMLINUX"), N_("TARGET") },
    { "debug", 0, 0, G_OPTION_ARG_FILENAME, &cli->debug,
      N_("Debug data of the target's kernel: a vmlinux or a folder (default: $GILK_DEBUG, else the "
         "folders of debug packages)"),
      N_("PATH") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &cli->json,
      N_("Print one JSON document, including errors"), NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &cli->quiet,
      N_("Hide progress and notes"), NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &cli->help, N_("Show this help"), NULL },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

void
cli_apply_options (Cli *cli)
{
  const char *no_colour = g_getenv ("NO_COLOR");

  if (cli->json && cli->doc == NULL)
    cli->doc = cli_json_new ();
  cli->colour = !cli->json && cli_terminal_has_escapes (stdout) &&
    (no_colour == NULL || *no_colour == '\0');
  g_clear_pointer (&cli->progress, cli_progress_free);
  cli->progress = cli_progress_new (!cli->quiet && !cli->json && cli_terminal_has_escapes (stderr));
}

gboolean
cli_has_many_targets (const Cli *cli)
{
  return cli->targets != NULL && g_strv_length (cli->targets) > 1;
}

/* Chooses the last --target after the command, else the last one in front of the command, else
 * $GILK_TARGET. */
static gboolean
choose_target (Cli *cli, GError **error)
{
  const char *from_environment = g_getenv ("GILK_TARGET");

  if (cli_has_many_targets (cli) && !cli->takes_many_targets)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("\"gilk %s\" works on one target. Give --target once."),
                   cli->command->name);
      return FALSE;
    }
  if (cli->targets != NULL)
    cli->target = g_strdup (cli->targets[g_strv_length (cli->targets) - 1]);
  else if (from_environment != NULL && *from_environment != '\0')
    cli->target = g_strdup (from_environment);
  cli->target_named = cli->target != NULL;
  if (!cli->target_named)
    cli->target = g_strdup (FALLBACK_TARGET);

  return TRUE;
}

static gboolean
check_arguments (Cli *cli, char **words, int least, int most, GError **error)
{
  int count = (int) g_strv_length (words);

  if (count < least)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"gilk %s\" needs %s. See \"gilk %s --help\"."),
                   cli->command->name, _(cli->command->arguments), cli->command->name);
      return FALSE;
    }
  if (most >= 0 && count > most)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"gilk %s\" takes no argument \"%s\". See \"gilk %s --help\"."),
                   cli->command->name, words[most], cli->command->name);
      return FALSE;
    }
  return TRUE;
}

/* (transfer full) */
static char *
capitalise_first (const char *text)
{
  g_autofree char *first = g_utf8_substring (text, 0, 1);
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, g_utf8_next_char (text), NULL);
}

/* Breaks the lines of @text between words; keeps existing newlines. (transfer full) */
static char *
wrap_lines (const char *text)
{
  GString *out = g_string_new (NULL);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto(GStrv) words = g_strsplit (lines[i], " ", -1);
      glong used = 0;

      if (i > 0)
        g_string_append_c (out, '\n');
      for (guint j = 0; words[j] != NULL; j++)
        {
          glong width = g_utf8_strlen (words[j], -1);

          if (used > 0)
            g_string_append_c (out, used + 1 + width > HELP_WIDTH ? '\n' : ' ');
          used = used > 0 && used + 1 + width <= HELP_WIDTH ? used + 1 + width : width;
          g_string_append (out, words[j]);
        }
    }
  return g_string_free (out, FALSE);
}

static const char *const shared_options[] = { "target", "debug", "json", "quiet", "help" };

/* Returns the names of all options of a command, without dashes. (element-type utf8) (transfer
 * container) */
static GPtrArray *
list_options (const GOptionEntry *entries)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (shared_options); i++)
    g_ptr_array_add (names, (gpointer) shared_options[i]);
  for (guint i = 0; entries != NULL && entries[i].long_name != NULL; i++)
    g_ptr_array_add (names, (gpointer) entries[i].long_name);

  return names;
}

static gboolean
is_option (const GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (g_ptr_array_index (names, i), name) == 0)
      return TRUE;

  return FALSE;
}

/* Returns " Did you mean --until?" for the first unknown option, or "". (transfer full) */
static char *
suggest_option (const GOptionEntry *entries, char **argv)
{
  g_autoptr(GPtrArray) names = list_options (entries);

  for (guint i = 1; argv[i] != NULL && strcmp (argv[i], "--") != 0; i++)
    {
      g_autofree char *name = g_str_has_prefix (argv[i], "--") ? g_strndup (argv[i] + 2, strcspn (argv[i] + 2, "=")) : NULL;

      if (name != NULL && !is_option (names, name))
        return gilk_nearest_hint (name, (const char *const *) names->pdata, names->len);
    }

  return g_strdup ("");
}

/* Refuses "-output=x". GOption would parse it as "-o utput=x", and would then misinterpret other
 * arguments. */
static gboolean
check_single_dash (const GOptionEntry *entries, char **argv, GError **error)
{
  g_autoptr(GPtrArray) names = list_options (entries);

  for (guint i = 1; argv[i] != NULL && strcmp (argv[i], "--") != 0; i++)
    {
      const gboolean one_dash = argv[i][0] == '-' && argv[i][1] != '-' && argv[i][1] != '\0';
      g_autofree char *name = one_dash ? g_strndup (argv[i] + 1, strcspn (argv[i] + 1, "=")) : NULL;

      if (name == NULL || strlen (name) < 2 || !is_option (names, name))
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("Long options start with two dashes: write --%s"), name);
      return FALSE;
    }

  return TRUE;
}

gboolean
cli_parse (Cli *cli, int argc, char **argv, const GOptionEntry *entries,
           const char *description, int least, int most, char ***words, GError **error)
{
  g_autoptr(GOptionContext) context = g_option_context_new (cli->command->arguments);
  g_autofree char *program = g_strdup_printf ("gilk %s", cli->command->name);
  g_autoptr(GError) local = NULL;
  g_autofree char *summary = capitalise_first (_(cli->command->summary));
  g_autofree char *text = wrap_lines (description != NULL ? description : "");
  GOptionGroup *group = g_option_group_new ("command", "", "", cli->option_data, NULL);
  g_auto(GStrv) before = g_steal_pointer (&cli->targets);

  g_set_prgname (program);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_translation_domain (context, "gilk");
  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description != NULL ? text : NULL);
  g_option_group_set_translation_domain (group, "gilk");
  if (entries != NULL)
    g_option_group_add_entries (group, entries);
  cli_add_shared_options (cli, group);
  g_option_context_set_main_group (context, group);

  if (!check_single_dash (entries, argv, &local) || !g_option_context_parse (context, &argc, &argv, &local))
    {
      g_autofree char *hint = NULL;

      cli_apply_options (cli);
      /* GLib's messages end without a full stop, Gilk's with one. */
      if (g_str_has_suffix (local->message, "."))
        local->message[strlen (local->message) - 1] = '\0';
      hint = suggest_option (entries, argv);
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("%s.%s See \"%s --help\"."), local->message, hint, program);
      return FALSE;
    }
  cli_apply_options (cli);
  if (cli->help)
    {
      g_autofree char *help = g_option_context_get_help (context, FALSE, NULL);

      g_clear_pointer (&cli->doc, cli_json_free);
      g_print ("%s", help);
      return FALSE;
    }

  if (cli->targets == NULL)
    cli->targets = g_steal_pointer (&before);
  if (!choose_target (cli, error))
    return FALSE;
  *words = argv + 1;
  if (argc > 1 && strcmp (argv[1], "--") == 0)
    *words = argv + 2;
  if (!check_arguments (cli, *words, least, most, error))
    return FALSE;
  if (cli->doc != NULL)
    cli_json_object (cli->doc, NULL);
  return TRUE;
}
