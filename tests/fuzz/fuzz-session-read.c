/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session-read.c - runs all code that reads sessions: the readers in core, used as the
 * workbench uses them, and the gilk commands
 */
#include "core/store/gilk-store-names.h"
#include "tests/fuzz/fuzz-session.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/analysis/gilk-map-sums.h"
#include "core/cfg/gilk-cfg.h"
#include "core/export/gilk-export.h"
#include "core/figure/gilk-figure.h"
#include "core/plot/gilk-graph-paint.h"
#include "core/samples/gilk-query.h"
#include "core/samples/gilk-rows.h"
#include "core/samples/gilk-samples-tiles.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store-write.h"

/* ---- reading with the readers of core ---- */

/* Reads every byte, so that a sanitizer detects invalid memory. */
static void
touch_text (const char *text)
{
  g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
}

/* Makes a figure in the way the command line and the workbench do. With @field, the figure may be
 * of any kind, and shows values of the field or intervals; without @field, its kind is one that
 * needs only hits. */
static void
read_figure (Dice *dice, GilkStore *store, const GilkStoredHook *hook, const char *field, const char *condition)
{
  static const GilkFigureKind of_hits[] = { GILK_FIGURE_RATE, GILK_FIGURE_SPECTRUM, GILK_FIGURE_AUTOCORRELATION };
  const GilkFigureSource source = { .store = store, .hook = hook, .duration = fuzz_draw (dice, 2), .name = "h",
                                    .condition = condition };
  GilkFigureKind kind = field == NULL ? of_hits[fuzz_draw (dice, G_N_ELEMENTS (of_hits))]
                                      : (GilkFigureKind) fuzz_draw (dice, GILK_FIGURE_N_KINDS);
  GilkFigureAsk ask = gilk_figure_ask (kind, field);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) figure = NULL;

  ask.log_x = fuzz_draw (dice, 2);
  ask.log_y = fuzz_draw (dice, 2);
  ask.bins = fuzz_draw (dice, 3) * 7;
  if (fuzz_draw (dice, 4) == 0)
    {
      ask.from = 1e-6;
      ask.to = 2e-3;
    }
  figure = gilk_figure_make (&ask, &source, 1, &error);
  g_assert_true ((figure == NULL) == (error != NULL));
  if (figure != NULL)
    touch_text (figure->caption);
  else
    g_assert_true (error->domain == GILK_ERROR);
}

static void
read_histogram (GilkStore *store, const GilkStoredHook *hook, const char *field, const GArray *gaps)
{
  const GilkHistogramAsk ask = { .of = { .field = field, .gaps = gaps, .from = NAN, .to = NAN }, .scale = 1.0,
                                 .low = NAN, .high = NAN, .bins = 7, .log = TRUE };
  g_autoptr(GilkHistogram) histogram = gilk_hook_histogram (store, hook, &ask, NULL, NULL);
  uint64_t sum = 0;

  for (guint i = 0; histogram != NULL && i < histogram->n_bins; i++)
    sum += histogram->counts[i];
  g_assert_true (histogram == NULL || sum == histogram->n);
}

/* Reads the values of a field one by one, first in stored order, then ordered by time. The loop
 * must end even if the session is corrupt. */
static void
read_stream (GilkStore *store, const GilkStoredHook *hook, const char *field, const GArray *gaps)
{
  for (guint round = 0; round < 2; round++)
    {
      const GilkHookAsk ask = { .field = field, .gaps = gaps, .from = NAN, .to = NAN, .in_order = round };
      g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, NULL);
      double before = -INFINITY;
      GilkHookBlock block;

      while (stream != NULL && gilk_hook_stream_next (stream, &block, NULL))
        for (guint i = 0; i < block.n; i++)
          {
            g_assert_true (!round || block.times[i] >= before);
            g_assert_false (isnan (block.values[i]));
            before = block.times[i];
          }
    }
}

static void
read_measured (Dice *dice, GilkStore *store, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, hook, 1.0, NULL);

  read_histogram (store, hook, field, gaps);
  read_stream (store, hook, field, gaps);
  read_figure (dice, store, hook, strcmp (field, "time") == 0 ? NULL : field,
                fuzz_draw (dice, 3) == 0 ? "time > 0.001" : NULL);
}

/* Reads the series of a counter's readings, whatever it contains: each rate must have a time. */
static void
read_counts (GilkStore *store, const GilkStoredHook *hook)
{
  g_autoptr(GArray) times = NULL, counts = NULL, at = NULL, rates = NULL;
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, hook, 1.0, NULL);

  if (!gilk_store_count_series (store, hook, &times, &counts, NULL))
    return;
  g_assert_cmpuint (times->len, ==, counts->len);
  gilk_count_rates ((const double *) times->data, (const double *) counts->data, times->len, gaps, &at, &rates);
  g_assert_cmpuint (at->len, ==, rates->len);
}

static void
read_rows (GilkStore *store, const GilkStoredHook *hook, GilkRowsForm form)
{
  const GilkRowsChoice choice = { hook, 1, G_MININT64, G_MAXINT64, NULL };
  g_autoptr(GilkRows) rows = gilk_rows_new (store, &choice, form, NULL);
  g_autoptr(GString) lines = g_string_new (NULL);

  while (rows != NULL && gilk_rows_next (rows, lines, NULL, NULL))
    {
      g_assert_true (g_utf8_validate (lines->str, (gssize) lines->len, NULL));
      g_string_truncate (lines, 0);
    }
}

/* Returns whether to accept a tile, which summarises consecutive samples. @data: maximum number of
 * samples in an accepted tile */
static gboolean
touch_tile (const GilkSampleTile *tile, gpointer data)
{
  g_assert_cmpuint (tile->n, >, 0);

  return tile->n <= GPOINTER_TO_UINT (data);
}

static void
touch_samples (const gint64 *t_ns, const double *values, guint n, gpointer data)
{
  (void) data;
  g_assert_true (t_ns != NULL && values != NULL && n > 0);
}

static void
read_tiles (GilkStore *store, const GilkStoredHook *hook, const char *field)
{
  const GilkSampleViewer viewer = { touch_tile, touch_samples };

  gilk_samples_view (store, hook, field, G_MININT64, G_MAXINT64, &viewer, GUINT_TO_POINTER (G_MAXUINT), NULL);
  gilk_samples_view (store, hook, field, G_MININT64, G_MAXINT64, &viewer, GUINT_TO_POINTER (300), NULL);
  gilk_samples_view (store, hook, field, 1000, 2000000, &viewer, GUINT_TO_POINTER (0), NULL);
}

/* Uses all features of the sample cursor: a field twice, a time range, conditions, pairing of
 * entries and exits by frame. */
static void
read_samples (GilkStore *store, const GilkStoredHook *hook, const GArray *fields, gboolean ordered)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, NULL);
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, hook, INFINITY, NULL);
  g_autoptr(GilkSpans) pairs = gilk_spans_new (gaps);
  GilkHookSpans spans;
  GilkSampleBlock block;
  gint64 before = G_MININT64;

  if (samples == NULL)
    return;
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);
      g_autofree char *condition = g_strdup_printf ("%s != 7", field->name);
      guint number, type;

      gilk_samples_add_field (samples, field->name, &number, &type, NULL);
      gilk_samples_add_condition (samples, condition, NULL);
    }
  if (ordered)
    gilk_samples_in_order (samples);
  else
    gilk_samples_set_range (samples, 1000, 5000000000);
  while (gilk_samples_next (samples, &block, NULL))
    for (guint i = 0; i < block.n; i++)
      {
        const GilkSpanMark mark = { (uint64_t) block.hook[i] + block.cpu[i], block.t_ns[i], i % 2 == 1, 0 };
        uint64_t ns;

        g_assert_true (!ordered || block.t_ns[i] >= before);
        before = block.t_ns[i];
        if (ordered)
          gilk_spans_add (pairs, &mark, &ns);
      }
  gilk_spans_end (pairs);
  if (gilk_hook_spans (store, hook, 1, ordered, &spans, NULL))
    g_assert_true (spans.min <= spans.median && spans.median <= spans.p99 && spans.p99 <= spans.max);
}

/* Reads a histogram in each resolution, and as a figure. */
static void
read_buckets (Dice *dice, const GilkStoredMap *kept)
{
  const GilkMapSource sources[] = { { "h", kept }, { "h", kept } };
  guint n = 1 + fuzz_draw (dice, 2);
  g_autoptr(GilkFigure) figure = gilk_map_figure (sources, n, fuzz_draw (dice, 2), fuzz_draw (dice, 2), NULL);

  g_assert_nonnull (figure);
  g_assert_true (figure->message != NULL || figure->x.to > figure->x.from);
  gilk_map_is_small (sources, n);
  for (guint bits = 0; bits <= kept->bits; bits++)
    {
      g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (kept, bits);

      g_assert_cmpuint (buckets->first + buckets->n, <=, gilk_ops_buckets (bits));
      for (guint i = 0; i < buckets->n; i++)
        {
          g_autofree char *text = gilk_map_edge_text (buckets, i);

          g_assert_cmpfloat (gilk_map_edge (buckets, i), <, gilk_map_edge (buckets, i + 1));
          touch_text (text);
        }
      if (buckets->n > 0)
        g_assert_cmpuint (gilk_map_quantile (buckets, 0.5), <, buckets->n);
    }
}

/* Reads the names of keys and stacks. */
static void
read_keys (const GilkStoredMap *kept, const GilkStoredNames *names)
{
  for (guint i = 0; names != NULL && i < MIN (kept->values->len, 8); i++)
    {
      const uint64_t key = (uint64_t) g_array_index (kept->values, GilkStoreValue, i).key;
      g_autofree char *name = gilk_stored_name (names, kept->meaning, key), *brief = gilk_stored_stack_summary (names, key, 3);

      touch_text (name);
      touch_text (brief);
    }
}

static void
read_program (Dice *dice, GilkStore *store, const GilkStoredHook *hook)
{
  g_autoptr(GilkStoredProgram) program = gilk_store_program (store, hook, NULL);
  g_autoptr(GArray) all = gilk_store_maps (store, hook, NULL);
  g_autoptr(GilkStoredNames) names = gilk_store_names (store, hook->run, NULL);

  if (program != NULL)
    {
      touch_text (program->name);
      touch_text (program->code);
      g_assert_nonnull (program->code);
    }
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const GilkStoredMap *kept = &g_array_index (all, GilkStoredMap, i);
      g_autoptr(GArray) sums = gilk_map_sums (kept);

      touch_text (kept->name);
      read_keys (kept, names);
      g_assert_nonnull (gilk_stored_map_kind (kept->kind));
      gilk_map_sort_by_value (sums);
      gilk_map_number (kept);
      if (kept->kind == GILK_MAP_HISTOGRAM)
        read_buckets (dice, kept);
    }
}

static void
read_hook (Dice *dice, GilkStore *store, const GilkStoredHook *hook)
{
  g_autoptr(GArray) fields = gilk_store_fields (store, hook->run, hook->instrument, NULL);

  touch_text (hook->label);
  touch_text (hook->module);
  read_measured (dice, store, hook, "time");
  read_measured (dice, store, hook, "interval");
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);
      g_autoptr(GArray) groups = gilk_store_group (store, hook, field->name, NULL);

      read_measured (dice, store, hook, field->name);
      read_tiles (store, hook, field->name);
      for (guint j = 0; groups != NULL && j < groups->len; j++)
        touch_text (g_array_index (groups, GilkStoredGroup, j).value);
    }
  read_counts (store, hook);
  read_rows (store, hook, GILK_ROWS_CSV);
  read_rows (store, hook, GILK_ROWS_JSON);
  read_tiles (store, hook, "time");
  read_samples (store, hook, fields, FALSE);
  read_samples (store, hook, fields, TRUE);
}

void
fuzz_remove_folder (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static gboolean
take_none (gpointer data, const char *bytes, gsize n, GError **error)
{
  uint64_t *sum = data;

  for (gsize i = 0; i < n; i++)
    *sum += (uint8_t) bytes[i];

  return TRUE;
}

/* Exports all hooks of a run in each format; removes the folder if a format makes one. */
static void
export_run (GilkStore *store, const GilkStoredRun *run)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run->id, NULL);
  g_autofree char *folder = g_strconcat (gilk_store_path (store), ".trace", NULL);
  GilkExportJob job;
  uint64_t sum = 0;

  if (hooks == NULL)
    return;
  gilk_export_job_init (&job, store, run, hooks);
  job.replace = TRUE;
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      const GilkExportFormat *format = gilk_export_format (i);
      g_autoptr(GError) error = NULL;
      gboolean done = format->flags & GILK_EXPORT_FOLDER
                      ? gilk_export_to_path (format, &job, folder, &error)
                      : gilk_export_to_stream (format, &job, take_none, &sum, &error);

      g_assert_true (done == (error == NULL));
      g_assert_true (error == NULL || error->domain == GILK_ERROR);
    }
  fuzz_remove_folder (folder);
}

/* Runs SQL queries like those that a user might run. */
static void
read_by_sql (Dice *dice, const char *path, GCancellable *cancellable)
{
  static const char *const asks[] = {
    "SELECT * FROM samples_task", "SELECT count(*) FROM samples_task WHERE hook = 'writer' AND t > 0.001",
    "SELECT cpu, sum (took) FROM samples_task GROUP BY 1", "SELECT frame FROM samples_span WHERE t_ns < 9000",
    "SELECT * FROM hooks", "SELECT * FROM runs", "SELECT * FROM patches",
    "SELECT * FROM chunk JOIN chunk_column c ON c.id / 16 = chunk.id",
  };
  g_autoptr(GilkQuery) query = gilk_query_new (path, asks[fuzz_draw (dice, G_N_ELEMENTS (asks))],
                                               cancellable, NULL);

  while (query != NULL && gilk_query_next (query, NULL))
    for (guint i = 0; i < gilk_query_columns (query); i++)
      {
        g_autofree char *cell = gilk_query_text (query, i);

        g_assert_true (cell == NULL || g_utf8_validate (cell, -1, NULL));
      }
}

static void
verify_session (const char *path, GCancellable *cancellable)
{
  g_autoptr(GPtrArray) problems = gilk_store_verify (path, NULL, cancellable, NULL);

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    g_assert_true (g_utf8_validate (g_ptr_array_index (problems, i), -1, NULL));
}

/* Loads a graph in the way gui/results/gilk-recorded-graph.c does. */
static void
read_graph (GilkStore *store, const GilkStoredFunction *function, GCancellable *cancellable)
{
  g_autoptr(GArray) blocks = NULL, edges = NULL;
  g_autofree GilkRecordedBlock *recorded = NULL;
  g_autofree GilkEdge *joined = NULL;
  g_autofree GilkBox *sizes = NULL;
  g_autoptr(GilkCfg) cfg = NULL;
  g_auto(GilkLayoutGraph) shape = { NULL };
  g_autoptr(GilkLayout) layout = NULL;

  if (!gilk_store_function (store, function, &blocks, &edges, NULL))
    return;
  recorded = g_new0 (GilkRecordedBlock, blocks->len + 1);
  joined = g_new0 (GilkEdge, edges->len + 1);
  sizes = g_new0 (GilkBox, blocks->len + 1);
  for (guint i = 0; i < blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, i);

      touch_text (block->name);
      touch_text (block->text);
      recorded[i] = (GilkRecordedBlock) { block->start, block->end, 2, GILK_END_FALL, block->cold };
      sizes[i] = (GilkBox) { .width = 100, .height = 40 };
    }
  for (guint i = 0; i < edges->len; i++)
    {
      const GilkStoreEdge *edge = &g_array_index (edges, GilkStoreEdge, i);

      joined[i] = (GilkEdge) { edge->from, edge->to, edge->kind, FALSE };
    }
  cfg = gilk_cfg_new_recorded (function->name, function->entry, recorded, blocks->len, joined,
                               edges->len, NULL);
  if (cfg == NULL)
    return;
  gilk_graph_shape_init (&shape, cfg);
  layout = gilk_layout_new (&shape, sizes, cancellable, NULL);
}

/* Reads the data of a run, but only one of its hooks and one of its graphs, chosen at random. */
static void
read_run (Dice *dice, GilkStore *store, const GilkStoredRun *run, GCancellable *cancellable)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run->id, NULL);
  g_autoptr(GArray) functions = gilk_store_functions (store, run->id, NULL);
  g_auto(GilkStoredJournal) journal = { 0 };
  g_auto(GilkStoredClock) clock = { 0 };
  g_autoptr(GArray) costs = NULL;

  touch_text (run->title);
  touch_text (run->end_reason);
  if (gilk_store_journal (store, run->id, &journal, NULL))
    touch_text (journal.point);
  if (gilk_store_clock (store, run->id, &clock, NULL))
    g_assert_true (clock.hz > 0 && clock.cpus != NULL);
  costs = gilk_store_costs (store, run->id, NULL);
  for (guint i = 0; costs != NULL && i < costs->len; i++)
    touch_text (g_array_index (costs, GilkStoredCost, i).instrument);
  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    read_program (dice, store, &g_array_index (hooks, GilkStoredHook, i));
  if (hooks != NULL && hooks->len > 0)
    read_hook (dice, store, &g_array_index (hooks, GilkStoredHook, fuzz_draw (dice, hooks->len)));
  if (functions != NULL && functions->len > 0)
    read_graph (store, &g_array_index (functions, GilkStoredFunction,
                                       fuzz_draw (dice, functions->len)), cancellable);
  if (fuzz_draw (dice, 8) == 0)
    export_run (store, run);
}

static void
read_core (Dice *dice, const char *path, GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cancellable, &error);
  g_autoptr(GArray) runs = NULL;

  g_assert_true ((store == NULL) == (error != NULL));
  if (store != NULL)
    runs = gilk_store_runs (store, NULL);
  for (guint i = 0; runs != NULL && i < MIN (runs->len, 3); i++)
    read_run (dice, store, &g_array_index (runs, GilkStoredRun, i), cancellable);
}

/* ---- reading with the gilk commands ---- */

static const struct {
  CliCommandFunc run;
  const char    *words[8];
} commands[] = {
  { cmd_report, { "report", "FILE" } },
  { cmd_report, { "report", "FILE", "--json" } },
  { cmd_report, { "report", "FILE", "--span" } },
  { cmd_report, { "report", "FILE", "--run", "1", "--group", "comm" } },
  { cmd_report, { "report", "FILE", "--stages", "cat,tr,sed,grep" } },
  { cmd_report, { "report", "FILE", "--run", "2", "--json", "--span" } },
  { cmd_report, { "report", "FILE", "--map", "sizes" } },
  { cmd_report, { "report", "FILE", "--map", "by_pid", "--json" } },
  { cmd_plot, { "plot", "FILE", "--map", "sizes", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--histogram", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--histogram=took", "--log-x", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--series=took", "--hook", "writer", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--rate", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--rate", "--hook", "calls", "--svg", "/dev/null" } },
  { cmd_plot, { "plot", "FILE", "--group", "comm", "--svg", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--ndjson", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--csv", "--hook", "writer", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--csv", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--csv", "--if", "cpu == 0", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--perfetto", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--stacks", "--from", "1ms", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--stacks", "--weight", "time", "-o", "/dev/null" } },
  { cmd_export, { "export", "FILE", "--lcov", "-o", "/dev/null" } },
  { cmd_runs, { "runs", "FILE" } },
  { cmd_runs, { "runs", "FILE", "--json" } },
};

static void
read_by_command (guint number, const char *path, GCancellable *cancellable)
{
  const CliCommand command = { commands[number].words[0], "S.gilk", "reads a session",
                               commands[number].run };
  Cli cli = { .cancellable = cancellable, .command = &command, .quiet = TRUE };
  g_autoptr(GPtrArray) words = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;

  for (guint i = 0; commands[number].words[i] != NULL; i++)
    g_ptr_array_add (words, (char *) (i == 1 ? path : commands[number].words[i]));
  g_ptr_array_add (words, NULL);
  command.run (&cli, (int) words->len - 1, (char **) words->pdata, &error);
  if (error != NULL)
    {
      g_assert_true (error->domain == GILK_ERROR);
      touch_text (error->message);
    }
  cli_finish_document (&cli);
  g_clear_pointer (&cli.progress, cli_progress_free);
  g_clear_pointer (&cli.doc, cli_json_free);
  g_free (cli.target);
}

void
fuzz_read (Dice         *dice,
           const char   *path,
           GCancellable *cancellable)
{
  switch (fuzz_draw (dice, 4))
    {
    case 0:
    case 1:
      read_core (dice, path, cancellable);
      break;
    case 2:
      read_by_command (fuzz_draw (dice, G_N_ELEMENTS (commands)), path, cancellable);
      break;
    default:
      if (fuzz_draw (dice, 3) == 0)
        verify_session (path, cancellable);
      else
        read_by_sql (dice, path, cancellable);
    }
}
