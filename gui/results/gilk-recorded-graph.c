/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-graph.c - loads the graph of a function as recorded in a session
 *
 * The heat of a block is the highest hit count of its hooks: a block's pre-hook and post-hook are
 * hit equally often, but one of them may have been armed for only a part of the run. If watchpoints
 * are the source of the heat, it is the number of accesses that the block made.
 */
#include "gui/results/gilk-recorded-graph.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/emit/gilk-inline.h"
#include "core/store/gilk-store-calls.h"

typedef struct {
  uint64_t addr, hits;               /* @hits: number, or GILK_HITS_UNKNOWN */
  gboolean post, at;
  gboolean counted;                  /* the hook counted throughout the run, so counts of other
                                      * blocks can be inferred from @hits */
  char    *condition;                /* only samples that meet this condition are counted; NULL: all
                                      * samples are counted */
  gboolean lacks_field;              /* the samples lack a field by whose values the user has
                                      * selected samples */
} Point;

/* Number of accesses by a block, as counted by watchpoints. */
typedef struct {
  char    *block;
  uint64_t count;
} Heat;

typedef struct {
  char               *path;
  GilkStoredFunction  function;
  GArray             *points;            /* element-type Point: hooks of the function */
  GArray             *heat;              /* element-type Heat; NULL: use the counts of the hooks */
  GPtrArray          *watchpoints;       /* GilkStoredHook */
  GPtrArray          *hooks;             /* GilkStoredHook, one per point */
  GilkSelectionRange        time;        /* selected time range of the run */
  /* Id of the run; 0: none of the run's hooks is in the function. */
  gint64              run;
  GilkPlotStyle       style;
} Job;

typedef struct {
  uint64_t addr;
  guint    hook;
} Site;

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const Site *one = a, *other = b;

  return (one->addr > other->addr) - (one->addr < other->addr);
}

/* Returns whether @line is an indirect call or jump: "call *%rax" or "jmp
 * __x86_indirect_thunk_r11". */
static gboolean
is_indirect (const char *line)
{
  const char *space = strchr (line, ' ');

  return space != NULL && (g_str_has_prefix (line, "call") || g_str_has_prefix (line, "jmp")) &&
         (space[1] == '*' || g_str_has_prefix (space + 1, "__x86_indirect_"));
}

/* Returns the hooks that were placed in front of single instructions of the block, sorted by
 * address. */
static GArray *
find_sites (const GArray *hooks, const GilkStoredFunction *function, const GilkStoredBlock *block)
{
  GArray *sites = g_array_new (FALSE, FALSE, sizeof (Site));

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);
      const Site site = { hook->addr, i };

      if (g_strcmp0 (hook->where, "at") == 0 && hook->addr >= block->start && hook->addr < block->end &&
          g_strcmp0 (hook->function, function->name) == 0 && g_strcmp0 (hook->module, function->module) == 0)
        g_array_append_val (sites, site);
    }
  g_array_sort (sites, compare_sites);

  return sites;
}

static guint
count_indirect (char **lines)
{
  guint n = 0;

  for (; *lines != NULL; lines++)
    n += is_indirect (*lines);

  return n;
}

static void
add_notes (GPtrArray *notes, const GilkStoredBlock *block, const GArray *sites, const GArray *targets)
{
  g_auto(GStrv) lines = g_strsplit (block->text != NULL ? block->text : "", "\n", -1);
  gboolean in_order = count_indirect (lines) == sites->len;
  guint at = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      gboolean here = at < sites->len && (in_order ? is_indirect (lines[i]) : lines[i + 1] == NULL);

      g_ptr_array_add (notes, here ? gilk_stored_targets_text (targets, g_array_index (sites, Site, at).hook) : NULL);
      at += here;
    }
}

/**
 * match_targets:
 * @blocks: GilkStoredBlock.
 *
 * Returns notes on the targets of indirect calls that hooks recorded. A session stores the text of
 * a block without addresses, so the n-th indirect call is matched with the n-th hook if all
 * indirect calls were hooked. Otherwise a note is put at the block's last line.
 *
 * Returns: (transfer full): a note or NULL for each line of all blocks, in order; NULL on failure
 */
static GPtrArray *
match_targets (GilkStore                *store,
               gint64                    run,
               const GilkStoredFunction *function,
               const GArray             *blocks,
               GError                  **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  g_autoptr(GArray) targets = hooks != NULL ? gilk_store_targets (store, run, hooks, error) : NULL;
  g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  if (targets == NULL)
    return NULL;
  for (guint i = 0; i < blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, i);
      g_autoptr(GArray) sites = find_sites (hooks, function, block);

      add_notes (notes, block, sites, targets);
    }

  return g_steal_pointer (&notes);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_free (job->function.name);
  g_free (job->function.module);
  g_array_unref (job->points);
  g_clear_pointer (&job->heat, g_array_unref);
  g_ptr_array_unref (job->watchpoints);
  g_ptr_array_unref (job->hooks);
  g_free (job);
}

/* ---- building the graph ---- */

static guint
count_lines (const char *text)
{
  guint n = text != NULL && text[0] != '\0' ? 1 : 0;

  for (const char *c = text; n > 0 && (c = strchr (c, '\n')) != NULL; c++)
    n++;

  return n;
}

/* Returns GILK_END_RETURN if the block with disassembly @text ends in a return. Otherwise returns
 * GILK_END_FALL: the graph's edges then determine how the block ends. */
static GilkBlockEnd
classify_ending (const char *text)
{
  const char *last = text != NULL ? strrchr (text, '\n') : NULL;

  last = last != NULL ? last + 1 : text != NULL ? text : "";

  return g_str_has_prefix (last, "ret") || strstr (last, "__x86_return_thunk") != NULL
         ? GILK_END_RETURN : GILK_END_FALL;
}

static GilkCfg *
make_cfg (const GilkStoredFunction *function,
          GArray                   *blocks,
          GArray                   *edges,
          GError                  **error)
{
  g_autofree GilkRecordedBlock *recorded = g_new0 (GilkRecordedBlock, blocks->len + 1);
  g_autofree GilkEdge *joined = g_new0 (GilkEdge, edges->len + 1);

  for (guint i = 0; i < blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, i);

      recorded[i] = (GilkRecordedBlock) { block->start, block->end, count_lines (block->text),
                                          classify_ending (block->text), block->cold };
    }
  for (guint i = 0; i < edges->len; i++)
    {
      const GilkStoreEdge *edge = &g_array_index (edges, GilkStoreEdge, i);

      joined[i] = (GilkEdge) { edge->from, edge->to, edge->kind, FALSE };
    }

  return gilk_cfg_new_recorded (function->name, function->entry, recorded, blocks->len,
                                joined, edges->len, error);
}

static GilkGraph *
make_graph (const Job    *job,
            GArray       *blocks,
            GArray       *edges,
            GPtrArray    *notes,
            GCancellable *cancellable,
            GError      **error)
{
  g_autoptr(GilkCfg) cfg = make_cfg (&job->function, blocks, edges, error);
  g_autofree const char **titles = g_new0 (const char *, blocks->len + 1);
  g_autofree const char **texts = g_new0 (const char *, blocks->len + 1);

  for (guint i = 0; i < blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, i);

      titles[i] = block->name != NULL ? block->name : "";
      texts[i] = block->text != NULL ? block->text : "";
    }

  return cfg != NULL ? gilk_graph_new_recorded (cfg, titles, texts, &job->style,
                                                (const char *const *) notes->pdata, cancellable, error) : NULL;
}

/* ---- heat of the blocks ---- */

static void
set_points (GilkGraphData *data,
            GArray        *points)
{
  data->marks = g_new0 (uint8_t, 2 * data->cfg->n_blocks);
  data->hits = g_new (uint64_t, data->cfg->n_blocks);
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    data->hits[i] = GILK_HITS_UNKNOWN;

  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      int block = point->at ? gilk_cfg_block_around (data->cfg, point->addr) : gilk_cfg_block_at (data->cfg, point->addr);

      if (block < 0)
        continue;
      if (!point->at)
        data->marks[2 * block + point->post] = GILK_MARK_PLANNED;
      if (point->hits != GILK_HITS_UNKNOWN &&
          (data->hits[block] == GILK_HITS_UNKNOWN || data->hits[block] < point->hits))
        data->hits[block] = point->hits;
    }
}

static void
infer_counts (GilkGraphData *data,
              GArray        *points)
{
  g_autofree uint64_t *counts = g_new (uint64_t, data->cfg->n_blocks + 1);

  for (guint i = 0; i < data->cfg->n_blocks; i++)
    counts[i] = GILK_COUNT_UNKNOWN;
  for (guint i = 0; i < points->len; i++)
    {
      const Point *point = &g_array_index (points, Point, i);
      int block = gilk_cfg_block_at (data->cfg, point->addr);

      if (block >= 0 && point->counted && !point->at &&
          (!point->post || gilk_circulation_runs_through (data->cfg, (guint) block)))
        counts[block] = point->hits;
    }
  data->known = gilk_known_counts_new (data->cfg, counts);
}

static void
heat_clear (gpointer data)
{
  g_free (((Heat *) data)->block);
}

static GArray *
heat_new (void)
{
  GArray *heat = g_array_new (FALSE, FALSE, sizeof (Heat));

  g_array_set_clear_func (heat, heat_clear);

  return heat;
}

static void
add_accesses (GArray *heat, const GilkStoredFunction *function, const GArray *accesses)
{
  for (guint i = 0; i < accesses->len; i++)
    {
      const GilkAccessor *writer = &g_array_index (accesses, GilkAccessor, i);
      const Heat one = { g_strdup (writer->block), writer->count };

      if (g_strcmp0 (writer->function, function->name) == 0)
        g_array_append_val (heat, one);
      else
        g_free (one.block);
    }
}

static void
apply_heat (GilkGraphData *data, const GArray *heat)
{
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    {
      data->hits[i] = GILK_HITS_UNKNOWN;
      for (guint k = 0; k < heat->len; k++)
        {
          const Heat *one = &g_array_index (heat, Heat, k);

          if (g_strcmp0 (one->block, data->graph->titles[i]) == 0)
            data->hits[i] = (data->hits[i] != GILK_HITS_UNKNOWN ? data->hits[i] : 0) + one->count;
        }
    }
}

static gboolean
is_measured (const GilkGraphData *data)
{
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    if (data->hits[i] != GILK_HITS_UNKNOWN)
      return TRUE;

  return FALSE;
}

/* Replaces the hits of each hook by its hits in the selected range of time and values. Counts of
 * other blocks are then not inferred, because they would not be exact. */
static gboolean
recount_hits (Job       *job,
              GilkStore *store,
              GError   **error)
{
  for (guint i = 0; i < job->points->len; i++)
    {
      Point *point = &g_array_index (job->points, Point, i);
      const GilkHitsAsk ask = { job->time.from, job->time.to, point->condition };
      gboolean known = FALSE;
      uint64_t hits = 0;

      if (!point->lacks_field && point->condition == NULL && !gilk_selection_is_set (&job->time))
        continue;
      if (!point->lacks_field && !gilk_hook_hits (store, g_ptr_array_index (job->hooks, i), &ask, &hits, &known, error))
        return FALSE;
      point->hits = known ? hits : GILK_HITS_UNKNOWN;
      point->counted = FALSE;
    }

  return TRUE;
}

/* Sets the heat of the blocks. If accesses were requested, the heat comes from them; otherwise it
 * comes from the hooks or, if no hook counted, from the watchpoints. */
static gboolean
set_heat (Job *job, GilkStore *store, GilkGraphData *data, GError **error)
{
  g_autoptr(GArray) heat = NULL;

  if (!recount_hits (job, store, error))
    return FALSE;
  set_points (data, job->points);
  if (job->heat != NULL)
    {
      apply_heat (data, job->heat);
      return TRUE;
    }
  infer_counts (data, job->points);
  if (is_measured (data) || job->watchpoints->len == 0)
    return TRUE;
  heat = heat_new ();
  for (guint i = 0; i < job->watchpoints->len; i++)
    {
      g_autoptr(GArray) accesses = gilk_store_accessors (store, g_ptr_array_index (job->watchpoints, i), error);

      if (accesses == NULL)
        return FALSE;
      add_accesses (heat, &job->function, accesses);
    }
  apply_heat (data, heat);

  return TRUE;
}

static void
load_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr(GilkGraphData) data = gilk_graph_data_new ();
  g_autoptr(GArray) blocks = NULL, edges = NULL;
  g_autoptr(GPtrArray) notes = NULL;
  GError *error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (job->path, cancellable, &error);

  if (store == NULL || !gilk_store_function (store, &job->function, &blocks, &edges, &error) ||
      (notes = match_targets (store, job->run, &job->function, blocks, &error)) == NULL ||
      (data->graph = make_graph (job, blocks, edges, notes, cancellable, &error)) == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  data->cfg = data->graph->cfg;
  data->name = g_strdup (job->function.name);
  if (!set_heat (job, store, data, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_return_pointer (task, g_steal_pointer (&data), (GDestroyNotify) gilk_graph_data_unref);
}

static void
point_clear (gpointer data)
{
  g_free (((Point *) data)->condition);
}

static Point
make_point (const GilkStoredHook *hook,
            const GilkSelection  *selection,
            const GArray         *fields)
{
  return (Point) {
    .addr = hook->addr,
    .hits = hook->hits_known ? hook->hits : GILK_HITS_UNKNOWN,
    .post = g_strcmp0 (hook->where, "post") == 0,
    .at = g_strcmp0 (hook->where, "at") == 0,
    .counted = hook->hits_known && hook->start_ns == 0 && hook->stop_ns == 0 && gilk_inline_is (hook->instrument, GILK_INLINE_COUNT),
    .condition = selection != NULL ? gilk_selection_condition (selection, fields, NULL) : NULL,
    .lacks_field = selection != NULL && !gilk_selection_is_testable (selection, fields),
  };
}

static void
add_hooks (Job                 *job,
           GArray              *hooks,
           const GilkSelection *selection,
           const GPtrArray     *fields)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      job->run = hook->run;
      if (gilk_stored_hook_is_watchpoint (hook))
        g_ptr_array_add (job->watchpoints, gilk_stored_hook_copy (hook));
      else if (g_strcmp0 (hook->function, job->function.name) == 0 && g_strcmp0 (hook->module, job->function.module) == 0)
        {
          const Point point = make_point (hook, selection, g_ptr_array_index (fields, i));

          g_array_append_val (job->points, point);
          g_ptr_array_add (job->hooks, gilk_stored_hook_copy (hook));
        }
    }
}

void
gilk_recorded_graph_async (const char               *path,
                           const GilkStoredFunction *function,
                           const GilkSessionRun     *run,
                           const GArray             *accesses,
                           const GilkSelection      *selection,
                           const GilkPlotStyle      *style,
                           GCancellable             *cancellable,
                           GAsyncReadyCallback       callback,
                           gpointer                  user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->path = g_strdup (path);
  job->function = *function;
  job->function.name = g_strdup (function->name);
  job->function.module = g_strdup (function->module);
  job->style = *style;
  job->time = selection != NULL ? gilk_selection_time (selection) : (GilkSelectionRange) { NAN, NAN };
  job->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_stored_hook_free);
  job->watchpoints = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_stored_hook_free);
  if (accesses != NULL)
    {
      job->heat = heat_new ();
      add_accesses (job->heat, function, accesses);
    }
  job->points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_array_set_clear_func (job->points, point_clear);
  add_hooks (job, run->hooks, selection, run->fields);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, load_thread);
}

GilkGraphData *
gilk_recorded_graph_finish (GAsyncResult *result,
                            GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
