/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-read.c - reads runs, hooks and fields
 */
#include "core/store/gilk-store.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-format.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-strings.h"
#include "core/base/gilk-tactic.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-transaction.h"

/* ---- hooks by the driver, or by BPF ---- */

gboolean
gilk_stored_hook_by_bpf (const GilkStoredHook *hook)
{
  return gilk_tactic_name_is_bpf (hook->tactic);
}

gboolean
gilk_stored_hook_is_event (const GilkStoredHook *hook)
{
  return g_strcmp0 (hook->tactic, gilk_tactic_name (GILK_TACTIC_TRACEPOINT)) == 0 ||
         g_strcmp0 (hook->tactic, gilk_tactic_name (GILK_TACTIC_TIMER)) == 0;
}

char *
gilk_stored_hook_point (const GilkStoredHook *hook)
{
  if (gilk_stored_hook_is_event (hook))
    return g_strdup (hook->function);

  return g_strconcat (hook->function, hook->block, ":", hook->where, NULL);
}

const char *
gilk_stored_run_way (const GilkStoredRun *run)
{
  return run->by_bpf ? "bpf" : "ilk";
}

/* ---- runs ---- */

GILK_DEFINE_CLEAR (clear_run, GilkStoredRun, run,
                   gilk_free_all (run->title, run->target, run->release, run->build_id,
                                  run->end_reason, run->started, run->plan))

/* Finds the duration of a run without an end: the latest time of any count or sample. */
static gboolean
find_duration (GilkStore *store, GilkStoredRun *run, GError **error)
{
  gint64 counted, sampled;

  if (!gilk_sql_value (store, error, &counted, 0,
                       "SELECT max (c.at_ns) FROM counts c JOIN hook h ON h.id = c.hook "
                       "WHERE h.run = ?", "i", run->id) ||
      !gilk_sql_value (store, error, &sampled, 0,
                       "SELECT max (k.last_ns) FROM chunk k JOIN instrument i "
                       "ON i.id = k.instrument WHERE i.run = ?", "i", run->id))
    return FALSE;
  run->duration = (double) MAX (counted, sampled) / 1e9;

  return TRUE;
}

static gboolean
complete_run (GilkStore *store, GilkStoredRun *run, gboolean recording, GError **error)
{
  if (run->end_reason != NULL)
    return TRUE;
  run->end_reason = g_strdup (recording ? "being recorded" : "cut off");

  return find_duration (store, run, error);
}

GArray *
gilk_store_runs (GilkStore *store,
                 GError   **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT r.id, r.title, r.target, r.release, r.build_id, r.end_reason, r.started, r.plan, "
    "r.duration_ns, sum (c.stored), sum (c.lost), max (h.tactic IN (" GILK_TACTICS_OF_BPF ")) "
    "FROM run r LEFT JOIN hook h ON h.run = r.id LEFT JOIN counts c ON c.hook = h.id "
    "GROUP BY r.id ORDER BY r.id", "");
  g_autoptr(GArray) runs = gilk_array_new (sizeof (GilkStoredRun), clear_run);
  gboolean recording = gilk_store_is_recording (store);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredRun run = { 0 };
      uint64_t duration_ns, by_bpf;

      if (!gilk_sql_row (store, stmt, &local, "iSsSSSssNNNN", &run.id, &run.title, &run.target,
                         &run.release, &run.build_id, &run.end_reason, &run.started, &run.plan,
                         &duration_ns, &run.samples, &run.lost, &by_bpf))
        break;
      run.by_bpf = by_bpf != 0;
      run.duration = (double) duration_ns / 1e9;
      g_array_append_val (runs, run);
    }
  if (!gilk_check_end (&local, error))
    return NULL;
  for (guint i = 0; i < runs->len; i++)
    if (!complete_run (store, &g_array_index (runs, GilkStoredRun, i), recording, error))
      return NULL;

  return g_steal_pointer (&runs);
}

gboolean
gilk_store_origin (GilkStore        *store,
                   gint64            run,
                   GilkStoredOrigin *origin,
                   GError          **error)
{
  GError *local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT hostname, boot_id, zero_tsc, zero_mono_ns, zero_unix_ns, tsc_khz, duration_ns FROM run WHERE id = ?", "i", run);
  GilkStoredOrigin found = { NULL };

  if (gilk_sql_next (store, stmt, &local))
    {
      if (!gilk_sql_row (store, stmt, error, "SSannnN", &found.hostname, &found.boot_id, &found.zero_tsc,
                         &found.zero_mono_ns, &found.zero_unix_ns, &found.tsc_khz, &found.duration_ns))
        return FALSE;
      if (found.hostname == NULL)
        found.hostname = g_strdup ("");
      if (found.boot_id == NULL)
        found.boot_id = g_strdup ("");
      *origin = found;
      return TRUE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s has no run %" PRId64 ". Choose another."),
                 gilk_store_path (store), run);

  return FALSE;
}

void
gilk_stored_origin_clear (GilkStoredOrigin *origin)
{
  g_clear_pointer (&origin->hostname, g_free);
  g_clear_pointer (&origin->boot_id, g_free);
}

/* ---- describes why runs ended ---- */

/* Sessions hold the reason why a run ended in English, whatever the locale of the recorder, because
 * it is compared and queried. */
enum { TIME_IS_UP, STOPPED };

static const char *const reasons[] = {
  [TIME_IS_UP] = N_("time is up"),
  [STOPPED] = N_("stopped"),
  N_("being recorded"),
  N_("cut off"),
  N_("a ring is full"),
  N_("a livepatch was loaded"),
  N_("disarmed by another client"),
  N_("triggered by %s"),
  N_("ended by a program"),
  N_("condition met: %s (%s)"),
  N_("hook %s could not start"),
  N_("module %s was unloaded"),
  "%s; %s",
  NULL
};

char *
gilk_store_end_reason_text (const char *reason)
{
  return reason != NULL ? gilk_phrase_translate (reason, reasons) : g_strdup (_("not yet"));
}

gboolean
gilk_store_ended_as_planned (const char *reason)
{
  return g_strcmp0 (reason, reasons[TIME_IS_UP]) == 0 || g_strcmp0 (reason, reasons[STOPPED]) == 0;
}

/* ---- hooks ---- */

GILK_DEFINE_CLEAR (clear_hook, GilkStoredHook, hook,
                   gilk_free_all (hook->label, hook->function, hook->module, hook->block,
                                  hook->where, hook->instrument, hook->tactic))

GilkStoredHook *
gilk_stored_hook_copy (const GilkStoredHook *hook)
{
  GilkStoredHook *copy = g_memdup2 (hook, sizeof *hook);

  copy->label = g_strdup (hook->label);
  copy->function = g_strdup (hook->function);
  copy->module = g_strdup (hook->module);
  copy->block = g_strdup (hook->block);
  copy->where = g_strdup (hook->where);
  copy->instrument = g_strdup (hook->instrument);
  copy->tactic = g_strdup (hook->tactic);

  return copy;
}

void
gilk_stored_hook_free (GilkStoredHook *hook)
{
  clear_hook (hook);
  g_free (hook);
}

double
gilk_stored_hook_seconds (const GilkStoredHook *hook,
                          const GilkStoredRun  *run)
{
  double start = (double) hook->start_ns / 1e9;
  double stop = hook->stop_ns != 0 ? (double) hook->stop_ns / 1e9 : run->duration;

  return MAX (MIN (stop, run->duration) - start, 0);
}

GArray *
gilk_store_hooks (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT h.id, h.iid, h.label, h.function, h.module, h.block, h.place, h.instrument, h.tactic, "
    "h.addr, h.start_ns, h.stop_ns, h.cost, sum (c.hits), sum (c.stored), sum (c.lost), "
    "sum (c.missed), " GILK_HITS_KNOWN ", h.switched "
    "FROM hook h LEFT JOIN counts c ON c.hook = h.id WHERE h.run = ? GROUP BY h.id ORDER BY h.id", "i", run);
  g_autoptr(GArray) hooks = gilk_array_new (sizeof (GilkStoredHook), clear_hook);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredHook hook = { .run = run };

      if (gilk_sql_row (store, stmt, &local, "iussSssssannuNNNNff", &hook.id, &hook.iid, &hook.label,
                        &hook.function, &hook.module, &hook.block, &hook.where, &hook.instrument,
                        &hook.tactic, &hook.addr, &hook.start_ns, &hook.stop_ns, &hook.cost,
                        &hook.hits, &hook.stored, &hook.lost, &hook.missed, &hook.hits_known,
                        &hook.switched))
        g_array_append_val (hooks, hook);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&hooks) : NULL;
}

/* ---- indices of hooks ---- */

/* Maps hook ids to indices of hooks. Ids of a run are usually consecutive, so that one access to a
 * table finds an index; otherwise the entries are searched by bisection. */
typedef struct {
  gint64 id;
  int    at;
} Entry;

struct _GilkHookIndex {
  gint64  least;
  guint   n_table;                /* length of the table; 0: entries are searched by bisection
                                   * instead */
  int    *table;
  guint   n;
  Entry  *entries;                /* ids and indices, sorted by id */
};

static int
compare_entries (const void *a, const void *b)
{
  const Entry *x = a, *y = b;

  return GILK_ORDER (x->id, y->id) ?: x->at - y->at;
}

GilkHookIndex *
gilk_hook_index_new (const GilkStoredHook *hooks,
                     guint                 n_hooks)
{
  GilkHookIndex *index = g_new0 (GilkHookIndex, 1);
  uint64_t span;

  index->n = n_hooks;
  index->entries = g_new0 (Entry, n_hooks + 1);
  for (guint i = 0; i < n_hooks; i++)
    index->entries[i] = (Entry) { hooks[i].id, (int) i };
  if (n_hooks == 0)
    return index;
  qsort (index->entries, n_hooks, sizeof *index->entries, compare_entries);

  index->least = index->entries[0].id;
  span = (uint64_t) index->entries[n_hooks - 1].id - (uint64_t) index->least;
  if (span >= 4 * (uint64_t) n_hooks + 1024)
    return index;
  index->n_table = (guint) span + 1;
  index->table = g_new (int, index->n_table);
  for (guint i = 0; i < index->n_table; i++)
    index->table[i] = -1;
  for (guint i = 0; i < n_hooks; i++)
    index->table[index->entries[i].id - index->least] = index->entries[i].at;

  return index;
}

void
gilk_hook_index_free (GilkHookIndex *index)
{
  if (index == NULL)
    return;
  gilk_free_all (index->table, index->entries, index);
}

int
gilk_hook_index_find (const GilkHookIndex *index,
                      gint64               id)
{
  guint low;

  if (index->n_table > 0)
    return id >= index->least && (uint64_t) id - (uint64_t) index->least < index->n_table
           ? index->table[id - index->least] : -1;
  low = GILK_BISECT (index->n, i, index->entries[i].id < id);

  return low < index->n && index->entries[low].id == id ? index->entries[low].at : -1;
}

/* ---- fields ---- */

GILK_DEFINE_CLEAR (clear_field, GilkStoredField, field,
                   gilk_free_all (field->name, field->column, field->unit, field->help,
                                  field->meaning))

GArray *
gilk_store_fields (GilkStore  *store,
                   gint64      run,
                   const char *instrument,
                   GError    **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT f.name, f.column_name, f.unit, f.help, f.type, f.meaning FROM field f "
    "JOIN instrument i ON i.id = f.instrument WHERE i.run = ? AND i.name = ? ORDER BY f.position", "is", run, instrument);
  g_autoptr(GArray) fields = gilk_array_new (sizeof (GilkStoredField), clear_field);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredField field = { NULL };

      if (gilk_sql_row (store, stmt, &local, "sssSuS", &field.name, &field.column, &field.unit,
                        &field.help, &field.type, &field.meaning))
        g_array_append_val (fields, field);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&fields) : NULL;
}

GPtrArray *
gilk_store_sampling_instruments (GilkStore *store,
                                 GError   **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT name FROM instrument WHERE takes_samples GROUP BY name ORDER BY min (id)", "");
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  char *name;

  while (gilk_sql_next (store, stmt, &local))
    if (gilk_sql_row (store, stmt, &local, "s", &name))
      g_ptr_array_add (names, name);

  return gilk_check_end (&local, error) ? g_steal_pointer (&names) : NULL;
}

/* Returns whether the field's values identify something, like names. A number with a unit is a
 * quantity instead. */
gboolean
gilk_stored_field_is_name (const GilkStoredField *field)
{
  return field->type == ILK_FIELD_TEXT || field->type == ILK_FIELD_HEX64 || field->meaning != NULL ||
         gilk_meaning_is_identifier (field->name, field->unit);
}

const GilkStoredField *
gilk_stored_field_find (const GArray *fields,
                        const char   *name)
{
  for (guint i = 0; i < fields->len; i++)
    if (g_strcmp0 (g_array_index (fields, GilkStoredField, i).name, name) == 0)
      return &g_array_index (fields, GilkStoredField, i);

  return NULL;
}
