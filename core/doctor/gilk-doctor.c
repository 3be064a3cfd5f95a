/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor.c - looks up facts, and collects the results of checks
 */
#include "core/doctor/gilk-doctor.h"

#include "core/base/gilk-memory.h"
#include "core/doctor/gilk-doctor-private.h"

const char *
gilk_check_state_name (GilkCheckState state)
{
  static const char *const names[] = { "good", "note", "warn", "bad" };

  return names[state];
}

void
gilk_check_clear (GilkCheck *check)
{
  gilk_free_all (check->value, check->remedy, check->command);
}

const char *
gilk_doctor_fact (const GilkDoctor *doctor, const char *key)
{
  return g_hash_table_lookup (doctor->facts, key);
}

gboolean
gilk_doctor_fact_is (const GilkDoctor *doctor, const char *key, const char *value)
{
  return g_strcmp0 (gilk_doctor_fact (doctor, key), value) == 0;
}

gboolean
gilk_doctor_fact_has (const GilkDoctor *doctor, const char *key, const char *word)
{
  const char *text = gilk_doctor_fact (doctor, key);
  g_auto(GStrv) words = text != NULL ? g_strsplit (text, " ", -1) : NULL;

  return words != NULL && g_strv_contains ((const char *const *) words, word);
}

guint64
gilk_doctor_fact_number (const GilkDoctor *doctor, const char *key)
{
  const char *text = gilk_doctor_fact (doctor, key);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
}

void
gilk_doctor_report (GilkDoctor *doctor, GilkCheckState state, const char *value, const char *remedy, const char *command)
{
  GilkCheck check = { doctor->name, state, g_strdup (value), g_strdup (remedy), g_strdup (command) };

  g_array_append_val (doctor->checks, check);
}

guint
gilk_doctor_n_bad (const GArray *checks)
{
  guint bad = 0;

  for (guint i = 0; i < checks->len; i++)
    bad += g_array_index (checks, GilkCheck, i).state == GILK_CHECK_BAD;
  return bad;
}
