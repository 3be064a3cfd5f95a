/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-modules.c - checks whether the ilk driver may be loaded, is installed, can be built
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/doctor/gilk-doctor-private.h"
#include "ilk/ilk-abi.h"

/* ---- permission to load ---- */

static gboolean
is_locked (const GilkDoctor *doctor)
{
  const char *lockdown = gilk_doctor_fact (doctor, "lockdown");

  return lockdown != NULL && strcmp (lockdown, "none") != 0;
}

void
gilk_doctor_check_lockdown (GilkDoctor *doctor)
{
  const char *lockdown = gilk_doctor_fact (doctor, "lockdown");
  const char *cmdline = gilk_doctor_fact (doctor, "cmdline");

  if (lockdown == NULL)
    return;
  if (!is_locked (doctor))
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, lockdown, NULL, NULL);
  else if (cmdline != NULL && strstr (cmdline, "lockdown=") != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_BAD, lockdown,
                _("A locked-down kernel must not be modified, and ilk refuses to load there, signed or not: remove "
                  "lockdown= from the kernel's command line and reboot, or use a lab."),
                "sudo sed -i 's/ *lockdown=[a-z]*//' /etc/default/grub && sudo update-grub");
  else if (gilk_doctor_fact_is (doctor, "secure_boot", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, lockdown,
                _("A kernel locked down by Secure Boot must not be modified, and ilk refuses to load there, signed or "
                  "not: turn off its validation and reboot, or use a lab."),
                "sudo mokutil --disable-validation");
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, lockdown,
                _("A locked-down kernel must not be modified, and ilk refuses to load there, signed or not: boot without "
                  "Secure Boot or without lockdown=, or use a lab."), NULL);
}

void
gilk_doctor_check_secure_boot (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "secure_boot", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("on"), NULL, NULL);
}

void
gilk_doctor_check_modules (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "modules_disabled", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("disabled until the next boot (kernel.modules_disabled)"),
                _("Until then neither ilk nor an instrument can be loaded, and a loaded ilk places no hooks: boot "
                  "without kernel.modules_disabled=1, or use a lab."),
                "grep -rl modules_disabled /etc/sysctl.conf /etc/sysctl.d");
}

/* Returns "sudo mokutil --import KEY". KEY is the machine owner key that DKMS signs with. */
static char *
make_enrol_command (const GilkDoctor *doctor)
{
  const char *key = gilk_doctor_fact (doctor, "mok_key");

  if (key != NULL)
    return g_strdup_printf ("sudo mokutil --import %s", key);
  return g_strdup ("sudo dkms generate_mok && sudo mokutil --import /var/lib/dkms/mok.pub");
}

void
gilk_doctor_check_signatures (GilkDoctor *doctor)
{
  const gboolean enforced = gilk_doctor_fact_is (doctor, "sig_enforce", "Y") ||
                            gilk_doctor_fact_has (doctor, "config", "MODULE_SIG_FORCE");
  const char *signer = gilk_doctor_fact (doctor, "driver_signer");
  g_autofree char *enrol = make_enrol_command (doctor);
  g_autofree char *value = NULL;

  if (is_locked (doctor))
    return;
  if (!enforced && gilk_doctor_fact (doctor, "driver_signed") != NULL)
    {
      value = gilk_doctor_fact_is (doctor, "driver_signed", "1")
              ? g_strdup_printf (_("not required; ilk.ko is signed by \"%s\""), signer != NULL ? signer : "?")
              : g_strdup (_("not required; ilk.ko is not signed"));
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
      return;
    }
  if (!enforced)
    return;
  if (gilk_doctor_fact_is (doctor, "driver_signed", "1") && gilk_doctor_fact_is (doctor, "driver_key_known", "1"))
    {
      value = g_strdup_printf (_("only signed modules are accepted; ilk.ko is signed by \"%s\""), signer);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
    }
  else if (gilk_doctor_fact_is (doctor, "driver_signed", "1"))
    {
      value = g_strdup_printf (_("only signed modules are accepted, and the kernel does not trust \"%s\", which signed "
                                 "ilk.ko"),
                               signer != NULL ? signer : "?");
      gilk_doctor_report (doctor, GILK_CHECK_BAD, value,
                  _("Enrol the key: choose a password, reboot, and enter it on the blue screen."),
                  enrol);
    }
  else if (gilk_doctor_fact_is (doctor, "driver_signed", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("only signed modules are accepted, and ilk.ko is not signed"),
                gilk_doctor_fact_is (doctor, "dkms_ilk", "1")
                ? _("Enrol the key that DKMS signs with, reboot, then let DKMS rebuild it (dkms install --force).")
                : _("Sign ilk.ko with a key that the kernel trusts, or boot without module.sig_enforce."),
                enrol);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("only signed modules are accepted"),
                _("Sign ilk.ko with a key that the kernel trusts, or boot without module.sig_enforce."), enrol);
}

/* ---- installed driver ---- */

/* Returns the distribution's command to install the kernel's headers. (transfer full) (nullable) */
static char *
make_headers_command (const GilkDoctor *doctor)
{
  static const struct {
    const char *distro, *words;
    gboolean    release;       /* append the kernel release to the package name */
  } known[] = {
    { "debian", "sudo apt install linux-headers-", TRUE },
    { "ubuntu", "sudo apt install linux-headers-", TRUE },
    { "fedora", "sudo dnf install kernel-devel-", TRUE },
    { "arch", "sudo pacman -S linux-headers", FALSE },
  };
  const char *distro = gilk_doctor_fact (doctor, "distro"), *release = gilk_doctor_fact (doctor, "release");

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (distro != NULL && release != NULL && strcmp (distro, known[i].distro) == 0)
      return g_strconcat (known[i].words, known[i].release ? release : "", NULL);
  return NULL;
}

static char *
make_dkms_command (const GilkDoctor *doctor)
{
  const char *release = gilk_doctor_fact (doctor, "release");

  return g_strdup_printf ("sudo dkms autoinstall -k %s", release != NULL ? release : "$(uname -r)");
}

static void
check_loaded_driver (GilkDoctor *doctor)
{
  const char *abi = gilk_doctor_fact (doctor, "driver_abi");
  const char *free_bytes = gilk_doctor_fact (doctor, "driver_arena_free");
  g_autofree char *size = NULL;
  g_autofree char *value = NULL;

  if (abi != NULL && g_ascii_strtoull (abi, NULL, 10) != ILK_ABI_VERSION)
    {
      value = g_strdup_printf (_("loaded, of another release (ABI %s, not %d)"), abi, ILK_ABI_VERSION);
      gilk_doctor_report (doctor, GILK_CHECK_BAD, value,
                  _("Unload it (and first the modules that use it) and load the one of this release of Gilk."), "sudo rmmod ilk");
    }
  else if (gilk_doctor_fact (doctor, "driver_poisoned") != NULL && !gilk_doctor_fact_is (doctor, "driver_poisoned", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("loaded, but can only restore"),
                _("It found kernel text in a state that it did not leave. Save the kernel log, disarm everything, then "
                  "unload and reload it."), "gilk disarm");
  else if (gilk_doctor_fact_is (doctor, "driver_locked", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("loaded, but can only restore (locked-down)"),
                gilk_refusal_remedy (ILK_REFUSAL_LOCKED_DOWN), NULL);
  else if (gilk_doctor_fact (doctor, "driver_bugs") != NULL && !gilk_doctor_fact_is (doctor, "driver_bugs", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("loaded, but found an internal error"),
                _("Disarm everything and reboot before you continue; please report the line \"ilk: defect\" of the "
                  "kernel log."),
                "gilk disarm");
  else
    {
      size = free_bytes != NULL ? g_format_size_full (g_ascii_strtoull (free_bytes, NULL, 10),
                                                      G_FORMAT_SIZE_IEC_UNITS) : g_strdup ("?");
      value = g_strdup_printf (_("loaded, %s free for code"), size);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
    }
}

void
gilk_doctor_check_driver (GilkDoctor *doctor)
{
  const char *file = gilk_doctor_fact (doctor, "driver_file");
  const gboolean headers = gilk_doctor_fact (doctor, "headers") != NULL;
  g_autofree char *value = NULL;
  g_autofree char *command = headers ? make_dkms_command (doctor) : make_headers_command (doctor);

  if (gilk_doctor_fact_is (doctor, "driver", "1"))
    check_loaded_driver (doctor);
  else if (file != NULL)
    {
      value = g_strdup_printf (_("not loaded, available from %s"), file);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
    }
  else if (gilk_doctor_fact_is (doctor, "dkms_ilk", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("ilk.ko is not built for this kernel"),
                headers ? _("DKMS has its source: run the build, and see its log if it fails.")
                        : _("DKMS has its source, and builds it once the kernel's headers are installed."), command);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("ilk.ko is not built for this kernel"),
                headers ? _("Install the package ilk-dkms, or build it from Gilk's source.")
                        : _("Install the kernel's headers, then the package ilk-dkms, or build it from Gilk's source."),
                headers ? "lab/lab build local" : command);
}

/* ---- build requirements ---- */

/* Returns TRUE if the driver is neither loaded nor installed. */
static gboolean
is_needed (const GilkDoctor *doctor)
{
  return gilk_doctor_fact (doctor, "driver_file") == NULL && !gilk_doctor_fact_is (doctor, "driver", "1");
}

/* Reports nothing if the headers are missing but not needed. */
void
gilk_doctor_check_headers (GilkDoctor *doctor)
{
  const char *headers = gilk_doctor_fact (doctor, "headers");
  g_autofree char *command = make_headers_command (doctor);

  if (headers != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, headers, NULL, NULL);
  else if (is_needed (doctor) && gilk_doctor_fact (doctor, "compiler") != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_WARN, _("not installed for this kernel"), _("Modules are built with them."), command);
  else if (gilk_doctor_fact_is (doctor, "dkms", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("not installed for this kernel"),
                _("The driver is built; it cannot be rebuilt without them."), command);
}

/* Returns the name of a compiler: "gcc-12" for "x86_64-linux-gnu-gcc-12 (Debian 12.2.0-14) 12.2.0".
 * (transfer full) (nullable) */
static char *
get_compiler_name (const char *text)
{
  const char *version = strrchr (text, ' ');
  guint64 major = version != NULL ? g_ascii_strtoull (version + 1, NULL, 10) : 0;
  const char *at;

  /* clang's version is in front of the parentheses */
  at = strstr (text, "clang version ");
  if (at != NULL)
    major = g_ascii_strtoull (at + strlen ("clang version "), NULL, 10);
  if (major == 0)
    return NULL;
  return g_strdup_printf ("%s-%" G_GUINT64_FORMAT, at != NULL ? "clang" : "gcc", (guint64) major);
}

void
gilk_doctor_check_compiler (GilkDoctor *doctor)
{
  const char *text = gilk_doctor_fact (doctor, "compiler"), *there = gilk_doctor_fact (doctor, "compilers");
  const gboolean needed = is_needed (doctor);
  const gboolean builds = needed && gilk_doctor_fact_is (doctor, "dkms_ilk", "1") && gilk_doctor_fact (doctor, "headers") != NULL;
  g_autofree char *name = text != NULL ? get_compiler_name (text) : NULL;
  g_autofree char *build = make_dkms_command (doctor);
  g_autofree char *value = NULL;
  g_autofree char *command = NULL;

  if (name == NULL || (!needed && gilk_doctor_fact (doctor, "headers") == NULL))
    return;
  command = g_strdup_printf ("sudo apt install %s%s%s%s", name, gilk_doctor_fact_is (doctor, "make", "0") ? " make" : "",
                             builds ? " && " : "", builds ? build : "");
  if (gilk_doctor_fact_has (doctor, "compilers", name) || gilk_doctor_fact_is (doctor, "gcc_default", name))
    {
      value = g_strdup_printf (_("%s, which built the kernel"), name);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
      return;
    }
  value = there == NULL || *there == '\0' ? g_strdup_printf (_("none found; the kernel was built with %s"), name)
                                          : g_strdup_printf (_("%s found, but the kernel was built with %s"), there, name);
  gilk_doctor_report (doctor, needed ? GILK_CHECK_WARN : GILK_CHECK_NOTE, value,
              _("Modules should be built with the compiler that built the kernel."), command);
}
