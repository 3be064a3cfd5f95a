/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-file.c - writes pictures as SVG, PNG or PDF
 *
 * Cairo writes into memory; the file is then written in one go next to its final name and renamed,
 * so that a full disk leaves no partial picture.
 */
#include "core/plot/gilk-plot.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"

#define PNG_SCALE 2.0
#define AREA_MAX  16e6            /* maximum number of pixels of a PNG, which takes 256 MiB while it
                                   * is painted */

static const double side_max[] = {
  [GILK_PLOT_SVG] = 500000,       /* maximum width and height, px: no graph of a function is
                                   * larger */
  [GILK_PLOT_PNG] = 16000,        /* maximum width and height, px: a px is 2 pixels, and cairo
                                   * allows 32767 pixels */
  [GILK_PLOT_PDF] = 14400,        /* maximum width and height, points: the limit of PDF readers */
};

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);

  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
make_surface (GilkPlotFormat format, double width, double height, GByteArray *out)
{
  cairo_surface_t *surface;

  switch (format)
    {
    case GILK_PLOT_SVG:
      surface = cairo_svg_surface_create_for_stream (append_bytes, out, width, height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return surface;

    case GILK_PLOT_PDF:
      return cairo_pdf_surface_create_for_stream (append_bytes, out, width, height);

    case GILK_PLOT_PNG:
    default:
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                            (int) ceil (width * PNG_SCALE),
                                            (int) ceil (height * PNG_SCALE));
      cairo_surface_set_device_scale (surface, PNG_SCALE, PNG_SCALE);
      return surface;
    }
}

static cairo_status_t
paint_to_bytes (GByteArray *out, GilkPlotFormat format, double width, double height,
                GilkPaintFunc paint, gpointer user_data)
{
  cairo_surface_t *surface = make_surface (format, width, height, out);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  paint (cr, width, height, user_data);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == GILK_PLOT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, out);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);

  return status;
}

/* Writes to a device or a pipe directly: a temporary file cannot be renamed over it. */
static gboolean
write_special (const char *path, const GByteArray *data)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gsize done = 0;

  if (fd < 0)
    return FALSE;
  while (done < data->len)
    {
      gssize n = write (fd, data->data + done, data->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          int saved = errno;

          close (fd);
          errno = saved;
          return FALSE;
        }
      done += (gsize) n;
    }

  return close (fd) == 0;
}

gboolean
gilk_plot_write (const char *path, const GByteArray *data, GError **error)
{
  g_autoptr(GError) local = NULL;
  struct stat st;

  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    {
      if (S_ISDIR (st.st_mode))
        errno = EISDIR;
      else if (write_special (path, data))
        return TRUE;
      return gilk_unwritable (path, errno, error);
    }

  if (g_file_set_contents_full (path, (const char *) data->data, data->len,
                                G_FILE_SET_CONTENTS_CONSISTENT, 0666, &local))
    return TRUE;

  return gilk_unwritable_by (path, local, error);
}

double
gilk_plot_fit (GilkPlotFormat format,
               double        *width,
               double        *height)
{
  double scale = MIN (1.0, side_max[format] / MAX (*width, *height));

  if (format == GILK_PLOT_PNG)
    scale = MIN (scale, sqrt (AREA_MAX / (*width * *height)));
  *width *= scale;
  *height *= scale;

  return scale;
}

GByteArray *
gilk_plot_to_bytes (GilkPlotFormat format,
                    double         width,
                    double         height,
                    GilkPaintFunc  paint,
                    gpointer       user_data,
                    GError       **error)
{
  g_autoptr(GByteArray) out = g_byte_array_new ();
  cairo_status_t status;

  if (!(width >= 1.0 && height >= 1.0 && width <= side_max[format] && height <= side_max[format]))
    return gilk_fail_null (error, GILK_ERROR_USAGE,
                           _("Cannot make a plot of %g by %g: each side must be from 1 to %g."),
                           width, height, side_max[format]);

  status = paint_to_bytes (out, format, width, height, paint, user_data);
  if (status != CAIRO_STATUS_SUCCESS)
    return gilk_fail_null (error, GILK_ERROR_FAILED,
                           _("Cannot draw the plot: %s. Try a smaller size."),
                           cairo_status_to_string (status));

  return g_steal_pointer (&out);
}

gboolean
gilk_plot_to_file (const char    *path,
                   GilkPlotFormat format,
                   double         width,
                   double         height,
                   GilkPaintFunc  paint,
                   gpointer       user_data,
                   GError       **error)
{
  g_autoptr(GByteArray) out = gilk_plot_to_bytes (format, width, height, paint, user_data, error);

  return out != NULL && gilk_plot_write (path, out, error);
}
