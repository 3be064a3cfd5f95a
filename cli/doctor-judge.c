/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-judge.c - what follows from the facts about a machine, with remedies: one table
 *
 * The agent tells facts only; a fact that is missing could not be found out and
 * is passed over. BAD means that hooks cannot be armed, WARN that something will
 * be worse than it could be.
 */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor-private.h"

/* What is promised, and tried. */
#define LEAST_MAJOR 6
#define LEAST_MINOR 1
#define MOST_MAJOR  7
#define MOST_MINOR  3

/* ---- the kernel, and what the agent may see of it ---- */

static void
check_kernel (Doctor *doctor)
{
  const char *release = doctor_fact (doctor, "release");
  int major = 0, minor = 0;

  if (release == NULL)
    return;
  sscanf (release, "%d.%d", &major, &minor);
  if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR))
    doctor_say (doctor, CLI_CHECK_WARN, release,
                _("Gilk is made for Linux 6.1 and later. Boot a later kernel, or use a lab."), NULL);
  else if (major > MOST_MAJOR || (major == MOST_MAJOR && minor > MOST_MINOR))
    doctor_say (doctor, CLI_CHECK_WARN, release,
                _("It is later than 7.3, the last that Gilk was tried on. Let it test itself there before you rely "
                  "on it, and send the file."), "gilk selftest -o selftest.json");
  else
    doctor_say (doctor, CLI_CHECK_GOOD, release, NULL, NULL);
}

static void
check_architecture (Doctor *doctor)
{
  const char *machine = doctor_fact (doctor, "machine");

  if (machine != NULL && strcmp (machine, "x86_64") != 0)
    doctor_say (doctor, CLI_CHECK_BAD, machine,
                _("Gilk reads and writes x86-64 code only. Use a lab or another host."), NULL);
}

static void
check_rights (Doctor *doctor)
{
  const char *euid = doctor_fact (doctor, "euid");

  if (euid == NULL)
    return;
  if (strcmp (euid, "0") == 0)
    doctor_say (doctor, CLI_CHECK_GOOD, _("gilkd runs as root"), NULL, NULL);
  else
    doctor_say (doctor, CLI_CHECK_BAD, _("gilkd does not run as root"),
                _("Let it be started with pkexec or sudo, or as root over ssh."), "sudo -v");
}

static void
check_container (Doctor *doctor)
{
  if (doctor_is (doctor, "container", "1"))
    doctor_say (doctor, CLI_CHECK_BAD, _("inside a container"),
                _("A container shares its host's kernel and may not touch it. Run gilkd on the host, or use a lab."), NULL);
}

/* Then it is that which mends the rest, or tells more of it. */
static gboolean
is_no_root (const Doctor *doctor)
{
  return doctor_fact (doctor, "euid") != NULL && !doctor_is (doctor, "euid", "0");
}

static void
check_symbols (Doctor *doctor)
{
  const char *kallsyms = doctor_fact (doctor, "kallsyms");

  if (kallsyms == NULL || is_no_root (doctor))
    return;
  if (strcmp (kallsyms, "ok") == 0)
    doctor_say (doctor, CLI_CHECK_GOOD, kallsyms, NULL, NULL);
  else
    doctor_say (doctor, CLI_CHECK_BAD, kallsyms,
                _("The kernel hides its addresses from gilkd, which has to be root and to see them."),
                "sudo sysctl kernel.kptr_restrict=1");
}

static void
check_live_text (Doctor *doctor)
{
  const char *kcore = doctor_fact (doctor, "kcore");

  if (kcore == NULL || is_no_root (doctor))
    return;
  doctor_say (doctor, strcmp (kcore, "ok") == 0 ? CLI_CHECK_GOOD : CLI_CHECK_BAD, kcore,
              strcmp (kcore, "ok") == 0 ? NULL
              : _("The kernel's text is read from /proc/kcore: run gilkd as root, outside of containers, "
                  "without lockdown."), NULL);
}

static void
check_blacklist (Doctor *doctor)
{
  if (doctor_is (doctor, "debugfs", "0") && doctor_is (doctor, "euid", "0"))
    doctor_say (doctor, CLI_CHECK_WARN, _("debugfs is not mounted"),
                _("The kernel's list of what must not be probed is there."),
                "sudo mount -t debugfs debugfs /sys/kernel/debug");
}

static void
check_ftrace_sites (Doctor *doctor)
{
  if (doctor_is (doctor, "tracefs", "0") && doctor_is (doctor, "euid", "0"))
    doctor_say (doctor, CLI_CHECK_WARN, _("tracefs is not mounted"),
                _("The kernel's list of functions that can be traced is there."),
                "sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

/* ---- all of it ---- */

static const DoctorRow rows[] = {
  { "kernel", check_kernel },
  { "machine", check_architecture },
  { "rights", check_rights },
  { "container", check_container },
  { "lockdown", doctor_lockdown },
  { "secure-boot", doctor_secure_boot },
  { "modules", doctor_modules },
  { "signatures", doctor_signatures },
  { "symbols", check_symbols },
  { "live-text", check_live_text },
  { "blacklist", check_blacklist },
  { "ftrace-sites", check_ftrace_sites },
  { "driver", doctor_driver },
  { "headers", doctor_headers },
  { "compiler", doctor_compiler },
  { "others", doctor_others },
  { "taint", doctor_taint },
  { "untried", doctor_untried },
  { "mitigations", doctor_mitigations },
  { "memory", doctor_memory },
  { "processors", doctor_processors },
  { "preemption", doctor_preemption },
  { "clock", doctor_clock },
  { "counters", doctor_counters },
  { "crash-kernel", doctor_crash_kernel },
};

GArray *
cli_doctor_judge (GHashTable *facts)
{
  Doctor doctor = { g_array_new (FALSE, TRUE, sizeof (CliCheck)), facts, NULL };

  g_array_set_clear_func (doctor.checks, (GDestroyNotify) cli_check_clear);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      doctor.name = rows[i].name;
      rows[i].judge (&doctor);
    }
  return doctor.checks;
}
