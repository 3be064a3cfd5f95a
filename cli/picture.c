/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.c - --svg, --png, --pdf: the same drawing into as many files as asked for
 */
#include "cli/picture.h"

#include <glib/gi18n.h>

#include "cli/output.h"

gboolean
cli_picture_wanted (const CliPicture *picture)
{
  return picture->svg != NULL || picture->png != NULL || picture->pdf != NULL;
}

gboolean
cli_picture_write (Cli *cli, const CliPicture *picture, double width, double height,
                   GilkPaintFunc paint, gpointer data, GError **error)
{
  const struct {
    const char    *path;
    GilkPlotFormat format;
  } files[] = {
    { picture->svg, GILK_PLOT_SVG }, { picture->png, GILK_PLOT_PNG }, { picture->pdf, GILK_PLOT_PDF },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i].path != NULL)
      {
        if (!gilk_plot_to_file (files[i].path, files[i].format, width, height, paint, data, error))
          return FALSE;
        cli_note (cli, _("Wrote %s."), files[i].path);
      }

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
}
