/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-name.c - titles of plots, and bars of counts by value
 */
#include "core/plot/gilk-plot-name.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

static char *
make_title (const GilkFigureAsk *ask)
{
  const char *what = ask->field == NULL ? _("hits") : gilk_field_name (ask->field);

  switch (ask->kind)
    {
    case GILK_FIGURE_HISTOGRAM:
      return g_strdup_printf (_("Distribution: %s"), what);
    case GILK_FIGURE_ECDF:
      return g_strdup_printf (_("Cumulative distribution: %s"), what);
    case GILK_FIGURE_SPECTRUM:
      return g_strdup_printf (_("Power spectrum: %s"), what);
    case GILK_FIGURE_AUTOCORRELATION:
      return g_strdup_printf (_("Autocorrelation: %s"), what);
    case GILK_FIGURE_RATE:
      return g_strdup (_("Hits over time"));
    case GILK_FIGURE_SERIES:
    case GILK_FIGURE_HEAT:
    default:
      return g_strdup_printf (_("Over time: %s"), what);
    }
}

static char *
name_point (const GilkStoredHook *hook)
{
  const char *where = hook->where != NULL && !gilk_stored_hook_is_event (hook) ? hook->where : "";

  return g_strdup_printf ("%s%s%s%s", hook->function, hook->block, *where != '\0' ? " " : "", where);
}

/* Returns a text about the hook. @by: (nullable): name of the field by which its samples are
 * split */
static char *
name_hook (const GilkStoredHook *hook, const char *by)
{
  g_autofree char *hits = gilk_format_count ((double) hook->hits);
  g_autofree char *lost = gilk_format_count ((double) hook->lost);
  g_autofree char *point = name_point (hook);
  g_autofree char *counts = g_strdup_printf (_("%s hits, %s lost"), hits, lost);
  g_autofree char *label = by != NULL ? g_strdup_printf (_("%s by %s"), hook->label, by) : g_strdup (hook->label);

  return g_strjoin (" · ", label, point, counts, NULL);
}

char *
gilk_plot_name_hook (const GilkStoredHook *hook)
{
  return name_hook (hook, NULL);
}

char *
gilk_plot_name_in_run (const GilkStoredHook *hook,
                       const GilkStoredRun  *run)
{
  if (run->title == NULL || *run->title == '\0')
    return g_strdup_printf (_("%s, run %ld"), hook->label, run->id);

  return g_strdup_printf (_("%s, run %ld: %s"), hook->label, run->id, run->title);
}

void
gilk_plot_name_figure (GilkFigure             *figure,
                       const GilkFigureAsk    *ask,
                       const GilkFigureSource *sources,
                       guint                   n,
                       const char             *by,
                       const char             *condition)
{
  if (figure->title == NULL)
    figure->title = make_title (ask);
  if (figure->subtitle != NULL)
    return;
  figure->subtitle = n == 1 || by != NULL ? name_hook (sources[0].hook, by)
                                          : g_strdup_printf (_("%u hooks overlaid"), n);
  if (condition != NULL)
    {
      g_autofree char *subtitle = figure->subtitle;

      figure->subtitle = g_strdup_printf (_("%s · where %s"), subtitle, condition);
    }
}

/* ---- makes bars of counts by value ---- */

GILK_DEFINE_CLEAR (bar_clear, GilkBar, bar, gilk_free_all ((char *) bar->label, (char *) bar->note))

GArray *
gilk_group_bars_new (void)
{
  GArray *bars = gilk_array_new (sizeof (GilkBar), bar_clear);

  return bars;
}

static void
add_bar (GArray *bars, const char *label, uint64_t count, uint64_t all)
{
  const GilkBar bar = { .label = g_utf8_make_valid (label, -1), .value = (double) count,
                        .note = g_strdup_printf ("%.1f %%", 100.0 * (double) count / (double) MAX (all, 1)) };

  g_array_append_val (bars, bar);
}

gboolean
gilk_group_bars_add (GArray               *bars,
                     GilkStore            *store,
                     const GilkStoredHook *hook,
                     const char           *field,
                     double                from,
                     double                to,
                     const char           *condition,
                     guint                 most,
                     GError              **error)
{
  gint64 from_ns = isnan (from) ? G_MININT64 : (gint64) (CLAMP (from, 0.0, 9e9) * 1e9);
  gint64 to_ns = isnan (to) ? G_MAXINT64 : (gint64) (CLAMP (to, 0.0, 9e9) * 1e9);
  g_autoptr(GArray) groups = gilk_store_group_between (store, hook, field, from_ns, to_ns, condition, error);
  uint64_t rest = 0, all = 0;

  if (groups == NULL)
    return FALSE;
  for (guint i = 0; i < groups->len; i++)
    all += g_array_index (groups, GilkStoredGroup, i).count;
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);

      if (i < most)
        add_bar (bars, group->shown, group->count, all);
      else
        rest += group->count;
    }
  if (rest > 0)
    add_bar (bars, _("all others"), rest, all);

  return TRUE;
}
