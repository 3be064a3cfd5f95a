/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-plot.c - gilk plot: draws the workbench's plots from the command line
 */
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/picture.h"
#include "cli/base/session.h"
#include "cli/base/sources.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/figure/gilk-figure.h"
#include "core/plot/gilk-plot-name.h"
#include "core/plot/gilk-plot.h"

/* ---- bars with their texts ---- */

typedef struct {
  GArray    *bars;          /* GilkBar */
  GPtrArray *strings;       /* owns the texts of @bars */
} CliBars;

void     cli_bars_clear (CliBars *bars);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliBars, cli_bars_clear)

/* ---- options and content of a picture ---- */

#define BARS_HEAD 80          /* height above the first bar, in pixels */
#define BAR_ROW   28
/* Approximate width and height in pixels of what surrounds the data area of a plot: head, axes and
 * margins. */
#define NOT_AREA_X 90
#define NOT_AREA_Y 130

typedef struct {
  int        run, width, height, bins;
  char      *field, *groups, *map, *title, *size, *log, *by, *condition, *show, **conditions;
  char     **hooks;
  double     from, to, low, high;
  gboolean   rate, log_x, subtract_cost;
  guint      shapes;                  /* how many of the given options choose a kind of plot */
  GilkFigureKind kind;
  CliPicture picture;
} Options;

/* The content of the picture: either a figure (plot with axes) or bars. */
typedef struct {
  const GilkPlotStyle *style;
  GilkFigure          *figure;
  GilkPlotText         text;
  CliBars              bars;
} Drawing;

/* ---- bars, one for each group of samples ---- */

#define BARS_PER_HOOK 12
#define BARS_OF_ONE   24

void
cli_bars_clear (CliBars *bars)
{
  g_clear_pointer (&bars->bars, g_array_unref);
  g_clear_pointer (&bars->strings, g_ptr_array_unref);
}

static gboolean
add_bars (CliBars *bars, const CliSession *session, const GilkStoredHook *hook, const char *field,
          double from, double to, const char *condition, gboolean heading, GError **error)
{
  if (heading)
    {
      GilkBar bar = { .note = g_strdup (hook->label) };

      g_array_append_val (bars->bars, bar);
    }
  return gilk_group_bars_add (bars->bars, session->store, hook, field, from, to, condition,
                              heading ? BARS_PER_HOOK : BARS_OF_ONE, error);
}

static gboolean
has_field (const CliSession *session, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) fields = cli_session_fields (session, hook, NULL);

  return fields != NULL && cli_session_find_field (fields, hook, field, NULL) != NULL;
}

/* Makes a bar for each value of @field, by which samples are grouped. @label: the hook; NULL: every
 * hook with the field. @from, @to: range in seconds of the run, NaN: unlimited. @condition:
 * (nullable): filter of samples. @only: (out): the hook called @label; NULL without @label. */
static gboolean
make_bars (CliBars *bars, const CliSession *session, const char *label, const char *field,
           double from, double to, const char *condition, const GilkStoredHook **only, GError **error)
{
  guint found = 0;

  *only = NULL;
  bars->bars = gilk_group_bars_new ();
  bars->strings = g_ptr_array_new_with_free_func (g_free);
  if (label != NULL)
    {
      g_autoptr(GArray) fields = NULL;

      *only = cli_session_pick_hook (session, label, error);
      fields = *only != NULL ? cli_session_fields (session, *only, error) : NULL;
      if (fields == NULL || cli_session_find_field (fields, *only, field, error) == NULL)
        return FALSE;
    }
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((*only != NULL && hook != *only) || !has_field (session, hook, field))
        continue;
      found++;
      if (!add_bars (bars, session, hook, field, from, to, condition, *only == NULL, error))
        return FALSE;
    }
  if (found == 0)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("No hook of this run records a field \"%s\"."), field);
  return TRUE;
}

/* ---- figures of histogram maps ---- */

/* Returns the histograms among @maps; fails if there is none. (transfer full) (element-type
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

/* Makes a figure (plot with axes) of the histogram @name, which probe programs filled. @hooks:
 * labels, NULL: all hooks that have the histogram. @log: "x", "y", "xy", "none", or NULL to choose
 * by the values. (transfer full) */
static GilkFigure *
make_maps_figure (const CliSession *session, const char *name, char *const *hooks, const char *log, GError **error)
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

static void
drawing_clear (Drawing *drawing)
{
  g_clear_pointer (&drawing->figure, gilk_figure_free);
  cli_bars_clear (&drawing->bars);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

static void
paint_drawing (cairo_t *cr, double width, double height, gpointer data)
{
  const Drawing *drawing = data;

  if (drawing->figure != NULL)
    gilk_plot_figure (cr, width, height, drawing->style, drawing->figure);
  else
    gilk_plot_bars (cr, width, height, drawing->style, &drawing->text,
                    (const GilkBar *) (gpointer) drawing->bars.bars->data, drawing->bars.bars->len);
}

/* ---- making and titling figures ---- */

/* Chooses linear or logarithmic axes to suit the kind of figure, unless --log is given. */
static void
choose_axes (const Options *options, GilkFigureAsk *ask)
{
  gboolean lasts = gilk_field_is_duration (ask->field);

  ask->log_x = options->kind == GILK_FIGURE_SPECTRUM || (options->kind == GILK_FIGURE_ECDF && lasts);
  ask->log_y = options->kind == GILK_FIGURE_SPECTRUM || (options->kind == GILK_FIGURE_HEAT && lasts);
  if (options->log != NULL)
    {
      ask->log_x = strchr (options->log, 'x') != NULL;
      ask->log_y = strchr (options->log, 'y') != NULL;
    }
  ask->log_x |= options->log_x;
}

static GilkFigureAsk
make_figure_request (const Options *options)
{
  gboolean of_hits = options->kind == GILK_FIGURE_RATE || options->kind == GILK_FIGURE_SPECTRUM ||
    options->kind == GILK_FIGURE_AUTOCORRELATION;
  GilkFigureAsk ask = gilk_figure_ask (options->kind, options->field != NULL || of_hits ? options->field : "interval");

  if (options->kind == GILK_FIGURE_RATE)
    ask.field = NULL;
  choose_axes (options, &ask);
  ask.bins = (guint) options->bins;
  ask.from = options->from;
  ask.to = options->to;
  ask.low = options->low;
  ask.high = options->high;
  ask.columns = (guint) MAX (options->width - NOT_AREA_X, 16);
  ask.rows = (guint) MAX (options->height - NOT_AREA_Y, 16);
  return ask;
}

/* Returns the run of the source's hook; NULL if the hook belongs to another session. */
static const GilkStoredRun *
find_run (const CliSession *session, const GilkFigureSource *source)
{
  if (strcmp (gilk_store_path (source->store), gilk_store_path (session->store)) != 0)
    return NULL;
  for (guint i = 0; i < session->runs->len; i++)
    if (g_array_index (session->runs, GilkStoredRun, i).id == source->hook->run)
      return &g_array_index (session->runs, GilkStoredRun, i);
  return NULL;
}

/* Adds the run to hooks' names if hooks of several runs of this session are shown. */
static void
add_run_names (CliSources *sources, const CliSession *session)
{
  gboolean several = FALSE;

  for (guint i = 0; i < sources->list->len; i++)
    {
      const GilkStoredRun *run = find_run (session, &g_array_index (sources->list, GilkFigureSource, i));

      several |= run != NULL && run != session->run;
    }
  for (guint i = 0; several && i < sources->list->len; i++)
    {
      GilkFigureSource *source = &g_array_index (sources->list, GilkFigureSource, i);
      const GilkStoredRun *run = find_run (session, source);

      if (run == NULL)
        continue;
      source->name = gilk_plot_name_in_run (source->hook, run);
      g_ptr_array_add (sources->strings, (char *) source->name);
    }
}

static void
set_figure_title (GilkFigure *figure, const GilkFigureAsk *ask, const CliSources *sources, const Options *options)
{
  if (options->title != NULL)
    figure->title = g_strdup (options->title);
  gilk_plot_name_figure (figure, ask, cli_sources_get (sources, 0), sources->list->len, options->by, options->condition);
}

/* Limits the x axis to @part, the range given with --show. */
static gboolean
set_shown_part (GilkFigure *figure, const char *part, GError **error)
{
  double from, to;
  char rest;

  if (part == NULL)
    return TRUE;
  if (sscanf (part, "%lf:%lf%c", &from, &to, &rest) != 2 || !(from < to) || (figure->x.scale == GILK_SCALE_LOG && !(from > 0.0)))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Invalid --show %s. Write FROM:TO, two numbers on the x axis, the smaller first."), part);
  figure->x.from = from;
  figure->x.to = to;
  return TRUE;
}

static gboolean
make_figure (Cli *cli, Drawing *drawing, const CliSession *session, const Options *options, GError **error)
{
  const GilkFigureAsk ask = make_figure_request (options);
  g_auto(CliSources) sources = { NULL };
  g_autofree char *distance = NULL;

  cli_sources_init (&sources, options->condition);
  if (!cli_sources_choose (&sources, cli, session, options->hooks, options->by, _("Drawing"), error) ||
      (options->subtract_cost && !cli_sources_subtract_cost (&sources, ask.field != NULL ? ask.field : "hits", error)))
    return FALSE;
  add_run_names (&sources, session);
  drawing->figure = gilk_figure_make (&ask, cli_sources_get (&sources, 0), sources.list->len, error);
  if (drawing->figure == NULL ||
      !gilk_figure_distance (&ask, cli_sources_get (&sources, 0), sources.list->len, &distance, error))
    return FALSE;
  if (distance != NULL)
    gilk_figure_prepend_caption (drawing->figure, distance);
  set_figure_title (drawing->figure, &ask, &sources, options);
  return set_shown_part (drawing->figure, options->show, error);
}

static const char *
keep_string (CliBars *bars, char *string)
{
  g_ptr_array_add (bars->strings, string);
  return string;
}

static GilkPlotText
make_bars_text (CliBars *bars, const GilkStoredHook *hook, const char *field)
{
  return (GilkPlotText) { .title = keep_string (bars, g_strdup_printf (_("Hits by %s"), field)),
                          .subtitle = keep_string (bars, gilk_plot_name_hook (hook)) };
}

static gboolean
draw_bars (Drawing *drawing, const CliSession *session, const Options *options, GError **error)
{
  const GilkStoredRun *run = session->run;
  const GilkStoredHook *only;
  uint64_t lost;

  if (!make_bars (&drawing->bars, session, options->hooks != NULL ? options->hooks[0] : NULL,
                  options->groups, options->from, options->to, options->condition, &only, error))
    return FALSE;
  drawing->text = only != NULL ? make_bars_text (&drawing->bars, only, options->groups)
                               : (GilkPlotText) { .title = run->title, .subtitle = run->release, .x_label = _("samples") };
  if (options->title != NULL)
    drawing->text.title = options->title;
  lost = only != NULL ? only->lost : run->lost;
  if (lost > 0)
    drawing->text.loss_note = keep_string (&drawing->bars, g_strdup_printf (_("%lu lost"), (guint64) lost));
  return TRUE;
}

static gboolean
make_map_figure (Drawing *drawing, const CliSession *session, const Options *options, GError **error)
{
  const char *log = options->log == NULL && options->log_x ? "x" : options->log;

  drawing->figure = make_maps_figure (session, options->map, options->hooks, log, error);
  if (drawing->figure == NULL || options->title == NULL)
    return drawing->figure != NULL;
  g_free (drawing->figure->title);
  drawing->figure->title = g_strdup (options->title);
  return TRUE;
}

/* ---- parsing and checking the options ---- */

static void
set_kind (Options *options, GilkFigureKind kind, const char *field)
{
  options->shapes++;
  options->kind = kind;
  if (field != NULL)
    {
      g_free (options->field);
      options->field = g_strdup (field);
    }
}

static gboolean
on_histogram (const char *name, const char *value, gpointer data, GError **error)
{
  set_kind (data, GILK_FIGURE_HISTOGRAM, value);
  return TRUE;
}

static gboolean
on_series (const char *name, const char *value, gpointer data, GError **error)
{
  set_kind (data, value != NULL ? GILK_FIGURE_SERIES : GILK_FIGURE_RATE, value);
  return TRUE;
}

static gboolean
on_kind (const char *name, const char *value, gpointer data, GError **error)
{
  GilkFigureKind kind;

  if (!gilk_figure_kind_parse (value, &kind))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Unknown kind of plot \"%s\". Choose histogram, ecdf, series, rate, heat, spectrum or "
                        "autocorrelation"), value);
  set_kind (data, kind, NULL);
  return TRUE;
}

static gboolean
check_size (Options *options, GError **error)
{
  char rest;

  options->width = 960;
  options->height = 480;
  if (options->size == NULL ||
      (sscanf (options->size, "%dx%d%c", &options->width, &options->height, &rest) == 2 &&
       options->width >= 100 && options->height >= 80 && options->width <= 16384 && options->height <= 16384))
    return TRUE;
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("Invalid size \"%s\". Write WIDTHxHEIGHT in pixels, from 100x80 to "
                      "16384x16384."),
                    options->size);
}

static gboolean
has_sample_options (const Options *options)
{
  return options->field != NULL || options->by != NULL || options->condition != NULL || options->bins != 0 ||
    options->subtract_cost || !isnan (options->from) || !isnan (options->to) || !isnan (options->low) ||
    !isnan (options->high);
}

static gboolean
check_options (Options *options, GError **error)
{
  guint shapes = options->shapes + (options->groups != NULL) + (options->map != NULL) + (options->rate ? 1 : 0);

  if (options->rate)
    options->kind = GILK_FIGURE_RATE;
  if (shapes != 1)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("Nothing to draw. Give one of --kind, --histogram, --series, --rate, --group or --map."));
  else if (!cli_picture_wanted (&options->picture))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("No output file. Give --out, --svg, --png or --pdf FILE."));
  else if (options->bins < 0 || options->bins > 10000)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Invalid --bins %d. Give 1 to 10000, or leave it out."), options->bins);
  else if (options->log != NULL && !g_strv_contains ((const char *const[]) { "x", "y", "xy", "none", NULL },
                                                     options->log))
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Invalid --log %s. Write x, y, xy or none."), options->log);
  else if (options->groups != NULL && options->hooks != NULL && options->hooks[1] != NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--group draws one hook, or all. Give at most one --hook."));
  else if (options->map != NULL && has_sample_options (options))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--map draws a histogram whose buckets are fixed: it takes --hook and "
                           "--log, not --field, --by, --if, --bins, --subtract-cost, --from, --to, "
                           "--low or --high."));
  else
    return check_size (options, error);
  return FALSE;
}

static gboolean
draw_plot (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  g_auto(Drawing) drawing = { 0 };
  int height = options->height;

  drawing.style = options->picture.dark ? &gilk_plot_dark : &gilk_plot_light;
  if (!(options->groups != NULL ? draw_bars (&drawing, session, options, error)
        : options->map != NULL ? make_map_figure (&drawing, session, options, error)
                                : make_figure (cli, &drawing, session, options, error)))
    return FALSE;
  if (options->groups != NULL && options->size == NULL)
    height = BARS_HEAD + BAR_ROW * (int) drawing.bars.bars->len;
  return cli_picture_write (cli, &options->picture, options->width, height, paint_drawing, &drawing, error);
}

gboolean
cmd_plot (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { .from = NAN, .to = NAN, .low = NAN, .high = NAN };
  const GOptionEntry entries[] = {
    { "kind", 'k', 0, G_OPTION_ARG_CALLBACK, on_kind,
      N_("Draw a histogram, ecdf, series, rate, heat, spectrum or autocorrelation"), N_("KIND") },
    CLI_OPTION_FIELD (&options.field),
    { "histogram", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_histogram,
      N_("Same as --kind histogram --field FIELD"), N_("FIELD") },
    { "series", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_series,
      N_("Same as --kind series --field FIELD; without FIELD, same as --rate"), N_("FIELD") },
    { "rate", 0, 0, G_OPTION_ARG_NONE, &options.rate, N_("Same as --kind rate: hits per second over time"), NULL },
    { "group", 0, 0, G_OPTION_ARG_STRING, &options.groups,
      N_("Draw the number of samples for each value of a field, as bars; for all hooks unless --hook names one"),
      N_("FIELD") },
    { "map", 0, 0, G_OPTION_ARG_STRING, &options.map,
      N_("Draw the histogram NAME that programs filled; for several hooks, draw each hook's share"), N_("NAME") },
    { "hook", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.hooks,
      N_("Select a hook (repeatable; several hooks are drawn over each other); HOOK@RUN or "
         "HOOK@FILE:RUN selects another run"), N_("HOOK") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &options.by,
      N_("Draw one curve per value of this field, or per cpu"), N_("FIELD") },
    { "subtract-cost", 0, 0, G_OPTION_ARG_NONE, &options.subtract_cost,
      N_("Subtract the measured cost of a hit from each interval"), NULL },
    CLI_OPTION_IF (&options.conditions),
    CLI_OPTION_RUN (&options.run),
    { "from", 0, 0, G_OPTION_ARG_DOUBLE, &options.from,
      N_("Use only data from this time of the run on, in seconds"), N_("SECONDS") },
    { "to", 0, 0, G_OPTION_ARG_DOUBLE, &options.to,
      N_("Use only data before this time of the run, in seconds"), N_("SECONDS") },
    { "low", 0, 0, G_OPTION_ARG_DOUBLE, &options.low,
      N_("Leave out values below this one, in the field's unit"), N_("VALUE") },
    { "high", 0, 0, G_OPTION_ARG_DOUBLE, &options.high,
      N_("Leave out values above this one, in the field's unit"), N_("VALUE") },
    CLI_PICTURE_ENTRIES (options.picture),
    { "log", 0, 0, G_OPTION_ARG_STRING, &options.log,
      N_("Set logarithmic axes: x, y, xy or none (default: depends on the kind)"), N_("AXES") },
    { "log-x", 0, 0, G_OPTION_ARG_NONE, &options.log_x, N_("Same as --log x"), NULL },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show,
      N_("Zoom the x axis to this range, without changing any computed number"), N_("FROM:TO") },
    { "bins", 0, 0, G_OPTION_ARG_INT, &options.bins, N_("Set the number of bins (default: chosen from the data)"),
                                                      N_("COUNT") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, N_("Set the title (default: what is drawn)"), N_("TEXT") },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.size, N_("Set the size in pixels (default: 960x480, bars as high as "
                                                           "needed)"), N_("WIDTHxHEIGHT") },
    { NULL },
  };
  g_auto(CliSession) session = { 0 };
  char **words;
  gboolean ok;

  cli->option_data = &options;
  ok = cli_parse (cli, argc, argv, entries,
                  _("Times when a hook was off and times with lost samples are marked, and the "
                    "effect of loss on a figure is stated below it; a figure that loss makes "
                    "meaningless is refused. An ECDF with a logarithmic y axis shows the share "
                    "above each value, that is, the tail."),
                  1, 1, &words, error);
  options.condition = cli_sources_join_conditions (options.conditions);
  ok = ok && check_options (&options, error) &&
    cli_session_open (cli, words[0], options.run, &session, error) &&
    draw_plot (cli, &session, &options, error);

  cli_options_free (entries);
  g_free (options.condition);
  return ok;
}
