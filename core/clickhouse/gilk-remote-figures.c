/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-figures.c - makes the server of a store compute statistics of a hook's samples, and
 * compare the samples of two hooks
 */
#include "core/clickhouse/gilk-remote-figures.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/stats/gilk-loss-rule.h"

static gboolean
set_rows_error (const GilkRemote *remote, GError **error)
{
  return gilk_fail (error, GILK_ERROR_PROTOCOL,
      _("The store at %s returned other rows than requested. The server may be something "
        "other than ClickHouse, or its samples changed during the query. Try again."),
      gilk_remote_name (remote));
}

/* ---- queries a summary of the values ---- */

/* Queries count, minimum, maximum, mean and deviation. @log: use only values above 0 */
static gboolean
query_summary (GilkRemote *remote, const GilkRemoteSource *source, gboolean log, GilkRemoteSummary *summary, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "%s SELECT count(), min(x), max(x), avg(x), stddevSamp(x), countIf(abs(x) > 9007199254740992 OR x != floor(x)) %s%s",
    source->with, source->where, log ? " AND x > 0" : "");
  g_autofree char *cut = g_strdup_printf ("SELECT count(), countIf(predecessor = 0), countIf(predecessor = 2) %s", source->rows);
  gboolean interval = g_str_equal (source->field, "interval");
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "uddddu", sql, error);
  g_autoptr(GilkRemoteRows) cuts = NULL;

  if (rows == NULL)
    return FALSE;
  cuts = gilk_remote_query (remote, "uuu", cut, error);
  if (cuts == NULL)
    return FALSE;
  if (rows->n != 1 || cuts->n != 1)
    return set_rows_error (remote, error);
  *summary = (GilkRemoteSummary) {
    .n = gilk_remote_rows_uint (rows, 0, 0), .min = gilk_remote_rows_double (rows, 0, 1),
    .max = gilk_remote_rows_double (rows, 0, 2), .mean = gilk_remote_rows_double (rows, 0, 3),
    .stddev = gilk_remote_rows_double (rows, 0, 4), .whole = gilk_remote_rows_uint (rows, 0, 5) == 0,
    .ignored = gilk_remote_rows_uint (cuts, 0, interval), .cut = interval ? gilk_remote_rows_uint (cuts, 0, 2) : 0,
  };
  summary->ignored -= MIN (summary->ignored, summary->n);
  if (summary->n == 0)
    summary->min = summary->max = summary->mean = summary->stddev = NAN;
  else if (!(summary->min <= summary->max) || !isfinite (summary->min) || !isfinite (summary->max))
    return set_rows_error (remote, error);
  else if (summary->n == 1)
    summary->stddev = 0.0;

  return TRUE;
}

/* ---- queries the values at given ranks ---- */

/* Queries the values at @ranks (0 is the smallest value), which are strictly ascending and below
 * the number of values. Sorted rows are numbered in a single stream; the server's settings limit
 * how much memory the server uses before it sorts on disk. */
static gboolean
query_ranks (GilkRemote *remote, const GilkRemoteSource *source, gboolean log, const uint64_t *ranks, guint n,
             double *values, GError **error)
{
  g_autoptr(GString) sql = g_string_new (NULL);
  g_autoptr(GilkRemoteRows) rows = NULL;

  if (n == 0)
    return TRUE;
  g_string_append_printf (sql, "SELECT r, x FROM (SELECT rowNumberInAllBlocks() AS r, x FROM (%s SELECT x %s%s ORDER BY "
                          "x)) WHERE r IN (", source->with, source->where, log ? " AND x > 0" : "");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "", ranks[i]);
  g_string_append (sql, ") ORDER BY r");
  rows = gilk_remote_query (remote, "ud", sql->str, error);
  if (rows == NULL)
    return FALSE;
  if (rows->n != n)
    return set_rows_error (remote, error);
  for (guint i = 0; i < n; i++)
    {
      values[i] = gilk_remote_rows_double (rows, i, 1);
      if (gilk_remote_rows_uint (rows, i, 0) != ranks[i] || !isfinite (values[i]) || (i > 0 && values[i] < values[i - 1]))
        return set_rows_error (remote, error);
    }

  return TRUE;
}

/* ---- quantiles: linear interpolation between two ranks, like gilk_quantile() ---- */

static void
add_ranks (GArray *ranks, uint64_t n, double p)
{
  uint64_t rank;

  if (isnan (p))
    return;
  rank = MIN ((uint64_t) (p * (double) (n - 1)), n - 1);
  g_array_append_val (ranks, rank);
  rank = MIN (rank + 1, n - 1);
  g_array_append_val (ranks, rank);
}

static void
sort_ranks (GArray *ranks)
{
  guint left = 0;

  g_array_sort (ranks, gilk_order_uint64);
  for (guint i = 0; i < ranks->len; i++)
    if (i == 0 || g_array_index (ranks, uint64_t, i) != g_array_index (ranks, uint64_t, left - 1))
      g_array_index (ranks, uint64_t, left++) = g_array_index (ranks, uint64_t, i);
  g_array_set_size (ranks, left);
}

static double
get_rank_value (const GArray *ranks, const double *values, uint64_t rank)
{
  const uint64_t *found = bsearch (&rank, ranks->data, ranks->len, sizeof rank, gilk_order_uint64);

  return values[found - (const uint64_t *) (gpointer) ranks->data];
}

static double
interpolate_quantile (const GArray *ranks, const double *values, uint64_t n, double p)
{
  double position = p * (double) (n - 1), low;
  uint64_t rank = (uint64_t) position;

  if (isnan (p))
    return NAN;
  if (rank + 1 >= n)
    return get_rank_value (ranks, values, n - 1);
  low = get_rank_value (ranks, values, rank);

  return low + (position - (double) rank) * (get_rank_value (ranks, values, rank + 1) - low);
}

static gboolean
query_quantiles (GilkRemote *remote, const GilkRemoteSource *source, gboolean log, uint64_t n, const double *at,
                 double *found, guint n_at, GError **error)
{
  g_autoptr(GArray) ranks = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_autofree double *values = NULL;

  for (guint i = 0; i < n_at; i++)
    add_ranks (ranks, n, at[i]);
  sort_ranks (ranks);
  values = g_new (double, ranks->len + 1);
  if (!query_ranks (remote, source, log, (const uint64_t *) (gpointer) ranks->data, ranks->len, values, error))
    return FALSE;
  for (guint i = 0; i < n_at; i++)
    found[i] = interpolate_quantile (ranks, values, n, at[i]);

  return TRUE;
}

gboolean
gilk_remote_quantiles (GilkRemote             *remote,
                       const GilkRemoteSource *source,
                       const double           *asked,
                       guint                   n,
                       GilkHookQuantiles      *quantiles,
                       GError                **error)
{
  g_autofree double *at = g_new (double, 3 * n + 1), *found = g_new (double, 3 * n + 1);
  g_autoptr(GArray) list = g_array_new (FALSE, FALSE, sizeof (GilkHookQuantile));
  GilkRemoteSummary summary;

  if (!query_summary (remote, source, FALSE, &summary, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      at[3 * i] = asked[i];
      gilk_loss_ranks (asked[i], summary.n, source->lost, &at[3 * i + 1], &at[3 * i + 2]);
    }
  if (summary.n > 0 && !query_quantiles (remote, source, FALSE, summary.n, at, found, 3 * n, error))
    return FALSE;
  for (guint i = 0; summary.n > 0 && i < n; i++)
    {
      const GilkHookQuantile quantile = { asked[i], found[3 * i], found[3 * i + 1], found[3 * i + 2] };

      g_array_append_val (list, quantile);
    }
  *quantiles = (GilkHookQuantiles) { summary.n, summary.cut, summary.mean, g_steal_pointer (&list) };

  return TRUE;
}

/* ---- queries the counts of a histogram's bins ---- */

static void
append_double (GString *sql, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (sql, g_ascii_dtostr (text, sizeof text, value));
  if (strpbrk (text, ".e") == NULL)     /* without ".0" the server would read the number as a 64-bit
                                         * integer */
    g_string_append (sql, ".0");
}

/* Makes an SQL statement that counts values per bin. A bin computed from the width may be off by
 * one; comparing with the edges corrects this. */
static char *
make_bins_statement (const GilkRemoteSource *source, const GilkBins *bins, const double *edges)
{
  GString *sql = g_string_new (source->with);

  g_string_append (sql, ", [");
  for (guint i = 0; i <= bins->n; i++)
    {
      g_string_append (sql, i > 0 ? "," : "");
      append_double (sql, edges[i]);
    }
  g_string_append_printf (sql, "] AS edges, toInt64(least(greatest(floor((%s - (", bins->log ? "log10(x)" : "x");
  append_double (sql, bins->low);
  g_string_append (sql, ")) * ");
  append_double (sql, bins->n / (bins->high - bins->low));
  g_string_append_printf (sql, "), 0), %u)) AS g, g - if(g > 0 AND x < edges[g + 1], 1, 0) + "
                          "if(g < %u AND x >= edges[g + 2], 1, 0) AS bin SELECT toUInt64(bin), count() %s%s GROUP BY bin",
                          bins->n - 1, bins->n - 1, source->where, bins->log ? " AND x > 0" : "");

  return g_string_free (sql, FALSE);
}

static gboolean
count_bins (GilkRemote *remote, const GilkRemoteSource *source, const GilkBins *bins, GilkHistogram *histogram,
            GError **error)
{
  g_autofree char *sql = make_bins_statement (source, bins, histogram->edges);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "uu", sql, error);
  uint64_t sum = 0;

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    {
      uint64_t bin = gilk_remote_rows_uint (rows, i, 0), count = gilk_remote_rows_uint (rows, i, 1);

      if (bin >= histogram->n_bins)
        return set_rows_error (remote, error);
      histogram->counts[bin] = count;
      sum += count;
    }

  return sum == histogram->n || set_rows_error (remote, error);
}

GilkHistogram *
gilk_remote_histogram (GilkRemote             *remote,
                       const GilkRemoteSource *source,
                       guint                   wanted,
                       gboolean                log,
                       uint64_t               *cut,
                       GError                **error)
{
  static const double at[] = { 0.25, 0.5, 0.75, 0.9, 0.99, 0.999 };
  g_autoptr(GilkHistogram) histogram = g_new0 (GilkHistogram, 1);
  double found[G_N_ELEMENTS (at)];
  GilkRemoteSummary summary;
  GilkSpread spread;
  GilkBins bins;

  if (!query_summary (remote, source, log, &summary, error))
    return NULL;
  *cut = summary.cut;
  histogram->log = log;
  histogram->n = summary.n;
  histogram->ignored = summary.ignored;
  if (summary.n == 0)
    return g_steal_pointer (&histogram);
  if (!query_quantiles (remote, source, log, summary.n, at, found, G_N_ELEMENTS (at), error))
    return NULL;
  spread = (GilkSpread) { .n = summary.n, .min = summary.min, .max = summary.max, .stddev = summary.stddev,
                          .q25 = found[0], .q75 = found[2], .whole = summary.whole };
  bins = gilk_bins_place (&spread, wanted, log);
  histogram->min = summary.min;
  histogram->max = summary.max;
  histogram->mean = summary.mean;
  histogram->stddev = summary.stddev;
  histogram->median = found[1];
  histogram->p90 = found[3];
  histogram->p99 = found[4];
  histogram->p999 = found[5];
  histogram->n_bins = bins.n;
  histogram->edges = gilk_bins_edges (&bins, &spread);
  histogram->counts = g_new0 (uint64_t, bins.n);

  return count_bins (remote, source, &bins, histogram, error) ? g_steal_pointer (&histogram) : NULL;
}

/*
 * Compares two samples in a store, on the server.
 *
 * The server returns the values at the ranks of the quantiles. Over all distinct values, it
 * computes the distance of the distribution functions, and counts the pairs in which B's value is
 * larger, and the pairs in which it is smaller. Confidence intervals are left out: these need the
 * samples in order of time, which only a session has (gilk-hook-compare.h).
 */

static gboolean
query_values (GilkRemote *remote, GilkComparison *comparison, guint side, const GilkRemoteSource *source, double **values,
              GError **error)
{
  g_autoptr(GArray) ranks = gilk_comparison_ranks (comparison, side);

  *values = g_new (double, ranks->len + 1);

  return query_ranks (remote, source, FALSE, (const uint64_t *) (gpointer) ranks->data, ranks->len, *values, error);
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
  return gilk_fail (error, GILK_ERROR_PROTOCOL,
      _("The store at %s compared other samples than requested. The server may be "
        "something other than ClickHouse, or the samples changed during the query. Try "
        "again."), gilk_remote_name (remote));
}

static gboolean
fill_comparison (GilkRemote *remote, const GilkRemoteSource *a, const GilkRemoteSource *b, const double *at, guint n_at,
                 GilkHookCompared *compared, GError **error)
{
  g_autofree double *of_a = NULL, *of_b = NULL;
  GilkComparison *comparison = gilk_comparison_new (compared->n, at, n_at, 0.0, 0, NULL);
  double d = NAN, net = NAN;

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
      if (!query_summary (remote, sources[i], FALSE, &summary, error))
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
