/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-parts.c - requests whose answers are too long for one frame and are split into parts
 *
 * Each part is requested while the previous one is processed: this avoids a round trip per part to
 * a distant machine, and needs little memory at a time.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/link/gilk-request.h"

/* Size of one READ_TEXT request: large enough to keep a slow machine busy, small enough to
 * cancel. */
#define TEXT_REQUEST_BYTES  (2u << 20)
#define TEXT_REQUEST_RANGES 32768u
#define IN_FLIGHT           2

/* A request that was sent, and the size of its answer. */
typedef struct {
  uint32_t seq;
  gsize    bytes;
} InFlight;

/* ---- text ---- */

typedef struct {
  const struct gilk_range *ranges;
  gsize                    count;
  gsize                    at;         /* index of the current range */
  gsize                    into;       /* bytes of the current range that were already requested */
} TextCursor;

/* Fills @out with the ranges of the next request, splitting long ranges. Returns their total
 * size. */
static gsize
fill_next_ranges (TextCursor *cursor,
                  GArray     *out)
{
  gsize bytes = 0;

  g_array_set_size (out, 0);
  while (cursor->at < cursor->count && bytes < TEXT_REQUEST_BYTES &&
         out->len < TEXT_REQUEST_RANGES)
    {
      const struct gilk_range *range = &cursor->ranges[cursor->at];
      struct gilk_range part = {
        .addr = range->addr + cursor->into,
        .len = MIN (range->len - cursor->into, TEXT_REQUEST_BYTES - bytes),
      };

      g_array_append_val (out, part);
      bytes += part.len;
      cursor->into += part.len;
      if (cursor->into == range->len)
        {
          cursor->at++;
          cursor->into = 0;
        }
    }

  return bytes;
}

static gboolean
receive_text (GilkTarget         *target,
              const InFlight  *request,
              uint8_t            *out,
              GCancellable       *cancellable,
              GError            **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_wait (target, GILK_READ_TEXT, request->seq, cancellable, error);

  return gilk_target_copy_struct (target, answer, out, request->bytes, error);
}

gboolean
gilk_target_read_text (GilkTarget              *target,
                       const struct gilk_range *ranges,
                       gsize                    count,
                       uint8_t                 *out,
                       const GilkProgress      *progress,
                       GCancellable            *cancellable,
                       GError                 **error)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  TextCursor cursor = { ranges, count, 0, 0 };
  InFlight flying[IN_FLIGHT];
  guint n_flying = 0;
  gsize total = 0, done = 0;
  gboolean ok = TRUE;

  for (gsize i = 0; i < count; i++)
    total += ranges[i].len;

  while (ok && (cursor.at < count || n_flying > 0))
    {
      while (ok && cursor.at < count && n_flying < IN_FLIGHT)
        {
          InFlight *request = &flying[n_flying];

          request->bytes = fill_next_ranges (&cursor, part);
          request->seq = gilk_target_send_bytes (target, GILK_READ_TEXT, part->data,
                                                 part->len * sizeof (struct gilk_range), error);
          ok = request->seq != 0;
          n_flying += ok;
        }
      if (ok)
        {
          ok = receive_text (target, &flying[0], out + done, cancellable, error);
          done += flying[0].bytes;
          memmove (flying, flying + 1, --n_flying * sizeof flying[0]);
          gilk_progress (progress, _("Reading kernel text"), total ? (double) done / total : 1);
        }
    }

  for (guint i = 0; i < n_flying; i++)
    gilk_target_drop_answer (target, flying[i].seq);
  return ok;
}

/* ---- parts without progress ---- */

static gboolean
receive_part (GilkTarget     *target,
              guint           type,
              const InFlight *part,
              uint8_t        *out,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autoptr (GByteArray) answer = gilk_target_wait (target, type, part->seq, cancellable, error);

  return gilk_target_copy_struct (target, answer, out, part->bytes, error);
}

gboolean
gilk_target_request_parts (GilkTarget     *target,
                           guint           type,
                           GilkRequestPart ask,
                           gpointer        cursor,
                           uint8_t        *out,
                           GCancellable   *cancellable,
                           GError        **error)
{
  InFlight flying[IN_FLIGHT];
  guint n_flying = 0;
  gboolean more = TRUE, ok = TRUE;

  while (ok && (more || n_flying > 0))
    {
      while (ok && more && n_flying < IN_FLIGHT)
        {
          InFlight *part = &flying[n_flying];

          part->seq = ask (target, cursor, &part->bytes, error);
          more = part->bytes > 0;
          ok = !more || part->seq != 0;
          n_flying += more && ok;
        }
      if (ok && n_flying > 0)
        {
          ok = receive_part (target, type, &flying[0], out, cancellable, error);
          out += flying[0].bytes;
          memmove (flying, flying + 1, --n_flying * sizeof flying[0]);
        }
    }

  for (guint i = 0; i < n_flying; i++)
    gilk_target_drop_answer (target, flying[i].seq);
  return ok;
}

/* ---- counters: 300 MB for 50,000 hooks on 256 CPUs ---- */

typedef struct {
  const uint32_t *iids;
  guint           count;               /* number of counters not requested yet */
  gboolean        per_cpu;
  gsize           bytes_each;
} CounterCursor;

static uint32_t
request_counters (GilkTarget *target,
                  gpointer    data,
                  gsize      *bytes,
                  GError    **error)
{
  CounterCursor *cursor = data;
  const uint32_t flags = cursor->per_cpu ? ILK_COUNTERS_PER_CPU : 0;
  const guint count = MIN (cursor->count, MAX (GILK_WIRE_COUNTERS_MAX / cursor->bytes_each, 1));
  GBytes *parts[2];
  uint32_t seq;

  *bytes = count * cursor->bytes_each;
  if (count == 0)
    return 0;
  parts[0] = gilk_target_part (&flags, sizeof flags);
  parts[1] = gilk_target_part (cursor->iids, count * sizeof *cursor->iids);
  seq = gilk_target_send (target, GILK_COUNTERS, parts, G_N_ELEMENTS (parts), error);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_bytes_unref (parts[i]);
  cursor->iids += count;
  cursor->count -= count;

  return seq;
}

gboolean
gilk_target_counters (GilkTarget         *target,
                      const uint32_t     *iids,
                      guint               count,
                      gboolean            per_cpu,
                      struct ilk_counter *out,
                      GCancellable       *cancellable,
                      GError            **error)
{
  struct ilk_info info = { .nr_cpus = gilk_target_limits (target).n_cpus };
  CounterCursor cursor = { iids, count, per_cpu, sizeof *out };

  if (count == 0)
    return TRUE;
  if (per_cpu && info.nr_cpus == 0 &&
      !gilk_target_driver_info (target, &info, cancellable, error))
    return FALSE;
  if (per_cpu)
    cursor.bytes_each *= info.nr_cpus;

  return gilk_target_request_parts (target, GILK_COUNTERS, request_counters, &cursor, (uint8_t *) out,
                                    cancellable, error);
}
