/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-pipeline.c - reports where the stages of a shell pipeline sleep, as in a case study of the
 * GILK paper
 *
 *   1. A sample of a hook in pipe_write means that a process sleeps because its output pipe is
 *      full. A sample of a hook in pipe_read means that a process sleeps because its input pipe is
 *      empty. The field "comm" of the sample is the name of the process.
 *   2. The number of sleeps in a function is divided by the time during which the function was
 *      hooked, because the two functions may have been hooked at different times.
 *   3. The order of the stages is given by the user, or else is the order of their process ids,
 *      because a shell starts a pipeline from left to right.
 *   4. core/stats/gilk-pipeline names the bottleneck, or reports that none can be named.
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-strings.h"
#include "core/samples/gilk-samples.h"
#include "core/stats/gilk-pipeline.h"

/* A process is said to sleep often if its number of sleeps per second is at least this share of the
 * highest number. A process that sleeps less may still be a stage of the pipeline, see
 * derive_stages(): the bottleneck itself hardly ever sleeps. */
#define RARE_SHARE 0.05

typedef struct {
  char    *name;
  gint64   pid;            /* smallest process id of the stage; 0: unknown */
  guint    n_pids;
  uint64_t writes, reads;  /* number of sleeps in pipe_write, in pipe_read */
  double   full, empty;    /* sleeps per second because of a full output, an empty input */
  guint    order;
} Process;

typedef struct {
  GHashTable *by_name;     /* name of a process (comm) -> Process */
  GHashTable *pids;        /* set of the pairs (name, process id) that occur in samples */
  double      write_seconds, read_seconds;    /* time hooked */
  /* the samples being read come from a hook in pipe_write, not in pipe_read */
  gboolean    writing;
} Study;

static void
free_process (gpointer data)
{
  Process *process = data;

  g_free (process->name);
  g_free (process);
}

static gboolean
is_write (const GilkStoredHook *hook)
{
  return g_strcmp0 (hook->function, "pipe_write") == 0 ||
    g_strcmp0 (hook->function, "anon_pipe_write") == 0;
}

static gboolean
is_read (const GilkStoredHook *hook)
{
  return g_strcmp0 (hook->function, "pipe_read") == 0 ||
    g_strcmp0 (hook->function, "anon_pipe_read") == 0;
}

static gboolean
has_process_name (const CliSession *session, const GilkStoredHook *hook)
{
  g_autoptr(GArray) fields = cli_session_fields (session, hook, NULL);

  return fields != NULL && cli_session_find_field (fields, hook, "comm", NULL) != NULL;
}

/* Returns whether hook @i is the first hook in its block whose samples name processes. Later hooks
 * in the same block see the same sleeps and are ignored. */
static gboolean
is_first_of_block (const CliSession *session, guint i)
{
  const GilkStoredHook *hook = cli_session_hook (session, i);

  for (guint j = 0; j < i; j++)
    {
      const GilkStoredHook *other = cli_session_hook (session, j);

      if (g_strcmp0 (other->function, hook->function) == 0 &&
          g_strcmp0 (other->block, hook->block) == 0 && has_process_name (session, other))
        return FALSE;
    }
  return TRUE;
}

gboolean
cli_pipeline_applies (const CliSession *session)
{
  gboolean writes = FALSE, reads = FALSE;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((is_write (hook) || is_read (hook)) && has_process_name (session, hook))
        {
          writes |= is_write (hook);
          reads |= is_read (hook);
        }
    }
  return writes && reads;
}

static Process *
get_process (Study *study, const char *comm)
{
  Process *process = g_hash_table_lookup (study->by_name, comm);

  if (process == NULL)
    {
      process = g_new0 (Process, 1);
      process->name = g_strdup (comm);
      g_hash_table_insert (study->by_name, process->name, process);
    }
  return process;
}

static void
note_pid (Study *study, Process *process, gint64 pid)
{
  g_autofree char *key = g_strdup_printf ("%s/%" G_GINT64_FORMAT, process->name, pid);

  if (!g_hash_table_contains (study->pids, key))
    {
      g_hash_table_add (study->pids, g_steal_pointer (&key));
      process->n_pids++;
    }
  if (process->pid == 0 || pid < process->pid)
    process->pid = pid;
}

/* Counts the sleep that sample @i of @block records. @comm: field with the process name; @pids:
 * (nullable) */
static void
count_sleep (Study *study, const GilkSampleBlock *block, guint comm, const gint64 *pids, guint i)
{
  Process *process = get_process (study, block->texts[comm][i] != NULL ? block->texts[comm][i] : "");

  if (study->writing)
    process->writes++;
  else
    process->reads++;
  if (pids != NULL)
    note_pid (study, process, pids[i]);
}

static gboolean
read_hook (Study *study, const CliSession *session, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (session->store, hook, 1, error);
  guint comm = 0, pid = 0, type, pid_type;
  GilkSampleBlock block;
  GError *local = NULL;
  gboolean has_pid;

  if (samples == NULL || !gilk_samples_add_field (samples, "comm", &comm, &type, error))
    return FALSE;
  has_pid = gilk_samples_add_field (samples, "pid", &pid, &pid_type, NULL) && pid_type != ILK_FIELD_TEXT;
  gilk_samples_in_order (samples);
  while (type == ILK_FIELD_TEXT && gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      count_sleep (study, &block, comm, has_pid ? block.values[pid] : NULL, i);
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

static gboolean
read_hooks (Study *study, const CliSession *session, GError **error)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);
      double *seconds;

      if (!(is_write (hook) || is_read (hook)) || !has_process_name (session, hook) ||
          !is_first_of_block (session, i))
        continue;

      study->writing = is_write (hook);
      seconds = study->writing ? &study->write_seconds : &study->read_seconds;
      *seconds = MAX (*seconds, cli_session_seconds (session, hook));
      if (!read_hook (study, session, hook, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_by_order (gconstpointer a, gconstpointer b)
{
  const Process *one = *(const Process *const *) a, *other = *(const Process *const *) b;

  if (one->order != other->order)
    return one->order < other->order ? -1 : 1;
  if (one->pid != other->pid)
    return one->pid < other->pid ? -1 : 1;
  return strcmp (one->name, other->name);
}

/* Computes each process's rate of sleeps. Returns: the highest rate */
static double
compute_rates (Study *study)
{
  GHashTableIter iter;
  Process *process;
  double most = 0;

  g_hash_table_iter_init (&iter, study->by_name);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &process))
    {
      process->full = study->write_seconds > 0 ? process->writes / study->write_seconds : 0;
      process->empty = study->read_seconds > 0 ? process->reads / study->read_seconds : 0;
      most = MAX (most, process->full + process->empty);
    }
  return most;
}

/*
 * Chooses the stages. All processes that sleep often are stages. A process that sleeps rarely is a
 * stage, too, if its process id lies within or next to the range of ids of those that sleep often,
 * because the stages that a shell starts have consecutive ids.
 */
static void
derive_stages (Study *study, double most, GPtrArray *stages)
{
  GHashTableIter iter;
  Process *process;
  gint64 first = G_MAXINT64, last = 0;

  g_hash_table_iter_init (&iter, study->by_name);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &process))
    if (process->full + process->empty >= RARE_SHARE * most)
      {
        first = MIN (first, process->pid);
        last = MAX (last, process->pid);
      }
  g_hash_table_iter_init (&iter, study->by_name);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &process))
    if (process->full + process->empty >= RARE_SHARE * most ||
        (process->pid >= first - 1 && process->pid <= last + 1))
      g_ptr_array_add (stages, process);
}

/* Returns the stages in order of data flow; if @order is given, exactly the stages that it
 * names, even if they never slept. */
static GPtrArray *
choose_stages (Study *study, const char *order)
{
  GPtrArray *stages = g_ptr_array_new ();
  g_auto(GStrv) names = order != NULL ? g_strsplit (order, ",", -1) : NULL;
  double most = compute_rates (study);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      Process *process = get_process (study, g_strstrip (names[i]));

      process->order = i;
      g_ptr_array_add (stages, process);
    }
  if (names == NULL)
    derive_stages (study, most, stages);
  g_ptr_array_sort (stages, compare_by_order);
  return stages;
}

/* Joins the names of stages from index @from to @to - 1: "cat, tr and cut". */
static char *
list_names (const GPtrArray *stages, guint from, guint to)
{
  GString *list = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    g_string_append_printf (list, "%s%s", i == from ? "" : i + 1 < to ? ", " : _(" and "),
                            ((const Process *) stages->pdata[i])->name);
  return g_string_free (list, FALSE);
}

static void
append_reason (GString *text, const GPtrArray *stages, guint first, guint last)
{
  g_autofree char *before = list_names (stages, 0, first);
  g_autofree char *behind = list_names (stages, last, stages->len);

  if (*before != '\0')
    g_string_append_printf (text, ngettext ("\nUpstream, %s sleeps in pipe_write: its output is full.",
                                            "\nUpstream, %s sleep in pipe_write: their output is full.",
                                            first), before);
  if (*behind != '\0')
    g_string_append_printf (text, ngettext ("\nDownstream, %s sleeps in pipe_read: its input is empty.",
                                            "\nDownstream, %s sleep in pipe_read: their input is empty.",
                                            stages->len - last), behind);
}

/* Returns a paragraph that names the bottleneck and the reasons, or says why none can be named.
 * (transfer full) */
static char *
format_verdict (const GPtrArray *stages, gboolean found, const GilkPipelineVerdict *verdict)
{
  GString *text = g_string_new (NULL);

  if (!found && stages->len < 2)
    g_string_append (text, _("No bottleneck can be named: fewer than two processes slept in a pipe. "
                             "Name the stages with --stages, or record while the pipeline is busy."));
  else if (!found)
    g_string_append (text, _("No bottleneck can be named: the figures of the stages contradict each other. Check the "
                             "order of the stages with --stages, or record for longer."));
  else if (verdict->stage >= 0)
    {
      g_string_append_printf (text, _("The bottleneck is %s."),
                              ((const Process *) stages->pdata[verdict->stage])->name);
      append_reason (text, stages, verdict->stage, verdict->stage + 1);
    }
  else
    {
      g_string_append_printf (text, _("The bottleneck is a process between %s and %s that never slept in "
                                      "a pipe."),
                              ((const Process *) stages->pdata[verdict->gap_after])->name,
                              ((const Process *) stages->pdata[verdict->gap_after + 1])->name);
      append_reason (text, stages, verdict->gap_after + 1, verdict->gap_after + 1);
    }
  return g_string_free (text, FALSE);
}

static const char *
describe_lean (double lean)
{
  if (lean > 0.5)
    return _("waits for room");
  if (lean < -0.5)
    return _("waits for input");
  return _("busy");
}

static void
print_study (Cli *cli, const Study *study, const GPtrArray *stages, const GilkPipelineStage *figures,
             const GilkPipelineVerdict *verdict, gboolean ordered, const char *text)
{
  g_autoptr(CliTable) table = cli_table_new (_("<STAGE|>PID|>IN PIPE_WRITE|>PER SECOND|>IN PIPE_READ|>PER SECOND|<MOSTLY"));

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nSleeps in the pipeline\n"));
  for (guint i = 0; i < stages->len; i++)
    {
      const Process *process = stages->pdata[i];
      g_autofree char *full = cli_format_rate (process->full);
      g_autofree char *empty = cli_format_rate (process->empty);

      cli_table_cell (table, process->name);
      cli_table_tint (table, (int) i == verdict->stage ? CLI_TINT_BAD : CLI_TINT_NONE);
      if (process->n_pids > 1)
        cli_table_cellf (table, _("%u of them"), process->n_pids);
      else if (process->pid > 0)
        cli_table_cellf (table, "%" G_GINT64_FORMAT, process->pid);
      else
        cli_table_cell (table, "-");
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) process->writes);
      cli_table_cell (table, full);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) process->reads);
      cli_table_cell (table, empty);
      cli_table_cell (table, (int) i == verdict->stage ? _("busy: the bottleneck")
                                                       : describe_lean (figures[i].lean));
    }
  cli_print_table (cli, table);
  cli_print (cli, _("Writers were hooked for %.1f s, readers for %.1f s; the stages are listed in "
                    "%s.\n\n"),
             study->write_seconds, study->read_seconds,
             ordered ? _("the order given") : _("the order of the stages' process ids"));
  cli_print_tinted (cli, CLI_TINT_BOLD, "%s\n", text);
}

static void
study_to_json (Cli *cli, const Study *study, const GPtrArray *stages,
               const GilkPipelineStage *figures, const GilkPipelineVerdict *verdict, const char *text)
{
  CliJson *json = cli->doc;

  cli_json_object (json, "pipeline");
  cli_json_double (json, "write_seconds", study->write_seconds);
  cli_json_double (json, "read_seconds", study->read_seconds);
  cli_json_array (json, "stages");
  for (guint i = 0; i < stages->len; i++)
    {
      const Process *process = stages->pdata[i];

      cli_json_row (json, NULL);
      cli_json_string (json, "name", process->name);
      cli_json_int (json, "pid", process->pid);
      cli_json_uint (json, "pids", process->n_pids);
      cli_json_uint (json, "pipe_write", process->writes);
      cli_json_double (json, "pipe_write_per_second", process->full);
      cli_json_uint (json, "pipe_read", process->reads);
      cli_json_double (json, "pipe_read_per_second", process->empty);
      cli_json_double (json, "balance", figures[i].lean);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_string (json, "bottleneck",
                   verdict->stage >= 0 ? ((const Process *) stages->pdata[verdict->stage])->name : NULL);
  cli_json_double (json, "confidence", verdict->clarity);
  cli_json_string (json, "verdict", text);
  cli_json_end (json);
}

static gboolean
check_order (const char *order, GError **error)
{
  g_auto(GStrv) names = g_strsplit (order, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_strstrip (names[i]);
      if (*names[i] != '\0' && !g_strv_contains ((const char *const *) names + i + 1, names[i]))
        continue;
      return gilk_fail (error, GILK_ERROR_USAGE,
                        _("Invalid list of stages \"%s\". Name each stage once, in the order of the "
                          "data, e.g. cat,tr,sed,grep."),
                        order);
    }
  return TRUE;
}

/* Fails if @order names a stage without samples, because a misspelt name would look like the
 * bottleneck, which never waits. Accepts one stage without samples, with a note, if @order also
 * names every process that slept: then its name is not a misspelling of one of them. */
static gboolean
check_names (Cli *cli, const Study *study, const char *order, GError **error)
{
  g_auto(GStrv) names = g_strsplit (order, ",", -1);
  g_autofree const char **known = (const char **) g_hash_table_get_keys_as_array (study->by_name, NULL);
  const guint n_known = g_hash_table_size (study->by_name), n_names = g_strv_length (names);
  guint n_slept = 0;

  for (guint i = 0; i < n_names; i++)
    n_slept += g_hash_table_contains (study->by_name, g_strstrip (names[i]));
  for (guint i = 0; i < n_names; i++)
    {
      g_autofree char *hint = NULL, *list = NULL;

      if (g_hash_table_contains (study->by_name, names[i]))
        continue;
      if (n_known >= 2 && n_slept == n_known && n_names == n_known + 1)
        {
          cli_note (cli, _("No process named \"%s\" slept in the pipeline. If it ran, it never waited for "
                           "another stage."), names[i]);
          return TRUE;
        }
      hint = gilk_nearest_hint (names[i], known, n_known);
      list = g_strjoinv (", ", (char **) known);
      return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                        _("No process named \"%s\" slept in the pipeline.%s Processes that slept "
                          "in it: %s. A stage that ran and never slept "
                          "is the bottleneck."), names[i], hint, list);
    }

  return TRUE;
}

gboolean
cli_pipeline_report (Cli *cli, const CliSession *session, const char *order, GError **error)
{
  Study study = { 0 };
  g_autoptr(GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_process);
  g_autoptr(GHashTable) pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GPtrArray) stages = NULL;
  g_autofree GilkPipelineStage *figures = NULL;
  g_autofree char *text = NULL;
  GilkPipelineVerdict verdict;
  gboolean found;

  study.by_name = by_name;
  study.pids = pids;
  if ((order != NULL && !check_order (order, error)) || !read_hooks (&study, session, error) ||
      (order != NULL && !check_names (cli, &study, order, error)))
    return FALSE;

  stages = choose_stages (&study, order);
  figures = g_new0 (GilkPipelineStage, stages->len + 1);
  for (guint i = 0; i < stages->len; i++)
    {
      const Process *process = stages->pdata[i];

      figures[i].name = process->name;
      figures[i].full = process->full;
      figures[i].empty = process->empty;
    }
  found = gilk_pipeline_analyse (figures, stages->len, &verdict);
  text = format_verdict (stages, found, &verdict);

  if (cli->doc != NULL)
    study_to_json (cli, &study, stages, figures, &verdict, text);
  else
    print_study (cli, &study, stages, figures, &verdict, order != NULL, text);
  return TRUE;
}
