/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-maps.c - gilk plot --map: histograms of programs
 */
#include "cli/read/plot.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/hook-maps.h"
#include "core/figure/gilk-figure.h"

/* Returns the histograms among @things; fails if there is none. (transfer full) (element-type
 * GilkMapSource) */
static GArray *
choose_histograms (const GArray *maps, GError **error)
{
  g_autoptr(GArray) sources = g_array_new (FALSE, FALSE, sizeof (GilkMapSource));

  for (guint i = 0; i < maps->len; i++)
    {
      const CliMap *map = &g_array_index (maps, CliMap, i);
      const GilkMapSource source = { map->hook_maps->hook->label, map->stored };

      if (map->stored->kind == GILK_MAP_HISTOGRAM)
        g_array_append_val (sources, source);
    }
  if (sources->len > 0)
    return g_steal_pointer (&sources);
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("\"%s\" is not a histogram, so it cannot be drawn. \"gilk report SESSION --map %s\" prints it."),
               g_array_index (maps, CliMap, 0).stored->name, g_array_index (maps, CliMap, 0).stored->name);
  return NULL;
}

static void
set_titles (GilkFigure *figure, const CliSession *session, const GArray *sources, const char *name)
{
  const GilkMapSource *first = &g_array_index (sources, GilkMapSource, 0);

  if (sources->len > 1)
    {
      figure->title = g_strdup_printf (_("%s of %u hooks"), name, sources->len);
      figure->subtitle = g_strdup_printf ("%s, %s", session->run->title != NULL ? session->run->title : "",
                                          session->run->release != NULL ? session->run->release : "");
      return;
    }
  figure->title = g_strdup (first->name);
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      g_autofree char *figures = NULL;

      if (strcmp (hook->label, first->name) != 0)
        continue;
      figures = figure->subtitle;
      figure->subtitle = g_strdup_printf ("%s%s %s, %s%s%s", hook->function, hook->block, hook->where,
                                          session->run->release != NULL ? session->run->release : "",
                                          figures != NULL ? " · " : "", figures != NULL ? figures : "");
    }
}

GilkFigure *
cli_maps_figure (const CliSession *session, const char *name, char *const *hooks, const char *log, GError **error)
{
  g_autoptr(GArray) all = cli_maps_read (session, hooks, error);
  g_autoptr(GArray) maps = all != NULL ? cli_maps_find (all, name, error) : NULL;
  g_autoptr(GArray) sources = maps != NULL ? choose_histograms (maps, error) : NULL;
  const GilkMapSource *first;
  gboolean log_x;
  GilkFigure *figure;

  if (sources == NULL)
    return NULL;
  first = (const GilkMapSource *) (const void *) sources->data;
  log_x = log != NULL ? strchr (log, 'x') != NULL : !gilk_map_is_small (first, sources->len);
  figure = gilk_map_figure (first, sources->len, log_x, log != NULL && strchr (log, 'y') != NULL, error);
  if (figure != NULL)
    set_titles (figure, session, sources, name);
  return figure;
}
