/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-clock.c - writes timestamp pairs and TSC offsets into a session; derives the accuracy
 * of a run's times
 */
#include "core/store/gilk-store-clock.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-transaction.h"

/* ---- writing ---- */

gboolean
gilk_store_set_rate (GilkStore *store,
                     gint64     run,
                     uint64_t   hz,
                     GError   **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);

  if (recorder == NULL)
    return FALSE;
  if (hz == 0)
    return TRUE;
  if (!gilk_store_write (store, error, "UPDATE run SET tsc_hz = ? WHERE id = ?", "ii", (gint64) hz, run))
    return FALSE;
  recorder->tsc_hz = hz;
  gilk_store_recorder_start_clocks (recorder, NULL);

  return TRUE;
}

gboolean
gilk_store_add_timestamp_pair (GilkStore               *store,
                               gint64                   run,
                               GilkTimestampPosition    place,
                               const GilkTimestampPair *pair,
                               GError                 **error)
{
  return gilk_store_write_row (store, run, error, "INSERT INTO timestamp_pair (run, position, tsc, mono_ns, error) "
                               "VALUES (?, ?, ?, ?, ?)", "iiiii", run, (gint64) place, (gint64) pair->tsc,
                               (gint64) pair->mono_ns, (gint64) pair->error);
}

/* Returns the offset to subtract from a CPU's TSC: the measured offset if it exceeds its
 * measurement error, else 0. */
static gint64
get_offset_to_subtract (const GilkCpuOffset *offset)
{
  return offset->known && (uint64_t) ABS (offset->ahead) > offset->error ? offset->ahead : 0;
}

gboolean
gilk_store_add_offsets (GilkStore            *store,
                        gint64                run,
                        GilkTimestampPosition place,
                        const GilkCpuOffset  *offsets,
                        guint                 n,
                        GError              **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);
  g_autofree gint64 *subtracted_offset = NULL;

  if (recorder == NULL)
    return FALSE;
  subtracted_offset = g_new0 (gint64, recorder->n_cpus);
  for (guint cpu = 0; cpu < MIN (n, recorder->n_cpus); cpu++)
    {
      if (place == GILK_TIMESTAMP_ZERO)
        subtracted_offset[cpu] = get_offset_to_subtract (&offsets[cpu]);
      else
        subtracted_offset[cpu] = (gint64) (recorder->clocks[cpu].zero - recorder->zero_tsc);
      if (offsets[cpu].known &&
          !gilk_store_write (store, error, "INSERT INTO cpu_clock (run, position, cpu, ahead, error, subtracted_offset) "
                             "VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", run, (gint64) place, (gint64) cpu,
                             offsets[cpu].ahead, (gint64) offsets[cpu].error, subtracted_offset[cpu]))
        return FALSE;
    }
  if (place == GILK_TIMESTAMP_ZERO)
    gilk_store_recorder_start_clocks (recorder, subtracted_offset);

  return TRUE;
}

/* ---- reading ---- */

typedef struct {
  GilkTimestampPair pairs[GILK_TIMESTAMP_END + 1];
  gboolean   there[GILK_TIMESTAMP_END + 1];
} TimestampPairs;

static gboolean
read_run (GilkStore *store, gint64 run, GilkStoredClock *clock, GError **error)
{
  GError *local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT tsc_khz, tsc_hz, n_cpus FROM run WHERE id = ?", "i", run);
  uint64_t khz;

  if (gilk_sql_next (store, stmt, &local))
    {
      if (!gilk_sql_row (store, stmt, error, "nNu", &khz, &clock->hz, &clock->n_cpus))
        return FALSE;
      clock->measured = clock->hz != 0;
      if (!clock->measured)
        clock->hz = MAX (MIN (khz, G_MAXUINT64 / 1000) * 1000, 1);
      return TRUE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  else
    gilk_fail (error, GILK_ERROR_NOT_FOUND, _("%s has no run %" PRId64 ". Choose another."),
                       gilk_store_path (store), run);

  return FALSE;
}

static gboolean
read_timestamp_pairs (GilkStore *store, gint64 run, TimestampPairs *pairs, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT position, tsc, mono_ns, error FROM timestamp_pair WHERE run = ? AND position >= 0 AND "
    "position <= 2", "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkTimestampPair pair;
      guint place;

      if (!gilk_sql_row (store, stmt, &local, "uann", &place, &pair.tsc, &pair.mono_ns, &pair.error))
        break;
      pairs->pairs[place] = pair;
      pairs->there[place] = TRUE;
    }

  return gilk_check_end (&local, error);
}

static void
check_rate (const TimestampPairs *pairs, GilkStoredClock *clock)
{
  const GilkTimestampPair *zero = &pairs->pairs[GILK_TIMESTAMP_ZERO];
  const GilkTimestampPair *end = &pairs->pairs[GILK_TIMESTAMP_END];
  double hz = (double) clock->hz;
  GilkRate rate;

  clock->has_zero = pairs->there[GILK_TIMESTAMP_ZERO];
  if (!clock->has_zero)
    clock->measured = FALSE;
  else
    clock->zero_error_ns = (double) zero->error / hz * 1e9;
  clock->measured = clock->measured && pairs->there[GILK_TIMESTAMP_BEFORE] &&
                    gilk_rate_between (&pairs->pairs[GILK_TIMESTAMP_BEFORE], zero, &rate);
  if (clock->measured)
    clock->rate_error = rate.error;
  if (!clock->has_zero || !pairs->there[GILK_TIMESTAMP_END] || !gilk_rate_between (zero, end, &rate))
    return;
  clock->has_end = TRUE;
  clock->run_error = rate.error;
  clock->drift = (double) rate.hz / hz - 1.0;
  clock->end_error_ns = ABS ((double) (end->tsc - zero->tsc) / hz * 1e9 -
                             (double) (end->mono_ns - zero->mono_ns)) +
                        ((double) zero->error + (double) end->error) / hz * 1e9;
}

/* Reads the TSC offsets of the CPUs. Rows are sorted by position, then CPU, so a CPU's row for time
 * zero is read before its row for the run's end. */
static gboolean
read_cpus (GilkStore *store, gint64 run, GilkStoredClock *clock, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT position, cpu, ahead, error, subtracted_offset FROM cpu_clock WHERE run = ? ORDER BY position, cpu",
    "i", run);
  double ns = 1e9 / (double) clock->hz;
  guint at = 0;

  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 ahead, subtracted_offset;
      uint64_t ticks;
      guint position;
      GilkStoredCpuClock cpu = { 0 };

      if (!gilk_sql_row (store, stmt, &local, "uuini", &position, &cpu.cpu, &ahead, &ticks, &subtracted_offset))
        break;
      cpu.ahead_ns = (double) ahead * ns;
      cpu.error_ns = (double) ticks * ns;
      cpu.subtracted_offset = subtracted_offset != 0;
      cpu.left_ns = ABS ((double) ahead - (double) subtracted_offset) * ns + cpu.error_ns;
      if (position == GILK_TIMESTAMP_ZERO)
        {
          g_array_append_val (clock->cpus, cpu);
          continue;
        }
      while (at < clock->cpus->len && g_array_index (clock->cpus, GilkStoredCpuClock, at).cpu < cpu.cpu)
        at++;
      if (position == GILK_TIMESTAMP_END && at < clock->cpus->len &&
          g_array_index (clock->cpus, GilkStoredCpuClock, at).cpu == cpu.cpu)
        {
          GilkStoredCpuClock *begun = &g_array_index (clock->cpus, GilkStoredCpuClock, at);

          begun->left_ns = MAX (begun->left_ns, cpu.left_ns);
          clock->order_at_end = TRUE;
        }
    }

  return gilk_check_end (&local, error);
}

/* Computes clock->order_ns, the time difference above which the order of two samples is certain:
 * times of two CPUs may differ by the sum of their remaining TSC offsets. */
static void
compute_order_error (GilkStoredClock *clock)
{
  double most = 0, second = 0;

  for (guint i = 0; i < clock->cpus->len; i++)
    {
      double left = g_array_index (clock->cpus, GilkStoredCpuClock, i).left_ns;

      second = MAX (second, MIN (left, most));
      most = MAX (most, left);
    }
  clock->order_ns = clock->cpus->len > 1 ? most + second : 0;
}

gboolean
gilk_store_clock (GilkStore       *store,
                  gint64           run,
                  GilkStoredClock *clock,
                  GError         **error)
{
  g_auto(GilkStoredClock) found = { 0 };
  TimestampPairs pairs = { 0 };

  found.cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock));
  if (!read_run (store, run, &found, error) || !read_timestamp_pairs (store, run, &pairs, error) ||
      !read_cpus (store, run, &found, error))
    return FALSE;
  check_rate (&pairs, &found);
  compute_order_error (&found);
  *clock = found;
  found.cpus = NULL;

  return TRUE;
}

void
gilk_stored_clock_clear (GilkStoredClock *clock)
{
  g_clear_pointer (&clock->cpus, g_array_unref);
}
