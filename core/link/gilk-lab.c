/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lab.c - controls labs, and reads their state, through the lab script and its files
 */
#include "core/link/gilk-lab.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"

#define CONSOLE_TAIL_MAX (64u << 10)
#define DEFAULT_LAB "6.1"

const char *
gilk_lab_name (const char *spec)
{
  if (g_strcmp0 (spec, "lab") == 0)
    return DEFAULT_LAB;

  return spec != NULL && g_str_has_prefix (spec, "lab:") ? spec + strlen ("lab:") : NULL;
}

char *
gilk_lab_script (GError **error)
{
  const char *named = g_getenv ("GILK_LAB");
  char *beside;

  if (named != NULL)
    return g_strdup (named);
  beside = gilk_source_dir_path ("lab/lab");
  if (beside != NULL)
    return beside;
#ifdef GILK_DATADIR
  if (g_file_test (GILK_DATADIR "/lab/lab", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (GILK_DATADIR "/lab/lab");
#endif

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("The lab's script was not found; set GILK_LAB to the path of lab/lab."));
  return NULL;
}

char *
gilk_lab_error_text (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  const char *last = _("no reason given");

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      last = lines[i];

  if (g_str_has_prefix (last, "lab: "))
    last += strlen ("lab: ");

  return g_strndup (last, strlen (last) - g_str_has_suffix (last, "."));
}

/* Runs the script's @command for lab @name (nullable) and returns its output; NULL with the
 * script's error message in @why. */
static char *
run_script (const char *script,
            const char *command,
            const char *name,
            char      **why)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) local = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                              &local, script, command, name, NULL);
  if (process != NULL &&
      g_subprocess_communicate_utf8 (process, NULL, NULL, &out, &err, &local) &&
      g_subprocess_get_successful (process) && out != NULL)
    return g_strstrip (g_steal_pointer (&out));

  *why = gilk_lab_error_text (local != NULL ? local->message : err);
  return NULL;
}

char *
gilk_lab_folder (const char *name)
{
  const char *named = g_getenv ("GILK_LAB_DIR"), *runtime = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *own = NULL;

  if (named != NULL && *named != '\0')
    return g_build_filename (named, name, NULL);
  if (runtime != NULL && *runtime != '\0')
    return g_build_filename (runtime, "gilk", name, NULL);
  own = g_strdup_printf ("gilk-%u", (guint) getuid ());

  return g_build_filename ("/tmp", own, name, NULL);
}

char **
gilk_lab_list_running (void)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();
  g_autofree char *script = gilk_lab_script (NULL), *why = NULL;
  g_autofree char *status = script != NULL ? run_script (script, "status", NULL, &why) : NULL;
  g_auto(GStrv) lines = g_strsplit (status != NULL ? status : "", "\n", -1);

  for (guint i = 1; i < g_strv_length (lines); i++)
    if (g_str_has_suffix (g_strchomp (lines[i]), " up"))
      {
        g_autofree char *name = g_strndup (lines[i], strcspn (lines[i], " "));

        g_strv_builder_add (names, name);
      }

  return g_strv_builder_end (names);
}

/* Reads a file in the lab's directory. (transfer full) (nullable) */
static char *
read_lab_file (const char *name,
               const char *file,
               gsize      *length)
{
  g_autofree char *folder = gilk_lab_folder (name);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  char *content = NULL;

  return g_file_get_contents (path, &content, length, NULL) ? content : NULL;
}

/* Returns the start time of a process, field 22 of /proc/PID/stat, which makes a PID unique.
 * (transfer full) (nullable) */
static char *
read_start_time (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", pid);
  g_autofree char *stat = NULL;
  g_auto (GStrv) fields = NULL;
  const char *behind_name;

  if (strspn (pid, G_CSET_DIGITS) != strlen (pid) || !g_file_get_contents (path, &stat, NULL, NULL))
    return NULL;
  behind_name = strrchr (stat, ')');
  if (behind_name == NULL || strlen (behind_name) < 3 || behind_name[2] == 'Z')
    return NULL;
  fields = g_strsplit (behind_name + 2, " ", -1);

  return g_strv_length (fields) > 19 ? g_strdup (fields[19]) : NULL;
}

gboolean
gilk_lab_is_running (const char *name)
{
  gsize length = 0;
  g_autofree char *line = read_lab_file (name, "pid", &length);
  g_auto (GStrv) words = g_strsplit (line != NULL ? g_strstrip (line) : "", " ", -1);
  g_autofree char *since = NULL;

  if (g_strv_length (words) < 2)
    return FALSE;
  since = read_start_time (words[0]);

  return g_strcmp0 (since, words[1]) == 0;
}

gboolean
gilk_lab_counts_instructions (const char *name)
{
  gsize length = 0;
  g_autofree char *line = read_lab_file (name, "pid", &length);
  g_auto (GStrv) words = g_strsplit (line != NULL ? g_strstrip (line) : "", " ", -1);

  return g_strv_length (words) > 4 && strcmp (words[4], "icount") == 0;
}

char *
gilk_lab_console_tail (const char *name,
                       gsize       max)
{
  gsize length = 0;
  g_autofree char *log = read_lab_file (name, "console.log", &length);
  const char *tail;
  char *valid, *out;

  if (log == NULL || length == 0)
    return NULL;
  tail = log + (length > max ? length - max : 0);
  if (tail > log)
    {
      const char *newline = memchr (tail, '\n', log + length - tail);

      tail = newline != NULL ? newline + 1 : tail;
    }
  valid = g_utf8_make_valid (tail, log + length - tail);
  out = valid;
  for (const char *in = valid; *in != '\0'; in++)
    if (*in != '\r')
      *out++ = *in;
  *out = '\0';

  return g_strchomp (valid);
}

char *
gilk_lab_key_line (const char *log)
{
  static const char *const key_words[] = { "Kernel panic", "BUG:", "Oops" };
  g_auto(GStrv) lines = g_strsplit (log, "\n", -1);
  const char *found = "";

  for (guint i = 0; i < G_N_ELEMENTS (key_words); i++)
    for (guint l = 0; lines[l] != NULL; l++)
      if (strstr (lines[l], key_words[i]) != NULL)
        return g_strdup (g_strstrip (lines[l]));
  for (guint l = 0; lines[l] != NULL; l++)
    if (*g_strstrip (lines[l]) != '\0')
      found = lines[l];

  return g_strdup (found);
}

char *
gilk_lab_cause_of_death (const char *spec)
{
  const char *name = gilk_lab_name (spec);
  g_autofree char *log = name != NULL ? gilk_lab_console_tail (name, CONSOLE_TAIL_MAX) : NULL;

  if (log == NULL || (gilk_lab_is_running (name) && strstr (log, "Kernel panic") == NULL))
    return NULL;

  return gilk_lab_key_line (log);
}

gboolean
gilk_lab_stop (const char *name,
               GError    **error)
{
  g_autofree char *script = gilk_lab_script (error);
  g_autofree char *said = NULL;
  g_autofree char *why = NULL;

  if (script == NULL)
    return FALSE;
  said = run_script (script, "stop", name, &why);
  if (said != NULL)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET, _("Lab \"%s\" could not be stopped: %s."), name, why);
  return FALSE;
}
