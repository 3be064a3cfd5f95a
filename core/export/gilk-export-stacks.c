/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-stacks.c - exports a run as collapsed stacks, "a;b;c N", for flamegraph.pl
 *
 * If weighted by hits, a line has the thread's name if it was recorded, then the kernel stack if a
 * program took it, else function and point. If weighted by time, a line has the nesting of
 * functions, derived from their entries and exits, and N is the time spent in the innermost
 * function itself, in microseconds. If weighted by a program's map, the lines have the stacks that
 * are the map's keys. Losses have lines of their own.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-strings.h"
#include "core/export/gilk-export-spans.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

#define LINES_MAX (1u << 20)

typedef struct {
  const GilkExportJob *job;
  GilkEvents          *events;
  GHashTable         **names;     /* for each hook: table from a thread name to the number of hits
                                   * (uint64_t *); NULL: no hit with a name yet */
  GHashTable          *lines;     /* table of output lines: key: the line without its count; value:
                                   * the count (uint64_t *) */
  uint64_t            *rest;      /* for each hook: hits without a thread name */
  uint64_t            *lost;
  guint                n;         /* number of entries in all tables */
  GilkStoredNames     *called;
} Stacks;

/* ---- tables of counts and of lines ---- */

static gboolean
add_count (Stacks *stacks, GHashTable *table, const char *key, uint64_t n, GError **error)
{
  uint64_t *sum = g_hash_table_lookup (table, key);

  if (sum == NULL)
    {
      if (++stacks->n > LINES_MAX)
        {
          g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED,
                               _("More than a million different stacks. Choose hooks with "
                                 "--hook, or a shorter time range with --from and --to."));
          return FALSE;
        }
      sum = g_new0 (uint64_t, 1);
      g_hash_table_insert (table, g_strdup (key), sum);
    }
  *sum += MIN (n, G_MAXUINT64 - *sum);

  return TRUE;
}

static GHashTable *
make_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* Appends a frame. In the frame's name, replaces characters that separate frames or lines. */
static void
append_frame (GString *line, const char *frame)
{
  if (line->len > 0)
    g_string_append_c (line, ';');
  for (const char *c = *frame != '\0' ? frame : "?"; *c != '\0'; c++)
    g_string_append_c (line, *c == ';' ? ':' : (guchar) *c < 0x20 || *c == 0x7f ? '?' : *c);
}

static gboolean
add_line (Stacks *stacks, const char *first, const GilkStoredHook *hook, uint64_t n, GError **error)
{
  g_autoptr(GString) line = g_string_new (NULL);
  g_autofree char *point = gilk_stored_hook_is_event (hook) ? NULL : g_strconcat (hook->block, ":", hook->where, NULL);

  if (n == 0)
    return TRUE;
  append_frame (line, first);
  append_frame (line, hook->function);
  if (point != NULL)
    append_frame (line, point);

  return add_count (stacks, stacks->lines, line->str, n, error);
}

/* ---- lines from recorded kernel stacks ---- */

/* Appends the frames of a stack, outermost first; "?" if the stack is unknown. */
static void
append_stack (const Stacks *stacks, GString *line, uint64_t id)
{
  const GArray *stack = gilk_stored_stack (stacks->called, id);

  if (stack == NULL)
    append_frame (line, "?");
  for (guint i = stack != NULL ? stack->len : 0; i-- > 0;)
    {
      const uint64_t address = g_array_index (stack, uint64_t, i);
      const GilkStoredAddress *named = gilk_stored_address (stacks->called, address);
      g_autofree char *place = named != NULL ? NULL : gilk_stored_place (stacks->called, address);

      append_frame (line, named != NULL ? named->symbol : place);
    }
}

static int
find_stack_field (const GilkEventSource *source)
{
  for (guint f = 0; f < source->fields->len; f++)
    if (g_strcmp0 (g_array_index (source->fields, GilkStoredField, f).meaning, GILK_MEANING_STACK) == 0)
      return (int) f;

  return -1;
}

static gboolean
count_stack (Stacks *stacks, const char *comm, uint64_t id, GError **error)
{
  g_autoptr(GString) line = g_string_new (NULL);

  if (comm != NULL)
    append_frame (line, comm);
  append_stack (stacks, line, id);

  return add_count (stacks, stacks->lines, line->str, 1, error);
}

/* ---- stacks weighted by a program's map ---- */

static gboolean
add_map (Stacks *stacks, const GilkStoredMap *map, GError **error)
{
  g_autoptr(GString) line = g_string_new (NULL);

  for (guint i = 0; i < map->values->len; i++)
    {
      const GilkStoreValue *value = &g_array_index (map->values, GilkStoreValue, i);

      if (value->value <= 0)
        continue;
      g_string_truncate (line, 0);
      append_stack (stacks, line, (uint64_t) value->key);
      if (!add_count (stacks, stacks->lines, line->str, (uint64_t) value->value, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
weigh_by_map (Stacks *stacks, GError **error)
{
  gboolean found = FALSE;

  for (guint i = 0; i < stacks->job->n_hooks; i++)
    {
      g_autoptr(GArray) maps = gilk_store_maps (stacks->job->store, &stacks->job->hooks[i], error);

      for (guint k = 0; maps != NULL && k < maps->len; k++)
        {
          const GilkStoredMap *one = &g_array_index (maps, GilkStoredMap, k);

          if (one->kind != GILK_MAP_HASH || strcmp (one->name, stacks->job->map) != 0 ||
              g_strcmp0 (one->meaning, GILK_MEANING_STACK) != 0)
            continue;
          found = TRUE;
          if (!add_map (stacks, one, error))
            return FALSE;
        }
      if (maps == NULL)
        return FALSE;
    }
  if (!found)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No map of stacks is named \"%s\". Weigh stacks by hits, by time, or by a map "
                   "that a program declares, for example \"map %s[256] of stack\"."),
                 stacks->job->map, stacks->job->map);

  return found;
}

/* ---- stacks weighted by hits ---- */

static gboolean
count_run (Stacks *stacks, const GilkEventRun *run, GError **error)
{
  const GilkSampleBlock *block = run->block;
  const GilkEventSource *source = GILK_EVENT_SOURCE (stacks->events, run->source);
  int comm = gilk_event_source_field (source, "comm", TRUE), stack = find_stack_field (source);

  for (guint i = run->from; i < run->to; i++)
    {
      guint hook = (guint) gilk_hook_index_find (stacks->events->index, block->hook[i]);
      gboolean has_comm = comm >= 0 && (block->missing[comm] == NULL || !block->missing[comm][i]);

      if (stack >= 0 && (block->missing[stack] == NULL || !block->missing[stack][i]))
        {
          if (!count_stack (stacks, has_comm ? block->texts[comm][i] : NULL, (uint64_t) block->values[stack][i], error))
            return FALSE;
          continue;
        }
      if (!has_comm)
        {
          stacks->rest[hook]++;
          continue;
        }
      if (stacks->names[hook] == NULL)
        stacks->names[hook] = make_table ();
      if (!add_count (stacks, stacks->names[hook], block->texts[comm][i], 1, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
count_samples (Stacks *stacks, GError **error)
{
  GilkEventRun run;
  GError *local = NULL;

  while (gilk_events_next (stacks->events, &run, &local))
    if (!count_run (stacks, &run, error))
      return FALSE;
  return gilk_check_end (&local, error);
}

/* Counts the hits of hooks that only count. For the whole run it takes all hits; for a part of the
 * run, the last counter reading in that part minus the last reading before it. */
static gboolean
count_counters (Stacks *stacks, GError **error)
{
  const GilkExportJob *job = stacks->job;
  const GArray *hooks = stacks->events->counting, *places = stacks->events->counting_at;
  g_autofree uint64_t *before = g_new0 (uint64_t, hooks->len + 1);
  g_autofree uint64_t *last = g_new0 (uint64_t, hooks->len + 1);
  g_autoptr(GilkReadings) readings = NULL;
  GilkReading reading;
  GError *local = NULL;
  gboolean all = job->from_ns == G_MININT64 && job->to_ns == G_MAXINT64;

  for (guint i = 0; all && i < hooks->len; i++)
    stacks->rest[g_array_index (places, guint, i)] = g_array_index (hooks, GilkStoredHook, i).hits;
  if (all || hooks->len == 0)
    return TRUE;
  readings = gilk_readings_new (job->store, (const GilkStoredHook *) (const void *) hooks->data, hooks->len,
                                G_MININT64, job->to_ns, error);
  if (readings == NULL)
    return FALSE;
  while (gilk_readings_next (readings, &reading, &local))
    {
      last[reading.hook] = reading.hits;
      if (reading.t_ns < job->from_ns)
        before[reading.hook] = reading.hits;
    }
  for (guint i = 0; i < hooks->len; i++)
    stacks->rest[g_array_index (places, guint, i)] = last[i] > before[i] ? last[i] - before[i] : 0;
  return gilk_check_end (&local, error);
}

static gboolean
count_losses (Stacks *stacks, GError **error)
{
  const GilkExportJob *job = stacks->job;
  g_autoptr(GArray) losses = gilk_store_losses_by_cpu (job->store, job->hooks, job->n_hooks, error);

  for (guint i = 0; losses != NULL && i < losses->len; i++)
    {
      const GilkStoredCpuLoss *loss = &g_array_index (losses, GilkStoredCpuLoss, i);

      if (loss->to_ns >= job->from_ns && loss->from_ns < job->to_ns)
        stacks->lost[loss->hook] += MIN (loss->lost, G_MAXUINT64 - stacks->lost[loss->hook]);
    }

  return losses != NULL;
}

static gboolean
add_hook_lines (Stacks *stacks, guint i, GError **error)
{
  const GilkStoredHook *hook = &stacks->job->hooks[i];
  GHashTableIter iter;
  gpointer name, n;

  if (stacks->names[i] != NULL)
    {
      g_hash_table_iter_init (&iter, stacks->names[i]);
      while (g_hash_table_iter_next (&iter, &name, &n))
        if (!add_line (stacks, name, hook, *(uint64_t *) n, error))
          return FALSE;
    }

  return add_line (stacks, "[all processes]", hook, stacks->rest[i], error) &&
         add_line (stacks, "[lost]", hook, stacks->lost[i], error);
}

static gboolean
weigh_by_hits (Stacks *stacks, GError **error)
{
  if (!count_samples (stacks, error) || !count_counters (stacks, error) || !count_losses (stacks, error))
    return FALSE;
  for (guint i = 0; i < stacks->job->n_hooks; i++)
    if (!add_hook_lines (stacks, i, error))
      return FALSE;

  return TRUE;
}

/* ---- stacks weighted by time ---- */

typedef struct {
  Stacks                *stacks;
  const GilkExportSpans *spans;
  GString               *line;
  GError                *error;
} Timing;

static void
on_end (const GilkCall *call, gint64 now_ns, gpointer data)
{
  Timing *timing = data;
  uint64_t all;

  if (call->end != GILK_CALL_PAIRED || timing->error != NULL)
    return;
  all = (uint64_t) call->exit.t_ns - (uint64_t) call->entry.t_ns;
  g_string_truncate (timing->line, 0);
  for (guint i = 0; i <= call->depth; i++)
    append_frame (timing->line, timing->spans->names->pdata[call->outer[i]]);
  add_count (timing->stacks, timing->stacks->lines, timing->line->str, all - MIN (all, call->inner_ns),
             &timing->error);
}

static gboolean
read_calls (Timing *timing, GilkCalls *calls, GError **error)
{
  GilkEvents *events = timing->stacks->events;
  GilkEventRun run;
  GError *local = NULL;

  while (timing->error == NULL && gilk_events_next (events, &run, &local))
    {
      const GilkEventSource *source = GILK_EVENT_SOURCE (events, run.source);
      int frame = source->is_span ? gilk_event_source_field (source, "frame", FALSE) : -1;

      for (guint i = run.from; frame >= 0 && i < run.to; i++)
        if (gilk_export_spans_has (run.block, frame, i))
          {
            const GilkCallMark mark = gilk_export_spans_mark (timing->spans, events, run.block, (guint) frame, i);

            gilk_calls_add (calls, &mark);
          }
    }
  if (timing->error != NULL)
    g_propagate_error (error, g_steal_pointer (&timing->error));
  else if (local != NULL)
    g_propagate_error (error, local);
  else
    return TRUE;

  return FALSE;
}

static gboolean
weigh_by_time (Stacks *stacks, GError **error)
{
  static const GilkCallsHandler handler = { .end = on_end };
  g_auto(GilkExportSpans) spans = { NULL };
  g_autoptr(GString) line = g_string_new (NULL);
  g_autoptr(GilkCalls) calls = NULL;
  Timing timing = { stacks, &spans, line, NULL };
  gboolean any = FALSE;

  for (guint s = 0; s < stacks->events->sources->len; s++)
    any |= GILK_EVENT_SOURCE (stacks->events, s)->is_span;
  if (!any)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No hook records spans here, so the duration of calls is unknown. "
                             "Weigh stacks by hits, or record with \"gilk plan new FUNCTION "
                             "--span\"."));
      return FALSE;
    }
  if (!gilk_export_spans_init (&spans, stacks->job, error))
    return FALSE;
  calls = gilk_calls_new (&handler, &timing, spans.gaps);

  return read_calls (&timing, calls, error);
}

/* ---- output of the lines ---- */

static gboolean
write_lines (Stacks *stacks, GilkSink *sink, GError **error)
{
  g_autofree gpointer *keys = NULL;
  guint n;

  keys = g_hash_table_get_keys_as_array (stacks->lines, &n);
  if (n > 0)
    qsort (keys, n, sizeof *keys, gilk_order_text);
  for (guint i = 0; i < n; i++)
    {
      uint64_t value = *(uint64_t *) g_hash_table_lookup (stacks->lines, keys[i]);

      if (stacks->job->weight == GILK_EXPORT_TIME)
        value = value / 1000 + (value % 1000 >= 500);
      if (value == 0)
        continue;
      g_string_append (sink->text, keys[i]);
      g_string_append_c (sink->text, ' ');
      gilk_append_uint (sink->text, value);
      g_string_append_c (sink->text, '\n');
      if (!gilk_sink_drain (sink, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
weigh_stacks (Stacks *stacks, GError **error)
{
  switch (stacks->job->weight)
    {
    case GILK_EXPORT_TIME: return weigh_by_time (stacks, error);
    case GILK_EXPORT_MAP: return weigh_by_map (stacks, error);
    case GILK_EXPORT_HITS:
    default:               return weigh_by_hits (stacks, error);
    }
}

gboolean
gilk_export_stacks (const GilkExportJob *job,
                    GilkSink            *sink,
                    GError             **error)
{
  Stacks stacks = { .job = job };
  gboolean good;

  stacks.events = gilk_events_new (job, error);
  if (stacks.events == NULL)
    return FALSE;
  stacks.names = g_new0 (GHashTable *, job->n_hooks + 1);
  stacks.lines = make_table ();
  stacks.rest = g_new0 (uint64_t, job->n_hooks + 1);
  stacks.lost = g_new0 (uint64_t, job->n_hooks + 1);
  stacks.called = gilk_store_names (job->store, job->run->id, error);
  good = stacks.called != NULL && weigh_stacks (&stacks, error) && write_lines (&stacks, sink, error);

  for (guint i = 0; i < job->n_hooks; i++)
    g_clear_pointer (&stacks.names[i], g_hash_table_unref);
  g_hash_table_unref (stacks.lines);
  gilk_events_free (stacks.events);
  g_clear_pointer (&stacks.called, gilk_stored_names_unref);
  gilk_free_all (stacks.names, stacks.rest, stacks.lost);

  return good;
}
