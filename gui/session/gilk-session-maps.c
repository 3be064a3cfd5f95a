/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-maps.c - plots maps of a hook's program off the main thread
 */
#include "gui/session/gilk-session.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-map-sums.h"
#include "core/figure/gilk-figure.h"
#include "core/store/gilk-store-names.h"
#include "gui/session/gilk-session-job.h"
#include "gui/base/gilk-text.h"

#define BARS_MAX 24
#define CALLS_MAX 3                   /* maximum number of a stack's functions in a bar's label */

/* ---- bars of a map's values ---- */

static gboolean
has_negative (const GArray *sums)
{
  for (guint i = 0; i < sums->len; i++)
    if (g_array_index (sums, GilkMapSum, i).value < 0)
      return TRUE;

  return FALSE;
}

static void
add_bar (GilkPlotData *plot,
         const char   *label,
         double        value,
         double        total)
{
  g_autofree char *share = g_strdup_printf ("%.1f %%", total > 0.0 ? 100.0 * value / total : 0.0);

  gilk_plot_data_add_bar (plot, label, value, share);
}

static char *
make_key_label (const GilkStoredMap   *map,
                const GilkStoredNames *names,
                gint64                 key)
{
  gboolean is_stack = g_strcmp0 (map->meaning, GILK_MEANING_STACK) == 0;
  char *label = is_stack ? gilk_stored_stack_summary (names, (uint64_t) key, CALLS_MAX)
                         : gilk_stored_name (names, map->meaning, (uint64_t) key);

  if (label == NULL && is_stack && key == 0)
    return g_strdup (_("(no stack)"));

  return label != NULL ? label : gilk_map_key_text (map, key);
}

/* Adds bars for the largest values, and one for the sum of the others. */
static void
plot_map (const GilkStoredMap   *map,
          const GilkStoredNames *names,
          GilkPlotData          *plot)
{
  g_autoptr(GArray) sums = gilk_map_sums (map);
  double total = 0.0, rest = 0.0;

  if (has_negative (sums))
    {
      plot->message = g_strdup (_("Some values are negative and cannot be drawn as bars. The command in the panel "
                                  "lists them."));
      return;
    }
  for (guint i = 0; i < sums->len; i++)
    total += (double) g_array_index (sums, GilkMapSum, i).value;
  gilk_map_sort_by_value (sums);
  for (guint i = 0; i < sums->len; i++)
    {
      const GilkMapSum *sum = &g_array_index (sums, GilkMapSum, i);
      g_autofree char *key = make_key_label (map, names, sum->key);

      if (i < BARS_MAX)
        add_bar (plot, key, (double) sum->value, total);
      else
        rest += (double) sum->value;
    }
  if (sums->len > BARS_MAX)
    add_bar (plot, _("all others"), rest, total);
  if (sums->len == 0)
    plot->message = g_strdup (_("The map is empty."));
}

/* Adds a bar per CPU. If the values of the single CPUs are not known, shows the total as a message
 * instead. */
static void
plot_counter (const GilkStoredMap *map,
              GilkPlotData        *plot)
{
  double total = (double) (uint64_t) gilk_map_number (map);

  if (map->kind == GILK_MAP_GLOBAL || map->values->len == 0)
    {
      g_autofree char *value = gilk_map_value_text (map, gilk_map_number (map));

      plot->message = g_strdup_printf ("%s = %s", map->name, value);
      return;
    }
  for (guint i = 0; i < map->values->len; i++)
    {
      const GilkStoreValue *value = &g_array_index (map->values, GilkStoreValue, i);
      g_autofree char *label = value->cpu == G_MAXUINT ? g_strdup (_("all CPUs"))
                                                       : g_strdup_printf (_("CPU %u"), value->cpu);

      add_bar (plot, label, (double) (uint64_t) value->value, total);
    }
}

static char *
describe_map (const GArray         *all,
              const GilkStoredMap  *map,
              const GilkStoredHook *hook)
{
  uint64_t missed = gilk_map_missed (all, map);
  g_autofree char *value = NULL, *count = NULL;

  if (map->kind == GILK_MAP_HASH && missed > 0)
    {
      count = gilk_text_count (missed);
      return g_strdup_printf (_("%s · %s insertions failed: map full"), hook->label, count);
    }
  if (map->kind == GILK_MAP_HASH)
    return map->unit != NULL ? g_strdup_printf (_("%s · values in %s"), hook->label, map->unit) : g_strdup (hook->label);
  value = gilk_map_value_text (map, gilk_map_number (map));

  return g_strdup_printf ("%s · %s", hook->label, value);
}

/* ---- the job that plots a map ---- */

static gboolean
plot_histogram (const GilkSessionJob         *job,
                const GilkStoredMap *map,
                GilkPlotData         *plot,
                GError              **error)
{
  const GilkMapSource source = { job->hook->label, map };

  plot->figure = gilk_map_figure (&source, 1, job->log_x, job->log_y, error);
  if (plot->figure == NULL)
    return FALSE;
  plot->figure->title = g_strdup_printf ("%s, %s", job->hook->label, map->name);

  return TRUE;
}

static gboolean
make_plot (const GilkSessionJob          *job,
           const GArray          *all,
           const GilkStoredNames *names,
           GilkPlotData          *plot,
           GError               **error)
{
  const GilkStoredMap *map = NULL;

  for (guint i = 0; i < all->len && map == NULL; i++)
    {
      const GilkStoredMap *one = &g_array_index (all, GilkStoredMap, i);

      if (one->kind != GILK_MAP_MISSED && strcmp (one->name, job->field) == 0)
        map = one;
    }
  if (map != NULL && map->kind == GILK_MAP_HISTOGRAM)
    return plot_histogram (job, map, plot, error);

  plot->title = g_strdup (job->field);
  if (map == NULL)
    plot->message = g_strdup (_("This map is no longer in the session. Open the session again."));
  else if (map->kind == GILK_MAP_HASH)
    plot_map (map, names, plot);
  else
    plot_counter (map, plot);
  if (map != NULL)
    plot->subtitle = describe_map (all, map, job->hook);

  return TRUE;
}

static void
map_thread (GTask        *task,
            gpointer      source,
            gpointer      task_data,
            GCancellable *cancellable)
{
  const GilkSessionJob *job = task_data;
  g_autoptr(GilkPlotData) plot = gilk_plot_data_new ();
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_session_job_open (job, cancellable, &error);
  g_autoptr(GArray) all = store != NULL ? gilk_store_maps (store, job->hook, &error) : NULL;

  g_autoptr(GilkStoredNames) names = all != NULL ? gilk_store_names (store, job->hook->run, &error) : NULL;

  if (names == NULL || !make_plot (job, all, names, plot, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&plot), (GDestroyNotify) gilk_plot_data_free);
}

void
gilk_session_map_async (GilkSession          *session,
                        const GilkStoredHook *hook,
                        const char           *name,
                        gboolean              log_x,
                        gboolean              log_y,
                        GCancellable         *cancellable,
                        GAsyncReadyCallback   callback,
                        gpointer              user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GilkSessionJob *job = gilk_session_job_new (session->path, hook->run, hook, name);

  job->log_x = log_x;
  job->log_y = log_y;
  gilk_session_job_run (job, task, map_thread);
}

GilkPlotData *
gilk_session_map_finish (GAsyncResult *result,
                         GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
