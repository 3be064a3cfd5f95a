/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-doctor.c - gilk doctor: what this machine and a target can do, and remedies
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/doctor-checks.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "core/target/gilk-agent-words.h"

typedef struct {
  gboolean text_sum, load, facts;
} Options;

static void
print_checks (Cli *cli, const char *title, const GArray *checks)
{
  static const CliTint tints[] = { CLI_TINT_GOOD, CLI_TINT_DIM, CLI_TINT_WARN, CLI_TINT_BAD };
  static const char *const marks[] = { "ok", "-", "!", "NO" };

  cli_print_tinted (cli, CLI_TINT_BOLD, "%s\n", title);
  for (guint i = 0; i < checks->len; i++)
    {
      const CliCheck *check = &g_array_index (checks, CliCheck, i);
      g_autofree char *value = gilk_agent_words (check->value);

      cli_print_tinted (cli, tints[check->state], "  %-3s", marks[check->state]);
      cli_print (cli, " %-13s %s\n", check->name, value);
      if (check->remedy != NULL)
        cli_print (cli, "                    %s\n", check->remedy);
    }
}

static void
checks_to_json (Cli *cli, const char *key, const GArray *checks)
{
  CliJson *json = cli->doc;

  cli_json_array (json, key);
  for (guint i = 0; i < checks->len; i++)
    {
      const CliCheck *check = &g_array_index (checks, CliCheck, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "check", check->name);
      cli_json_string (json, "state", cli_check_state_name (check->state));
      cli_json_string (json, "value", check->value);
      cli_json_string (json, "remedy", check->remedy);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
show_checks (Cli *cli, const char *key, const char *title, const GArray *checks)
{
  if (cli->doc != NULL)
    checks_to_json (cli, key, checks);
  else
    print_checks (cli, title, checks);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

static void
show_facts (Cli *cli, GHashTable *facts, gboolean wanted)
{
  g_autoptr(GList) keys = g_list_sort (g_hash_table_get_keys (facts), compare_keys);

  if (cli->doc != NULL)
    cli_json_object (cli->doc, "facts");
  else if (wanted)
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\nFacts\n"));
  for (GList *l = keys; l != NULL; l = l->next)
    {
      if (cli->doc != NULL)
        cli_json_string (cli->doc, l->data, g_hash_table_lookup (facts, l->data));
      else if (wanted)
        cli_print (cli, "  %s=%s\n", (char *) l->data, (char *) g_hash_table_lookup (facts, l->data));
    }
  if (cli->doc != NULL)
    cli_json_end (cli->doc);
}

/* As sha256sum prints it, so that two of them can be compared with diff. */
static gboolean
print_text_sum (Cli *cli, GilkTarget *target, GError **error)
{
  g_autoptr(GilkImage) image = gilk_image_open (target, cli_progress_for_core (cli->progress),
                                                cli->cancellable, error);
  g_autofree char *sum = NULL;

  if (image != NULL)
    sum = gilk_image_checksum (image, "ilk", cli_progress_for_core (cli->progress),
                               cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (sum == NULL)
    return FALSE;

  if (cli->doc != NULL)
    {
      cli_kernel_to_json (cli, target);
      cli_json_string (cli->doc, "text_sum", sum);
    }
  else
    cli_print (cli, "%s  %s\n", sum, gilk_target_release (target));
  return TRUE;
}

static gboolean
load (Cli *cli, GilkTarget *target, GError **error)
{
  g_auto(GStrv) files = NULL;

  if (!gilk_target_load_driver (target, cli->cancellable, error))
    return FALSE;
  files = gilk_target_instrument_files (target, cli->cancellable, error);
  if (files == NULL)
    return FALSE;
  for (guint i = 0; files[i] != NULL; i++)
    if (!gilk_target_load_instrument (target, files[i], cli->cancellable, error))
      return FALSE;
  return TRUE;
}

static gboolean
examine (Cli *cli, GilkTarget *target, const Options *options, GError **error)
{
  g_autoptr(GHashTable) facts = gilk_target_doctor (target, cli->cancellable, error);
  g_autoptr(GArray) checks = NULL;
  g_autofree char *title = NULL;
  guint bad;

  if (facts == NULL)
    return FALSE;
  checks = cli_doctor_judge (facts);
  title = g_strdup_printf (_("\n%s: %s"), cli->target, gilk_target_hostname (target));
  if (cli->doc != NULL)
    cli_kernel_to_json (cli, target);
  show_checks (cli, "checks", title, checks);
  show_facts (cli, facts, options->facts);

  bad = cli_doctor_n_bad (checks);
  if (cli->doc != NULL)
    cli_json_bool (cli->doc, "ready", bad == 0);
  if (bad == 0)
    {
      cli_print_tinted (cli, CLI_TINT_GOOD, _("\nReady: hooks can be armed on %s.\n"), cli->target);
      return TRUE;
    }
  g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
               ngettext ("Hooks cannot be armed on %s: %u thing stands in the way; its remedy is shown.",
                         "Hooks cannot be armed on %s: %u things stand in the way; their remedies are shown.",
                         bad), cli->target, bad);
  return FALSE;
}

gboolean
cmd_doctor (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "text-sum", 0, 0, G_OPTION_ARG_NONE, &options.text_sum,
      N_("Print only the SHA-256 over all live kernel and module text, ilk's own left out"), NULL },
    { "load", 0, 0, G_OPTION_ARG_NONE, &options.load,
      N_("Load the driver and all instruments first"), NULL },
    { "facts", 0, 0, G_OPTION_ARG_NONE, &options.facts, N_("Also the facts it judges by"), NULL },
    { NULL },
  };
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GArray) ways = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("Exit code 0 says that hooks can be armed on the target."), 0, 0, &words, error))
    return FALSE;

  cli->keep_doc = TRUE;
  if (!options.text_sum)
    {
      ways = cli_doctor_ways ();
      show_checks (cli, "ways", _("Ways to a kernel from this machine"), ways);
    }
  target = cli_open_target (cli, error);
  if (target == NULL || (options.load && !load (cli, target, error)))
    return FALSE;
  return options.text_sum ? print_text_sum (cli, target, error)
                          : examine (cli, target, &options, error);
}
