/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-show.c - prints the doctor's checks, as text or JSON
 */
#include "cli/look/doctor-show.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/link/gilk-answers.h"

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

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
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
  g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
               ngettext ("Hooks cannot be armed on %s: %u check failed; see its remedy.",
                         "Hooks cannot be armed on %s: %u checks failed; see their remedies.",
                         bad), target, bad);
  return FALSE;
}
