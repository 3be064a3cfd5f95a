/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-checks.c - facts, as checks ask for them, and what a check says
 */
#include "cli/doctor-checks.h"

#include <string.h>

#include "cli/doctor-private.h"

const char *
cli_check_state_name (CliCheckState state)
{
  static const char *const names[] = { "good", "note", "warn", "bad" };

  return names[state];
}

void
cli_check_clear (CliCheck *check)
{
  g_free (check->value);
  g_free (check->remedy);
  g_free (check->command);
}

const char *
doctor_fact (const Doctor *doctor, const char *key)
{
  return g_hash_table_lookup (doctor->facts, key);
}

gboolean
doctor_is (const Doctor *doctor, const char *key, const char *value)
{
  return g_strcmp0 (doctor_fact (doctor, key), value) == 0;
}

gboolean
doctor_has (const Doctor *doctor, const char *key, const char *word)
{
  const char *text = doctor_fact (doctor, key);
  g_auto(GStrv) words = text != NULL ? g_strsplit (text, " ", -1) : NULL;

  return words != NULL && g_strv_contains ((const char *const *) words, word);
}

guint64
doctor_number (const Doctor *doctor, const char *key)
{
  const char *text = doctor_fact (doctor, key);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
}

void
doctor_say (Doctor *doctor, CliCheckState state, const char *value, const char *remedy, const char *command)
{
  CliCheck check = { doctor->name, state, g_strdup (value), g_strdup (remedy), g_strdup (command) };

  g_array_append_val (doctor->checks, check);
}

guint
cli_doctor_n_bad (const GArray *checks)
{
  guint bad = 0;

  for (guint i = 0; i < checks->len; i++)
    bad += g_array_index (checks, CliCheck, i).state == CLI_CHECK_BAD;
  return bad;
}
