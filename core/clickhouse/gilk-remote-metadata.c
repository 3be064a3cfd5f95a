/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-metadata.c - makes rows for a store from a run's metadata
 */
#include "core/clickhouse/gilk-remote-metadata.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-array.h"
#include "core/store/gilk-store-loss.h"

#define DAY_NS (G_GUINT64_CONSTANT (86400) * 1000000000u)

static void
clear_part (gpointer data)
{
  GilkRemoteMetadataPart *part = data;

  gilk_native_free (part->rows);
}

void
gilk_remote_metadata_clear (GilkRemoteMetadata *metadata)
{
  g_clear_pointer (&metadata->hooks, g_array_unref);
  g_clear_pointer (&metadata->parts, g_array_unref);
  g_clear_pointer (&metadata->digest, g_free);
}

/* ---- computes the id of a run ---- */

static void
add_text (GChecksum *sum, const char *text)
{
  if (text != NULL)
    g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text));
  g_checksum_update (sum, (const guchar *) "", 1);
}

static uint64_t
compute_run_id (const GilkStoredRun *run, const GilkStoredOrigin *origin, const GArray *hooks)
{
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const uint64_t clocks[] = { origin->zero_tsc, origin->zero_mono_ns, origin->zero_unix_ns, origin->tsc_khz,
                              (uint64_t) run->id };
  guint8 digest[32];
  gsize length = sizeof digest;
  uint64_t id;

  add_text (sum, origin->hostname);
  add_text (sum, origin->boot_id);
  add_text (sum, run->target);
  add_text (sum, run->release);
  add_text (sum, run->build_id);
  add_text (sum, run->title);
  add_text (sum, run->started);
  g_checksum_update (sum, (const guchar *) clocks, sizeof clocks);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      add_text (sum, hook->label);
      add_text (sum, hook->instrument);
      g_checksum_update (sum, (const guchar *) &hook->stored, sizeof hook->stored);
    }
  g_checksum_get_digest (sum, digest, &length);
  memcpy (&id, digest, sizeof id);

  return id;
}

/* ---- makes the rows of metadata, table by table ---- */

/* Starts a table whose first columns are run and attempt. */
static GilkRemoteMetadataPart
begin_part (const GilkRemoteMetadata *metadata, const char *table, guint n)
{
  GilkRemoteMetadataPart part = { .table = table, .rows = gilk_native_new (), .n = n };

  gilk_native_put_all (part.rows, gilk_native_column (part.rows, "run", GILK_NATIVE_U64), metadata->id, n);
  part.attempt = gilk_native_column (part.rows, "attempt", GILK_NATIVE_U64);

  return part;
}

static void
put_text (GilkRemoteMetadataPart *part, const char *column, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value != NULL ? value : "", -1);

  gilk_native_put_text (part->rows, gilk_native_column (part->rows, column, GILK_NATIVE_TEXT), valid);
}

static void
put_number (GilkRemoteMetadataPart *part, const char *column, GilkNativeType type, uint64_t value)
{
  gilk_native_put (part->rows, gilk_native_column (part->rows, column, type), value);
}

static void
add_run (GilkRemoteMetadata *metadata, const GilkStoredRun *run, guint place, const GilkStoredOrigin *origin)
{
  GilkRemoteMetadataPart part = begin_part (metadata, "gilk_run", 1);

  put_number (&part, "number", GILK_NATIVE_U32, place);
  put_text (&part, "host", origin->hostname);
  put_text (&part, "target", run->target);
  put_text (&part, "release", run->release);
  put_text (&part, "build_id", run->build_id);
  put_text (&part, "boot_id", origin->boot_id);
  put_text (&part, "title", run->title);
  put_text (&part, "started", run->started);
  put_number (&part, "zero_unix_ns", GILK_NATIVE_U64, origin->zero_unix_ns);
  put_number (&part, "duration_ns", GILK_NATIVE_U64, origin->duration_ns);
  put_text (&part, "ended", run->end_reason);
  put_number (&part, "hooks", GILK_NATIVE_U32, metadata->hooks->len);
  put_number (&part, "samples", GILK_NATIVE_U64, run->samples);
  put_number (&part, "lost", GILK_NATIVE_U64, run->lost);
  g_array_append_val (metadata->parts, part);
}

/* The columns of table gilk_hook, each with the member of GilkStoredHook that fills the column. */
static const struct {
  const char    *column;
  GilkNativeType type;
  gsize          offset;
} members[] = {
  { "label", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, label) },
  { "function", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, function) },
  { "module", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, module) },
  { "block", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, block) },
  { "place", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, where) },
  { "instrument", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, instrument) },
  { "tactic", GILK_NATIVE_TEXT, offsetof (GilkStoredHook, tactic) },
  { "addr", GILK_NATIVE_U64, offsetof (GilkStoredHook, addr) },
  { "start_ns", GILK_NATIVE_U64, offsetof (GilkStoredHook, start_ns) },
  { "stop_ns", GILK_NATIVE_U64, offsetof (GilkStoredHook, stop_ns) },
  { "hits", GILK_NATIVE_U64, offsetof (GilkStoredHook, hits) },
  { "stored", GILK_NATIVE_U64, offsetof (GilkStoredHook, stored) },
  { "lost", GILK_NATIVE_U64, offsetof (GilkStoredHook, lost) },
  { "missed", GILK_NATIVE_U64, offsetof (GilkStoredHook, missed) },
};

static void
put_member (GilkRemoteMetadataPart *part, guint column, GilkNativeType type, const void *member)
{
  if (type == GILK_NATIVE_TEXT)
    {
      const char *value = *(char *const *) member;
      g_autofree char *valid = g_utf8_make_valid (value != NULL ? value : "", -1);

      gilk_native_put_text (part->rows, column, valid);
    }
  else
    gilk_native_put (part->rows, column, *(const uint64_t *) member);
}

static void
add_hooks (GilkRemoteMetadata *metadata)
{
  GilkRemoteMetadataPart part = begin_part (metadata, "gilk_hook", metadata->hooks->len);
  guint hook = gilk_native_column (part.rows, "hook", GILK_NATIVE_U32);
  guint cost = gilk_native_column (part.rows, "cost", GILK_NATIVE_U32);
  guint known = gilk_native_column (part.rows, "hits_known", GILK_NATIVE_U8);

  for (guint i = 0; i < metadata->hooks->len; i++)
    {
      gilk_native_put (part.rows, hook, i);
      gilk_native_put (part.rows, cost, g_array_index (metadata->hooks, GilkStoredHook, i).cost);
      gilk_native_put (part.rows, known, g_array_index (metadata->hooks, GilkStoredHook, i).hits_known != 0);
    }
  for (guint m = 0; m < G_N_ELEMENTS (members); m++)
    {
      guint column = gilk_native_column (part.rows, members[m].column, members[m].type);

      for (guint i = 0; i < metadata->hooks->len; i++)
        put_member (&part, column, members[m].type,
                    (const char *) &g_array_index (metadata->hooks, GilkStoredHook, i) + members[m].offset);
    }
  g_array_append_val (metadata->parts, part);
}

/* Adds a part with a single row, which describes @field. */
static void
add_field (GilkRemoteMetadata *metadata, const char *instrument, guint position, const GilkStoredField *field)
{
  GilkRemoteMetadataPart part = begin_part (metadata, "gilk_field", 1);

  put_text (&part, "instrument", instrument);
  put_number (&part, "position", GILK_NATIVE_U8, position);
  put_text (&part, "name", field->name);
  put_text (&part, "unit", field->unit);
  put_text (&part, "help", field->help);
  put_number (&part, "type", GILK_NATIVE_U8, field->type);
  g_array_append_val (metadata->parts, part);
}

static gboolean
add_fields (GilkRemoteMetadata *metadata, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < metadata->hooks->len; i++)
    {
      char *instrument = g_array_index (metadata->hooks, GilkStoredHook, i).instrument;
      g_autoptr(GArray) fields = NULL;

      if (!g_hash_table_add (seen, instrument))
        continue;
      fields = gilk_store_fields (store, run->id, instrument, error);
      if (fields == NULL)
        return FALSE;
      for (guint f = 0; f < fields->len; f++)
        add_field (metadata, instrument, f, &g_array_index (fields, GilkStoredField, f));
    }

  return TRUE;
}

static gboolean
add_losses (GilkRemoteMetadata *metadata, GilkStore *store, GError **error)
{
  g_autoptr(GArray) losses = gilk_store_losses_by_cpu (store, (const GilkStoredHook *) (gpointer) metadata->hooks->data,
                                                       metadata->hooks->len, error);
  GilkRemoteMetadataPart part;
  guint hook, cpu, from, to, lost;

  if (losses == NULL)
    return FALSE;
  part = begin_part (metadata, "gilk_loss", losses->len);
  hook = gilk_native_column (part.rows, "hook", GILK_NATIVE_U32);
  cpu = gilk_native_column (part.rows, "cpu", GILK_NATIVE_U32);
  from = gilk_native_column (part.rows, "from_ns", GILK_NATIVE_I64);
  to = gilk_native_column (part.rows, "to_ns", GILK_NATIVE_I64);
  lost = gilk_native_column (part.rows, "lost", GILK_NATIVE_U64);
  for (guint i = 0; i < losses->len; i++)
    {
      const GilkStoredCpuLoss *loss = &g_array_index (losses, GilkStoredCpuLoss, i);

      gilk_native_put (part.rows, hook, loss->hook);
      gilk_native_put (part.rows, cpu, loss->cpu);
      gilk_native_put (part.rows, from, (uint64_t) loss->from_ns);
      gilk_native_put (part.rows, to, (uint64_t) loss->to_ns);
      gilk_native_put (part.rows, lost, loss->lost);
    }
  g_array_append_val (metadata->parts, part);

  return TRUE;
}

static gboolean
add_gaps (GilkRemoteMetadata *metadata, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GArray) gaps = gilk_store_gaps (store, run->id, error);
  GilkRemoteMetadataPart part;
  guint cpu, from, to, lost;

  if (gaps == NULL)
    return FALSE;
  part = begin_part (metadata, "gilk_gap", gaps->len);
  cpu = gilk_native_column (part.rows, "cpu", GILK_NATIVE_U32);
  from = gilk_native_column (part.rows, "from_ns", GILK_NATIVE_I64);
  to = gilk_native_column (part.rows, "to_ns", GILK_NATIVE_I64);
  lost = gilk_native_column (part.rows, "lost", GILK_NATIVE_U64);
  for (guint i = 0; i < gaps->len; i++)
    {
      const GilkStoredGap *gap = &g_array_index (gaps, GilkStoredGap, i);

      gilk_native_put (part.rows, cpu, gap->cpu);
      gilk_native_put (part.rows, from, (uint64_t) gap->from_ns);
      gilk_native_put (part.rows, to, (uint64_t) gap->to_ns);
      gilk_native_put (part.rows, lost, gap->lost);
    }
  g_array_append_val (metadata->parts, part);

  return TRUE;
}

/* Adds the times when each hook was not measuring: rates depend on these times. */
static gboolean
add_off_times (GilkRemoteMetadata *metadata, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  GilkRemoteMetadataPart part = begin_part (metadata, "gilk_off", 0);
  guint hook = gilk_native_column (part.rows, "hook", GILK_NATIVE_U32);
  guint from = gilk_native_column (part.rows, "from_ns", GILK_NATIVE_I64);
  guint to = gilk_native_column (part.rows, "to_ns", GILK_NATIVE_I64);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < metadata->hooks->len; i++)
    {
      g_autoptr(GArray) gaps = gilk_hook_gaps (store, &g_array_index (metadata->hooks, GilkStoredHook, i), run->duration,
                                               error);

      ok = gaps != NULL;
      for (guint g = 0; ok && g < gaps->len; g++)
        {
          const GilkGap *gap = &g_array_index (gaps, GilkGap, g);

          if (gap->kind != GILK_GAP_OFF)
            continue;
          gilk_native_put (part.rows, hook, i);
          gilk_native_put (part.rows, from, (uint64_t) (gint64) rint (gap->from * 1e9));
          gilk_native_put (part.rows, to, (uint64_t) (gint64) rint (gap->to * 1e9));
          part.n++;
        }
    }
  gilk_native_put_all (part.rows, 0, metadata->id, part.n);
  g_array_append_val (metadata->parts, part);

  return ok;
}

static char *
compute_digest (const GArray *parts)
{
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < parts->len; i++)
    {
      const GilkRemoteMetadataPart *part = &g_array_index (parts, GilkRemoteMetadataPart, i);
      g_autofree char *digest = gilk_native_digest (part->rows);

      add_text (sum, part->table);
      add_text (sum, digest);
    }

  return g_strdup (g_checksum_get_string (sum));
}

gboolean
gilk_remote_metadata_make (GilkStore           *store,
                           const GilkStoredRun *run,
                           guint                place,
                           GilkRemoteMetadata  *metadata,
                           GError             **error)
{
  g_auto(GilkStoredOrigin) origin = { NULL };
  g_auto(GilkRemoteMetadata) made = { 0 };

  if (!gilk_store_origin (store, run->id, &origin, error))
    return FALSE;
  made.hooks = gilk_store_hooks (store, run->id, error);
  if (made.hooks == NULL)
    return FALSE;
  made.id = compute_run_id (run, &origin, made.hooks);
  made.day = (guint) MIN (origin.zero_unix_ns / DAY_NS, G_MAXUINT16);
  made.parts = gilk_array_new (sizeof (GilkRemoteMetadataPart), clear_part);
  add_run (&made, run, place, &origin);
  add_hooks (&made);
  if (!add_fields (&made, store, run, error) || !add_losses (&made, store, error) ||
      !add_gaps (&made, store, run, error) || !add_off_times (&made, store, run, error))
    return FALSE;
  made.digest = compute_digest (made.parts);
  *metadata = made;
  made = (GilkRemoteMetadata) { 0 };

  return TRUE;
}
