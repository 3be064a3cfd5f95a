/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-checks.c - the table of checks, and checks that need no file of their own
 *
 * The agent only sends facts. If a fact could not be determined, it is missing, and its check is
 * skipped. BAD means that hooks cannot be armed, WARN that something will work less well.
 */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "core/doctor/gilk-doctor-private.h"

/* Supported and tested kernel versions. */
#define MIN_MAJOR 6
#define MIN_MINOR 1
#define MAX_MAJOR  7
#define MAX_MINOR  3

/* ---- the kernel, and the agent's access to it ---- */

static void
check_kernel (GilkDoctor *doctor)
{
  const char *release = gilk_doctor_fact (doctor, "release");
  int major = 0, minor = 0;

  if (release == NULL)
    return;
  sscanf (release, "%d.%d", &major, &minor);
  if (major < MIN_MAJOR || (major == MIN_MAJOR && minor < MIN_MINOR))
    gilk_doctor_report (doctor, GILK_CHECK_WARN, release,
                _("Gilk needs Linux 6.1 or later. Boot a later kernel, or use a lab."), NULL);
  else if (major > MAX_MAJOR || (major == MAX_MAJOR && minor > MAX_MINOR))
    gilk_doctor_report (doctor, GILK_CHECK_WARN, release,
                _("This kernel is newer than 7.3, the last that Gilk was tested on. Run the self-test before you rely on "
                  "it, and send the file."), "gilk selftest -o selftest.json");
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, release, NULL, NULL);
}

static void
check_architecture (GilkDoctor *doctor)
{
  const char *machine = gilk_doctor_fact (doctor, "machine");

  if (machine != NULL && strcmp (machine, "x86_64") != 0)
    gilk_doctor_report (doctor, GILK_CHECK_BAD, machine,
                _("Gilk supports only x86-64. Use a lab or another host."), NULL);
}

static void
check_rights (GilkDoctor *doctor)
{
  const char *euid = gilk_doctor_fact (doctor, "euid");

  if (euid == NULL)
    return;
  if (strcmp (euid, "0") == 0)
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("gilkd runs as root"), NULL, NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("gilkd does not run as root"),
                _("Start it with pkexec or sudo, or as root over ssh."), "sudo -v");
}

static void
check_container (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "container", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("in a container"),
                _("A container shares its host's kernel and must not modify it. Run gilkd on the host, or use a lab."), NULL);
}

/* Returns whether root is missing. If so, other checks report nothing: as root their findings may
 * disappear. */
static gboolean
lacks_root (const GilkDoctor *doctor)
{
  return gilk_doctor_fact (doctor, "euid") != NULL && !gilk_doctor_fact_is (doctor, "euid", "0");
}

static void
check_symbols (GilkDoctor *doctor)
{
  const char *kallsyms = gilk_doctor_fact (doctor, "kallsyms");

  if (kallsyms == NULL || lacks_root (doctor))
    return;
  if (strcmp (kallsyms, "ok") == 0)
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, kallsyms, NULL, NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, kallsyms,
                _("The kernel hides the addresses of its symbols from gilkd, which must run as root and see them."),
                "sudo sysctl kernel.kptr_restrict=1");
}

static void
check_live_text (GilkDoctor *doctor)
{
  const char *kcore = gilk_doctor_fact (doctor, "kcore");

  if (kcore == NULL || lacks_root (doctor))
    return;
  gilk_doctor_report (doctor, strcmp (kcore, "ok") == 0 ? GILK_CHECK_GOOD : GILK_CHECK_BAD, kcore,
              strcmp (kcore, "ok") == 0 ? NULL
              : _("Kernel text is read from /proc/kcore: run gilkd as root, outside of containers, without lockdown."), NULL);
}

static void
check_blacklist (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "debugfs", "0") && gilk_doctor_fact_is (doctor, "euid", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_WARN, _("debugfs is not mounted"),
                _("It contains the kernel's list of functions that must not be probed."),
                "sudo mount -t debugfs debugfs /sys/kernel/debug");
}

static void
check_ftrace_sites (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "tracefs", "0") && gilk_doctor_fact_is (doctor, "euid", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_WARN, _("tracefs is not mounted"),
                _("It contains the kernel's list of functions that can be traced."),
                "sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

/* ---- all checks ---- */

static const GilkDoctorRow rows[] = {
  { "kernel", check_kernel },
  { "machine", check_architecture },
  { "rights", check_rights },
  { "container", check_container },
  { "lockdown", gilk_doctor_check_lockdown },
  { "secure-boot", gilk_doctor_check_secure_boot },
  { "modules", gilk_doctor_check_modules },
  { "signatures", gilk_doctor_check_signatures },
  { "symbols", check_symbols },
  { "live-text", check_live_text },
  { "blacklist", check_blacklist },
  { "ftrace-sites", check_ftrace_sites },
  { "driver", gilk_doctor_check_driver },
  { "headers", gilk_doctor_check_headers },
  { "compiler", gilk_doctor_check_compiler },
  { "others", gilk_doctor_check_other_tools },
  { "taint", gilk_doctor_check_taint },
  { "integrity", gilk_doctor_check_integrity },
  { "untried", gilk_doctor_check_untested },
  { "mitigations", gilk_doctor_check_mitigations },
  { "memory", gilk_doctor_check_memory },
  { "processors", gilk_doctor_check_processors },
  { "preemption", gilk_doctor_check_preemption },
  { "clock", gilk_doctor_check_clock },
  { "counters", gilk_doctor_check_counters },
  { "crash-kernel", gilk_doctor_check_crash_kernel },
};

GArray *
gilk_doctor_run_checks (GHashTable *facts)
{
  GilkDoctor doctor = { g_array_new (FALSE, TRUE, sizeof (GilkCheck)), facts, NULL };

  g_array_set_clear_func (doctor.checks, (GDestroyNotify) gilk_check_clear);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      doctor.name = rows[i].name;
      rows[i].check (&doctor);
    }
  return doctor.checks;
}

char *
gilk_doctor_find_blocker (GHashTable *facts)
{
  g_autoptr(GArray) checks = gilk_doctor_run_checks (facts);

  for (guint i = 0; i < checks->len; i++)
    {
      const GilkCheck *check = &g_array_index (checks, GilkCheck, i);

      if (check->state == GILK_CHECK_BAD)
        return check->remedy != NULL ? g_strdup_printf ("%s: %s. %s", check->name, check->value, check->remedy)
                                     : g_strdup_printf ("%s: %s.", check->name, check->value);
    }
  return NULL;
}
