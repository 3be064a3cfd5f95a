/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-plot.c - gilk plot: what the workbench draws, from the command line
 */
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/picture.h"
#include "cli/session.h"
#include "core/analysis/gilk-hook-series.h"
#include "core/emit/gilk-inline.h"

#define BARS_PER_HOOK 12
#define BARS_HEAD     80      /* pixels above the first bar */
#define BAR_ROW       28

typedef struct {
  int        run, width, height, bins;
  char      *histogram, *series, *groups, *hook, *title, *size;
  gboolean   wants_series;            /* with a field or without */
  gboolean   rate, log_x;
  CliPicture picture;
} Options;

/* What is painted; one of the shapes is filled in. */
typedef struct {
  const GilkPlotStyle *style;
  GilkPlotText         text;
  GilkHistogram       *histogram;
  GilkHookSeries       series;             /* values NULL: event rate */
  double               from, to;
  GArray              *bars;               /* GilkBar */
  GPtrArray           *strings;            /* owns what bars and text point to */
} Drawing;

static void
drawing_clear (Drawing *drawing)
{
  g_clear_pointer (&drawing->histogram, gilk_histogram_free);
  gilk_hook_series_clear (&drawing->series);
  g_clear_pointer (&drawing->bars, g_array_unref);
  g_clear_pointer (&drawing->strings, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

/* Hands @string to the drawing and gives it back. */
static const char *
keep (Drawing *drawing, char *string)
{
  g_ptr_array_add (drawing->strings, string);
  return string;
}

static void
paint (cairo_t *cr, double width, double height, gpointer data)
{
  const Drawing *drawing = data;

  if (drawing->histogram != NULL)
    gilk_plot_histogram (cr, width, height, drawing->style, &drawing->text, drawing->histogram);
  else if (drawing->bars != NULL)
    gilk_plot_bars (cr, width, height, drawing->style, &drawing->text,
                    (const GilkBar *) (gpointer) drawing->bars->data, drawing->bars->len);
  else
    gilk_plot_series (cr, width, height, drawing->style, &drawing->text,
                      (const double *) (gpointer) drawing->series.times->data,
                      drawing->series.values != NULL
                      ? (const double *) (gpointer) drawing->series.values->data : NULL,
                      drawing->series.times->len, drawing->from, drawing->to);
}

static gboolean
is_count (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

/* Labels of an axis that shows @field of @hook. */
static gboolean
label_field (Drawing *drawing, const CliSession *session, const GilkStoredHook *hook,
             const char *field, const char **label, const char **unit, GError **error)
{
  g_autoptr(GArray) fields = NULL;
  const GilkStoredField *found;

  if (strcmp (field, "interval") == 0 || strcmp (field, "time") == 0)
    {
      *label = strcmp (field, "interval") == 0 ? _("time between samples") : _("time");
      *unit = "s";
      return TRUE;
    }
  fields = cli_session_fields (session, hook, error);
  if (fields == NULL)
    return FALSE;
  found = cli_session_find_field (fields, hook, field, error);
  if (found == NULL)
    return FALSE;
  *label = keep (drawing, g_strdup (found->name));
  *unit = keep (drawing, g_strdup (found->unit != NULL ? found->unit : ""));
  return TRUE;
}

static void
label_drawing (Drawing *drawing, const CliSession *session, const GilkStoredHook *hook,
               const Options *options)
{
  const GilkStoredRun *run = session->run;

  drawing->text.title = options->title != NULL ? options->title
    : keep (drawing, g_strdup (hook != NULL ? hook->label : run->title));
  drawing->text.subtitle = hook != NULL
    ? keep (drawing, g_strdup_printf ("%s%s %s, %s, %s", hook->function, hook->block, hook->where,
                                      hook->instrument, run->release))
    : keep (drawing, g_strdup (run->release));
  drawing->text.select_from = drawing->text.select_to = NAN;
  if (drawing->series.cut > 0)
    drawing->text.subtitle =
      keep (drawing, g_strdup_printf (ngettext ("%s; %lu interval cut by a gap", "%s; %lu intervals cut by gaps",
                                                drawing->series.cut),
                                      drawing->text.subtitle, (guint64) drawing->series.cut));
  if (hook != NULL ? hook->lost > 0 : run->lost > 0)
    drawing->text.loss_note =
      keep (drawing, g_strdup_printf (_("%lu lost"),
                                      (guint64) (hook != NULL ? hook->lost : run->lost)));
}

/* Without --hook the one with most samples, or with most hits if all only count. */
static const GilkStoredHook *
choose_hook (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  const GilkStoredHook *best = NULL;

  if (options->hook != NULL || cli_session_n_hooks (session) == 1)
    return cli_session_pick_hook (session, options->hook, error);
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (best == NULL || hook->stored > best->stored ||
          (hook->stored == best->stored && best->stored == 0 && hook->hits > best->hits))
        best = hook;
    }
  if (best == NULL)
    return cli_session_pick_hook (session, NULL, error);
  cli_note (cli, _("Drawing hook %s; --hook chooses another."), best->label);
  return best;
}

static gboolean
make_histogram (Cli *cli, Drawing *drawing, const CliSession *session, const Options *options,
                GError **error)
{
  const GilkStoredHook *hook = choose_hook (cli, session, options, error);

  if (hook != NULL && is_count (hook))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Hook %s only counts, so there are no samples to make a histogram of. Draw it with "
                     "--rate."), hook->label);
      return FALSE;
    }
  if (hook == NULL ||
      !label_field (drawing, session, hook, options->histogram, &drawing->text.x_label,
                    &drawing->text.x_unit, error) ||
      !gilk_hook_values (session->store, hook, session->run->duration, options->histogram, FALSE,
                         &drawing->series, error))
    return FALSE;

  drawing->text.y_label = _("samples");
  drawing->histogram = gilk_histogram_new ((const double *) (gpointer) drawing->series.values->data,
                                           drawing->series.values->len, options->bins, options->log_x);
  label_drawing (drawing, session, hook, options);
  return TRUE;
}

static gboolean
make_series (Cli *cli, Drawing *drawing, const CliSession *session, const Options *options,
             GError **error)
{
  const GilkStoredHook *hook = choose_hook (cli, session, options, error);

  if (hook == NULL)
    return FALSE;
  drawing->text.x_label = _("time");
  drawing->text.x_unit = "s";
  drawing->text.y_label = is_count (hook) ? _("hits per second") : _("samples per second");

  if (is_count (hook))
    {
      if (options->series != NULL)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                       _("Hook %s only counts, so it has no field \"%s\". Draw it with --rate."),
                       hook->label, options->series);
          return FALSE;
        }
    }
  else if (options->series != NULL)
    {
      const char *unit = "";

      if (!label_field (drawing, session, hook, options->series, &drawing->text.y_label, &unit, error))
        return FALSE;
    }
  if (options->series != NULL
      ? !gilk_hook_values (session->store, hook, session->run->duration, options->series, TRUE,
                           &drawing->series, error)
      : !gilk_hook_rate (session->store, hook, session->run->duration, &drawing->series, error))
    return FALSE;

  drawing->text.gaps = drawing->series.gaps;
  drawing->from = 0;
  drawing->to = session->run->duration;
  label_drawing (drawing, session, hook, options);
  return TRUE;
}

static gboolean
add_bars (Drawing *drawing, const CliSession *session, const GilkStoredHook *hook,
          const char *field, gboolean heading, GError **error)
{
  g_autoptr(GArray) groups = gilk_store_group (session->store, hook, field, error);

  if (groups == NULL)
    return FALSE;
  if (heading)
    {
      GilkBar bar = { .note = keep (drawing, g_strdup (hook->label)) };

      g_array_append_val (drawing->bars, bar);
    }
  for (guint i = 0; i < MIN (groups->len, BARS_PER_HOOK); i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);
      GilkBar bar = { .label = keep (drawing, g_utf8_make_valid (group->value, -1)),
                      .value = (double) group->count };

      g_array_append_val (drawing->bars, bar);
    }
  return TRUE;
}

static gboolean
has_field (const CliSession *session, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) fields = cli_session_fields (session, hook, NULL);

  return fields != NULL && cli_session_find_field (fields, hook, field, NULL) != NULL;
}

/* One hook's groups, or without --hook those of every hook with the field. */
static gboolean
make_groups (Drawing *drawing, const CliSession *session, const Options *options, GError **error)
{
  const GilkStoredHook *only = NULL;
  guint found = 0;

  drawing->bars = g_array_new (FALSE, TRUE, sizeof (GilkBar));
  if (options->hook != NULL)
    {
      g_autoptr(GArray) fields = NULL;

      only = cli_session_pick_hook (session, options->hook, error);
      fields = only != NULL ? cli_session_fields (session, only, error) : NULL;
      if (fields == NULL || cli_session_find_field (fields, only, options->groups, error) == NULL)
        return FALSE;
    }
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((only != NULL && hook != only) || !has_field (session, hook, options->groups))
        continue;
      found++;
      if (!add_bars (drawing, session, hook, options->groups, only == NULL, error))
        return FALSE;
    }
  if (found == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("No hook of this run records a field \"%s\"."), options->groups);
      return FALSE;
    }
  drawing->text.x_label = _("samples");
  label_drawing (drawing, session, only, options);
  return TRUE;
}

static gboolean
on_histogram (const char *name, const char *value, gpointer data, GError **error)
{
  Options *options = data;

  g_free (options->histogram);
  options->histogram = g_strdup (value != NULL ? value : "interval");
  return TRUE;
}

static gboolean
on_series (const char *name, const char *value, gpointer data, GError **error)
{
  Options *options = data;

  options->wants_series = TRUE;
  g_free (options->series);
  options->series = g_strdup (value);
  return TRUE;
}

static gboolean
check_options (Options *options, GError **error)
{
  int shapes = (options->histogram != NULL) + options->wants_series +
    (options->groups != NULL) + options->rate;
  char rest;

  options->width = 960;
  options->height = 480;
  if (shapes != 1)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("Say what to draw with one of --histogram, --series, --rate or --groups."));
  else if (!cli_picture_wanted (&options->picture))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("Say where to draw it with --svg, --png or --pdf FILE."));
  else if (options->size != NULL &&
           (sscanf (options->size, "%dx%d%c", &options->width, &options->height, &rest) != 2 ||
            options->width < 100 || options->height < 80 ||
            options->width > 16384 || options->height > 16384))
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("\"%s\" is no size. Write WIDTHxHEIGHT in pixels, from 100x80 to 16384x16384."),
                 options->size);
  else if (options->bins < 0 || options->bins > 10000)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("--bins %d makes no sense. Give 1 to 10000, or leave it out."), options->bins);
  else
    return TRUE;
  return FALSE;
}

static gboolean
plot (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  g_auto(Drawing) drawing = { 0 };
  guint height = options->height;
  gboolean ok;

  drawing.style = options->picture.dark ? &gilk_plot_dark : &gilk_plot_light;
  drawing.strings = g_ptr_array_new_with_free_func (g_free);
  if (options->histogram != NULL)
    ok = make_histogram (cli, &drawing, session, options, error);
  else if (options->groups != NULL)
    ok = make_groups (&drawing, session, options, error);
  else
    ok = make_series (cli, &drawing, session, options, error);

  if (!ok)
    return FALSE;
  if (drawing.bars != NULL && options->size == NULL)
    height = BARS_HEAD + BAR_ROW * drawing.bars->len;
  return cli_picture_write (cli, &options->picture, options->width, height, paint, &drawing, error);
}

gboolean
cmd_plot (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "histogram", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_histogram,
      N_("Distribution of a field (default: interval, the time between samples)"), N_("FIELD") },
    { "series", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_series,
      N_("A field over time; without a FIELD like --rate"), N_("FIELD") },
    { "rate", 0, 0, G_OPTION_ARG_NONE, &options.rate, N_("Hits or samples a second over time"), NULL },
    { "groups", 0, 0, G_OPTION_ARG_STRING, &options.groups,
      N_("Samples by value of a field, as bars; all hooks unless --hook names one"), N_("FIELD") },
    { "hook", 0, 0, G_OPTION_ARG_STRING, &options.hook,
      N_("The hook to draw; needed if there are several"), N_("LABEL") },
    { "run", 'r', 0, G_OPTION_ARG_INT, &options.run,
      N_("Number of the run in the session (default: the last)"), N_("N") },
    CLI_PICTURE_ENTRIES (options.picture),
    { "log-x", 0, 0, G_OPTION_ARG_NONE, &options.log_x, N_("Histogram bins on a logarithmic scale"), NULL },
    { "bins", 0, 0, G_OPTION_ARG_INT, &options.bins, N_("So many bins (default: as the data asks for)"), N_("COUNT") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &options.title, N_("Title (default: the hook's label)"), N_("TEXT") },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.size, N_("In pixels (default: 960x480, bars as high as they need)"), N_("WIDTHxHEIGHT") },
    { NULL },
  };
  g_auto(CliSession) session = { 0 };
  char **words;
  gboolean ok;

  cli->option_data = &options;
  ok = cli_parse (cli, argc, argv, entries, NULL, 1, 1, &words, error) &&
    check_options (&options, error) &&
    cli_session_open (cli, words[0], options.run, &session, error) &&
    plot (cli, &session, &options, error);

  g_free (options.histogram);
  g_free (options.series);
  g_free (options.groups);
  g_free (options.hook);
  g_free (options.title);
  g_free (options.size);
  cli_picture_clear (&options.picture);
  return ok;
}
