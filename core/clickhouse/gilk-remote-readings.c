/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-readings.c - reads a counter's readings from a store
 */
#include "core/clickhouse/gilk-remote-metadata.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/clickhouse/gilk-remote-ledger.h"
#include "core/stats/gilk-gaps.h"

/* Checks that the server has all rows. If rows were lost, or have not arrived yet, rates would be
 * wrong. */
static gboolean
check_rows (GilkRemote *remote, const GilkRemoteRun *run, const char *from, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT count() %s", from);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "u", sql, error);
  uint64_t found;

  if (rows == NULL)
    return FALSE;
  found = rows->n == 1 ? gilk_remote_rows_uint (rows, 0, 0) : 0;
  if (found == run->readings)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
               _("The store at %s has %" PRIu64 " counter readings of this run, but its ledger lists %" PRIu64 ": a server "
                 "has lost some, or has not caught up with the others. Try again later; if that does not help, push "
                 "the session again."), gilk_remote_name (remote), found, run->readings);

  return FALSE;
}

static GArray *
read_off_times (GilkRemote *remote, const GilkRemoteHook *hook, GError **error)
{
  g_autofree char *of = g_strdup_printf ("%" G_GUINT64_FORMAT, hook->run);
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_METADATA, of);
  g_autofree char *sql = g_strdup_printf ("SELECT from_ns, to_ns FROM %s.gilk_off WHERE run = %s AND hook = %u AND "
                                          "(run, attempt) %s ORDER BY from_ns", gilk_remote_url (remote)->database, of,
                                          hook->hook, counted);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "ii", sql, error);
  GArray *off;

  if (rows == NULL)
    return NULL;
  off = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  for (guint i = 0; i < rows->n; i++)
    {
      const GilkGap gap = { .from = (double) gilk_remote_rows_int (rows, i, 0) / 1e9,
                            .to = (double) gilk_remote_rows_int (rows, i, 1) / 1e9, .kind = GILK_GAP_OFF };

      g_array_append_val (off, gap);
    }

  return off;
}

gboolean
gilk_remote_readings (GilkRemote           *remote,
                      const GilkRemoteRun  *run,
                      const GilkRemoteHook *hook,
                      GArray              **times,
                      GArray              **counts,
                      GArray              **off,
                      GError              **error)
{
  g_autofree char *of = g_strdup_printf ("%" G_GUINT64_FORMAT, hook->run);
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_READINGS, of);
  g_autofree char *from = g_strdup_printf ("FROM %s.gilk_count_point WHERE run = %s AND (run, block, attempt) %s",
                                           gilk_remote_url (remote)->database, of, counted);
  g_autofree char *sql = g_strdup_printf ("SELECT t_ns, hits %s AND hook = %u ORDER BY t_ns", from, hook->hook);
  g_autoptr(GilkRemoteRows) rows = NULL;
  g_autoptr(GArray) gaps = check_rows (remote, run, from, error) ? read_off_times (remote, hook, error) : NULL;

  rows = gaps != NULL ? gilk_remote_query (remote, "iu", sql, error) : NULL;
  if (rows == NULL)
    return FALSE;
  gilk_gaps_normalise (gaps, run->duration);
  *times = g_array_new (FALSE, FALSE, sizeof (double));
  *counts = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < rows->n; i++)
    {
      double seconds = (double) gilk_remote_rows_int (rows, i, 0) / 1e9;
      double hits = (double) gilk_remote_rows_uint (rows, i, 1);

      g_array_append_val (*times, seconds);
      g_array_append_val (*counts, hits);
    }
  *off = g_steal_pointer (&gaps);

  return TRUE;
}
