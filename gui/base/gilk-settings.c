/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-settings.c - preferences, from the installed schema or the schema of the build tree, and
 * colours of the theme
 *
 * GSettings aborts if a schema is missing; therefore the schema is looked up first. A program that
 * is not installed finds the schema in its build directory.
 */
#include "gui/base/gilk-settings.h"

#include <errno.h>
#include <glib/gi18n.h>

#include "core/base/gilk-build-dir.h"
#include "core/base/gilk-error.h"

#define SCHEMA "org.gilk.Workbench"
#define DESKTOP_SCHEMA "org.gnome.desktop.interface"

GSettings *
gilk_settings_new (GError **error)
{
  GSettingsSchemaSource *standard = g_settings_schema_source_get_default ();
  g_autofree char *built = gilk_build_dir_path ("gui");
  g_autoptr(GSettingsSchemaSource) built_source = NULL;
  g_autoptr(GSettingsSchema) schema = NULL;

  if (standard != NULL)
    schema = g_settings_schema_source_lookup (standard, SCHEMA, TRUE);
  if (schema == NULL && built != NULL)
    built_source = g_settings_schema_source_new_from_directory (built, standard, FALSE, NULL);
  if (built_source != NULL)
    schema = g_settings_schema_source_lookup (built_source, SCHEMA, FALSE);
  if (schema == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("The settings schema org.gilk.Workbench is not installed. Reinstall Gilk, or run it from "
                             "its build folder."));
      return NULL;
    }

  return g_settings_new_full (schema, NULL, NULL);
}

static GSettings *
open_desktop_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr(GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, DESKTOP_SCHEMA, TRUE);
  if (schema == NULL || !g_settings_schema_has_key (schema, "color-scheme"))
    return NULL;

  return g_settings_new (DESKTOP_SCHEMA);
}

static void
apply_colours (GSettings *settings)
{
  GSettings *desktop = g_object_get_data (G_OBJECT (settings), "desktop");
  g_autofree char *scheme = g_settings_get_string (settings, "colour-scheme");
  gboolean dark = g_str_equal (scheme, "dark");

  if (g_str_equal (scheme, "system") && desktop != NULL)
    {
      g_autofree char *wanted = g_settings_get_string (desktop, "color-scheme");

      dark = g_str_equal (wanted, "prefer-dark");
    }
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

void
gilk_settings_follow_colours (GSettings *settings)
{
  GSettings *desktop = open_desktop_settings ();

  if (desktop != NULL)
    {
      g_object_set_data_full (G_OBJECT (settings), "desktop", desktop, g_object_unref);
      g_signal_connect_object (desktop, "changed::color-scheme", G_CALLBACK (apply_colours),
                               settings, G_CONNECT_SWAPPED);
    }
  g_signal_connect (settings, "changed::colour-scheme", G_CALLBACK (apply_colours), NULL);
  apply_colours (settings);
}

char *
gilk_settings_session_folder (GSettings *settings,
                              GError   **error)
{
  g_autofree char *folder = g_settings_get_string (settings, "session-folder");

  if (folder[0] == '\0')
    {
      g_free (folder);
      folder = g_build_filename (g_get_user_data_dir (), "gilk", "sessions", NULL);
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("Cannot create the session folder %s: %s. Choose another folder, or remove the file in its place."),
                   folder, g_strerror (errno));
      return NULL;
    }

  return g_steal_pointer (&folder);
}

char *
gilk_settings_new_session_path (GSettings *settings,
                                GError   **error)
{
  g_autofree char *folder = gilk_settings_session_folder (settings, error);
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *stamp = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *name = g_strdup_printf ("%s.gilk", stamp);

  return folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
}

/*
 * Colours for the painters, taken from the current theme.
 *
 * Takes the colours from the theme and ignores the setting "colour-scheme", because a theme may be
 * dark although the setting is not, and any setting may be combined with a high-contrast theme.
 */

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
