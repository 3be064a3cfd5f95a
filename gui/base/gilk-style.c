/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-style.c - colours for the painters, taken from the current theme
 *
 * Asks the theme, not the setting "colour-scheme": a theme may be dark although the setting is not,
 * and a high-contrast theme may be used with any setting.
 */
#include "gui/base/gilk-settings.h"

static gboolean
get_theme_colour (GtkWidget  *widget,
                  const char *name,
                  GdkRGBA    *rgba)
{
  return gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, rgba);
}

static GilkColour
convert_rgba (const GdkRGBA *rgba)
{
  return (GilkColour) { rgba->red, rgba->green, rgba->blue, rgba->alpha };
}

static double
compute_luminance (const GdkRGBA *rgba)
{
  return 0.299 * rgba->red + 0.587 * rgba->green + 0.114 * rgba->blue;
}

gboolean
gilk_style_is_dark (GtkWidget *widget)
{
  GdkRGBA text;

  return get_theme_colour (widget, "theme_fg_color", &text) && compute_luminance (&text) > 0.5;
}

/* Returns the font family of the user interface; valid until exit. */
static const char *
get_interface_font (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  const char *family = pango_font_description_get_family (pango_context_get_font_description (context));

  return family != NULL ? g_intern_string (family) : "Sans";
}

void
gilk_style_fill (GtkWidget     *widget,
                 GilkPlotStyle *style)
{
  GdkRGBA rgba;

  *style = gilk_style_is_dark (widget) ? gilk_plot_dark : gilk_plot_light;
  style->font = get_interface_font (widget);
  if (get_theme_colour (widget, "theme_bg_color", &rgba))
    style->background = convert_rgba (&rgba);
  if (get_theme_colour (widget, "theme_base_color", &rgba))
    style->surface = convert_rgba (&rgba);
  if (get_theme_colour (widget, "theme_text_color", &rgba))
    style->text = convert_rgba (&rgba);
}
