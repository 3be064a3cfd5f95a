/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-writers.c - the code that made the accesses seen by a watchpoint
 *
 * Makes one pass over the samples; memory is bounded by the number of blocks and processes, not of
 * samples.
 */
#include "core/store/gilk-store-writers.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/store/gilk-samples.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-private.h"

#define PROCESSES_MAX 64

enum { IP, VALUE, PID, CONTEXT, COMM, N_FIELDS };

static const char *const field_names[N_FIELDS] = { "ip", "value", "pid", "context", "comm" };

typedef struct {
  const GilkStoredNames *names;
  GHashTable *by_ip;      /* ip -> GilkWriter (unowned) */
  GHashTable *by_name;    /* name -> GilkWriter */
  guint       numbers[N_FIELDS];
} Collector;

gboolean
gilk_stored_hook_is_watch (const GilkStoredHook *hook)
{
  return strcmp (hook->tactic, "watch") == 0 && strcmp (hook->instrument, "watch") == 0;
}

const char *
gilk_writer_context (guint context)
{
  static const char *const names[GILK_WRITER_CONTEXTS] = { "task", "softirq", "hardirq", "NMI" };

  return context < G_N_ELEMENTS (names) ? names[context] : "?";
}

gboolean
gilk_writer_address (const char *text, uint64_t *address)
{
  char *end;

  errno = 0;
  *address = strtoull (text, &end, 0);

  return errno == 0 && end != text && *end == '\0';
}

static void
clear_process (gpointer data)
{
  g_free (((GilkWriterProcess *) data)->comm);
}

static void
clear_writer (gpointer data)
{
  GilkWriter *writer = data;

  g_free (writer->name);
  g_free (writer->function);
  g_free (writer->block);
  g_free (writer->insn);
  g_clear_pointer (&writer->processes, g_array_unref);
}

static void
free_writer (gpointer writer)
{
  clear_writer (writer);
  g_free (writer);
}

/* ---- one block ---- */

/* Splits the name where the block's offset starts: at "+0x1f", or ".cold+0x10". */
static void
part_name (GilkWriter *writer)
{
  const char *plus = strrchr (writer->name, '+');

  if (plus == NULL || g_str_has_prefix (writer->name, "0x"))
    return;
  if (plus - writer->name > (gssize) strlen (".cold") && strncmp (plus - strlen (".cold"), ".cold", strlen (".cold")) == 0)
    plus -= strlen (".cold");
  writer->function = g_strndup (writer->name, (gsize) (plus - writer->name));
  writer->block = g_strdup (plus);
}

static GilkWriter *
writer_new (Collector *c, uint64_t ip, char *name)
{
  GilkWriter *writer = g_new0 (GilkWriter, 1);

  writer->name = name;
  part_name (writer);
  writer->insn = gilk_stored_name (c->names, GILK_MEANING_WRITER_INSN, ip);
  writer->ip = ip;
  writer->least = UINT64_MAX;
  writer->processes = g_array_new (FALSE, TRUE, sizeof (GilkWriterProcess));
  g_array_set_clear_func (writer->processes, clear_process);
  g_hash_table_insert (c->by_name, writer->name, writer);

  return writer;
}

static GilkWriter *
find_writer (Collector *c, uint64_t ip)
{
  GilkWriter *writer = g_hash_table_lookup (c->by_ip, GSIZE_TO_POINTER (ip));
  char *name;

  if (writer != NULL)
    return writer;
  name = gilk_stored_name (c->names, GILK_MEANING_WRITER, ip);
  if (name == NULL)
    name = g_strdup_printf ("0x%" PRIx64, ip);
  writer = g_hash_table_lookup (c->by_name, name);
  if (writer == NULL)
    writer = writer_new (c, ip, name);
  else
    g_free (name);
  g_hash_table_insert (c->by_ip, GSIZE_TO_POINTER (ip), writer);

  return writer;
}

static void
count_process (GilkWriter *writer, gint64 pid, const char *comm)
{
  GilkWriterProcess process = { NULL, pid, 1 };

  for (guint i = 0; i < writer->processes->len; i++)
    {
      GilkWriterProcess *known = &g_array_index (writer->processes, GilkWriterProcess, i);

      if (known->pid != pid || strcmp (known->comm, comm) != 0)
        continue;
      known->count++;
      return;
    }
  if (writer->processes->len >= PROCESSES_MAX)
    {
      writer->others++;
      return;
    }
  process.comm = g_strdup (comm);
  g_array_append_val (writer->processes, process);
}

static void
take_sample (Collector *c, const GilkSampleBlock *block, guint i)
{
  GilkWriter *writer = find_writer (c, (uint64_t) block->values[c->numbers[IP]][i]);
  uint64_t value = (uint64_t) block->values[c->numbers[VALUE]][i];
  uint64_t context = (uint64_t) block->values[c->numbers[CONTEXT]][i];
  const char *comm = block->texts[c->numbers[COMM]][i];

  if (writer->count++ == 0)
    writer->first_ns = block->t_ns[i];
  writer->last_ns = block->t_ns[i];
  writer->last = value;
  writer->least = MIN (writer->least, value);
  writer->greatest = MAX (writer->greatest, value);
  writer->contexts[MIN (context, GILK_WRITER_CONTEXTS - 1)]++;
  count_process (writer, block->values[c->numbers[PID]][i], comm != NULL ? comm : "");
}

/* ---- all blocks ---- */

static int
by_count (gconstpointer a, gconstpointer b)
{
  const GilkWriter *x = a, *y = b;

  return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp (x->name, y->name);
}

static int
by_process_count (gconstpointer a, gconstpointer b)
{
  const GilkWriterProcess *x = a, *y = b;

  return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp (x->comm, y->comm);
}

static gboolean
add_fields (Collector *c, GilkSamples *samples, GError **error)
{
  static const gboolean is_text[N_FIELDS] = { [COMM] = TRUE };
  guint type;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (!gilk_samples_add_field (samples, field_names[i], &c->numbers[i], &type, error))
        return FALSE;
      if ((type == ILK_FIELD_TEXT) == is_text[i])
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("These are not samples of a watchpoint: field %s has another type. The file is damaged, or "
                     "written by another program."),
                   field_names[i]);
      return FALSE;
    }

  return TRUE;
}

static GArray *
sort (Collector *c)
{
  GArray *writers = g_array_new (FALSE, TRUE, sizeof (GilkWriter));
  GHashTableIter iter;
  gpointer writer;

  g_array_set_clear_func (writers, clear_writer);
  g_hash_table_iter_init (&iter, c->by_name);
  while (g_hash_table_iter_next (&iter, NULL, &writer))
    {
      g_array_sort (((GilkWriter *) writer)->processes, by_process_count);
      g_array_append_vals (writers, writer, 1);
      g_hash_table_iter_steal (&iter);
      g_free (writer);
    }
  g_array_sort (writers, by_count);

  return writers;
}

GArray *
gilk_store_writers (GilkStore             *store,
                    const GilkStoredHook  *hook,
                    GError               **error)
{
  g_autoptr(GilkStoredNames) names = gilk_store_names (store, hook->run, error);
  g_autoptr(GilkSamples) samples = names != NULL ? gilk_samples_new (store, hook, 1, error) : NULL;
  g_autoptr(GHashTable) by_ip = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_writer);
  Collector c = { .names = names, .by_ip = by_ip, .by_name = by_name };
  GilkSampleBlock block;
  GError *local = NULL;

  if (samples == NULL || !add_fields (&c, samples, error))
    return NULL;
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      take_sample (&c, &block, i);

  return gilk_sql_ended (&local, error) ? sort (&c) : NULL;
}
