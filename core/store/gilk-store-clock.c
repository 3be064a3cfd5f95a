/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-clock.c - writes timestamp pairs and TSC offsets into a session; derives the accuracy
 * of its times
 */
#include "core/store/gilk-store-clock.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include "core/store/gilk-store-private.h"

#define WRITE(store, error, ...) \
  (gilk_store_want_transaction (store, error) && \
   (gilk_sql_run (store, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE)))

/* ---- writing ---- */

void
gilk_store_start_clocks (GilkStore    *store,
                         const gint64 *taken_off)
{
  for (guint cpu = 0; cpu < store->n_cpus; cpu++)
    store->clocks[cpu] = gilk_clock_at (store->zero_tsc + (taken_off != NULL
                                                           ? (uint64_t) taken_off[cpu] : 0),
                                        store->tsc_hz);
}

gboolean
gilk_store_set_rate (GilkStore  *store,
                     gint64      run,
                     uint64_t    hz,
                     GError    **error)
{
  if (!gilk_store_check_run (store, run, error))
    return FALSE;
  if (hz == 0)
    return TRUE;
  if (!WRITE (store, error, "UPDATE run SET tsc_hz = ? WHERE id = ?", "ii", (gint64) hz, run))
    return FALSE;
  store->tsc_hz = hz;
  gilk_store_start_clocks (store, NULL);

  return TRUE;
}

gboolean
gilk_store_add_moment (GilkStore         *store,
                       gint64             run,
                       GilkMomentPlace    place,
                       const GilkMoment  *moment,
                       GError           **error)
{
  return gilk_store_check_run (store, run, error) &&
         WRITE (store, error, "INSERT INTO clock_reading (run, position, tsc, mono_ns, error) "
                "VALUES (?, ?, ?, ?, ?)", "iiiii", run, (gint64) place, (gint64) moment->tsc,
                (gint64) moment->mono_ns, (gint64) moment->error);
}

/* Returns the offset to subtract: only one that exceeds its measurement error. */
static gint64
to_take_off (const GilkCpuOffset *offset)
{
  return offset->known && (uint64_t) ABS (offset->ahead) > offset->error ? offset->ahead : 0;
}

gboolean
gilk_store_add_offsets (GilkStore            *store,
                        gint64                run,
                        GilkMomentPlace       place,
                        const GilkCpuOffset  *offsets,
                        guint                 n,
                        GError              **error)
{
  g_autofree gint64 *taken_off = NULL;

  if (!gilk_store_check_run (store, run, error))
    return FALSE;
  taken_off = g_new0 (gint64, store->n_cpus);
  for (guint cpu = 0; cpu < MIN (n, store->n_cpus); cpu++)
    {
      if (place == GILK_MOMENT_ZERO)
        taken_off[cpu] = to_take_off (&offsets[cpu]);
      else
        taken_off[cpu] = (gint64) (store->clocks[cpu].zero - store->zero_tsc);
      if (offsets[cpu].known &&
          !WRITE (store, error, "INSERT INTO cpu_clock (run, position, cpu, ahead, error, taken_off) "
                  "VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", run, (gint64) place, (gint64) cpu,
                  offsets[cpu].ahead, (gint64) offsets[cpu].error, taken_off[cpu]))
        return FALSE;
    }
  if (place == GILK_MOMENT_ZERO)
    gilk_store_start_clocks (store, taken_off);

  return TRUE;
}

/* ---- reading ---- */

typedef struct {
  GilkMoment moments[GILK_MOMENT_END + 1];
  gboolean   there[GILK_MOMENT_END + 1];
} Moments;

static gboolean
read_run (GilkStore *store, gint64 run, GilkStoredClock *clock, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, "SELECT tsc_khz, tsc_hz, n_cpus FROM run WHERE id = ?", "i", run);
  GError *local = NULL;
  uint64_t khz;

  if (stmt == NULL)
    return FALSE;
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
    gilk_store_refuse (error, GILK_ERROR_NOT_FOUND, _("%s has no run %" PRId64 ". Choose another."),
                       store->path, run);

  return FALSE;
}

static gboolean
read_moments (GilkStore *store, gint64 run, Moments *moments, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT position, tsc, mono_ns, error FROM clock_reading WHERE run = ? AND position >= 0 AND "
    "position <= 2", "i", run);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkMoment moment;
      guint place;

      if (!gilk_sql_row (store, stmt, &local, "uann", &place, &moment.tsc, &moment.mono_ns, &moment.error))
        break;
      moments->moments[place] = moment;
      moments->there[place] = TRUE;
    }

  return gilk_sql_ended (&local, error);
}

static void
judge_rate (const Moments *moments, GilkStoredClock *clock)
{
  const GilkMoment *zero = &moments->moments[GILK_MOMENT_ZERO];
  const GilkMoment *end = &moments->moments[GILK_MOMENT_END];
  double hz = (double) clock->hz;
  GilkRate rate;

  clock->has_zero = moments->there[GILK_MOMENT_ZERO];
  if (!clock->has_zero)
    clock->measured = FALSE;
  else
    clock->zero_error_ns = (double) zero->error / hz * 1e9;
  clock->measured = clock->measured && moments->there[GILK_MOMENT_BEFORE] &&
                    gilk_rate_between (&moments->moments[GILK_MOMENT_BEFORE], zero, &rate);
  if (clock->measured)
    clock->rate_error = rate.error;
  if (!clock->has_zero || !moments->there[GILK_MOMENT_END] || !gilk_rate_between (zero, end, &rate))
    return;
  clock->has_end = TRUE;
  clock->run_error = rate.error;
  clock->drift = (double) rate.hz / hz - 1.0;
  clock->end_error_ns = ABS ((double) (end->tsc - zero->tsc) / hz * 1e9 -
                             (double) (end->mono_ns - zero->mono_ns)) +
                        ((double) zero->error + (double) end->error) / hz * 1e9;
}

/* Rows are sorted by position, then CPU, so that the entries for the end find those for time
 * zero. */
static gboolean
read_cpus (GilkStore *store, gint64 run, GilkStoredClock *clock, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT position, cpu, ahead, error, taken_off FROM cpu_clock WHERE run = ? ORDER BY position, cpu",
    "i", run);
  g_autoptr(GError) local = NULL;
  double ns = 1e9 / (double) clock->hz;
  guint at = 0;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 ahead, taken_off;
      uint64_t ticks;
      guint position;
      GilkStoredCpuClock cpu = { 0 };

      if (!gilk_sql_row (store, stmt, &local, "uuini", &position, &cpu.cpu, &ahead, &ticks, &taken_off))
        break;
      cpu.ahead_ns = (double) ahead * ns;
      cpu.error_ns = (double) ticks * ns;
      cpu.taken_off = taken_off != 0;
      cpu.left_ns = ABS ((double) ahead - (double) taken_off) * ns + cpu.error_ns;
      if (position == GILK_MOMENT_ZERO)
        {
          g_array_append_val (clock->cpus, cpu);
          continue;
        }
      while (at < clock->cpus->len && g_array_index (clock->cpus, GilkStoredCpuClock, at).cpu < cpu.cpu)
        at++;
      if (position == GILK_MOMENT_END && at < clock->cpus->len &&
          g_array_index (clock->cpus, GilkStoredCpuClock, at).cpu == cpu.cpu)
        {
          GilkStoredCpuClock *begun = &g_array_index (clock->cpus, GilkStoredCpuClock, at);

          begun->left_ns = MAX (begun->left_ns, cpu.left_ns);
          clock->order_at_end = TRUE;
        }
    }

  return gilk_sql_ended (&local, error);
}

/* Times of two CPUs may differ by the sum of their remaining offsets. */
static void
judge_order (GilkStoredClock *clock)
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
gilk_store_clock (GilkStore        *store,
                  gint64            run,
                  GilkStoredClock  *clock,
                  GError          **error)
{
  g_auto(GilkStoredClock) found = { 0 };
  Moments moments = { 0 };

  found.cpus = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuClock));
  if (!read_run (store, run, &found, error) || !read_moments (store, run, &moments, error) ||
      !read_cpus (store, run, &found, error))
    return FALSE;
  judge_rate (&moments, &found);
  judge_order (&found);
  *clock = found;
  found.cpus = NULL;

  return TRUE;
}

void
gilk_stored_clock_clear (GilkStoredClock *clock)
{
  g_clear_pointer (&clock->cpus, g_array_unref);
}
