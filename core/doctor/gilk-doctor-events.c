/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-events.c - checks event counters that programs can read, and the crash kernel
 */
#include <glib/gi18n.h>

#include "core/doctor/gilk-doctor-private.h"
#include "core/language/gilk-event-names.h"

void
gilk_doctor_check_counters (GilkDoctor *doctor)
{
  const char *text = gilk_doctor_fact (doctor, "counters");
  g_auto(GStrv) keys = NULL;
  g_autoptr(GString) names = g_string_new (NULL);

  if (text == NULL)
    return;
  keys = g_strsplit (text, " ", -1);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      const uint64_t key = g_ascii_strtoull (keys[i], NULL, 16);
      g_autofree char *name = key != 0 ? gilk_event_text (key) : NULL;

      if (name != NULL)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
  if (names->len > 0)
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, names->str, NULL, NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("no hardware counters"),
                _("Programs can still read software counters: event(task_clock), page_faults, context_switches, "
                  "migrations. A virtual machine has hardware counters if its host provides them."), NULL);
}

void
gilk_doctor_check_crash_kernel (GilkDoctor *doctor)
{
  if (gilk_doctor_fact (doctor, "crash_kernel") == NULL)
    return;
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, gilk_doctor_fact_is (doctor, "crash_kernel", "1") ? _("loaded: a crash writes a dump")
                                                                               : _("not loaded: a crash writes no dump"),
              NULL, NULL);
}
