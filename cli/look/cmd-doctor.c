/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-doctor.c - gilk doctor: checks what this machine and a target can do, and shows remedies
 */
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"
#include "cli/look/doctor.h"
#include "core/doctor/gilk-doctor.h"
#include "core/link/gilk-answers.h"

typedef struct {
  gboolean text_sum, load_modules, facts;
} Options;

static void
show_checks (Cli *cli, const char *key, const char *title, const GArray *checks)
{
  if (cli->doc != NULL)
    cli_doctor_to_json (cli->doc, key, checks);
  else
    cli_doctor_print (cli, title, checks);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

static void
show_facts (Cli *cli, GHashTable *facts, gboolean wanted)
{
  g_autoptr(GList) keys = NULL;

  if (cli->doc != NULL)
    cli_doctor_facts_to_json (cli->doc, "facts", facts, NULL);
  if (cli->doc != NULL || !wanted)
    return;
  keys = g_list_sort (g_hash_table_get_keys (facts), compare_keys);
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nFacts\n"));
  for (GList *l = keys; l != NULL; l = l->next)
    cli_print (cli, "  %s=%s\n", (char *) l->data, (char *) g_hash_table_lookup (facts, l->data));
}

/* Prints a checksum of the kernel text in the format of sha256sum, so that two results can be
 * compared with diff. */
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

  cli_kernel_to_json (cli, target);
  cli_json_string (cli->doc, "text_sum", sum);
  cli_print (cli, "%s  %s\n", sum, gilk_target_release (target));
  return TRUE;
}

static gboolean
load_modules (Cli *cli, GilkTarget *target, GError **error)
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

/* Shows and returns all checks of the target. @ways: (out) (optional) (transfer full): checks
 * whether the driver and whether BPF can hook its kernel */
static GArray *
examine_facts (Cli *cli, GilkTarget *target, const char *title, const Options *options, GArray **ways, GError **error)
{
  g_autoptr(GHashTable) facts = gilk_target_doctor (target, cli->cancellable, error);
  g_autoptr(GArray) found = NULL;
  GArray *checks;

  if (facts == NULL)
    return NULL;
  checks = gilk_doctor_run_checks (facts);
  found = gilk_doctor_list_ways (facts, checks);
  gilk_doctor_add_debug (cli->debug, target, facts, checks);
  cli_kernel_to_json (cli, target);
  show_checks (cli, "checks", title, checks);
  show_checks (cli, "ways", _("\nWays to hook the kernel"), found);
  show_facts (cli, facts, options->facts);
  if (ways != NULL)
    *ways = g_steal_pointer (&found);

  return checks;
}

static gboolean
is_possible (const GArray *ways, enum gilk_way way)
{
  const GilkCheck *check = gilk_doctor_way (ways, way);

  return check != NULL && check->state == GILK_CHECK_GOOD;
}

static gboolean
examine_target (Cli *cli, GilkTarget *target, const Options *options, GError **error)
{
  g_autofree char *title = g_strdup_printf (_("\n%s: %s"), cli->target, gilk_target_hostname (target));
  g_autoptr(GArray) ways = NULL;
  g_autoptr(GArray) checks = examine_facts (cli, target, title, options, &ways, error);
  gboolean by_ilk, by_bpf;

  if (checks == NULL)
    return FALSE;
  by_ilk = is_possible (ways, GILK_WAY_ILK);
  by_bpf = is_possible (ways, GILK_WAY_BPF);
  cli_json_bool (cli->doc, "ready", by_ilk || by_bpf);
  if (!by_ilk && !by_bpf)
    return cli_doctor_check (checks, cli->target, error);
  if (by_ilk)
    cli_print_tinted (cli, CLI_TINT_GOOD, _("\nReady: hooks can be armed on %s.\n"), cli->target);
  else
    cli_print_tinted (cli, CLI_TINT_GOOD, _("\nReady: hooks can be armed on %s by BPF (--by bpf), not by the driver.\n"), cli->target);

  return TRUE;
}

/* Examines this machine with an agent that does not run as root; it can read most facts. Called if
 * the local target cannot be opened; the caller then reports why. */
static void
examine_without_root (Cli *cli, const Options *options)
{
  g_autoptr(GilkTarget) target = gilk_doctor_open_without_root (cli->cancellable);
  g_autoptr(GArray) checks = NULL;

  if (target != NULL)
    checks = examine_facts (cli, target, _("\nThis machine (checks that need no root)"), options, NULL, NULL);
  cli_json_bool (cli->doc, "ready", FALSE);
  cli_print (cli, "\n");
  fflush (stdout);
}

gboolean
cmd_doctor (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "text-sum", 0, 0, G_OPTION_ARG_NONE, &options.text_sum,
      N_("Print only the SHA-256 of all live kernel and module text, without ilk's own"), NULL },
    { "load", 0, 0, G_OPTION_ARG_NONE, &options.load_modules,
      N_("Load the driver and all instruments first"), NULL },
    { "facts", 0, 0, G_OPTION_ARG_NONE, &options.facts, N_("Also show the facts behind each check"), NULL },
    { NULL },
  };
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GArray) ways = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("Exit code 0: hooks can be armed on the target, by the driver or by BPF."), 0, 0, &words, error))
    return FALSE;

  cli->keep_doc = TRUE;
  if (!options.text_sum)
    {
      ways = gilk_doctor_list_targets ("", geteuid () == 0);
      show_checks (cli, "connections", _("Connections to a kernel from this machine"), ways);
    }
  target = cli_open_target (cli, error);
  if (target == NULL && strcmp (cli->target, "local") == 0 && !options.text_sum)
    examine_without_root (cli, &options);
  if (target == NULL)
    return FALSE;
  if (options.load_modules && !load_modules (cli, target, error))
    {
      /* Show all checks of the target, because one of them explains why the driver could not be
       * loaded. */
      if (!options.text_sum)
        examine_target (cli, target, &options, NULL);
      return FALSE;
    }
  return options.text_sum ? print_text_sum (cli, target, error)
                          : examine_target (cli, target, &options, error);
}

/* ---- prints the doctor's checks, as text or JSON ---- */

void
cli_doctor_print (Cli *cli, const char *title, const GArray *checks)
{
  static const CliTint tints[] = { CLI_TINT_GOOD, CLI_TINT_DIM, CLI_TINT_WARN, CLI_TINT_BAD };
  static const char *const marks[] = { "ok", "-", "!", "NO" };

  cli_print_tinted (cli, CLI_TINT_BOLD, "%s\n", title);
  for (guint i = 0; i < checks->len; i++)
    {
      const GilkCheck *check = &g_array_index (checks, GilkCheck, i);
      g_autofree char *value = gilk_agent_translate (check->value);

      cli_print_tinted (cli, tints[check->state], "  %-3s", marks[check->state]);
      cli_print (cli, " %-13s %s\n", check->name, value);
      if (check->remedy != NULL)
        cli_print (cli, "                    %s\n", check->remedy);
      if (check->command != NULL)
        cli_print_tinted (cli, CLI_TINT_BOLD, "                    $ %s\n", check->command);
    }
}

void
cli_doctor_to_json (CliJson *json, const char *key, const GArray *checks)
{
  cli_json_array (json, key);
  for (guint i = 0; i < checks->len; i++)
    {
      const GilkCheck *check = &g_array_index (checks, GilkCheck, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "check", check->name);
      cli_json_string (json, "state", gilk_check_state_name (check->state));
      cli_json_string (json, "value", check->value);
      cli_json_string (json, "remedy", check->remedy);
      cli_json_string (json, "command", check->command);
      cli_json_end (json);
    }
  cli_json_end (json);
}

void
cli_doctor_facts_to_json (CliJson *json, const char *key, GHashTable *facts, const char *const *without)
{
  g_autoptr(GList) keys = g_list_sort (g_hash_table_get_keys (facts), compare_keys);

  cli_json_object (json, key);
  for (GList *l = keys; l != NULL; l = l->next)
    if (without == NULL || !g_strv_contains (without, l->data))
      cli_json_string (json, l->data, g_hash_table_lookup (facts, l->data));
  cli_json_end (json);
}

gboolean
cli_doctor_check (const GArray *checks, const char *target, GError **error)
{
  guint bad = gilk_doctor_n_bad (checks);

  if (bad == 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_DRIVER,
                    ngettext ("Hooks cannot be armed on %s: %u check failed; see its remedy.",
                              "Hooks cannot be armed on %s: %u checks failed; see their remedies.",
                              bad), target, bad);
}
