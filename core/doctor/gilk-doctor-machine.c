/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-machine.c - checks of the machine, and of other tools that change its kernel
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/doctor/gilk-doctor-private.h"

#define MEMORY_MIN (128ull << 20)     /* free memory for rings, arenas and the agent's backlog */

/* ---- other tools ---- */

/* The bits are those of Documentation/admin-guide/tainted-kernels.rst. */
void
gilk_doctor_check_taint (GilkDoctor *doctor)
{
  static const struct {
    guint       bit;
    char        letter;
    gboolean    hurt;                   /* the kernel is no longer reliable */
    const char *what;
  } known[] = {
    { 0, 'P', FALSE, N_("proprietary module") }, { 1, 'F', FALSE, N_("module force-loaded") },
    { 2, 'S', FALSE, N_("processor out of specification") }, { 3, 'R', FALSE, N_("module force-unloaded") },
    { 4, 'M', TRUE, N_("machine check") }, { 5, 'B', TRUE, N_("bad page") },
    { 6, 'U', FALSE, N_("set by a program") }, { 7, 'D', TRUE, N_("the kernel has had an oops or BUG") },
    { 8, 'A', FALSE, N_("ACPI table overridden") }, { 9, 'W', FALSE, N_("warning") },
    { 10, 'C', FALSE, N_("staging driver") }, { 11, 'I', FALSE, N_("firmware workaround") },
    { 12, 'O', FALSE, N_("out-of-tree module") }, { 13, 'E', FALSE, N_("unsigned module") },
    { 14, 'L', TRUE, N_("soft lockup") }, { 15, 'K', FALSE, N_("livepatch") },
    { 16, 'X', FALSE, N_("set by the distribution") }, { 17, 'T', FALSE, N_("randomized structure layout") },
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

void
gilk_doctor_check_other_tools (GilkDoctor *doctor)
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
                _("Gilk refuses the bytes that they own, with a named reason, and leaves them untouched; everything else "
                  "can be hooked."), NULL);
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("nothing else has modified the kernel's text"), NULL, NULL);
}

/* ---- the processor ---- */

static gboolean
has_mitigation (const GilkDoctor *doctor, const char *name, const char *word)
{
  g_autofree char *key = g_strconcat ("mitigation.", name, NULL);
  const char *text = gilk_doctor_fact (doctor, key);

  return text != NULL && strstr (text, word) != NULL;
}

/* The driver checks this, too, when it is loaded: ilk-machine.h. */
void
gilk_doctor_check_integrity (GilkDoctor *doctor)
{
  if (!gilk_doctor_fact_has (doctor, "config", "CFI_CLANG") && !gilk_doctor_fact_has (doctor, "config", "CFI"))
    return;
  gilk_doctor_report (doctor, GILK_CHECK_BAD, _("the kernel checks indirect calls (kCFI)"),
                      _("The driver refuses to load on this kernel, because it was not tested with kCFI: boot one that was "
                        "built without CONFIG_CFI_CLANG and CONFIG_CFI, or use a lab."), NULL);
}

/* Lists features that are untested because emulated CPUs lack them. */
void
gilk_doctor_check_untested (GilkDoctor *doctor)
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
              _("Gilk supports these features, but they are untested: run the self-test, and send the file."), "gilk selftest -o selftest.json");
}

/* Lists the mitigations that change the code of hooked functions. */
void
gilk_doctor_check_mitigations (GilkDoctor *doctor)
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

void
gilk_doctor_check_memory (GilkDoctor *doctor)
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

void
gilk_doctor_check_processors (GilkDoctor *doctor)
{
  const char *cpus = gilk_doctor_fact (doctor, "cpus"), *model = gilk_doctor_fact (doctor, "cpu_model");
  g_autofree char *value = NULL;

  if (cpus == NULL)
    return;
  value = g_strdup_printf ("%s x %s%s", cpus, model != NULL ? model : "x86-64",
                           gilk_doctor_fact_is (doctor, "hypervisor", "1") ? _(", virtual") : "");
  gilk_doctor_report (doctor, GILK_CHECK_NOTE, value, NULL, NULL);
}

void
gilk_doctor_check_preemption (GilkDoctor *doctor)
{
  if (gilk_doctor_fact (doctor, "preempt") != NULL)
    gilk_doctor_report (doctor, GILK_CHECK_NOTE, gilk_doctor_fact (doctor, "preempt"), NULL, NULL);
}

void
gilk_doctor_check_clock (GilkDoctor *doctor)
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
                  _("It may have found that the counters of the processors differ: see its log. Gilk compares them at "
                    "each run, and corrects times."), "sudo dmesg | grep -i tsc");
    }
  else
    gilk_doctor_report (doctor, GILK_CHECK_GOOD, _("constant time stamp counter"), NULL, NULL);
}
