/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-checks.c - what follows from the facts about a machine, with remedies
 *
 * The agent tells facts only; a fact that is missing could not be found out and
 * is passed over. BAD means that hooks cannot be armed, WARN that something will
 * be worse than it could be.
 */
#include "cli/doctor-checks.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/gilk-refusal.h"
#include "ilk/ilk-abi.h"

typedef struct {
  GArray     *checks;
  GHashTable *facts;
} Doctor;

const char *
cli_check_state_name (CliCheckState state)
{
  static const char *const names[] = { "good", "note", "warn", "bad" };

  return names[state];
}

static void
clear_check (gpointer data)
{
  CliCheck *check = data;

  g_free (check->value);
  g_free (check->remedy);
  g_free (check->command);
}

static void
add (Doctor *doctor, const char *name, CliCheckState state, const char *value, const char *remedy)
{
  CliCheck check = { name, state, g_strdup (value), g_strdup (remedy), NULL };

  g_array_append_val (doctor->checks, check);
}

static const char *
fact (const Doctor *doctor, const char *key)
{
  return g_hash_table_lookup (doctor->facts, key);
}

static gboolean
is_fact (const Doctor *doctor, const char *key, const char *value)
{
  return g_strcmp0 (fact (doctor, key), value) == 0;
}

static void
check_kernel (Doctor *doctor)
{
  const char *release = fact (doctor, "release");
  const char *machine = fact (doctor, "machine");
  int major = 0, minor = 0;
  gboolean known;

  if (release != NULL)
    {
      sscanf (release, "%d.%d", &major, &minor);
      known = major == 6 && minor >= 1 && minor <= 12;
      add (doctor, "kernel", known ? CLI_CHECK_GOOD : CLI_CHECK_WARN, release,
           known ? NULL : _("Gilk is verified on 6.1 to 6.12. Try \"gilk scan\" and \"gilk plan check\" "
                            "first, or use a lab."));
    }
  if (machine != NULL && strcmp (machine, "x86_64") != 0)
    add (doctor, "machine", CLI_CHECK_BAD, machine,
         _("Gilk reads and writes x86-64 code only. Use a lab or another host."));
}

static void
check_rights (Doctor *doctor)
{
  const char *euid = fact (doctor, "euid");

  if (euid != NULL)
    add (doctor, "rights", strcmp (euid, "0") == 0 ? CLI_CHECK_GOOD : CLI_CHECK_BAD,
         strcmp (euid, "0") == 0 ? _("gilkd runs as root") : _("gilkd does not run as root"),
         strcmp (euid, "0") == 0 ? NULL : _("Let it be started with pkexec or sudo, or as root over ssh."));
  if (is_fact (doctor, "container", "1"))
    add (doctor, "container", CLI_CHECK_BAD, _("inside a container"),
         _("A container shares its host's kernel and may not touch it. Run gilkd on the host, or use a lab."));
}

static void
check_reading (Doctor *doctor)
{
  const char *kallsyms = fact (doctor, "kallsyms");
  const char *kcore = fact (doctor, "kcore");

  if (kallsyms != NULL)
    add (doctor, "symbols", strcmp (kallsyms, "ok") == 0 ? CLI_CHECK_GOOD : CLI_CHECK_BAD, kallsyms,
         strcmp (kallsyms, "ok") == 0 ? NULL
         : _("As root: sysctl kernel.kptr_restrict=1, and run gilkd as root."));
  if (kcore != NULL)
    add (doctor, "live-text", strcmp (kcore, "ok") == 0 ? CLI_CHECK_GOOD : CLI_CHECK_BAD, kcore,
         strcmp (kcore, "ok") == 0 ? NULL
         : _("The kernel's text is read from /proc/kcore: run gilkd as root, outside of containers, "
             "without lockdown."));
  if (is_fact (doctor, "debugfs", "0"))
    add (doctor, "blacklist", CLI_CHECK_WARN, _("debugfs is not mounted"),
         _("The kernel's list of what must not be probed is there: mount -t debugfs debugfs /sys/kernel/debug"));
  if (is_fact (doctor, "tracefs", "0"))
    add (doctor, "ftrace-sites", CLI_CHECK_WARN, _("tracefs is not mounted"),
         _("mount -t tracefs tracefs /sys/kernel/tracing"));
}

static void
check_policy (Doctor *doctor)
{
  const char *lockdown = fact (doctor, "lockdown");
  gboolean locked = lockdown != NULL && strcmp (lockdown, "none") != 0;
  gboolean enforced = is_fact (doctor, "sig_enforce", "Y");

  if (lockdown != NULL)
    add (doctor, "lockdown", locked ? CLI_CHECK_BAD : CLI_CHECK_GOOD, lockdown,
         locked ? _("A locked-down kernel may not be modified, and ilk refuses to load there, signed or not: boot "
                    "without Secure Boot or without lockdown=, or use a lab.")
                : NULL);
  if (is_fact (doctor, "secure_boot", "1"))
    add (doctor, "secure-boot", CLI_CHECK_NOTE, _("on"),
         locked ? NULL : _("If ilk.ko is refused, enrol the key it is signed with (mokutil --import KEY.der)."));
  if (is_fact (doctor, "modules_disabled", "1"))
    add (doctor, "modules", CLI_CHECK_BAD, _("disabled until the next boot (kernel.modules_disabled)"),
         _("Until then neither ilk nor an instrument loads, and a loaded ilk places no hooks: boot again without "
           "kernel.modules_disabled=1, or use a lab."));
  if (enforced && !locked)
    add (doctor, "signatures", CLI_CHECK_BAD, _("only signed modules load"),
         _("Sign ilk.ko with a key the kernel trusts, or boot without module.sig_enforce."));
}

static void
check_loaded_driver (Doctor *doctor)
{
  const char *abi = fact (doctor, "driver_abi");
  const char *free_bytes = fact (doctor, "driver_arena_free");
  g_autofree char *size = NULL;
  g_autofree char *value = NULL;

  if (abi != NULL && g_ascii_strtoull (abi, NULL, 10) != ILK_ABI_VERSION)
    {
      value = g_strdup_printf (_("loaded, of another release (ABI %s, not %d)"), abi, ILK_ABI_VERSION);
      add (doctor, "driver", CLI_CHECK_BAD, value,
           _("Unload it (rmmod ilk, and what uses it first) and load the one that belongs to this gilk."));
    }
  else if (fact (doctor, "driver_poisoned") != NULL && !is_fact (doctor, "driver_poisoned", "0"))
    add (doctor, "driver", CLI_CHECK_BAD, _("loaded, but does nothing but restore"),
         _("It found kernel text in a state it had not left. Save the kernel log, run \"gilk disarm\", then "
           "unload and load it again."));
  else if (is_fact (doctor, "driver_locked", "1"))
    add (doctor, "driver", CLI_CHECK_BAD, _("loaded, but does nothing but restore (locked-down)"),
         gilk_refusal_remedy (ILK_REFUSAL_LOCKED_DOWN));
  else if (fact (doctor, "driver_bugs") != NULL && !is_fact (doctor, "driver_bugs", "0"))
    add (doctor, "driver", CLI_CHECK_BAD, _("loaded, but found a defect of its own"),
         _("Disarm everything and reboot before you go on; please report the line \"ilk: defect\" of the kernel log."));
  else
    {
      size = free_bytes != NULL ? g_format_size_full (g_ascii_strtoull (free_bytes, NULL, 10),
                                                      G_FORMAT_SIZE_IEC_UNITS) : g_strdup ("?");
      value = g_strdup_printf (_("loaded, %s free for code"), size);
      add (doctor, "driver", CLI_CHECK_GOOD, value, NULL);
    }
}

static void
check_driver (Doctor *doctor)
{
  const char *file = fact (doctor, "driver_file");
  g_autofree char *value = NULL;

  if (is_fact (doctor, "driver", "1"))
    check_loaded_driver (doctor);
  else if (file != NULL)
    {
      value = g_strdup_printf (_("not loaded, will be from %s"), file);
      add (doctor, "driver", CLI_CHECK_GOOD, value, NULL);
    }
  else
    add (doctor, "driver", CLI_CHECK_BAD, _("ilk.ko is not built for this kernel"),
         fact (doctor, "headers") != NULL
         ? _("Build it: lab/lab build local")
         : _("Install the kernel's headers (apt install linux-headers-amd64), then build it: lab/lab build local"));
}

static void
check_machine (Doctor *doctor)
{
  const char *cpus = fact (doctor, "cpus");
  const char *model = fact (doctor, "cpu_model");
  const char *preempt = fact (doctor, "preempt");
  g_autofree char *value = NULL;

  if (cpus != NULL)
    {
      value = g_strdup_printf ("%s x %s%s", cpus, model != NULL ? model : "x86-64",
                               is_fact (doctor, "hypervisor", "1") ? _(", virtual") : "");
      add (doctor, "processors", CLI_CHECK_NOTE, value, NULL);
    }
  if (preempt != NULL)
    add (doctor, "preemption", CLI_CHECK_NOTE, preempt, NULL);
  if (fact (doctor, "tsc") != NULL)
    {
      gboolean steady = is_fact (doctor, "tsc", "1");

      add (doctor, "clock", steady ? CLI_CHECK_GOOD : CLI_CHECK_NOTE,
           steady ? _("constant time stamp counter")
                  : _("the time stamp counter does not promise a constant rate"),
           steady ? NULL : _("Times of samples may drift; counts are exact all the same."));
    }
}

GArray *
cli_doctor_judge (GHashTable *facts)
{
  Doctor doctor = { g_array_new (FALSE, TRUE, sizeof (CliCheck)), facts };

  g_array_set_clear_func (doctor.checks, clear_check);
  check_kernel (&doctor);
  check_rights (&doctor);
  check_policy (&doctor);
  check_reading (&doctor);
  check_driver (&doctor);
  check_machine (&doctor);
  return doctor.checks;
}

static gboolean
have_program (const char *name)
{
  g_autofree char *path = g_find_program_in_path (name);

  return path != NULL;
}

GArray *
cli_doctor_ways (void)
{
  Doctor doctor = { g_array_new (FALSE, TRUE, sizeof (CliCheck)), NULL };
  gboolean qemu = have_program ("qemu-system-x86_64");
  gboolean root = geteuid () == 0;
  gboolean lift = have_program ("pkexec") || have_program ("sudo");

  g_array_set_clear_func (doctor.checks, clear_check);
  add (&doctor, "lab", qemu ? CLI_CHECK_GOOD : CLI_CHECK_WARN,
       !qemu ? _("QEMU is missing")
       : access ("/dev/kvm", R_OK | W_OK) == 0 ? _("QEMU, with /dev/kvm if it works")
       : _("QEMU, without hardware help"),
       qemu ? NULL : _("apt install qemu-system-x86"));
  add (&doctor, "local", root || lift ? CLI_CHECK_GOOD : CLI_CHECK_WARN,
       root ? _("as root") : lift ? _("gilkd is started with pkexec or sudo") : _("no way to become root"),
       root || lift ? NULL : _("apt install pkexec or sudo, or use a lab"));
  add (&doctor, "ssh", have_program ("ssh") ? CLI_CHECK_GOOD : CLI_CHECK_WARN,
       have_program ("ssh") ? _("ssh:HOST, with your own ssh") : _("ssh is missing"),
       have_program ("ssh") ? NULL : _("apt install openssh-client"));
  return doctor.checks;
}

guint
cli_doctor_n_bad (const GArray *checks)
{
  guint bad = 0;

  for (guint i = 0; i < checks->len; i++)
    bad += g_array_index (checks, CliCheck, i).state == CLI_CHECK_BAD;
  return bad;
}
