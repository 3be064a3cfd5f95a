/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-compare.c - compares two samples in a store, on the server
 *
 * The server returns the values at the ranks of the quantiles. Over all distinct values, it
 * computes the distance of the distribution functions, and counts the pairs in which B's value is
 * larger, and the pairs in which it is smaller. Confidence intervals are left out: these need the
 * samples in order of time, which only a session has (gilk-hook-compare.h).
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-error.h"
#include "core/clickhouse/gilk-remote-figures.h"
#include "core/stats/gilk-loss-rule.h"

static gboolean
query_values (GilkRemote *remote, GilkComparison *comparison, guint side, const GilkRemoteSource *source, double **values,
              GError **error)
{
  g_autoptr(GArray) ranks = gilk_comparison_ranks (comparison, side);

  *values = g_new (double, ranks->len + 1);

  return gilk_remote_ranks (remote, source, (const uint64_t *) (gpointer) ranks->data, ranks->len, *values, error);
}

/* Queries the distance of two samples. @d: (out): distance of the distribution functions; @net:
 * (out): number of pairs in which B's value is larger, minus number of pairs in which B's value is
 * smaller */
static gboolean
query_distance (GilkRemote *remote, const GilkRemoteSource *a, const GilkRemoteSource *b, const GilkHookCompared *compared,
                double *d, double *net, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT arrayReduce('max', arrayMap((i, j) -> abs(i / %" G_GUINT64_FORMAT " - j / %" G_GUINT64_FORMAT "), below_a, "
    "below_b)), arraySum(arrayMap((i, n, m) -> toFloat64(m) * (toFloat64(2 * toInt64(i)) - toFloat64(n) - %" G_GUINT64_FORMAT
    "), below_a, of_a, of_b)), toUInt64(arraySum(of_a)), toUInt64(arraySum(of_b)) FROM (SELECT groupArray(a) AS of_a, "
    "groupArray(b) AS of_b, arrayCumSum(of_a) AS below_a, arrayCumSum(of_b) AS below_b FROM (SELECT x, sum(n_a) AS a, "
    "sum(n_b) AS b FROM (%s SELECT x, count() AS n_a, toUInt64(0) AS n_b %s GROUP BY x UNION ALL %s SELECT x, "
    "toUInt64(0) AS n_a, count() AS n_b %s GROUP BY x) GROUP BY x ORDER BY x))",
    compared->n[0], compared->n[1], compared->n[0], a->with, a->where, b->with, b->where);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "dduu", sql, error);

  if (rows == NULL)
    return FALSE;
  if (rows->n == 1 && gilk_remote_rows_uint (rows, 0, 2) == compared->n[0] &&
      gilk_remote_rows_uint (rows, 0, 3) == compared->n[1])
    {
      *d = gilk_remote_rows_double (rows, 0, 0);
      *net = gilk_remote_rows_double (rows, 0, 1);
      if (*d >= 0.0 && *d <= 1.0 && fabs (*net) <= (double) compared->n[0] * (double) compared->n[1])
        return TRUE;
    }
  g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
               _("The store at %s compared other samples than requested. The server may be "
                 "something other than ClickHouse, or the samples changed during the query. Try "
                 "again."), gilk_remote_name (remote));

  return FALSE;
}

static gboolean
fill_comparison (GilkRemote *remote, const GilkRemoteSource *a, const GilkRemoteSource *b, const double *at, guint n_at,
                 GilkHookCompared *compared, GError **error)
{
  g_autofree double *of_a = NULL, *of_b = NULL;
  GilkComparison *comparison = gilk_comparison_new (compared->n, at, n_at, 0.0, 0, NULL);
  double d, net;

  compared->owner = comparison;
  compared->free_owner = (GDestroyNotify) gilk_comparison_free;
  if (!query_values (remote, comparison, 0, a, &of_a, error) ||
      !query_values (remote, comparison, 1, b, &of_b, error) ||
      !query_distance (remote, a, b, compared, &d, &net, error))
    return FALSE;
  compared->found = gilk_comparison_set_values (comparison, (const double *const[]) { of_a, of_b }, d, net);
  compared->delta.value = compared->found.delta;

  return TRUE;
}

gboolean
gilk_remote_compare (GilkRemote             *remote,
                     const GilkRemoteSource *a,
                     const GilkRemoteSource *b,
                     const double           *at,
                     guint                   n_at,
                     GilkHookCompared     *compared,
                     GError                **error)
{
  g_auto(GilkHookCompared) own = {
    .runs = { 1, 1 }, .mean = { NAN, NAN }, .n_effective = { NAN, NAN }, .delta = { NAN, NAN, NAN }, .p = NAN, .p_min = NAN,
  };
  const GilkRemoteSource *sources[] = { a, b };
  GilkRemoteSummary summary;

  for (guint i = 0; i < 2; i++)
    {
      if (!gilk_remote_summary (remote, sources[i], &summary, error))
        return FALSE;
      own.n[i] = summary.n;
      own.cut[i] = summary.cut;
      own.mean[i] = summary.mean;
      own.lost[i] = sources[i]->lost;
      own.loss += gilk_loss_share (summary.n, sources[i]->lost);
    }
  if (own.n[0] > 0 && own.n[1] > 0 && !fill_comparison (remote, a, b, at, n_at, &own, error))
    return FALSE;
  *compared = own;
  own.owner = NULL;

  return TRUE;
}
