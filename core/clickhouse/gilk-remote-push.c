/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-push.c - sends a run to a store, which stores each sample and reading exactly once
 */
#include "core/clickhouse/gilk-remote-push.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-error.h"
#include "core/clickhouse/gilk-remote-metadata.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store.h"

/* Values of the column "predecessor": what comes before a sample of a hook. */
enum { AFTER_SAMPLE, IS_FIRST, AFTER_GAP };

/* State of a hook while its samples are pushed, used to find gaps between two of them. */
typedef struct {
  GArray  *gaps;
  guint    gap;                   /* index of the first gap that ends after the previous sample */
  gboolean begun;
  gint64   before_ns;
} HookState;

typedef struct {
  guint number;                   /* index of the field in the arrays of GilkSampleBlock */
  guint type;
  guint column;
  guint position;
} FieldState;

typedef struct {
  GilkRemote         *remote;
  GilkStore          *store;
  const GilkStoredRun *run;
  const GilkProgress *progress;
  GilkRemotePushed   *pushed;
  GilkRemoteMetadata      metadata;
  GilkLedger         *ledger;
  GilkRemoteBlocks   *blocks;
  GilkHookIndex      *index;
  HookState          *hooks;

  GilkNative         *rows;       /* rows of the current instrument; owned by @blocks */
  guint               hook, cpu, t_ns, before_ns, predecessor, has;
  GArray             *fields;     /* FieldState */
} Push;

static void
push_clear (Push *push)
{
  for (guint i = 0; push->hooks != NULL && i < push->metadata.hooks->len; i++)
    g_clear_pointer (&push->hooks[i].gaps, g_array_unref);
  g_clear_pointer (&push->hooks, g_free);
  g_clear_pointer (&push->index, gilk_hook_index_free);
  g_clear_pointer (&push->blocks, gilk_remote_blocks_free);
  g_clear_pointer (&push->ledger, gilk_ledger_free);
  g_clear_pointer (&push->fields, g_array_unref);
  gilk_remote_metadata_clear (&push->metadata);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Push, push_clear)

/* ---- pushes a run's metadata ---- */

static gboolean
push_head (Push *push, GError **error)
{
  const GilkLedgerLine *line = gilk_ledger_find (push->ledger, GILK_LEDGER_METADATA, 0);
  uint64_t attempt = gilk_ledger_attempt (), rows = 0;

  if (line != NULL)
    return gilk_remote_blocks_same (push->blocks, line, line->rows, push->metadata.digest, error);
  for (guint i = 0; i < push->metadata.parts->len; i++)
    {
      const GilkRemoteMetadataPart *part = &g_array_index (push->metadata.parts, GilkRemoteMetadataPart, i);

      if (part->n == 0)
        continue;
      gilk_native_put_all (part->rows, part->attempt, attempt, part->n);
      rows += part->n;
      if (!gilk_remote_blocks_insert (push->blocks, part->table, part->rows, part->n, error))
        return FALSE;
    }

  return gilk_remote_blocks_note (push->blocks, GILK_LEDGER_METADATA, 0, attempt, rows, push->metadata.digest, error);
}

/* ---- pushes samples ---- */

static gint64
get_gap_ns (const HookState *hook, gboolean end)
{
  const GilkGap *gap = &g_array_index (hook->gaps, GilkGap, hook->gap);

  return (gint64) rint ((end ? gap->to : gap->from) * 1e9);
}

/* Returns the value of the column "predecessor" for a sample at @t_ns. gilk-hook-numbers.c follows
 * the same rules. */
static guint
find_predecessor (HookState *hook, gint64 t_ns)
{
  if (!hook->begun)
    return IS_FIRST;
  while (hook->gap < hook->gaps->len && get_gap_ns (hook, TRUE) <= hook->before_ns)
    hook->gap++;

  return hook->gap < hook->gaps->len && get_gap_ns (hook, FALSE) < t_ns ? AFTER_GAP : AFTER_SAMPLE;
}

static void
put_fields (Push *push, const GilkSampleBlock *block, guint i)
{
  uint64_t has = 0;

  for (guint f = 0; f < push->fields->len; f++)
    {
      const FieldState *field = &g_array_index (push->fields, FieldState, f);
      const uint8_t *missing = block->missing[field->number];
      gboolean is_there = missing == NULL || missing[i] == 0;

      if (field->type == ILK_FIELD_TEXT)
        gilk_native_put_text (push->rows, field->column, is_there ? block->texts[field->number][i] : "");
      else
        gilk_native_put (push->rows, field->column, is_there ? (uint64_t) block->values[field->number][i] : 0);
      has |= (uint64_t) (is_there != 0) << field->position;
    }
  gilk_native_put (push->rows, push->has, has);
}

static gboolean
put_row (Push *push, const GilkSampleBlock *block, guint i, GError **error)
{
  int place = gilk_hook_index_find (push->index, block->hook[i]);
  HookState *hook;

  if (place < 0)
    return TRUE;
  hook = &push->hooks[place];
  gilk_native_put (push->rows, push->hook, (uint64_t) place);
  gilk_native_put (push->rows, push->cpu, block->cpu[i]);
  gilk_native_put (push->rows, push->t_ns, (uint64_t) block->t_ns[i]);
  gilk_native_put (push->rows, push->before_ns, (uint64_t) hook->before_ns);
  gilk_native_put (push->rows, push->predecessor, find_predecessor (hook, block->t_ns[i]));
  put_fields (push, block, i);
  hook->begun = TRUE;
  hook->before_ns = block->t_ns[i];

  return gilk_remote_blocks_row (push->blocks, error);
}

/* Adds the columns for an instrument's samples, and requests the fields from the cursor. */
static gboolean
begin_rows (Push *push, GilkSamples *samples, const GArray *fields, GError **error)
{
  push->rows = gilk_remote_blocks_begin (push->blocks, GILK_LEDGER_SAMPLES, "gilk_sample");
  push->hook = gilk_native_column (push->rows, "hook", GILK_NATIVE_U32);
  push->cpu = gilk_native_column (push->rows, "cpu", GILK_NATIVE_U32);
  push->t_ns = gilk_native_column (push->rows, "t_ns", GILK_NATIVE_I64);
  push->before_ns = gilk_native_column (push->rows, "before_ns", GILK_NATIVE_I64);
  push->predecessor = gilk_native_column (push->rows, "predecessor", GILK_NATIVE_U8);
  push->has = gilk_native_column (push->rows, "has", GILK_NATIVE_U16);
  g_array_set_size (push->fields, 0);
  for (guint f = 0; f < fields->len; f++)
    {
      FieldState field = { .position = f };
      g_autofree char *name = NULL;

      if (!gilk_samples_add_field (samples, g_array_index (fields, GilkStoredField, f).name, &field.number, &field.type,
                                   error))
        return FALSE;
      name = g_strdup_printf ("%c%u", field.type == ILK_FIELD_TEXT ? 's' : 'n', f);
      field.column = gilk_native_column (push->rows, name,
                                         field.type == ILK_FIELD_TEXT ? GILK_NATIVE_TEXT : GILK_NATIVE_I64);
      g_array_append_val (push->fields, field);
    }

  return TRUE;
}

/* Pushes the samples of @hooks, which all have the same instrument. */
static gboolean
push_samples (Push *push, const GArray *hooks, GError **error)
{
  const GilkStoredHook *first = &g_array_index (hooks, GilkStoredHook, 0);
  g_autoptr(GilkSamples) samples = NULL;
  g_autoptr(GArray) fields = NULL;
  GilkSampleBlock block;
  GError *local = NULL;

  fields = gilk_store_fields (push->store, push->run->id, first->instrument, error);
  if (fields == NULL)
    return FALSE;
  if (fields->len > GILK_REMOTE_FIELDS)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s is damaged: instrument %s has %u fields, more than the %d possible. Use a backup."),
        gilk_store_path (push->store), first->instrument, fields->len, GILK_REMOTE_FIELDS);
  samples = gilk_samples_new (push->store, first, hooks->len, error);
  if (samples == NULL || !begin_rows (push, samples, fields, error))
    return FALSE;
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      if (!put_row (push, &block, i, error))
        return FALSE;
  if (!gilk_check_end (&local, error))
    return FALSE;

  return gilk_remote_blocks_end (push->blocks, error);
}

/* ---- pushes readings of counters ---- */

static gboolean
push_readings (Push *push, GError **error)
{
  const GArray *hooks = push->metadata.hooks;
  GilkNative *rows = gilk_remote_blocks_begin (push->blocks, GILK_LEDGER_READINGS, "gilk_count_point");
  guint hook = gilk_native_column (rows, "hook", GILK_NATIVE_U32);
  guint t_ns = gilk_native_column (rows, "t_ns", GILK_NATIVE_I64);
  guint hits = gilk_native_column (rows, "hits", GILK_NATIVE_U64);
  g_autoptr(GilkReadings) readings = NULL;
  GilkReading reading;
  GError *local = NULL;

  if (hooks->len == 0)
    return TRUE;
  readings = gilk_readings_new (push->store, (const GilkStoredHook *) (gpointer) hooks->data, hooks->len, G_MININT64,
                                G_MAXINT64, error);
  if (readings == NULL)
    return FALSE;
  while (gilk_readings_next (readings, &reading, &local))
    {
      gilk_native_put (rows, hook, reading.hook);
      gilk_native_put (rows, t_ns, (uint64_t) reading.t_ns);
      gilk_native_put (rows, hits, reading.hits);
      if (!gilk_remote_blocks_row (push->blocks, error))
        return FALSE;
    }
  if (!gilk_check_end (&local, error))
    return FALSE;

  return gilk_remote_blocks_end (push->blocks, error);
}

/* ---- pushes a whole run ---- */

/* Returns the hooks at index @from and later that have samples and the same instrument as hook
 * @from. Sets @done of these hooks. */
static GArray *
collect_hooks (const Push *push, guint from, gboolean *done)
{
  const GilkStoredHook *first = &g_array_index (push->metadata.hooks, GilkStoredHook, from);
  GArray *hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

  for (guint i = from; i < push->metadata.hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (push->metadata.hooks, GilkStoredHook, i);

      if (done[i] || strcmp (hook->instrument, first->instrument) != 0)
        continue;
      done[i] = TRUE;
      if (hook->stored > 0)
        g_array_append_vals (hooks, hook, 1);
    }

  return hooks;
}

static gboolean
push_all_samples (Push *push, GError **error)
{
  g_autofree gboolean *done = g_new0 (gboolean, push->metadata.hooks->len + 1);

  for (guint i = 0; i < push->metadata.hooks->len; i++)
    {
      g_autoptr(GArray) hooks = done[i] ? NULL : collect_hooks (push, i, done);

      if (hooks != NULL && hooks->len > 0 && !push_samples (push, hooks, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
prepare_hooks (Push *push, GError **error)
{
  const GArray *hooks = push->metadata.hooks;

  push->fields = g_array_new (FALSE, FALSE, sizeof (FieldState));
  push->index = gilk_hook_index_new ((const GilkStoredHook *) (gpointer) hooks->data, hooks->len);
  push->hooks = g_new0 (HookState, hooks->len + 1);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      if (hook->stored == 0)
        continue;
      push->hooks[i].gaps = gilk_hook_gaps (push->store, hook, push->run->duration, error);
      if (push->hooks[i].gaps == NULL)
        return FALSE;
    }

  return TRUE;
}

/* Returns TRUE if an earlier push of this run was completed, and all its rows are stored, according
 * to the store's ledger (the table of the blocks of rows that were pushed). FALSE for a run without
 * rows. */
static gboolean
is_already_pushed (Push *push)
{
  const GilkLedgerLine *end = gilk_ledger_find (push->ledger, GILK_LEDGER_END, 0);
  uint64_t samples = gilk_ledger_rows (push->ledger, GILK_LEDGER_SAMPLES);
  uint64_t readings = gilk_ledger_rows (push->ledger, GILK_LEDGER_READINGS);

  if (end == NULL || samples + readings == 0 || end->rows != samples + readings)
    return FALSE;
  push->pushed->samples_sent.already_stored = samples;
  push->pushed->readings_sent.already_stored = readings;

  return TRUE;
}

static gboolean
push_blocks (Push *push, GError **error)
{
  gboolean ok = prepare_hooks (push, error) && push_all_samples (push, error) && push_readings (push, error);

  push->pushed->samples_sent = gilk_remote_blocks_sent (push->blocks, GILK_LEDGER_SAMPLES);
  push->pushed->readings_sent = gilk_remote_blocks_sent (push->blocks, GILK_LEDGER_READINGS);

  return ok;
}

static gboolean
push_run (Push *push, GError **error)
{
  const GilkRemoteRowsSent *samples = &push->pushed->samples_sent, *readings = &push->pushed->readings_sent;

  push->ledger = gilk_ledger_read (push->remote, push->metadata.id, error);
  if (push->ledger == NULL || !gilk_ledger_verify (push->ledger, error))
    return FALSE;
  push->blocks = gilk_remote_blocks_new (push->remote, push->ledger, push->metadata.id, push->metadata.day,
                                         gilk_store_path (push->store), push->progress, push->run->samples);
  if (!push_head (push, error))
    return FALSE;
  if (is_already_pushed (push))
    return TRUE;
  if (!push_blocks (push, error))
    return FALSE;
  if (gilk_ledger_find (push->ledger, GILK_LEDGER_END, 0) != NULL)
    return TRUE;

  return gilk_remote_blocks_note (push->blocks, GILK_LEDGER_END, 0, gilk_ledger_attempt (),
                                  samples->sent + samples->already_stored + readings->sent + readings->already_stored, "", error);
}

/* Sets the error to @why, followed by the number of samples that are safely stored. */
static void
set_push_error (const Push *push, guint number, const GError *why, GError **error)
{
  const GilkRemotePushed *pushed = push->pushed;

  g_set_error (error, why->domain, why->code,
               _("%s %" PRIu64 " of %" PRIu64 " samples of run %u of %s are stored; push again to send the rest."), why->message, pushed->samples_sent.sent + pushed->samples_sent.already_stored, pushed->samples, number,
               gilk_store_path (push->store));
}

gboolean
gilk_remote_push (GilkRemote          *remote,
                  GilkStore           *store,
                  const GilkStoredRun *run,
                  guint                number,
                  const GilkProgress  *progress,
                  GilkRemotePushed    *pushed,
                  GError             **error)
{
  g_auto(Push) push = { .remote = remote, .store = store, .run = run, .progress = progress, .pushed = pushed };
  g_autoptr(GError) why = NULL;

  *pushed = (GilkRemotePushed) { .samples = run->samples };
  if (g_strcmp0 (run->end_reason, "being recorded") == 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Run %u of %s is still being recorded. Push it after it ends."), number,
                      gilk_store_path (store));
  if (!gilk_remote_metadata_make (store, run, number, &push.metadata, error))
    return FALSE;
  pushed->id = push.metadata.id;
  pushed->hooks = push.metadata.hooks->len;
  if (push_run (&push, &why))
    return TRUE;
  set_push_error (&push, number, why, error);

  return FALSE;
}
