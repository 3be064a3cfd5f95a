/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-data.c - what a session file holds, read off the main thread
 *
 * A job carries copies of all it needs; its result is a finished GilkPlotData
 * that the view swaps in whole.
 */
#include "gui/gilk-session-data.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-series.h"
#include "core/base/gilk-csv.h"
#include "gui/gilk-text.h"

#define GROUPS_MAX 24

/* ---- opening ---- */

static void
session_run_clear (gpointer data)
{
  GilkSessionRun *run = data;

  g_clear_pointer (&run->hooks, g_array_unref);
  g_clear_pointer (&run->fields, g_ptr_array_unref);
  g_clear_pointer (&run->functions, g_array_unref);
}

void
gilk_session_free (GilkSession *session)
{
  g_clear_pointer (&session->runs, g_array_unref);
  g_clear_pointer (&session->stored, g_array_unref);
  g_free (session->path);
  g_free (session);
}

static gboolean
read_run (GilkSession          *session,
          GilkStore            *store,
          const GilkStoredRun  *stored,
          GError              **error)
{
  GilkSessionRun run = { .run = *stored };

  run.hooks = gilk_store_hooks (store, stored->id, error);
  run.functions = run.hooks != NULL ? gilk_store_functions (store, stored->id, error) : NULL;
  if (run.functions == NULL)
    {
      session_run_clear (&run);
      return FALSE;
    }
  run.fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_array_append_val (session->runs, run);
  for (guint i = 0; i < run.hooks->len; i++)
    {
      GArray *fields = gilk_store_fields (store, stored->id,
                                          g_array_index (run.hooks, GilkStoredHook, i).instrument, error);

      if (fields == NULL)
        return FALSE;
      g_ptr_array_add (run.fields, fields);
    }

  return TRUE;
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_autoptr(GilkSession) session = g_new0 (GilkSession, 1);
  g_autoptr(GilkStore) store = NULL;
  GError *error = NULL;

  session->path = g_strdup (task_data);
  session->runs = g_array_new (FALSE, TRUE, sizeof (GilkSessionRun));
  g_array_set_clear_func (session->runs, session_run_clear);
  store = gilk_store_open_read (task_data, cancellable, &error);
  if (store != NULL)
    session->stored = gilk_store_runs (store, &error);
  for (guint i = session->stored != NULL ? session->stored->len : 0; i > 0 && error == NULL; i--)
    read_run (session, store, &g_array_index (session->stored, GilkStoredRun, i - 1), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&session), (GDestroyNotify) gilk_session_free);
}

void
gilk_session_open_async (const char          *path,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, open_thread);
}

GilkSession *
gilk_session_open_finish (GAsyncResult  *result,
                          GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- jobs on one hook ---- */

typedef struct {
  char           *path;
  GilkStoredHook  hook;
  double          duration;
  GilkQuantity    quantity;
  char           *field, *unit;
  gboolean        log_x;
  char           *out;               /* of an export */
} Job;

static void
copy_hook (GilkStoredHook       *to,
           const GilkStoredHook *from)
{
  *to = *from;
  to->label = g_strdup (from->label);
  to->function = g_strdup (from->function);
  to->module = g_strdup (from->module);
  to->block = g_strdup (from->block);
  to->where = g_strdup (from->where);
  to->instrument = g_strdup (from->instrument);
  to->tactic = g_strdup (from->tactic);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->hook.label);
  g_free (job->hook.function);
  g_free (job->hook.module);
  g_free (job->hook.block);
  g_free (job->hook.where);
  g_free (job->hook.instrument);
  g_free (job->hook.tactic);
  g_free (job->path);
  g_free (job->field);
  g_free (job->unit);
  g_free (job->out);
  g_free (job);
}

static Job *
job_new (GilkSession          *session,
         const GilkStoredHook *hook)
{
  Job *job = g_new0 (Job, 1);

  job->path = g_strdup (session->path);
  copy_hook (&job->hook, hook);

  return job;
}

static gboolean
plot_groups (const Job     *job,
             GilkStore     *store,
             GilkPlotData  *plot,
             GError       **error)
{
  g_autoptr(GArray) groups = gilk_store_group (store, &job->hook, job->field, error);
  uint64_t rest = 0, all = 0;

  if (groups == NULL)
    return FALSE;
  for (guint i = 0; i < groups->len; i++)
    all += g_array_index (groups, GilkStoredGroup, i).count;
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);
      g_autofree char *share = g_strdup_printf ("%.1f %%", 100.0 * group->count / MAX (all, 1));

      if (i < GROUPS_MAX)
        gilk_plot_data_add_bar (plot, group->value, group->count, share);
      else
        rest += group->count;
    }
  if (rest > 0)
    gilk_plot_data_add_bar (plot, _("all others"), rest, "");
  plot->kind = GILK_PLOT_VIEW_BARS;
  plot->title = g_strdup_printf (_("Hits by %s"), job->field);
  if (groups->len == 0)
    plot->message = g_strdup (_("No samples of this hook were stored."));

  return TRUE;
}

/* @series is emptied. */
static void
take_series (GilkPlotData   *plot,
             GilkHookSeries *series)
{
  plot->times = g_steal_pointer (&series->times);
  plot->values = g_steal_pointer (&series->values);
  plot->gaps = g_steal_pointer (&series->gaps);
}

static gboolean
plot_rate (const Job     *job,
           GilkStore     *store,
           GilkPlotData  *plot,
           GError       **error)
{
  g_auto(GilkHookSeries) series = { NULL };

  plot->title = g_strdup (_("Hits over time"));
  plot->x_label = g_strdup (_("time"));
  plot->x_unit = g_strdup ("s");
  plot->y_label = g_strdup (_("hits/s"));
  if (!gilk_hook_rate (store, &job->hook, job->duration, &series, error))
    return FALSE;

  plot->kind = series.values != NULL ? GILK_PLOT_VIEW_SERIES : GILK_PLOT_VIEW_RATE;
  take_series (plot, &series);
  if (plot->times->len == 0)
    plot->message = g_strdup (_("This hook was not hit while it was open."));

  return TRUE;
}

static gboolean
plot_values (const Job     *job,
             GilkStore     *store,
             GilkPlotData  *plot,
             GError       **error)
{
  gboolean interval = job->quantity == GILK_QUANTITY_INTERVAL;
  const char *field = interval ? "interval" : job->field;
  g_auto(GilkHookSeries) series = { NULL };

  if (!gilk_hook_values (store, &job->hook, job->duration, field,
                         job->quantity == GILK_QUANTITY_FIELD_SERIES, &series, error))
    return FALSE;

  plot->cut = series.cut;
  take_series (plot, &series);
  plot->x_unit = g_strdup (interval ? "s" : job->unit);
  if (g_strcmp0 (plot->x_unit, "ns") == 0)
    {
      /* SI prefixes are for the painter to choose. */
      for (guint i = 0; i < plot->values->len; i++)
        g_array_index (plot->values, double, i) *= 1e-9;
      g_free (plot->x_unit);
      plot->x_unit = g_strdup ("s");
    }
  if (job->quantity == GILK_QUANTITY_FIELD_SERIES)
    {
      plot->kind = GILK_PLOT_VIEW_SERIES;
      plot->title = g_strdup_printf (_("%s over time"), field);
      plot->x_label = g_strdup (_("time"));
      plot->y_label = g_strdup (plot->x_unit);
      g_free (plot->x_unit);
      plot->x_unit = g_strdup ("s");
    }
  else
    {
      plot->kind = GILK_PLOT_VIEW_HISTOGRAM;
      plot->title = interval ? g_strdup (_("Time between hits")) : g_strdup (field);
      plot->x_label = g_strdup (interval ? _("time between hits") : field);
      plot->y_label = g_strdup (_("samples"));
      plot->histogram = gilk_histogram_new ((const double *) plot->values->data, plot->values->len,
                                            0, job->log_x);
    }
  if (plot->values->len == 0)
    plot->message = g_strdup (_("No samples of this hook were stored."));

  return TRUE;
}

static void
plot_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const Job *job = task_data;
  g_autoptr(GilkPlotData) plot = gilk_plot_data_new ();
  g_autoptr(GilkStore) store = NULL;
  g_autofree char *hits = NULL;
  g_autofree char *lost = NULL;
  GError *error = NULL;
  gboolean done = FALSE;

  store = gilk_store_open_read (job->path, cancellable, &error);
  if (store != NULL && job->quantity == GILK_QUANTITY_GROUPS)
    done = plot_groups (job, store, plot, &error);
  else if (store != NULL && job->quantity == GILK_QUANTITY_RATE)
    done = plot_rate (job, store, plot, &error);
  else if (store != NULL)
    done = plot_values (job, store, plot, &error);
  if (!done)
    {
      g_task_return_error (task, error);
      return;
    }

  plot->duration = job->duration;
  hits = gilk_text_count (job->hook.hits);
  lost = gilk_text_count (job->hook.lost);
  plot->subtitle = plot->cut == 0
    ? g_strdup_printf (_("%s · %s hits, %s lost"), job->hook.label, hits, lost)
    : g_strdup_printf (_("%s · %s hits, %s lost, %lu intervals cut by gaps"), job->hook.label, hits, lost,
                       (guint64) plot->cut);
  if (job->hook.lost > 0)
    plot->loss_note = g_strdup_printf (_("%s lost"), lost);
  g_task_return_pointer (task, g_steal_pointer (&plot), (GDestroyNotify) gilk_plot_data_free);
}

void
gilk_session_plot_async (GilkSession           *session,
                         const GilkStoredHook  *hook,
                         double                 duration,
                         GilkQuantity           quantity,
                         const GilkStoredField *field,
                         gboolean               log_x,
                         GCancellable          *cancellable,
                         GAsyncReadyCallback    callback,
                         gpointer               user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = job_new (session, hook);

  job->duration = duration;
  job->quantity = quantity;
  job->log_x = log_x;
  if (field != NULL)
    {
      job->field = g_strdup (field->name);
      job->unit = g_strdup (field->unit);
    }
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, plot_thread);
}

GilkPlotData *
gilk_session_plot_finish (GAsyncResult  *result,
                          GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- CSV ---- */

typedef struct {
  GDataOutputStream  *stream;
  GCancellable       *cancellable;
  GError            **error;
} CsvWriter;

static gboolean
write_row (gint64             row,
           guint              n,
           const char *const *cells,
           gpointer           user_data)
{
  CsvWriter *writer = user_data;
  g_autoptr(GString) line = g_string_new (NULL);

  gilk_csv_append_row (line, n, cells);

  return g_data_output_stream_put_string (writer->stream, line->str, writer->cancellable, writer->error);
}

static void
csv_thread (GTask        *task,
            gpointer      source,
            gpointer      task_data,
            GCancellable *cancellable)
{
  const Job *job = task_data;
  g_autoptr(GFile) file = g_file_new_for_path (job->out);
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GFileOutputStream) raw = NULL;
  g_autoptr(GDataOutputStream) stream = NULL;
  GError *error = NULL;
  CsvWriter writer = { NULL, cancellable, &error };

  store = gilk_store_open_read (job->path, cancellable, &error);
  if (store != NULL)
    raw = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, cancellable, &error);
  if (raw != NULL)
    {
      g_autoptr(GOutputStream) buffer = g_buffered_output_stream_new_sized (G_OUTPUT_STREAM (raw), 1 << 16);

      stream = g_data_output_stream_new (buffer);
      writer.stream = stream;
      if (gilk_store_rows (store, &job->hook, write_row, &writer, error == NULL ? &error : NULL) &&
          error == NULL)
        g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, &error);
    }

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
gilk_session_csv_async (GilkSession          *session,
                        const GilkStoredHook *hook,
                        const char           *path,
                        GCancellable         *cancellable,
                        GAsyncReadyCallback   callback,
                        gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = job_new (session, hook);

  job->out = g_strdup (path);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, csv_thread);
}

gboolean
gilk_session_csv_finish (GAsyncResult  *result,
                         GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
