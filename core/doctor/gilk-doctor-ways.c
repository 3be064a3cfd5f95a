/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-ways.c - checks which of the two ways to hook the kernel are possible: by the driver,
 * and by BPF programs at the kernel's own probes
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/doctor/gilk-doctor-private.h"

/* Names of checks whose failure prevents hooks by BPF as well as hooks by the driver. */
static const char *const needed_by_both[] = { "machine", "rights", "container", "symbols", "live-text", NULL };

/* Returns the first check in state BAD. @names: (nullable): names of the checks to look at; NULL:
 * all */
static const GilkCheck *
find_bad (const GArray *checks, const char *const *names)
{
  for (guint i = 0; i < checks->len; i++)
    {
      const GilkCheck *check = &g_array_index (checks, GilkCheck, i);

      if (check->state == GILK_CHECK_BAD && (names == NULL || g_strv_contains (names, check->name)))
        return check;
    }

  return NULL;
}

static void
report_blocked (GilkDoctor *doctor, const GilkCheck *blocker)
{
  g_autofree char *value = g_strdup_printf (_("not possible: %s: %s"), blocker->name, blocker->value);

  gilk_doctor_report (doctor, GILK_CHECK_BAD, value, blocker->remedy, blocker->command);
}

static void
check_driver_way (GilkDoctor *doctor, const GArray *checks)
{
  const GilkCheck *blocker = find_bad (checks, NULL);

  if (blocker != NULL)
    report_blocked (doctor, blocker);
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("possible: hooks by the driver, which cost least and can also "
                                                   "change the kernel"),
                        NULL, NULL);
}

static void
report_bpf_error (GilkDoctor *doctor, const char *error)
{
  const gboolean denied = strcmp (error, g_strerror (EPERM)) == 0 || strcmp (error, "Operation not permitted") == 0;
  g_autofree char *value = g_strdup_printf (_("not possible: the kernel loads no BPF program for kprobes (%s)"), error);

  if (gilk_doctor_fact_is (doctor, "lockdown", "confidentiality"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("not possible: the kernel is locked down for confidentiality"),
                        _("Such a kernel lets no program read its memory: boot with lockdown=integrity or without lockdown, "
                          "or use a lab."), NULL);
  else if (denied)
    gilk_doctor_report (doctor, GILK_CHECK_BAD, value,
                        _("The kernel does not let gilkd use BPF or kprobes: run it as root, outside of containers."), NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, value,
                        _("Boot a kernel with CONFIG_BPF_SYSCALL, CONFIG_KPROBE_EVENTS and CONFIG_BPF_EVENTS, or use the "
                          "driver."), NULL);
}

/* Checks whether hooks by BPF are possible. Reports nothing if the agent is too old to test BPF. */
static void
check_bpf_way (GilkDoctor *doctor, const GArray *checks)
{
  const char *bpf = gilk_doctor_fact (doctor, "bpf");
  const GilkCheck *blocker = find_bad (checks, needed_by_both);

  if (bpf == NULL)
    return;
  if (blocker != NULL)
    report_blocked (doctor, blocker);
  else if (strcmp (bpf, "ok") != 0)
    report_bpf_error (doctor, bpf);
  else if (gilk_doctor_fact_is (doctor, "kprobes_enabled", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("not possible: all kprobes are switched off"),
                        _("No kprobe has hits until kprobes are switched on again."),
                        "echo 1 | sudo tee /sys/kernel/debug/kprobes/enabled");
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("possible: kprobes with BPF programs, which only observe and need no module"),
                        NULL, NULL);
}

static void
append_word (GString *text, const char *word)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", word);
}

/* Lists, by the kernel's own names, the features and settings that decide whether hooks by the
 * driver and by BPF are possible. */
static void
check_features (GilkDoctor *doctor)
{
  static const char *const settings[] = { "lockdown", "modules_disabled", "sig_enforce", "perf_event_paranoid" };
  g_autoptr(GString) text = g_string_new (NULL);

  append_word (text, gilk_doctor_fact_is (doctor, "btf", "1") ? "BTF" : _("no BTF"));
  append_word (text, gilk_doctor_fact_is (doctor, "kprobes_enabled", "0") ? _("kprobes off") : "kprobes");
  append_word (text, gilk_doctor_fact_is (doctor, "bpf", "ok") ? "BPF" : _("no BPF"));
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      const char *value = gilk_doctor_fact (doctor, settings[i]);
      g_autofree char *word = value != NULL ? g_strdup_printf ("%s=%s", settings[i], value) : NULL;

      if (word != NULL)
        append_word (text, word);
    }
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, text->str,
                      gilk_doctor_fact_is (doctor, "btf", "0")
                        ? _("Without BTF, programs know no types of the kernel: give debug data with --debug.") : NULL, NULL);
}

GArray *
gilk_doctor_list_ways (GHashTable *facts, const GArray *checks)
{
  GilkDoctor doctor = { g_array_new (FALSE, TRUE, sizeof (GilkCheck)), facts, NULL };

  g_array_set_clear_func (doctor.checks, (GDestroyNotify) gilk_check_clear);
  doctor.name = gilk_way_name (GILK_WAY_ILK);
  check_driver_way (&doctor, checks);
  doctor.name = gilk_way_name (GILK_WAY_BPF);
  check_bpf_way (&doctor, checks);
  doctor.name = "features";
  check_features (&doctor);

  return doctor.checks;
}

const GilkCheck *
gilk_doctor_way (const GArray *ways, enum gilk_way way)
{
  for (guint i = 0; i < ways->len; i++)
    if (strcmp (g_array_index (ways, GilkCheck, i).name, gilk_way_name (way)) == 0)
      return &g_array_index (ways, GilkCheck, i);

  return NULL;
}

char *
gilk_doctor_find_obstacle (GHashTable *facts, enum gilk_way way)
{
  g_autoptr(GArray) checks = gilk_doctor_run_checks (facts);
  g_autoptr(GArray) ways = gilk_doctor_list_ways (facts, checks);
  const GilkCheck *check = gilk_doctor_way (ways, way);

  if (check == NULL || check->state != GILK_CHECK_BAD)
    return NULL;

  return check->remedy != NULL ? g_strdup_printf ("%s. %s", check->value, check->remedy) : g_strdup_printf ("%s.", check->value);
}
