/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-test.c - tests an instrument of the user's own in the lab
 *
 * Recording and reporting run gilk itself, as a user would.
 */
#include "cli/instrument/instrument.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/base/lab-script.h"
#include "cli/base/output.h"
#include "core/store/gilk-store.h"

typedef struct {
  Cli        *cli;
  const char *lab;              /* name of the lab */
  char       *module;           /* file of the module; @name is without ilk- and .ko */
  char       *name;
  char       *in_lab;           /* path in the lab where gilkd finds the module */
  char       *work;             /* temporary folder */
  char       *session;
} Trial;

static void
trial_clear (Trial *trial)
{
  if (trial->session != NULL)
    g_unlink (trial->session);
  if (trial->work != NULL)
    g_rmdir (trial->work);
  g_free (trial->module);
  g_free (trial->name);
  g_free (trial->in_lab);
  g_free (trial->work);
  g_free (trial->session);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trial, trial_clear)

/* Runs a shell command in the lab. */
static gboolean
in_lab (const Trial *trial, const char *command, char **output, GError **error)
{
  const char *const words[] = { "exec", trial->lab, command, NULL };

  return cli_lab (words, output, trial->cli->cancellable, error);
}

/* Counts lines of the kernel's log that report a problem. */
static gboolean
count_complaints (const Trial *trial, guint *count, GError **error)
{
  g_autofree char *output = NULL;

  if (!in_lab (trial, "dmesg | grep -cE 'BUG:|WARNING:|Oops|general protection|rcu.*stall|soft lockup' || true",
               &output, error))
    return FALSE;
  *count = (guint) g_ascii_strtoull (output, NULL, 10);

  return TRUE;
}

/* "/…/ilk-bytes.ko" is the module of instrument "bytes". */
static gboolean
build_module (Trial *trial, const char *folder, GError **error)
{
  const char *const words[] = { "module", trial->lab, folder, NULL };
  g_autofree char *file = NULL;

  if (!cli_lab (words, &trial->module, trial->cli->cancellable, error))
    return FALSE;
  file = g_path_get_basename (trial->module);
  if (!g_str_has_prefix (file, "ilk-") || !g_str_has_suffix (file, ".ko"))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The module of an instrument must be named ilk-NAME.ko, not %s. See the Kbuild that \"gilk "
                     "instrument new\" creates."), file);
      return FALSE;
    }
  trial->name = g_strndup (file + strlen ("ilk-"), strlen (file) - strlen ("ilk-.ko"));

  return TRUE;
}

/* Installs the module in the lab. Unloads an older build, which would be used otherwise. */
static gboolean
install_module (Trial *trial, GError **error)
{
  g_autofree char *release = NULL, *prepare = NULL;

  if (!in_lab (trial, "uname -r", &release, error))
    return FALSE;
  trial->in_lab = g_strdup_printf ("/usr/lib/gilk/modules/%s/ilk-%s.ko", release, trial->name);
  prepare = g_strdup_printf ("mkdir -p /usr/lib/gilk/modules/%s; rmmod ilk-%s 2>/dev/null; "
                             "! grep -q \"^$(echo ilk-%s | tr - _) \" /proc/modules", release, trial->name, trial->name);
  if (!in_lab (trial, prepare, NULL, error))
    {
      g_prefix_error (error, _("ilk-%s is in use by a run in the lab. "), trial->name);
      return FALSE;
    }

  const char *const words[] = { "push", trial->lab, trial->module, trial->in_lab, NULL };

  return cli_lab (words, NULL, trial->cli->cancellable, error);
}

/* Runs gilk with @words; @flags select where its output goes, by default to our own. */
static gboolean
run_gilk (const Trial *trial, const char *const *words, GSubprocessFlags flags, GError **error)
{
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autofree char *target = g_strdup_printf ("--target=lab:%s", trial->lab);

  g_ptr_array_add (argv, (gpointer) "/proc/self/exe");
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer) *words);
  g_ptr_array_add (argv, target);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const char *const *) argv->pdata, flags, error);
  if (process == NULL)
    return FALSE;
  if (!g_subprocess_wait (process, trial->cli->cancellable, error))
    {
      /* lets gilk restore the kernel before it exits */
      g_subprocess_send_signal (process, SIGINT);
      g_subprocess_wait (process, NULL, NULL);
      return FALSE;
    }
  if (g_subprocess_get_successful (process))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("Instrument %s failed in the lab; see the messages above."),
               trial->name);

  return FALSE;
}

static gboolean
record_run (Trial *trial, const char *hook, const char *duration, GError **error)
{
  g_autofree char *point = g_strdup_printf ("%s:%s", hook, trial->name);
  const char *const words[] = { "run", "--hook", point, "--for", duration, "-o", trial->session, "--quiet", NULL };
  gboolean done;

  /* Keeps the kernel busy: reads files in a loop, without writing any. */
  if (!in_lab (trial, "(while :; do cat /proc/self/maps >/dev/null; done) >/dev/null 2>&1 & echo $! >/tmp/instrument.pid",
               NULL, error))
    return FALSE;
  done = run_gilk (trial, words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, error);

  return in_lab (trial, "kill $(cat /tmp/instrument.pid); rm /tmp/instrument.pid", NULL, done ? error : NULL) && done;
}

static void
add_to_document (const Trial *trial, const GilkStoredHook *hook)
{
  CliJson *json = trial->cli->doc;

  if (json == NULL)
    return;
  cli_json_string (json, "instrument", trial->name);
  cli_json_string (json, "lab", trial->lab);
  cli_json_uint (json, "stored", hook->stored);
  cli_json_uint (json, "lost", hook->lost);
  cli_json_uint (json, "missed", hook->missed);
}

/* Checks that the run's only hook was hit. */
static gboolean
check_hit (const Trial *trial, const char *point, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (trial->session, NULL, error);
  g_autoptr(GArray) hooks = store != NULL ? gilk_store_hooks (store, 1, error) : NULL;
  const GilkStoredHook *hook;

  if (hooks == NULL)
    return FALSE;
  hook = hooks->len > 0 ? &g_array_index (hooks, GilkStoredHook, 0) : NULL;
  if (hook != NULL && hook->hits + hook->stored + hook->lost + hook->missed > 0)
    {
      add_to_document (trial, hook);
      return TRUE;
    }
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               _("%s made no sample at %s while files were read. Choose a point that is hit with --hook, or check why "
                 "the instrument does not call ilk_sample()."), trial->name, point);

  return FALSE;
}

static gboolean
report_result (const Trial *trial, const char *point, GError **error)
{
  const char *const words[] = { "report", trial->session, NULL };

  return (trial->cli->json || run_gilk (trial, words, G_SUBPROCESS_FLAGS_NONE, error)) && check_hit (trial, point, error);
}

static gboolean
remove_module (Trial *trial, GError **error)
{
  g_autofree char *command = g_strdup_printf ("rmmod ilk-%s && rm %s", trial->name, trial->in_lab);

  if (in_lab (trial, command, NULL, error))
    return TRUE;
  g_prefix_error (error, _("Cannot unload ilk-%s from the lab's kernel. "), trial->name);

  return FALSE;
}

static gboolean
test_instrument (Trial *trial, const char *folder, const char *hook, const char *duration, GError **error)
{
  const char *const boot[] = { "boot", trial->lab, NULL };
  guint before = 0, after = 0;
  gboolean done;

  if (!cli_lab (boot, NULL, trial->cli->cancellable, error) || !build_module (trial, folder, error) ||
      !count_complaints (trial, &before, error) || !install_module (trial, error))
    return FALSE;
  done = record_run (trial, hook, duration, error) && report_result (trial, hook, error);
  if (!remove_module (trial, done ? error : NULL) || !done || !count_complaints (trial, &after, error))
    return FALSE;
  if (after > before)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                   _("The lab's kernel logged a problem while %s ran. See: lab/lab log %s"), trial->name, trial->lab);
      return FALSE;
    }
  cli_note (trial->cli, _("%s was hit, accounted for every sample, and was unloaded.\n"), trial->name);

  return TRUE;
}

gboolean
cli_instrument_test (Cli *cli, const char *folder, const char *hook, const char *duration, GError **error)
{
  g_auto(Trial) trial = { .cli = cli };

  if (strcmp (cli->target, "lab") == 0)
    trial.lab = "6.1";
  else if (g_str_has_prefix (cli->target, "lab:"))
    trial.lab = cli->target + strlen ("lab:");
  else
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Instruments are tested in a lab, for example lab:6.1, not on %s: an error in one can crash the "
                     "kernel. \"gilk instrument install\" builds it for this machine."), cli->target);
      return FALSE;
    }
  if (!cli_instrument_folder (folder, error))
    return FALSE;
  trial.work = g_dir_make_tmp ("gilk-instrument-XXXXXX", error);
  if (trial.work == NULL)
    return FALSE;
  trial.session = g_build_filename (trial.work, "trial.gilk", NULL);

  return test_instrument (&trial, folder, hook, duration, error);
}
