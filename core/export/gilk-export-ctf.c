/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-ctf.c - exports a run as a folder in the Common Trace Format (CTF) 1.8
 *
 * Each hook is an event class with the fields of its instrument. There is a stream of samples for
 * each CPU, one stream of counter readings, and one of notes. A sample that is too short for a
 * field has a class without that field. Losses are expressed by packets: losses at a known time by
 * a packet that covers exactly that time, others by the last packet.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "core/export/gilk-export-private.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-loss.h"

/*
 * The trace has three classes of streams: samples, with a file for each CPU; readings of counters,
 * in one file; and notes, in one file if there are any. Everything is little-endian and
 * byte-packed.
 */
#define GILK_CTF_SAMPLES  0
#define GILK_CTF_READINGS 1
#define GILK_CTF_NOTES    2

/* ---- structs of packets and streams ---- */

/* A stream of packets, and the packet that is being written. Times are on the trace's clock. */
typedef struct {
  const GilkPartFolder *folder;
  const uint8_t        *uuid;
  guint    kind;                  /* GILK_CTF_* */
  guint    cpu;                   /* CPU whose samples are in the stream, if it is a stream of
                                   * samples */
  char    *name;                  /* name of the stream's file */
  GString *packet;                /* packet being written: header, context, and the events so far */
  gboolean begun;
  uint64_t begin, end;            /* time range of the packet; the end is not before its last
                                   * event */
  uint64_t sequence, discarded;   /* number of packets written; number of events lost until the
                                   * packet's end */
} GilkCtfStream;

/* ---- structs of event classes and CPUs ---- */

typedef struct {
  uint32_t id;
  guint    hook;                  /* index of the class's hook in the job's hooks */
  int      source;                /* index of the hook's source in GilkEvents; -1: the hook is a
                                   * counter */
  uint64_t missing;               /* bit mask of fields that the class lacks */
} GilkCtfClass;

#define CPUS_MAX    8192          /* maximum number of CPUs that a kernel can be built for */
#define FIELDS_MAX  64
#define CLASSES_MAX (1u << 20)

const char *const gilk_export_ctf_files[] = { "metadata", "samples_*", "readings", "notes", NULL };

/* A loss of samples on one CPU; the losses of a CPU do not overlap. */
typedef struct {
  gint64   from_ns, to_ns;
  uint64_t lost;
} Loss;

typedef struct {
  GilkCtfStream *stream;
  GArray        *losses;          /* (element-type Loss): all losses of the CPU; losses from index
                                   * @next on have not been written yet */
  guint          next;
  gboolean       losing;          /* a packet for losses[next] has been started but not ended */
  uint64_t       rest;            /* number of the CPU's samples that were lost at an unknown
                                   * time */
} Cpu;

typedef struct {
  const GilkExportJob  *job;
  const GilkPartFolder *folder;
  GilkStoredOrigin      origin;
  uint8_t               uuid[16];
  GilkEvents           *events;
  GPtrArray            *cpus;     /* (element-type Cpu), indexed by the CPU's number; NULL: no
                                   * sample of this CPU yet */
  GArray               *classes;  /* (element-type GilkCtfClass): first one class for each hook of
                                   * the job, then classes that lack fields */
  GHashTable           *classes_with_missing_fields;   /* key: text made of the hook's index, a
                                                        * blank and the mask of missing fields;
                                                        * value: id of the class + 1 */
  uint64_t              last;     /* time of the last event that was written */
} Ctf;

/* ---- writing of packets ---- */

/*
 * Sizes are in bits. The count of discarded events in a packet's context is the total since the
 * start of the stream, as of the end of the packet. Therefore, a loss at a known time gets a packet
 * that covers exactly that time.
 */

#define MAGIC         0xc1fc1fc1u
#define PACKET_BYTES  (64 << 10)
#define HEADER_BYTES  (4 + 16 + 4)

static guint
get_context_size (const GilkCtfStream *stream)
{
  return 6 * 8 + (stream->kind == GILK_CTF_SAMPLES ? 4 : 0);
}

static void
put_uint (GString *packet,
          uint64_t value,
          guint    bytes)
{
  uint64_t little = GUINT64_TO_LE (value);

  g_string_append_len (packet, (const char *) &little, bytes);
}

static void
put_text (GString    *packet,
          const char *text)
{
  g_string_append_len (packet, text, (gssize) strlen (text) + 1);
}

static GilkCtfStream *
new_stream (const GilkPartFolder *folder,
            const uint8_t        *uuid,
            guint                 kind,
            guint                 cpu)
{
  GilkCtfStream *stream = g_new0 (GilkCtfStream, 1);

  stream->folder = folder;
  stream->uuid = uuid;
  stream->kind = kind;
  stream->cpu = cpu;
  stream->name = kind == GILK_CTF_SAMPLES ? g_strdup_printf ("samples_%u", cpu)
                 : g_strdup (kind == GILK_CTF_NOTES ? "notes" : "readings");
  stream->packet = g_string_new (NULL);

  return stream;
}

static void
free_stream (gpointer data)
{
  GilkCtfStream *stream = data;

  g_string_free (stream->packet, TRUE);
  g_free (stream->name);
  g_free (stream);
}

static void
begin_packet (GilkCtfStream *stream, uint64_t time)
{
  static const char zeros[HEADER_BYTES + 6 * 8 + 4];

  stream->begun = TRUE;
  stream->begin = stream->end = MAX (time, stream->end);
  g_string_truncate (stream->packet, 0);
  g_string_append_len (stream->packet, zeros, HEADER_BYTES + get_context_size (stream));
}

static gboolean
write_packet (GilkCtfStream *stream, GError **error)
{
  g_autoptr(GString) head = g_string_sized_new (128);
  uint64_t bits = 8 * (uint64_t) stream->packet->len;

  put_uint (head, MAGIC, 4);
  g_string_append_len (head, (const char *) stream->uuid, 16);
  put_uint (head, stream->kind, 4);
  put_uint (head, stream->begin, 8);
  put_uint (head, stream->end, 8);
  put_uint (head, bits, 8);
  put_uint (head, bits, 8);
  put_uint (head, stream->discarded, 8);
  put_uint (head, stream->sequence++, 8);
  if (stream->kind == GILK_CTF_SAMPLES)
    put_uint (head, stream->cpu, 4);
  memcpy (stream->packet->str, head->str, head->len);
  stream->begun = FALSE;

  return gilk_part_folder_append (stream->folder, stream->name, stream->packet->str, stream->packet->len,
                                  error);
}

/* Starts an event at @time, which must not be earlier than the time of the previous event. The
 * event's fields must be written next. */
static void
start_event (GilkCtfStream *stream,
             uint64_t       time,
             uint32_t       id)
{
  if (!stream->begun)
    begin_packet (stream, time);
  stream->end = MAX (stream->end, time);
  put_uint (stream->packet, id, 4);
  put_uint (stream->packet, time, 8);
}

static gboolean
has_events (const GilkCtfStream *stream)
{
  return stream->begun && stream->packet->len > HEADER_BYTES + get_context_size (stream);
}

static gboolean
write_full_packet (GilkCtfStream *stream,
                   GError       **error)
{
  return stream->packet->len < PACKET_BYTES || !stream->begun || write_packet (stream, error);
}

/* Ends the current packet, if any, at @time, and starts a new one there. Writes the first packet of
 * a stream even if it is empty, to state that 0 events were discarded: readers attribute discarded
 * events to the time after the end of the previous packet, and the first packet has none. */
static gboolean
cut_packet (GilkCtfStream *stream,
            uint64_t       time,
            GError       **error)
{
  if (!stream->begun)
    begin_packet (stream, stream->sequence > 0 ? stream->end : time);
  stream->end = MAX (stream->end, time);
  if ((has_events (stream) || stream->sequence == 0 || stream->end > stream->begin) &&
      !write_packet (stream, error))
    return FALSE;
  begin_packet (stream, time);

  return TRUE;
}

/* Ends the packet at @time, with or without events, and adds @lost to the stream's total of lost
 * events. */
static gboolean
close_lossy_packet (GilkCtfStream *stream,
                    uint64_t       time,
                    uint64_t       lost,
                    GError       **error)
{
  if (!stream->begun)
    begin_packet (stream, stream->end);
  stream->end = MAX (stream->end, time);
  stream->discarded += MIN (lost, G_MAXUINT64 - stream->discarded);

  return write_packet (stream, error);
}

/* Ends the stream's current packet if it has events. */
static gboolean
end_packet (GilkCtfStream *stream,
            GError       **error)
{
  return !has_events (stream) || write_packet (stream, error);
}

/* ---- writing of the metadata file ---- */

/*
 * Names of fields start with an underscore, as the specification recommends: readers remove it, and
 * the name cannot be a keyword. The clock is the target's CLOCK_MONOTONIC, identified by the boot
 * id, so that traces of the same boot can be correlated.
 */

#define SECOND G_GUINT64_CONSTANT (1000000000)

static const char head[] =
  "/* CTF 1.8 */\n\n"
  "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
  "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
  "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
  "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
  "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
  "typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;\n\n";

/* The packet context that each class of streams declares in the metadata. */
#define CONTEXT \
  "\tpacket.context := struct {\n\t\tgilk_time_t timestamp_begin;\n\t\tgilk_time_t timestamp_end;\n" \
  "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint64_t events_discarded;\n" \
  "\t\tuint64_t packet_seq_num;\n"

static const char streams[] =
  "typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := gilk_time_t;\n\n"
  "struct gilk_event_header {\n\tuint32_t id;\n\tgilk_time_t timestamp;\n};\n\n"
  "/* Samples, one stream per CPU. */\n"
  "stream {\n\tid = 0;\n\tevent.header := struct gilk_event_header;\n"
  CONTEXT "\t\tuint32_t cpu_id;\n\t};\n};\n\n"
  "/* Readings of counters, summed over all CPUs. */\n"
  "stream {\n\tid = 1;\n\tevent.header := struct gilk_event_header;\n"
  CONTEXT "\t};\n};\n\n";

static const char notes_stream[] =
  "/* Notes, at the start of the time that they are about. */\n"
  "stream {\n\tid = 2;\n\tevent.header := struct gilk_event_header;\n"
  CONTEXT "\t};\n};\n\n"
  "event {\n\tid = 0;\n\tstream_id = 2;\n\tname = \"note\";\n\tfields := struct {\n"
  "\t\tstring { encoding = UTF8; } _text;\n\t\tstring { encoding = UTF8; } _author;\n"
  "\t\tstring { encoding = UTF8; } _hook;\n\t\tuint64_t _duration_ns;\n\t};\n};\n\n";

/* Appends @value as a string literal in double quotes. */
static void
append_quoted (GString *text, const char *value)
{
  g_string_append_c (text, '"');
  for (const char *c = value != NULL ? value : ""; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, (guchar) *c < 0x20 || *c == 0x7f ? '?' : *c);
    }
  g_string_append_c (text, '"');
}

static void
append_uuid (GString *text, const uint8_t *uuid)
{
  g_string_append_c (text, '"');
  for (guint i = 0; i < 16; i++)
    g_string_append_printf (text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
  g_string_append_c (text, '"');
}

static void
append_trace (GString *text, const uint8_t *uuid)
{
  g_string_append (text, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = ");
  append_uuid (text, uuid);
  g_string_append (text, ";\n\tbyte_order = le;\n\tpacket.header := struct {\n\t\tuint32_t magic;\n"
                   "\t\tuint8_t uuid[16];\n\t\tuint32_t stream_id;\n\t};\n};\n\n");
}

static void
append_member (GString *text, const char *name, const char *value)
{
  g_string_append_printf (text, "\t%s = ", name);
  append_quoted (text, value);
  g_string_append (text, ";\n");
}

/* Appends the "env" block: information about the run that packets do not contain, such as host and
 * kernel release. */
static void
append_environment (GString *text, const GilkExportJob *job, const GilkStoredOrigin *origin)
{
  g_string_append (text, "env {\n");
  append_member (text, "hostname", origin->hostname);
  append_member (text, "domain", "kernel");
  append_member (text, "sysname", "Linux");
  append_member (text, "kernel_release", job->run->release);
  append_member (text, "kernel_build_id", job->run->build_id);
  append_member (text, "tracer_name", "gilk");
  append_member (text, "trace_name", job->run->title);
  append_member (text, "target", job->run->target);
  append_member (text, "started", job->run->started);
  append_member (text, "end_reason", job->run->end_reason);
  g_string_append_printf (text, "\ttsc_khz = %" G_GUINT64_FORMAT ";\n", (guint64) origin->tsc_khz);
  g_string_append (text, "};\n\n");
}

static void
append_clock (GString *text, const GilkStoredOrigin *origin, const GilkStoredClock *clock)
{
  uint64_t offset = origin->zero_unix_ns > origin->zero_mono_ns ? origin->zero_unix_ns - origin->zero_mono_ns
                                                                : 0;

  g_string_append (text, "clock {\n\tname = \"monotonic\";\n");
  if (g_uuid_string_is_valid (origin->boot_id))
    append_member (text, "uuid", origin->boot_id);
  append_member (text, "description", "CLOCK_MONOTONIC of the target, from its time stamp counter; "
                 "its offset from 1970 by the clock of the recording machine");
  if (clock->has_end)
    g_string_append_printf (text, "\tprecision = %.0f;\n", ceil (clock->end_error_ns + clock->order_ns));
  g_string_append_printf (text, "\tfreq = 1000000000;\n\toffset_s = %" G_GUINT64_FORMAT ";\n"
                          "\toffset = %" G_GUINT64_FORMAT ";\n};\n\n", (guint64) (offset / SECOND),
                          (guint64) (offset % SECOND));
}

/* ---- declarations of an event class's fields ---- */

static const char *
get_type_name (guint type)
{
  static const char *const names[] = {
    [ILK_FIELD_U64] = "uint64_t", [ILK_FIELD_S64] = "int64_t", [ILK_FIELD_U32] = "uint32_t",
    [ILK_FIELD_S32] = "int32_t", [ILK_FIELD_HEX64] = "hex64_t",
    [ILK_FIELD_TEXT] = "string { encoding = UTF8; }",
  };

  return type < G_N_ELEMENTS (names) ? names[type] : "int64_t";
}

/* Appends the column's name; changes it if it is already in @used, the set of names so far. */
static void
append_name (GString *text, const char *column, GHashTable *used)
{
  GString *name = g_string_new ("_");

  for (const char *c = column; *c != '\0'; c++)
    g_string_append_c (name, g_ascii_isalnum (*c) ? *c : '_');
  for (guint i = 2; g_hash_table_contains (used, name->str); i++)
    g_string_append_printf (name, "_%u", i);
  g_string_append (text, name->str);
  g_hash_table_add (used, g_string_free (name, FALSE));
}

static void
append_fields (GString *text, const GilkEventSource *source, uint64_t missing, const char *indent)
{
  g_autoptr(GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint f = 0; f < source->columns->len; f++)
    {
      if (missing >> f & 1)
        continue;
      g_string_append_printf (text, "%s%s ", indent, get_type_name (source->types[f]));
      append_name (text, source->columns->pdata[f], used);
      g_string_append (text, ";\n");
    }
}

static void
append_class (GString *text, const GilkExportJob *job, const GilkEvents *events, const GilkCtfClass *class)
{
  const GilkStoredHook *hook = &job->hooks[class->hook];
  g_autofree char *point = gilk_stored_hook_point (hook);

  g_string_append_printf (text, "event {\n\tid = %u;\n\tstream_id = %u;\n\tname = ", class->id,
                          class->source >= 0 ? GILK_CTF_SAMPLES : GILK_CTF_READINGS);
  append_quoted (text, hook->label);
  g_string_append (text, ";\n\tmodel.emf.uri = ");
  append_quoted (text, point);
  if (class->source < 0)
    g_string_append_printf (text, ";\n\tfields := struct {\n\t\tuint64_t _%s;\n\t};\n};\n\n",
                            gilk_inline_is (hook->instrument, GILK_INLINE_COUNT) ? "count" : "hits");
  else if (class->missing == 0)
    g_string_append_printf (text, ";\n\tfields := struct gilk_fields_%d;\n};\n\n", class->source);
  else
    {
      g_string_append (text, ";\n\tfields := struct {\n");
      append_fields (text, GILK_EVENT_SOURCE (events, class->source), class->missing, "\t\t");
      g_string_append (text, "\t};\n};\n\n");
    }
}

/* Returns the text of the metadata file. (transfer full) */
static char *
make_metadata (const GilkExportJob    *job,
               const GilkStoredOrigin *origin,
               const GilkStoredClock  *clock,
               const uint8_t          *uuid,
               const GilkEvents       *events,
               const GArray           *classes,
               gboolean                notes)
{
  GString *text = g_string_new (head);

  append_trace (text, uuid);
  append_environment (text, job, origin);
  append_clock (text, origin, clock);
  g_string_append (text, streams);
  for (guint s = 0; s < events->sources->len; s++)
    {
      g_string_append_printf (text, "struct gilk_fields_%u {\n", s);
      append_fields (text, GILK_EVENT_SOURCE (events, s), 0, "\t");
      g_string_append (text, "};\n\n");
    }
  for (guint i = 0; i < classes->len; i++)
    append_class (text, job, events, &g_array_index (classes, GilkCtfClass, i));
  if (notes)
    g_string_append (text, notes_stream);

  return g_string_free (text, FALSE);
}

static uint64_t
get_clock_time (const Ctf *ctf, gint64 t_ns)
{
  return gilk_export_clamped_time (&ctf->origin, t_ns);
}

/* ---- CPUs and their lost samples ---- */

static void
cpu_free (gpointer data)
{
  Cpu *cpu = data;

  if (cpu == NULL)
    return;
  free_stream (cpu->stream);
  g_array_unref (cpu->losses);
  g_free (cpu);
}

static Cpu *
ensure_cpu (Ctf *ctf, guint number, GError **error)
{
  Cpu *cpu;

  if (number >= CPUS_MAX)
    return gilk_fail_null (error, GILK_ERROR_FORMAT,
        _("%s is damaged: it has a sample of CPU %u, which cannot exist. Use a backup."),
        gilk_store_path (ctf->job->store), number);
  if (number >= ctf->cpus->len)
    g_ptr_array_set_size (ctf->cpus, (int) number + 1);
  cpu = ctf->cpus->pdata[number];
  if (cpu != NULL)
    return cpu;
  cpu = g_new0 (Cpu, 1);
  cpu->stream = new_stream (ctf->folder, ctf->uuid, GILK_CTF_SAMPLES, number);
  cpu->losses = g_array_new (FALSE, FALSE, sizeof (Loss));
  ctf->cpus->pdata[number] = cpu;

  return cpu;
}

/* Adds a loss; must be called in order of from_ns. If the loss starts before the previous loss
 * ends, its start is moved to that end. */
static void
add_cpu_loss (Cpu *cpu, const GilkStoredCpuLoss *found)
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

/* Reads the losses that may be in the exported range of time. */
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
      add_cpu_loss (cpu, loss);
    }

  return losses != NULL;
}

/* Writes packets for the losses that start or end no later than @t_ns. */
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
          if (!cut_packet (cpu->stream, get_clock_time (ctf, loss->from_ns), error))
            return FALSE;
          cpu->losing = TRUE;
        }
      if (loss->to_ns > t_ns)
        break;
      if (!close_lossy_packet (cpu->stream, get_clock_time (ctf, loss->to_ns), loss->lost, error))
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
    return end_packet (cpu->stream, error);
  end = MAX (ctf->last, get_clock_time (ctf, (gint64) MIN (ctf->origin.duration_ns, (uint64_t) G_MAXINT64)));
  if (cpu->stream->sequence == 0 && !cut_packet (cpu->stream, get_clock_time (ctf, 0), error))
    return FALSE;

  return close_lossy_packet (cpu->stream, end, cpu->rest, error);
}

/* ---- event classes of the job's hooks ---- */

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
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s is damaged: its samples have too many combinations of missing fields. Use a backup."),
        gilk_store_path (ctf->job->store));
  g_array_append_val (ctf->classes, class);
  g_hash_table_insert (ctf->classes_with_missing_fields, g_steal_pointer (&key), GUINT_TO_POINTER (class.id + 1));

  return TRUE;
}

/* ---- writing of samples and counter readings as events ---- */

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
        put_text (packet, block->texts[f][i]);
      else
        put_uint (packet, (uint64_t) block->values[f][i],
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
  start_event (cpu->stream, ctf->last, id);
  put_fields (cpu->stream->packet, source, block, i, missing);

  return write_full_packet (cpu->stream, error);
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
  if (!gilk_check_end (&local, error))
    return FALSE;
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
      start_event (stream, time, g_array_index (ctf->events->counting_at, guint, reading.hook));
      put_uint (stream->packet, reading.hits, 8);
      if (!write_full_packet (stream, error))
        return FALSE;
    }
  return gilk_check_end (&local, error) && end_packet (stream, error);
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
  stream = new_stream (ctf->folder, ctf->uuid, GILK_CTF_READINGS, 0);
  good = put_readings (ctf, readings, stream, error);
  free_stream (stream);

  return good;
}

/* ---- writing of notes as events ---- */

static gboolean
put_notes (const Ctf *ctf, const GArray *notes, GilkCtfStream *stream, GError **error)
{
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      const char *hook = gilk_export_label (ctf->job, note->hook);

      start_event (stream, get_clock_time (ctf, note->from_ns), 0);
      put_text (stream->packet, note->text);
      put_text (stream->packet, note->author != NULL ? note->author : "");
      put_text (stream->packet, hook != NULL ? hook : "");
      put_uint (stream->packet, (uint64_t) (note->to_ns - note->from_ns), 8);
      if (!write_full_packet (stream, error))
        return FALSE;
    }

  return end_packet (stream, error);
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
  stream = new_stream (ctf->folder, ctf->uuid, GILK_CTF_NOTES, 0);
  good = put_notes (ctf, notes, stream, error);
  free_stream (stream);

  return good;
}

static gboolean
check_fields (const Ctf *ctf, GError **error)
{
  for (guint s = 0; s < ctf->events->sources->len; s++)
    if (GILK_EVENT_SOURCE (ctf->events, s)->fields->len > FIELDS_MAX)
      return gilk_fail (error, GILK_ERROR_FORMAT,
                        _("%s is damaged: the samples of %s have too many fields. Use a backup."),
                        gilk_store_path (ctf->job->store),
                        GILK_EVENT_SOURCE (ctf->events, s)->instrument);

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
  metadata = make_metadata (ctf->job, &ctf->origin, &clock, ctf->uuid, ctf->events, ctf->classes, notes);

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
