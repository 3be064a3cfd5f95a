/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-instrument.c - gilk instrument: creates, tests and installs an instrument of the user's own
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"
#include "cli/instrument/instrument.h"
#include "core/store/gilk-store.h"

/* ---- gilk instrument install ---- */

/* ---- builds: the Makefile in the instrument's folder does the work ---- */

/* Adds sudo or pkexec in front of a command, unless this process already runs as root. */
static gboolean
add_root_command (GPtrArray *argv, GError **error)
{
  static const char *const ways[] = { "sudo", "pkexec" };

  if (geteuid () == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_find_program_in_path (ways[i]);

      if (path == NULL)
        continue;
      g_ptr_array_add (argv, (gpointer) ways[i]);
      return TRUE;
    }
  return gilk_fail (error, GILK_ERROR_PERMISSION,
                    _("Installing modules needs root, and neither sudo nor pkexec was found. Run the same command "
                      "as root."));
}

/* Runs make -C @folder @goal; with @as_root as root. */
static gboolean
run_make (Cli *cli, const char *folder, const char *goal, gboolean as_root, GError **error)
{
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  const char *const words[] = { "make", "--no-print-directory", "-s", "-C", whole, goal, NULL };

  if (as_root && !add_root_command (argv, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  process = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, error);
  if (process == NULL || !g_subprocess_wait (process, cli->cancellable, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("\"make %s\" failed in %s; see its messages above."), goal, folder);
}

/* Checks prerequisites, to report better errors than make would. */
static gboolean
check_machine (GError **error)
{
  static const char *const programs[] = { "make", "gcc" };
  struct utsname kernel;
  g_autofree char *headers = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path = g_find_program_in_path (programs[i]);

      if (path != NULL)
        continue;
      return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                        _("Cannot build a module without %s. Install it: apt install build-essential"), programs[i]);
    }
  if (uname (&kernel) != 0)
    kernel.release[0] = '\0';
  headers = g_strdup_printf ("/lib/modules/%s/build/Makefile", kernel.release);
  if (g_file_test (headers, G_FILE_TEST_EXISTS))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("Cannot build a module: the headers of this kernel are not installed. Install them: apt "
                      "install linux-headers-%s"),
                    kernel.release);
}

/* Returns whether DKMS builds the driver on this machine. Only then can DKMS also build
 * instruments. */
static gboolean
has_dkms (void)
{
  g_autofree char *program = g_find_program_in_path ("dkms");
  g_autofree char *beside = program == NULL ? g_find_program_in_path ("/usr/sbin/dkms") : NULL;

  return (program != NULL || beside != NULL) && g_file_test ("/var/lib/dkms/ilk", G_FILE_TEST_IS_DIR);
}

/**
 * install_instrument:
 * @folder: created by "gilk instrument new".
 * Builds the module and installs it where gilkd finds it. If DKMS builds the driver, DKMS also
 * builds the module, for this kernel and later ones; otherwise the module is built for this kernel
 * only. Commands that need root are run with sudo or pkexec.
 */
static gboolean
install_instrument (Cli *cli, const char *folder, GError **error)
{
  gboolean dkms = has_dkms ();

  if (!cli_instrument_folder (folder, error) || !check_machine (error))
    return FALSE;
  /* Build without root first, so that build errors appear before a password is asked for. */
  if (!run_make (cli, folder, "all", FALSE, error) || !run_make (cli, folder, dkms ? "dkms" : "install", TRUE, error))
    return FALSE;

  cli_json_string (cli->doc, "installed_by", dkms ? "dkms" : "make");
  cli_print (cli, "%s", dkms ? _("Installed; DKMS will also build it for later kernels. See: gilk instruments --load "
                                 "-t local\n")
                             : _("Installed for this kernel. See: gilk instruments --load -t local\n"));

  return TRUE;
}

/* Removes the installed module. */
static gboolean
remove_instrument (Cli *cli, const char *folder, GError **error)
{
  return cli_instrument_folder (folder, error) && run_make (cli, folder, "remove", TRUE, error);
}

/* ---- gilk instrument test ---- */

/*
 * A test of an instrument. It records and reports by running gilk, as a user would.
 */

typedef struct {
  Cli        *cli;
  const char *lab;              /* name of the lab */
  char       *module;           /* path of the module's file, which is named ilk-@name.ko */
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

/* Builds the module for the lab's kernel, and takes the instrument's name from its file: "bytes"
 * from "ilk-bytes.ko". */
static gboolean
build_module (Trial *trial, const char *folder, GError **error)
{
  const char *const words[] = { "module", trial->lab, folder, NULL };
  g_autofree char *file = NULL;

  if (!cli_lab (words, &trial->module, trial->cli->cancellable, error))
    return FALSE;
  file = g_path_get_basename (trial->module);
  if (!g_str_has_prefix (file, "ilk-") || !g_str_has_suffix (file, ".ko"))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The module of an instrument must be named ilk-NAME.ko, not %s. See the Kbuild that \"gilk "
                        "instrument new\" creates."), file);
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

/* Runs gilk with @words; @flags select where its output goes; 0: to our own output. */
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
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("Instrument %s failed in the lab; see the messages above."),
                    trial->name);
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
  return gilk_fail (error, GILK_ERROR_FAILED,
                    _("%s made no sample at %s while files were read. Use --hook to choose a point "
                      "that is hit, or check why the instrument does "
                      "not call ilk_sample()."), trial->name, point);
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
run_trial (Trial *trial, const char *folder, const char *hook, const char *duration, GError **error)
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
    return gilk_fail (error, GILK_ERROR_FAILED,
                      _("The lab's kernel logged a problem while %s ran. See: lab/lab log %s"), trial->name, trial->lab);
  cli_note (trial->cli, _("Instrument %s passed: it was hit, every sample is accounted for, and its module was "
                          "unloaded.\n"), trial->name);

  return TRUE;
}

/**
 * test_instrument:
 * @folder: created by "gilk instrument new"
 * @hook: point to hook, such as FUNCTION@ANCHOR:pre
 * @duration: "5s".
 * Boots the target lab if necessary, builds the module for the lab's kernel, loads it, records at
 * @hook while the lab reads files, reports the result, and unloads the module. Fails if the hook
 * was not hit, if a hit was not accounted for, or if the kernel logged a problem.
 */
static gboolean
test_instrument (Cli *cli, const char *folder, const char *hook, const char *duration, GError **error)
{
  g_auto(Trial) trial = { .cli = cli };

  if (strcmp (cli->target, "lab") == 0)
    trial.lab = "6.1";
  else if (g_str_has_prefix (cli->target, "lab:"))
    trial.lab = cli->target + strlen ("lab:");
  else
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("An error in an instrument can crash the kernel. Test the instrument in a "
                        "lab, for example lab:6.1, not on %s; then \"gilk instrument install\" "
                        "builds it for this machine."), cli->target);
  if (!cli_instrument_folder (folder, error))
    return FALSE;
  trial.work = g_dir_make_tmp ("gilk-instrument-XXXXXX", error);
  if (trial.work == NULL)
    return FALSE;
  trial.session = g_build_filename (trial.work, "trial.gilk", NULL);

  return run_trial (&trial, folder, hook, duration, error);
}

gboolean
cmd_instrument (Cli *cli, int argc, char **argv, GError **error)
{
  g_autofree char *hook = NULL, *duration = NULL;
  const GOptionEntry entries[] = {
    { "hook", 0, 0, G_OPTION_ARG_STRING, &hook,
      N_("test: where to hook the instrument (default: vfs_read@entry:pre)"),
      N_("POINT") },
    { "for", 0, 0, G_OPTION_ARG_STRING, &duration,
      N_("test: record for this long (default: 3s)"), N_("TIME") },
    { NULL },
  };
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("\"new NAME\" creates a folder of that name with a working instrument to start "
                    "from.\n\"test FOLDER\" builds the instrument in FOLDER for the kernel of a "
                    "lab (--target lab:6.1), loads it there, records for a while and "
                    "reports.\n\"install FOLDER\" builds the instrument for this machine's kernel, "
                    "with DKMS if DKMS builds the driver; \"remove FOLDER\" undoes the "
                    "installation. Both use sudo or polkit where root is needed.\nTo write an "
                    "instrument, see gilk-instruments(7) and the guide."),
                  2, 2, &words, error))
    return FALSE;
  if (strcmp (words[0], "new") == 0)
    return cli_instrument_new (cli, words[1], error);
  if (strcmp (words[0], "test") == 0)
    return test_instrument (cli, words[1], hook != NULL ? hook : "vfs_read@entry:pre",
                            duration != NULL ? duration : "3s", error);
  if (strcmp (words[0], "install") == 0)
    return install_instrument (cli, words[1], error);
  if (strcmp (words[0], "remove") == 0)
    return remove_instrument (cli, words[1], error);
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("\"gilk instrument\" takes \"new NAME\", \"test FOLDER\", \"install FOLDER\" and \"remove FOLDER\", "
                      "not \"%s\"."),
                    words[0]);
}
