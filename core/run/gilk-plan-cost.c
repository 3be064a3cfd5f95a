/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-cost.c - cost of a plan's hooks as a share of one CPU's time
 */
#include "core/run/gilk-plan-cost.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

#define SHARE_MAX 64            /* CPUs */

double
gilk_plan_cost_share (double ns,
                      double hits_per_second)
{
  return ns * hits_per_second / 1e9;
}

gboolean
gilk_parse_share (const char *text,
                  double     *share,
                  GError    **error)
{
  char *end;
  double percent = g_ascii_strtod (text, &end);
  g_autofree char *rest = g_strstrip (g_strdup (end));

  if (end == text || !(percent > 0 && percent <= 100 * SHARE_MAX) || (rest[0] != '\0' && !g_str_equal (rest, "%")))
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("Write a share of a processor's time, such as 1 %."));
      return FALSE;
    }
  *share = percent / 100;

  return TRUE;
}

/* Orders by cost, most expensive first; of two with equal cost, the later hook first. */
static int
compare_shares (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const double *shares = user_data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (shares[i] != shares[k])
    return shares[i] < shares[k] ? 1 : -1;

  return i < k ? 1 : -1;
}

GArray *
gilk_plan_cost_excess_hooks (const double *shares,
                             guint         n,
                             double        budget)
{
  GArray *over = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  double all = 0;
  guint out = 0;

  for (guint i = 0; i < n; i++)
    {
      all += MAX (shares[i], 0);
      g_array_append_val (over, i);
    }
  g_array_sort_with_data (over, compare_shares, (gpointer) shares);
  while (out < n && all > budget && shares[g_array_index (over, guint, out)] > 0)
    all -= shares[g_array_index (over, guint, out++)];
  g_array_set_size (over, out);

  return over;
}
