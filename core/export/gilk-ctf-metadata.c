/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctf-metadata.c - describes a CTF trace in its description language (TSDL)
 *
 * Names of fields start with an underscore, as the specification recommends: readers remove it, and
 * no field can be a keyword. The clock is the target's CLOCK_MONOTONIC, identified by the boot id,
 * so that traces of the same boot can be correlated.
 */
#include <math.h>
#include <string.h>

#include "core/emit/gilk-inline.h"
#include "core/export/gilk-ctf-private.h"

#define SECOND G_GUINT64_CONSTANT (1000000000)

static const char head[] =
  "/* CTF 1.8 */\n\n"
  "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
  "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
  "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
  "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
  "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
  "typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;\n\n";

/* Packet context of each stream. */
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

/* Appends a string literal. */
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

/* Appends facts about the run that packets do not hold. */
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

/* ---- fields ---- */

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

/* Appends the column's name, made unique in @used. */
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
  g_autofree char *point = gilk_export_point (hook);

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

char *
gilk_ctf_metadata (const GilkExportJob    *job,
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
