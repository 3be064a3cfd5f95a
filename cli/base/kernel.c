/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.c - chooses the target of a command, connects to it, loads its kernel's symbols, and
 * manages its lab
 */
#include "cli/base/kernel.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-build-dir.h"
#include "core/base/gilk-error.h"
#include "core/cfg/gilk-function.h"
#include "core/doctor/gilk-doctor.h"
#include "core/link/gilk-lab.h"

/* Selects BPF as the way to hook the kernel if the option --by says so; otherwise the driver stays
 * selected. */
static gboolean
choose_way (Cli *cli, GilkTarget *target, GError **error)
{
  if (cli->by == NULL || strcmp (cli->by, "ilk") == 0)
    return TRUE;

  return gilk_target_use (target, GILK_WAY_BPF, 0, cli->cancellable, error);
}

static gboolean
check_way (Cli *cli, GError **error)
{
  if (cli->by == NULL || strcmp (cli->by, "ilk") == 0 || strcmp (cli->by, "bpf") == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("Unknown argument \"%s\" of --by. Use --by ilk or --by bpf."), cli->by);

  return FALSE;
}

GilkTarget *
cli_open_target (Cli *cli, GError **error)
{
  GilkTarget *target;

  if (!check_way (cli, error) || !cli_choose_default_target (cli, error))
    return NULL;
  target = gilk_target_open (cli->target, cli_progress_for_core (cli->progress), cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (target == NULL)
    return NULL;
  if (!choose_way (cli, target, error))
    {
      gilk_target_unref (target);
      return NULL;
    }
  gilk_target_use_cache (target);
  cli_remember_target (cli);

  return target;
}

/* Checks the debug data given with --debug now, so that damaged data or data of another kernel are
 * an error before a run instead of after it. */
static gboolean
use_debug (Cli *cli, CliKernel *kernel, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autofree char *file = NULL;

  if (cli->debug == NULL)
    return TRUE;
  gilk_debug_use (gilk_image_debug (kernel->image), cli->debug);
  file = gilk_debug_file (gilk_image_debug (kernel->image), NULL, cli->cancellable, &local);
  if (file != NULL || (g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) && g_file_test (cli->debug, G_FILE_TEST_EXISTS)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

gboolean
cli_kernel_open (Cli *cli, CliKernel *kernel, GError **error)
{
  kernel->target = cli_open_target (cli, error);
  if (kernel->target == NULL)
    return FALSE;

  kernel->image = gilk_image_open (kernel->target, cli_progress_for_core (cli->progress),
                                   cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (kernel->image == NULL)
    return FALSE;

  if (!use_debug (cli, kernel, error))
    return FALSE;
  kernel->functions = gilk_functions_new (kernel->image);
  return TRUE;
}

void
cli_kernel_clear (CliKernel *kernel)
{
  g_clear_pointer (&kernel->functions, gilk_functions_unref);
  g_clear_pointer (&kernel->image, gilk_image_unref);
  g_clear_pointer (&kernel->target, gilk_target_unref);
}

void
cli_kernel_to_json (Cli *cli, GilkTarget *target)
{
  if (cli->doc == NULL)
    return;

  cli_json_string (cli->doc, "target", gilk_target_spec (target));
  cli_json_string (cli->doc, "hostname", gilk_target_hostname (target));
  cli_json_string (cli->doc, "release", gilk_target_release (target));
  cli_json_string (cli->doc, "build_id", gilk_target_build_id (target));
}

/* Finds why the driver cannot arm hooks on @target, and makes the target use BPF if that can, unless
 * --by says otherwise or the driver is loaded, whose live hooks only it knows. Returns whether hooks
 * can be armed. @why: (out) (nullable): the reason; NULL if the driver can, or if nothing is known */
static gboolean
find_way (Cli *cli, GilkTarget *target, char **why)
{
  g_autoptr(GHashTable) facts = NULL;
  g_autofree char *obstacle = NULL;

  *why = NULL;
  if (gilk_target_way (target) == GILK_WAY_BPF)
    return TRUE;
  facts = gilk_target_doctor (target, cli->cancellable, NULL);
  if (facts == NULL)
    return FALSE;
  *why = gilk_doctor_find_blocker (facts);
  if (*why == NULL)
    return TRUE;
  obstacle = gilk_doctor_find_obstacle (facts, GILK_WAY_BPF);
  if (obstacle != NULL || cli->by != NULL)
    return FALSE;

  return gilk_target_has_driver (target) || gilk_target_use (target, GILK_WAY_BPF, 0, cli->cancellable, NULL);
}

/* Works like find_way(), and prints the reason. */
static gboolean
choose_and_note (Cli *cli, GilkTarget *target, char **why)
{
  const gboolean ready = find_way (cli, target, why);

  if (*why != NULL && ready)
    cli_note (cli, _("Nothing can be armed by the driver on %s; gilk run uses kprobes with BPF programs instead. %s"), cli->target, *why);
  else if (*why != NULL)
    cli_note (cli, _("Nothing can be armed on %s. %s"), cli->target, *why);

  return ready;
}

void
cli_kernel_choose_way (Cli *cli, GilkTarget *target)
{
  g_autofree char *why = NULL;

  if (gilk_target_kernel_file (target) == NULL)
    choose_and_note (cli, target, &why);
}

void
cli_kernel_note_ready (Cli *cli, GilkTarget *target)
{
  g_autofree char *why = NULL;
  gboolean ready = FALSE;

  if (gilk_target_kernel_file (target) == NULL)
    ready = choose_and_note (cli, target, &why);
  else
    {
      why = g_strdup (_("This is the file of a kernel: code that a kernel patches at boot (ftrace, static "
                        "calls, jump labels, alternatives, return thunks) is as it was built."));
      cli_note (cli, _("Nothing can be armed on %s. %s"), cli->target, why);
    }
  if (cli->doc == NULL)
    return;

  cli_json_bool (cli->doc, "ready", ready);
  cli_json_string (cli->doc, "not_ready_reason", ready ? NULL : why);
}

const char *
cli_module_name (const CliKernel *kernel, const GilkFunction *function)
{
  return gilk_functions_module_name (kernel->functions, function);
}

uint64_t
cli_function_bytes (const GilkFunction *function)
{
  return function->hot.end - function->hot.start + function->cold.end - function->cold.start;
}

GilkCfg *
cli_kernel_cfg (const CliKernel *kernel, const char *name, GilkDecoder *decoder, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, name, error);

  return function != NULL ? gilk_cfg_new (kernel->functions, function, decoder, error) : NULL;
}

gboolean
cli_refuse (Cli *cli, const char *name, GilkRefusal refusal, GError **error)
{
  cli->refusal = refusal;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("%s cannot be hooked: %s %s"), name, gilk_refusal_cause (refusal),
               gilk_refusal_remedy (refusal));
  return FALSE;
}

char *
cli_symbolise (GilkSymbols *symbols, uint64_t addr)
{
  const GilkSymbol *symbol = symbols != NULL ? gilk_symbols_at (symbols, addr) : NULL;

  if (symbol == NULL)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) addr);
  if (symbol->addr == addr)
    return g_strdup (symbol->name);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", symbol->name,
                          (guint64) (addr - symbol->addr));
}

/*
 * Chooses the target of a command without --target.
 *
 * The last target named with --target is stored in a file in the user's home. If that target is a
 * lab (a virtual machine for tests), it is chosen only while it runs, because a command without
 * --target must not boot it.
 */

static char *
get_state_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "gilk", "target", NULL);
}

static gboolean
is_remembered (const char *spec)
{
  return strcmp (spec, "local") == 0 || g_str_has_prefix (spec, "ssh:") || gilk_lab_name (spec) != NULL;
}

/* Returns the stored target; NULL: none is stored, it is invalid, or it is a lab that is not
 * running. (transfer full) (nullable) */
static char *
read_last_target (void)
{
  g_autofree char *path = get_state_path (), *text = NULL;
  const char *lab;

  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_utf8_validate (text, -1, NULL))
    return NULL;
  g_strstrip (text);
  lab = gilk_lab_name (text);
  if (!is_remembered (text) || strpbrk (text, "\n\t ") != NULL || (lab != NULL && !gilk_lab_is_running (lab)))
    return NULL;

  return g_steal_pointer (&text);
}

/* Returns a running lab, such as "lab:6.1"; NULL: none is running. (transfer full) (nullable) */
static char *
find_running_lab (void)
{
  g_auto(GStrv) names = gilk_lab_list_running ();

  return names[0] != NULL ? g_strdup_printf ("lab:%s", names[0]) : NULL;
}

gboolean
cli_choose_default_target (Cli *cli, GError **error)
{
  char *target;

  if (cli->target_named)
    return TRUE;
  target = read_last_target ();
  if (target != NULL)
    {
      cli_note (cli, _("Target: %s, the last one used."), target);
    }
  else
    {
      target = find_running_lab ();
      if (target == NULL)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                       _("No target given, and no lab is running. Name one: --target local is this machine, --target "
                         "ssh:HOST another one, and --target lab starts a virtual machine."));
          return FALSE;
        }
      cli_note (cli, _("Target: %s, a running lab."), target);
    }
  g_free (cli->target);
  cli->target = target;
  cli->target_named = TRUE;

  return TRUE;
}

void
cli_remember_target (const Cli *cli)
{
  g_autofree char *path = get_state_path (), *folder = g_path_get_dirname (path);

  if (cli->targets == NULL || !is_remembered (cli->target))
    return;
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents (path, cli->target, -1, NULL);
}

/* ---- running lab/lab, the script that manages the labs ---- */

char *
cli_lab_script (void)
{
  g_autofree char *beside = gilk_source_dir_path ("lab/lab");
  const char *places[] = { g_getenv ("GILK_LAB"), beside, GILK_DATADIR "/lab/lab" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != NULL && g_file_test (places[i], G_FILE_TEST_IS_EXECUTABLE))
      return g_strdup (places[i]);
  return NULL;
}

gboolean
cli_lab (const char *const *words,
         char             **output,
         GCancellable      *cancellable,
         GError           **error)
{
  g_autofree char *script = cli_lab_script ();
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autofree char *text = NULL;

  if (script == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No lab found. The lab is part of Gilk's source: set $GILK_LAB to the "
                             "path of the file lab/lab in the source folder."));
      return FALSE;
    }
  g_ptr_array_add (argv, script);
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer) *words);
  g_ptr_array_add (argv, NULL);

  process = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE, error);
  if (process == NULL)
    return FALSE;
  if (!g_subprocess_communicate_utf8 (process, NULL, cancellable, &text, NULL, error))
    {
      g_subprocess_send_signal (process, SIGTERM);
      return FALSE;
    }
  if (!g_subprocess_get_successful (process))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("\"lab/lab %s\" failed; see its messages above."),
                   (const char *) g_ptr_array_index (argv, 1));
      return FALSE;
    }
  if (output != NULL)
    *output = g_strchomp (g_steal_pointer (&text));

  return TRUE;
}
