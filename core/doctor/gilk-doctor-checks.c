/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-checks.c - the table of checks
 *
 * The agent only sends facts. If a fact could not be determined, it is missing, and its check is
 * skipped. BAD means that hooks cannot be armed, WARN that something will work less well.
 */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/doctor/gilk-doctor-private.h"
#include "core/language/gilk-event-names.h"
#include "ilk/ilk-abi.h"

/* The range of kernel versions that are supported and tested. */
#define MIN_MAJOR 6
#define MIN_MINOR 1
#define MAX_MAJOR  7
#define MAX_MINOR  3

/* ---- checks whether the kernel allows loading the driver ---- */

static gboolean
is_locked (const GilkDoctor *doctor)
{
  const char *lockdown = gilk_doctor_fact (doctor, "lockdown");

  return lockdown != NULL && strcmp (lockdown, "none") != 0;
}

static void
check_lockdown (GilkDoctor *doctor)
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
                _("A kernel locked down by Secure Boot must not be modified, and ilk refuses to "
                  "load there, signed or not: turn off the validation of Secure Boot and reboot, "
                  "or use a lab."),
                "sudo mokutil --disable-validation");
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, lockdown,
                _("A locked-down kernel must not be modified, and ilk refuses to load there, signed or not: boot without "
                  "Secure Boot or without lockdown=, or use a lab."), NULL);
}

static void
check_secure_boot (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "secure_boot", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("on"), NULL, NULL);
}

static void
check_modules (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "modules_disabled", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("module loading is disabled until the next boot "
                                                  "(kernel.modules_disabled)"),
                _("Until the next boot, neither ilk nor an instrument can be loaded, and a "
                  "loaded ilk places no hooks. Boot without kernel.modules_disabled=1, or use a "
                  "lab."),
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

static void
check_signatures (GilkDoctor *doctor)
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
              ? g_strdup_printf (_("signatures are not required; ilk.ko is signed by \"%s\""),
                                 signer != NULL ? signer : "?")
              : g_strdup (_("signatures are not required; ilk.ko is not signed"));
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
                  _("Enrol the key: choose a password, reboot, and enter that password on the "
                    "blue screen."),
                  enrol);
    }
  else if (gilk_doctor_fact_is (doctor, "driver_signed", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("only signed modules are accepted, and ilk.ko is not signed"),
                gilk_doctor_fact_is (doctor, "dkms_ilk", "1")
                ? _("Enrol the key that DKMS signs with, reboot, then let DKMS rebuild ilk (dkms "
                    "install --force).")
                : _("Sign ilk.ko with a key that the kernel trusts, or boot without module.sig_enforce."),
                enrol);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("only signed modules are accepted"),
                _("Sign ilk.ko with a key that the kernel trusts, or boot without module.sig_enforce."), enrol);
}

/* ---- checks whether the driver is installed ---- */

/* Returns the distribution's command to install the kernel's headers. (transfer full) (nullable) */
static char *
make_headers_command (const GilkDoctor *doctor)
{
  static const struct {
    const char *distro, *words;
    gboolean    release;       /* the kernel release is part of the package name */
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
      value = g_strdup_printf (_("the loaded driver is of another release (ABI %s, not %d)"),
                               abi, ILK_ABI_VERSION);
      gilk_doctor_report (doctor, GILK_CHECK_BAD, value,
                  _("Unload the modules that use ilk, then ilk itself, and load the ilk of this "
                    "release of Gilk."), "sudo rmmod ilk");
    }
  else if (gilk_doctor_fact (doctor, "driver_poisoned") != NULL && !gilk_doctor_fact_is (doctor, "driver_poisoned", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("the loaded driver can only restore kernel text"),
                _("The driver found kernel text that is not as the driver left it. Save the "
                  "kernel log, disarm everything, then unload and reload the driver."),
                "gilk disarm");
  else if (gilk_doctor_fact_is (doctor, "driver_locked", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("the loaded driver can only restore kernel text (locked-down)"),
                gilk_refusal_remedy (ILK_REFUSAL_LOCKED_DOWN), NULL);
  else if (gilk_doctor_fact (doctor, "driver_bugs") != NULL && !gilk_doctor_fact_is (doctor, "driver_bugs", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("the loaded driver found an internal error"),
                _("Disarm everything and reboot before you continue; please report the line \"ilk: defect\" of the "
                  "kernel log."),
                "gilk disarm");
  else
    {
      size = free_bytes != NULL ? g_format_size_full (g_ascii_strtoull (free_bytes, NULL, 10),
                                                      G_FORMAT_SIZE_IEC_UNITS) : g_strdup ("?");
      value = g_strdup_printf (_("loaded, %s free for the code of hooks"), size);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
    }
}

static void
check_driver (GilkDoctor *doctor)
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
                headers ? _("DKMS has the source of ilk.ko: run the build; if the build fails, "
                            "see its log.")
                        : _("DKMS has the source of ilk.ko, and builds it once the kernel's "
                            "headers are installed."), command);
  else
    gilk_doctor_report (doctor, GILK_CHECK_BAD, _("ilk.ko is not built for this kernel"),
                headers ? _("Install the package ilk-dkms, or build it from Gilk's source.")
                        : _("Install the kernel's headers, then the package ilk-dkms, or build it from Gilk's source."),
                headers ? "lab/lab build local" : command);
}

/* ---- checks what is needed to build the driver ---- */

/* Returns TRUE if the driver is neither loaded nor installed. */
static gboolean
is_needed (const GilkDoctor *doctor)
{
  return gilk_doctor_fact (doctor, "driver_file") == NULL && !gilk_doctor_fact_is (doctor, "driver", "1");
}

/* Checks for the kernel's headers. Reports nothing if they are missing but not needed. */
static void
check_headers (GilkDoctor *doctor)
{
  const char *headers = gilk_doctor_fact (doctor, "headers");
  g_autofree char *command = make_headers_command (doctor);

  if (headers != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, headers, NULL, NULL);
  else if (is_needed (doctor) && gilk_doctor_fact (doctor, "compiler") != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_WARN, _("the headers of this kernel are not installed"),
                        _("The kernel's headers are needed to build modules."), command);
  else if (gilk_doctor_fact_is (doctor, "dkms", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("the headers of this kernel are not installed"),
                _("The driver is built; it cannot be rebuilt without the kernel's headers."),
                command);
}

/* Returns the name of a compiler: "gcc-12" for "x86_64-linux-gnu-gcc-12 (Debian 12.2.0-14) 12.2.0".
 * (transfer full) (nullable) */
static char *
get_compiler_name (const char *text)
{
  const char *version = strrchr (text, ' ');
  guint64 major = version != NULL ? g_ascii_strtoull (version + 1, NULL, 10) : 0;
  const char *at;

  at = strstr (text, "clang version ");
  if (at != NULL)
    major = g_ascii_strtoull (at + strlen ("clang version "), NULL, 10);
  if (major == 0)
    return NULL;
  return g_strdup_printf ("%s-%" G_GUINT64_FORMAT, at != NULL ? "clang" : "gcc", (guint64) major);
}

/* Returns the distribution's command to install a compiler such as "gcc-12", and make if it is
 * missing. The command then runs @then, unless @then is NULL. (transfer full) (nullable) */
static char *
make_compiler_command (const GilkDoctor *doctor, const char *compiler, const char *then)
{
  static const struct {
    const char *distro, *words;
    gboolean    numbered;      /* packages of compilers have the version in their names */
  } known[] = {
    { "debian", "sudo apt install", TRUE }, { "ubuntu", "sudo apt install", TRUE },
    { "fedora", "sudo dnf install", FALSE }, { "arch", "sudo pacman -S", FALSE },
  };
  const char *distro = gilk_doctor_fact (doctor, "distro");
  const gsize length = strcspn (compiler, "-");

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (distro == NULL || strcmp (distro, known[i].distro) == 0)
      return g_strdup_printf ("%s %.*s%s%s%s", known[i].words, (int) (known[i].numbered ? strlen (compiler) : length), compiler,
                              gilk_doctor_fact_is (doctor, "make", "0") ? " make" : "", then != NULL ? " && " : "",
                              then != NULL ? then : "");
  return NULL;
}

static void
check_compiler (GilkDoctor *doctor)
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
  command = make_compiler_command (doctor, name, builds ? build : NULL);
  if (gilk_doctor_fact_has (doctor, "compilers", name) || gilk_doctor_fact_is (doctor, "gcc_default", name))
    {
      value = g_strdup_printf (_("%s, which built the kernel"), name);
      gilk_doctor_report (doctor, GILK_CHECK_GOOD, value, NULL, NULL);
      return;
    }
  value = there == NULL || *there == '\0' ? g_strdup_printf (_("no compiler found; the kernel was built with %s"),
                                                             name)
                                          : g_strdup_printf (_("%s found, but the kernel was built with %s"), there, name);
  gilk_doctor_report (doctor, needed ? GILK_CHECK_WARN : GILK_CHECK_NOTE, value,
              _("Modules should be built with the compiler that built the kernel."), command);
}

/* ---- the machine, and other tools that change its kernel ---- */

#define MEMORY_MIN (128ull << 20)     /* minimum free memory, for rings, arenas and the agent's
                                       * backlog */

/* ---- checks for other tools that change the kernel ---- */

/* Checks the kernel's taint bits, which are described in
 * Documentation/admin-guide/tainted-kernels.rst. */
static void
check_taint (GilkDoctor *doctor)
{
  static const struct {
    guint       bit;
    char        letter;
    gboolean    hurt;                   /* a kernel with this taint bit is not reliable */
    const char *what;
  } known[] = {
    { 0, 'P', FALSE, N_("proprietary module") }, { 1, 'F', FALSE, N_("module force-loaded") },
    { 2, 'S', FALSE, N_("processor out of specification") }, { 3, 'R', FALSE, N_("module force-unloaded") },
    { 4, 'M', TRUE, N_("machine check") }, { 5, 'B', TRUE, N_("bad page") },
    { 6, 'U', FALSE, N_("taint set by a program") }, { 7, 'D', TRUE, N_("the kernel has had an oops or BUG") },
    { 8, 'A', FALSE, N_("ACPI table overridden") }, { 9, 'W', FALSE, N_("warning") },
    { 10, 'C', FALSE, N_("staging driver") }, { 11, 'I', FALSE, N_("firmware workaround") },
    { 12, 'O', FALSE, N_("out-of-tree module") }, { 13, 'E', FALSE, N_("unsigned module") },
    { 14, 'L', TRUE, N_("soft lockup") }, { 15, 'K', FALSE, N_("livepatch") },
    { 16, 'X', FALSE, N_("taint set by the distribution") }, { 17, 'T', FALSE, N_("randomized structure layout") },
    { 18, 'N', FALSE, N_("in-kernel test") },
  };
  const guint64 taint = gilk_doctor_fact_number (doctor, "taint");
  g_autoptr(GString) letters = g_string_new (NULL);
  g_autoptr(GString) words = g_string_new (NULL);
  gboolean hurt = FALSE;

  if (taint == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (taint & (1ull << known[i].bit))
      {
        g_string_append_c (letters, known[i].letter);
        g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", _(known[i].what));
        hurt |= known[i].hurt;
      }
  g_string_append_printf (letters, " (%s)", words->str);
  gilk_doctor_report (doctor, hurt ? GILK_CHECK_WARN : GILK_CHECK_NOTE, letters->str,
              hurt ? _("This kernel is no longer reliable: reboot before you use it.") : NULL,
              hurt ? "sudo reboot" : NULL);
}

static void
add_count (GString *list, guint64 count, const char *words)
{
  if (count > 0)
    g_string_append_printf (list, "%s%" G_GUINT64_FORMAT " %s", list->len > 0 ? ", " : "", (guint64) count, words);
}

static void
check_other_tools (GilkDoctor *doctor)
{
  const guint64 kprobes = gilk_doctor_fact_number (doctor, "kprobes"), traced = gilk_doctor_fact_number (doctor, "ftrace");
  const guint64 direct = MIN (gilk_doctor_fact_number (doctor, "ftrace_direct"), traced);
  const char *livepatch = gilk_doctor_fact (doctor, "livepatch"), *tracer = gilk_doctor_fact (doctor, "tracer");
  g_autoptr(GString) list = g_string_new (NULL);

  if (gilk_doctor_fact (doctor, "kprobes") == NULL && livepatch == NULL && tracer == NULL)
    return;
  add_count (list, kprobes, ngettext ("kprobe", "kprobes", (gulong) kprobes));
  add_count (list, traced - direct, ngettext ("traced function", "traced functions", (gulong) (traced - direct)));
  add_count (list, direct, ngettext ("function with a BPF trampoline", "functions with BPF trampolines", (gulong) direct));
  if (tracer != NULL && strcmp (tracer, "nop") != 0)
    g_string_append_printf (list, _("%stracer %s"), list->len > 0 ? ", " : "", tracer);
  if (livepatch != NULL && *livepatch != '\0')
    g_string_append_printf (list, _("%slivepatch %s"), list->len > 0 ? ", " : "", livepatch);
  if (list->len > 0)
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, list->str,
                _("Gilk leaves the bytes that other tools own untouched: hooks there are refused, with a named "
                  "reason. Everything else can be hooked."), NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("nothing else has modified the kernel's text"), NULL, NULL);
}

/* ---- checks of the processor ---- */

static gboolean
has_mitigation (const GilkDoctor *doctor, const char *name, const char *word)
{
  g_autofree char *key = g_strconcat ("mitigation.", name, NULL);
  const char *text = gilk_doctor_fact (doctor, key);

  return text != NULL && strstr (text, word) != NULL;
}

/* Checks that the kernel does not use kCFI. The driver makes the same check (ilk-machine.h). */
static void
check_integrity (GilkDoctor *doctor)
{
  if (!gilk_doctor_fact_has (doctor, "config", "CFI_CLANG") && !gilk_doctor_fact_has (doctor, "config", "CFI"))
    return;
  gilk_doctor_report (doctor, GILK_CHECK_BAD, _("the kernel checks indirect calls (kCFI)"),
                      _("The driver refuses to load on this kernel, because the driver was not "
                        "tested with kCFI: boot a kernel that was built without CONFIG_CFI_CLANG "
                        "and CONFIG_CFI, or use a lab."), NULL);
}

/* Lists the processor's features with which Gilk is untested, because emulated CPUs lack them. */
static void
check_untested (GilkDoctor *doctor)
{
  g_autoptr(GString) list = g_string_new (NULL);

  if (gilk_doctor_fact_has (doctor, "cpu_flags", "ibt"))
    g_string_append (list, _("indirect-branch tracking (IBT), "));
  if (gilk_doctor_fact_has (doctor, "cpu_flags", "fred"))
    g_string_append (list, "FRED, ");
  if (has_mitigation (doctor, "retbleed", "Stuffing"))
    g_string_append (list, _("call depth tracking (retbleed=stuff), "));
  if (list->len == 0)
    return;
  g_string_truncate (list, list->len - 2);
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, list->str,
              _("Gilk supports these features, but they are untested: run the self-test, and "
                "send its report, selftest.json."), "gilk selftest -o selftest.json");
}

/* Lists the mitigations that change the code of hooked functions. */
static void
check_mitigations (GilkDoctor *doctor)
{
  static const struct {
    const char *name, *word, *shown;
  } known[] = {
    { "spectre_v2", "Retpolines", "retpolines" },
    { "retbleed", "untrained return thunk", "untrained return thunks" },
    { "retbleed", "Stuffing", "call depth tracking" },
    { "spec_rstack_overflow", "Safe RET", "safe return thunks" },
    { "indirect_target_selection", "Mitigation", "ITS thunks" },
    { "meltdown", "PTI", "page table isolation" },
  };
  g_autoptr(GString) list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (has_mitigation (doctor, known[i].name, known[i].word))
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", known[i].shown);
  if (list->len > 0)
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, list->str, NULL, NULL);
}

static void
check_memory (GilkDoctor *doctor)
{
  const guint64 total = gilk_doctor_fact_number (doctor, "memory_total"), left = gilk_doctor_fact_number (doctor, "memory_free");
  g_autofree char *all = g_format_size_full (total, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *some = g_format_size_full (left, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *value = g_strdup_printf (_("%s free of %s"), some, all);

  if (gilk_doctor_fact (doctor, "memory_free") == NULL)
    return;
  gilk_doctor_report (doctor, left < MEMORY_MIN ? GILK_CHECK_WARN : GILK_CHECK_GOOD, value,
              left < MEMORY_MIN ? _("Rings will be small and samples may be lost: close some programs, or keep only "
                                    "the end of a recording (--ring-mode=overwrite).") : NULL, NULL);
}

static void
check_processors (GilkDoctor *doctor)
{
  const char *cpus = gilk_doctor_fact (doctor, "cpus"), *model = gilk_doctor_fact (doctor, "cpu_model");
  g_autofree char *value = NULL;

  if (cpus == NULL)
    return;
  value = g_strdup_printf ("%s x %s%s", cpus, model != NULL ? model : "x86-64",
                           gilk_doctor_fact_is (doctor, "hypervisor", "1") ? _(", virtual") : "");
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, value, NULL, NULL);
}

static void
check_preemption (GilkDoctor *doctor)
{
  if (gilk_doctor_fact (doctor, "preempt") != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, gilk_doctor_fact (doctor, "preempt"), NULL, NULL);
}

static void
check_clock (GilkDoctor *doctor)
{
  const char *source = gilk_doctor_fact (doctor, "clocksource");

  if (gilk_doctor_fact (doctor, "tsc") == NULL)
    return;
  if (!gilk_doctor_fact_is (doctor, "tsc", "1"))
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, _("the time stamp counter does not have a guaranteed constant rate"),
                _("Times of samples may drift; counts are still exact."), NULL);
  else if (gilk_doctor_fact_is (doctor, "hypervisor", "0") && source != NULL && strcmp (source, "tsc") != 0)
    {
      g_autofree char *value = g_strdup_printf (_("the kernel itself uses %s, not the time stamp counter"), source);

      gilk_doctor_report (doctor, GILK_CHECK_NOTE, value,
                  _("The kernel may have found that the time stamp counters of the processors "
                    "differ: see the kernel log. Gilk compares the counters at each run, and "
                    "corrects times."), "sudo dmesg | grep -i tsc");
    }
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("constant time stamp counter"), NULL, NULL);
}

/* ---- checks of event counters and crash dumps ---- */

static void
check_counters (GilkDoctor *doctor)
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
                _("Programs can still read software counters with event(): task_clock, "
                  "page_faults, context_switches and migrations. A virtual machine has hardware "
                  "counters if its host provides them."), NULL);
}

static void
check_crash_kernel (GilkDoctor *doctor)
{
  if (gilk_doctor_fact (doctor, "crash_kernel") == NULL)
    return;
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, gilk_doctor_fact_is (doctor, "crash_kernel", "1") ? _("loaded: a crash writes a dump")
                                                                               : _("not loaded: a crash writes no dump"),
              NULL, NULL);
}

/* ---- checks of the kernel, and of the agent's access to it ---- */

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
                _("This kernel is newer than 7.3, the last that Gilk was tested on. Run the "
                  "self-test before you rely on this kernel, and send the report, selftest.json."),
                "gilk selftest -o selftest.json");
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

/* Returns whether the agent runs without root. If it does, checks that would fail only for lack of
 * root report nothing. */
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
                _("The kernel hides the addresses of its symbols from gilkd. Run gilkd as root, "
                  "and set kernel.kptr_restrict to 1 or 0."),
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
                _("debugfs contains the kernel's list of functions that must not be probed."),
                "sudo mount -t debugfs debugfs /sys/kernel/debug");
}

static void
check_ftrace_sites (GilkDoctor *doctor)
{
  if (gilk_doctor_fact_is (doctor, "tracefs", "0") && gilk_doctor_fact_is (doctor, "euid", "0"))
    gilk_doctor_report (doctor, GILK_CHECK_WARN, _("tracefs is not mounted"),
                _("tracefs contains the kernel's list of functions that can be traced."),
                "sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

/* ---- the table of all checks ---- */

static const GilkDoctorRow rows[] = {
  { "kernel", check_kernel },
  { "machine", check_architecture },
  { "rights", check_rights },
  { "container", check_container },
  { "lockdown", check_lockdown },
  { "secure-boot", check_secure_boot },
  { "modules", check_modules },
  { "signatures", check_signatures },
  { "symbols", check_symbols },
  { "live-text", check_live_text },
  { "blacklist", check_blacklist },
  { "ftrace-sites", check_ftrace_sites },
  { "driver", check_driver },
  { "headers", check_headers },
  { "compiler", check_compiler },
  { "others", check_other_tools },
  { "taint", check_taint },
  { "integrity", check_integrity },
  { "untried", check_untested },
  { "mitigations", check_mitigations },
  { "memory", check_memory },
  { "processors", check_processors },
  { "preemption", check_preemption },
  { "clock", check_clock },
  { "counters", check_counters },
  { "crash-kernel", check_crash_kernel },
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
