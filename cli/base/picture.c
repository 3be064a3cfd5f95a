/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.c - writes a drawing to the files that --out, --svg, --png and --pdf name
 */
#include "cli/base/picture.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"

gboolean
cli_picture_wanted (const CliPicture *picture)
{
  return picture->svg != NULL || picture->png != NULL || picture->pdf != NULL || picture->out != NULL;
}

static gboolean
get_format (const char *path, GilkPlotFormat *format, GError **error)
{
  const char *end = strrchr (path, '.');

  if (end != NULL && g_ascii_strcasecmp (end, ".svg") == 0)
    *format = GILK_PLOT_SVG;
  else if (end != NULL && g_ascii_strcasecmp (end, ".png") == 0)
    *format = GILK_PLOT_PNG;
  else if (end != NULL && g_ascii_strcasecmp (end, ".pdf") == 0)
    *format = GILK_PLOT_PDF;
  else
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The format of \"%s\" is unknown. Use a file name that ends in .svg, .png "
                        "or .pdf, or give the file to --svg, --png or --pdf."), path);
  return TRUE;
}

static gboolean
write_file (Cli *cli, const CliPicture *picture, const char *path, GilkPlotFormat format, double width, double height,
            GilkPaintFunc paint, gpointer data, GError **error)
{
  double scale = picture->scales ? gilk_plot_fit (format, &width, &height) : 1;

  if (!gilk_plot_to_file (path, format, width, height, paint, data, error))
    return FALSE;
  if (scale < 1)
    cli_note (cli, _("Wrote %s at %.0f %% of its size, the maximum for this format. Export to SVG for full size."),
              path, scale * 100);
  else
    cli_note (cli, _("Wrote %s."), path);

  return TRUE;
}

gboolean
cli_picture_write (Cli *cli, const CliPicture *picture, double width, double height,
                   GilkPaintFunc paint, gpointer data, GError **error)
{
  struct {
    const char    *path;
    GilkPlotFormat format;
  } files[] = {
    { picture->svg, GILK_PLOT_SVG }, { picture->png, GILK_PLOT_PNG }, { picture->pdf, GILK_PLOT_PDF },
    { picture->out, GILK_PLOT_SVG },
  };

  if (picture->out != NULL && !get_format (picture->out, &files[3].format, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i].path != NULL &&
        !write_file (cli, picture, files[i].path, files[i].format, width, height, paint, data, error))
      return FALSE;

  if (cli->doc != NULL)
    {
      cli_json_array (cli->doc, "files");
      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        if (files[i].path != NULL)
          cli_json_string (cli->doc, NULL, files[i].path);
      cli_json_end (cli->doc);
    }
  return TRUE;
}

void
cli_picture_clear (CliPicture *picture)
{
  g_clear_pointer (&picture->svg, g_free);
  g_clear_pointer (&picture->png, g_free);
  g_clear_pointer (&picture->pdf, g_free);
  g_clear_pointer (&picture->out, g_free);
}
