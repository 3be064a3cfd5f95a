/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-ctf.c - exports a run as a folder in the Common Trace Format (CTF) 1.8
 *
 * Each hook is an event class with the fields of its instrument. There is a stream of samples for
 * each CPU, one of readings of counters, and one of notes. A sample that is too short for a field
 * has a class without that field. Losses are expressed by packets: those of a known time by a
 * packet that covers exactly that time, others by the last packet.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/export/gilk-ctf-private.h"
#include "core/samples/gilk-readings.h"
#include "core/store/gilk-store-loss.h"

#define CPUS_MAX    8192          /* maximum that a kernel can be built for */
#define FIELDS_MAX  64
#define CLASSES_MAX (1u << 20)

const char *const gilk_export_ctf_files[] = { "metadata", "samples_*", "readings", "notes", NULL };

/* A loss of a CPU; losses do not overlap. */
typedef struct {
  gint64   from_ns, to_ns;
  uint64_t lost;
} Loss;

typedef struct {
  GilkCtfStream *stream;
  GArray        *losses;          /* Loss; those from @next on are still to be written */
  guint          next;
  gboolean       losing;          /* losses[next] has started */
  uint64_t       rest;            /* number of samples lost at an unknown time */
} Cpu;

typedef struct {
  const GilkExportJob  *job;
  const GilkPartFolder *folder;
  GilkStoredOrigin      origin;
  uint8_t               uuid[16];
  GilkEvents           *events;
  GPtrArray            *cpus;     /* Cpu, by number; NULL: not seen yet */
  GArray               *classes;  /* GilkCtfClass; first those of the job's hooks */
  GHashTable           *classes_with_missing_fields;   /* "hook missing" -> class + 1 */
  uint64_t              last;     /* time of the last written event */
} Ctf;

static uint64_t
get_clock_time (const Ctf *ctf, gint64 t_ns)
{
  return gilk_export_clamped_time (&ctf->origin, t_ns);
}

/* ---- CPUs and their losses ---- */

static void
cpu_free (gpointer data)
{
  Cpu *cpu = data;

  if (cpu == NULL)
    return;
  gilk_ctf_stream_free (cpu->stream);
  g_array_unref (cpu->losses);
  g_free (cpu);
}

static Cpu *
ensure_cpu (Ctf *ctf, guint number, GError **error)
{
  Cpu *cpu;

  if (number >= CPUS_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s is damaged: it has a sample of CPU %u, which cannot exist. Use a backup."),
                   gilk_store_path (ctf->job->store), number);
      return NULL;
    }
  if (number >= ctf->cpus->len)
    g_ptr_array_set_size (ctf->cpus, (int) number + 1);
  cpu = ctf->cpus->pdata[number];
  if (cpu != NULL)
    return cpu;
  cpu = g_new0 (Cpu, 1);
  cpu->stream = gilk_ctf_stream_new (ctf->folder, ctf->uuid, GILK_CTF_SAMPLES, number);
  cpu->losses = g_array_new (FALSE, FALSE, sizeof (Loss));
  ctf->cpus->pdata[number] = cpu;

  return cpu;
}

/* Adds a loss; must be called in order of from_ns. A loss that starts within another is moved to
 * start at the end of that one. */
static void
add_loss (Cpu *cpu, const GilkStoredCpuLoss *found)
{
  Loss loss = { found->from_ns, MAX (found->from_ns, found->to_ns), found->lost };
  Loss *before = cpu->losses->len > 0 ? &g_array_index (cpu->losses, Loss, cpu->losses->len - 1) : NULL;

  if (found->to_ns == G_MAXINT64)
    cpu->rest += MIN (found->lost, G_MAXUINT64 - cpu->rest);
  else if (before != NULL && loss.to_ns <= before->to_ns)
    before->lost += MIN (loss.lost, G_MAXUINT64 - before->lost);
  else
    {
      if (before != NULL)
        loss.from_ns = MAX (loss.from_ns, before->to_ns);
      g_array_append_val (cpu->losses, loss);
    }
}

/* Reads the losses that may be in the range. */
static gboolean
read_losses (Ctf *ctf, GError **error)
{
  g_autoptr(GArray) losses = gilk_store_losses_by_cpu (ctf->job->store, ctf->job->hooks, ctf->job->n_hooks,
                                                       error);

  for (guint i = 0; losses != NULL && i < losses->len; i++)
    {
      const GilkStoredCpuLoss *loss = &g_array_index (losses, GilkStoredCpuLoss, i);
      Cpu *cpu;

      if (loss->to_ns < ctf->job->from_ns || loss->from_ns >= ctf->job->to_ns)
        continue;
      cpu = ensure_cpu (ctf, loss->cpu, error);
      if (cpu == NULL)
        return FALSE;
      add_loss (cpu, loss);
    }

  return losses != NULL;
}

/* Writes packets for the losses that start or end up to @t_ns. */
static gboolean
write_losses_until (Ctf *ctf, Cpu *cpu, gint64 t_ns, GError **error)
{
  while (cpu->next < cpu->losses->len)
    {
      const Loss *loss = &g_array_index (cpu->losses, Loss, cpu->next);

      if (!cpu->losing)
        {
          if (loss->from_ns > t_ns)
            break;
          if (!gilk_ctf_stream_cut (cpu->stream, get_clock_time (ctf, loss->from_ns), error))
            return FALSE;
          cpu->losing = TRUE;
        }
      if (loss->to_ns > t_ns)
        break;
      if (!gilk_ctf_stream_lose (cpu->stream, get_clock_time (ctf, loss->to_ns), loss->lost, error))
        return FALSE;
      cpu->losing = FALSE;
      cpu->next++;
    }

  return TRUE;
}

static gboolean
end_cpu (Ctf *ctf, Cpu *cpu, GError **error)
{
  uint64_t end;

  if (!write_losses_until (ctf, cpu, G_MAXINT64, error))
    return FALSE;
  if (cpu->rest == 0)
    return gilk_ctf_stream_end (cpu->stream, error);
  end = MAX (ctf->last, get_clock_time (ctf, (gint64) MIN (ctf->origin.duration_ns, (uint64_t) G_MAXINT64)));
  if (cpu->stream->sequence == 0 && !gilk_ctf_stream_cut (cpu->stream, get_clock_time (ctf, 0), error))
    return FALSE;

  return gilk_ctf_stream_lose (cpu->stream, end, cpu->rest, error);
}

/* ---- classes ---- */

static void
add_classes (Ctf *ctf)
{
  const GilkEvents *events = ctf->events;
  g_autoptr(GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint s = 0; s < events->sources->len; s++)
    g_hash_table_insert (numbers, (gpointer) GILK_EVENT_SOURCE (events, s)->instrument,
                         GUINT_TO_POINTER (s + 1));
  for (guint i = 0; i < ctf->job->n_hooks; i++)
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, ctf->job->hooks[i].instrument));
      const GilkCtfClass class = { i, i, (int) number - 1, 0 };

      g_array_append_val (ctf->classes, class);
    }
}

static gboolean
ensure_short_class (Ctf *ctf, guint hook, guint source, uint64_t missing, uint32_t *id, GError **error)
{
  g_autofree char *key = g_strdup_printf ("%u %" G_GINT64_MODIFIER "x", hook, (guint64) missing);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (ctf->classes_with_missing_fields, key));
  const GilkCtfClass class = { ctf->classes->len, hook, (int) source, missing };

  *id = known > 0 ? known - 1 : class.id;
  if (known > 0)
    return TRUE;
  if (ctf->classes->len >= ctf->job->n_hooks + CLASSES_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s is damaged: its samples have too many combinations of missing fields. Use a backup."),
                   gilk_store_path (ctf->job->store));
      return FALSE;
    }
  g_array_append_val (ctf->classes, class);
  g_hash_table_insert (ctf->classes_with_missing_fields, g_steal_pointer (&key), GUINT_TO_POINTER (class.id + 1));

  return TRUE;
}

/* ---- events ---- */

static uint64_t
find_missing_fields (const GilkEventSource *source, const GilkSampleBlock *block, guint i)
{
  uint64_t missing = 0;

  for (guint f = 0; f < source->fields->len; f++)
    if (block->missing[f] != NULL && block->missing[f][i])
      missing |= G_GUINT64_CONSTANT (1) << f;

  return missing;
}

static void
put_fields (GString *packet, const GilkEventSource *source, const GilkSampleBlock *block, guint i,
            uint64_t missing)
{
  for (guint f = 0; f < source->fields->len; f++)
    {
      guint type = source->types[f];

      if (missing >> f & 1)
        continue;
      if (type == ILK_FIELD_TEXT)
        gilk_ctf_put_text (packet, block->texts[f][i]);
      else
        gilk_ctf_put_uint (packet, (uint64_t) block->values[f][i],
                           type == ILK_FIELD_U32 || type == ILK_FIELD_S32 ? 4 : 8);
    }
}

static gboolean
put_sample (Ctf *ctf, const GilkEventRun *run, guint i, GError **error)
{
  const GilkEventSource *source = GILK_EVENT_SOURCE (ctf->events, run->source);
  const GilkSampleBlock *block = run->block;
  Cpu *cpu = ensure_cpu (ctf, block->cpu[i], error);
  uint64_t missing = find_missing_fields (source, block, i);
  uint32_t id = (uint32_t) gilk_hook_index_find (ctf->events->index, block->hook[i]);

  if (cpu == NULL || !gilk_export_time (ctf->job, &ctf->origin, block->t_ns[i], &ctf->last, error) ||
      !write_losses_until (ctf, cpu, block->t_ns[i], error) ||
      (missing != 0 && !ensure_short_class (ctf, id, run->source, missing, &id, error)))
    return FALSE;
  gilk_ctf_stream_event (cpu->stream, ctf->last, id);
  put_fields (cpu->stream->packet, source, block, i, missing);

  return gilk_ctf_stream_fill (cpu->stream, error);
}

static gboolean
write_samples (Ctf *ctf, GError **error)
{
  GilkEventRun run;
  GError *local = NULL;

  while (gilk_events_next (ctf->events, &run, &local))
    for (guint i = run.from; i < run.to; i++)
      if (!put_sample (ctf, &run, i, error))
        return FALSE;
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  for (guint i = 0; i < ctf->cpus->len; i++)
    if (ctf->cpus->pdata[i] != NULL && !end_cpu (ctf, ctf->cpus->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
put_readings (Ctf *ctf, GilkReadings *readings, GilkCtfStream *stream, GError **error)
{
  GilkReading reading;
  GError *local = NULL;
  uint64_t time;

  while (gilk_readings_next (readings, &reading, &local))
    {
      if (!gilk_export_time (ctf->job, &ctf->origin, reading.t_ns, &time, error))
        return FALSE;
      gilk_ctf_stream_event (stream, time, g_array_index (ctf->events->counting_at, guint, reading.hook));
      gilk_ctf_put_uint (stream->packet, reading.hits, 8);
      if (!gilk_ctf_stream_fill (stream, error))
        return FALSE;
    }
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL && gilk_ctf_stream_end (stream, error);
}

static gboolean
write_readings (Ctf *ctf, GError **error)
{
  const GArray *hooks = ctf->events->counting;
  g_autoptr(GilkReadings) readings = NULL;
  GilkCtfStream *stream;
  gboolean good;

  if (hooks->len == 0)
    return TRUE;
  readings = gilk_readings_new (ctf->job->store, (const GilkStoredHook *) (const void *) hooks->data,
                                hooks->len, ctf->job->from_ns, ctf->job->to_ns, error);
  if (readings == NULL)
    return FALSE;
  stream = gilk_ctf_stream_new (ctf->folder, ctf->uuid, GILK_CTF_READINGS, 0);
  good = put_readings (ctf, readings, stream, error);
  gilk_ctf_stream_free (stream);

  return good;
}

/* ---- notes ---- */

static gboolean
put_notes (const Ctf *ctf, const GArray *notes, GilkCtfStream *stream, GError **error)
{
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      const char *hook = gilk_export_label (ctf->job, note->hook);

      gilk_ctf_stream_event (stream, get_clock_time (ctf, note->from_ns), 0);
      gilk_ctf_put_text (stream->packet, note->text);
      gilk_ctf_put_text (stream->packet, note->author != NULL ? note->author : "");
      gilk_ctf_put_text (stream->packet, hook != NULL ? hook : "");
      gilk_ctf_put_uint (stream->packet, (uint64_t) (note->to_ns - note->from_ns), 8);
      if (!gilk_ctf_stream_fill (stream, error))
        return FALSE;
    }

  return gilk_ctf_stream_end (stream, error);
}

static gboolean
write_notes (const Ctf *ctf, gboolean *any, GError **error)
{
  g_autoptr(GArray) notes = gilk_export_notes (ctf->job, error);
  GilkCtfStream *stream;
  gboolean good;

  *any = notes != NULL && notes->len > 0;
  if (!*any)
    return notes != NULL;
  stream = gilk_ctf_stream_new (ctf->folder, ctf->uuid, GILK_CTF_NOTES, 0);
  good = put_notes (ctf, notes, stream, error);
  gilk_ctf_stream_free (stream);

  return good;
}

static gboolean
check_fields (const Ctf *ctf, GError **error)
{
  for (guint s = 0; s < ctf->events->sources->len; s++)
    if (GILK_EVENT_SOURCE (ctf->events, s)->fields->len > FIELDS_MAX)
      {
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("%s is damaged: the samples of %s have too many fields. Use a backup."),
                     gilk_store_path (ctf->job->store),
                     GILK_EVENT_SOURCE (ctf->events, s)->instrument);
        return FALSE;
      }

  return TRUE;
}

static gboolean
write_trace (Ctf *ctf, GError **error)
{
  g_autofree char *metadata = NULL;
  gboolean notes;
  g_auto(GilkStoredClock) clock = { 0 };

  if (!gilk_store_origin (ctf->job->store, ctf->job->run->id, &ctf->origin, error) ||
      !gilk_store_clock (ctf->job->store, ctf->job->run->id, &clock, error))
    return FALSE;
  ctf->events = gilk_events_new (ctf->job, error);
  if (ctf->events == NULL || !check_fields (ctf, error))
    return FALSE;
  gilk_export_uuid (ctf->job, ctf->uuid);
  add_classes (ctf);
  if (!read_losses (ctf, error) || !write_samples (ctf, error) || !write_readings (ctf, error) ||
      !write_notes (ctf, &notes, error))
    return FALSE;
  metadata = gilk_ctf_metadata (ctf->job, &ctf->origin, &clock, ctf->uuid, ctf->events, ctf->classes, notes);

  return gilk_part_folder_append (ctf->folder, "metadata", metadata, strlen (metadata), error);
}

gboolean
gilk_export_ctf (const GilkExportJob  *job,
                 const GilkPartFolder *folder,
                 GError              **error)
{
  Ctf ctf = { .job = job, .folder = folder };
  gboolean good;

  ctf.cpus = g_ptr_array_new_with_free_func (cpu_free);
  ctf.classes = g_array_new (FALSE, FALSE, sizeof (GilkCtfClass));
  ctf.classes_with_missing_fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  good = write_trace (&ctf, error);

  g_ptr_array_unref (ctf.cpus);
  g_array_unref (ctf.classes);
  g_hash_table_unref (ctf.classes_with_missing_fields);
  gilk_events_free (ctf.events);
  gilk_stored_origin_clear (&ctf.origin);

  return good;
}
