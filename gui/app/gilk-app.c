/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-app.c - the application: single instance, command line, lifetime of its windows
 *
 * gilk-workbench [--target SPEC] [--function NAME] [--example] [FILE]
 *
 * If the program runs already, a further invocation passes its arguments to the window used last.
 */
#include "gui/app/gilk-app.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-actions.h"
#include "gui/base/gilk-settings.h"
#include "gui/window/gilk-window.h"

struct _GilkApp {
  GtkApplication  parent_instance;

  GSettings      *settings;
};

G_DEFINE_TYPE (GilkApp, gilk_app, GTK_TYPE_APPLICATION)

static void
show_about (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (user_data),
                         "program-name", _("Gilk Workbench"),
                         "version", GILK_VERSION,
                         "comments", _("Looks into a stock, running Linux kernel, one basic block at a time."),
                         "license-type", GTK_LICENSE_GPL_2_0,
                         "logo-icon-name", "org.gilk.Workbench",
                         NULL);
}

static void
quit_app (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  g_autoptr(GList) windows = g_list_copy (gtk_application_get_windows (user_data));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
}

static GilkWindow *
open_window (GilkApp *self)
{
  GilkWindow *window = gilk_window_new (self->settings);

  while (gilk_window_make_part (window))
    ;
  gtk_window_set_application (GTK_WINDOW (window), GTK_APPLICATION (self));
  gtk_window_present (GTK_WINDOW (window));
  gilk_window_offer_recovery (window);

  return window;
}

/* Builds one part of the window per main loop iteration, so that other windows stay responsive. */
static gboolean
build_next_part (gpointer user_data)
{
  GilkWindow *window = user_data;

  if (gtk_widget_get_realized (GTK_WIDGET (window)))
    {
      gtk_window_present (GTK_WINDOW (window));
      gilk_window_start_up (window);
      return G_SOURCE_REMOVE;
    }
  if (!gilk_window_make_part (window))
    {
      gtk_window_set_application (GTK_WINDOW (window), GTK_APPLICATION (g_application_get_default ()));
      gtk_widget_realize (GTK_WIDGET (window));
    }

  return G_SOURCE_CONTINUE;
}

static void
open_new_window (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       user_data)
{
  g_idle_add (build_next_part, gilk_window_new (GILK_APP (user_data)->settings));
}

static void
show_preferences (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  gilk_preferences_show (gtk_application_get_active_window (user_data), GILK_APP (user_data)->settings);
}

static void
load_css (void)
{
  g_autoptr(GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, "/org/gilk/Workbench/ui/workbench.css");
  gtk_style_context_add_provider_for_screen (gdk_screen_get_default (), GTK_STYLE_PROVIDER (provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void
gilk_app_startup (GApplication *app)
{
  static const GActionEntry entries[] = { { "about", show_about }, { "quit", quit_app }, { "new-window", open_new_window },
                                          { "preferences", show_preferences } };
  GilkApp *self = GILK_APP (app);
  g_autoptr(GError) error = NULL;

  G_APPLICATION_CLASS (gilk_app_parent_class)->startup (app);
  self->settings = gilk_settings_new (&error);
  if (self->settings == NULL)
    {
      g_printerr ("gilk-workbench: %s\n", error->message);
      return;
    }
  g_action_map_add_action_entries (G_ACTION_MAP (app), entries, G_N_ELEMENTS (entries), app);
  gilk_actions_set_accels (GTK_APPLICATION (app));
  gilk_settings_follow_colours (self->settings);
  load_css ();
  gtk_window_set_default_icon_name ("org.gilk.Workbench");
}

/* Returns the window used last. If there is none, opens one and sets @fresh to TRUE. */
static GilkWindow *
get_window (GilkApp  *self,
            gboolean *fresh)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  *fresh = FALSE;

  for (GList *l = windows; l != NULL; l = l->next)
    if (GILK_IS_WINDOW (l->data))
      return l->data;

  *fresh = TRUE;
  return open_window (self);
}

static void
gilk_app_activate (GApplication *app)
{
  gboolean fresh;
  GilkWindow *window = get_window (GILK_APP (app), &fresh);

  gtk_window_present (GTK_WINDOW (window));
  if (fresh)
    gilk_window_start_up (window);
}

static int
gilk_app_command_line (GApplication            *app,
                       GApplicationCommandLine *line)
{
  GilkApp *self = GILK_APP (app);
  GVariantDict *options = g_application_command_line_get_options_dict (line);
  g_auto(GStrv) files = NULL;
  const char *target = NULL, *function = NULL;
  GilkWindow *window;
  gboolean fresh;

  if (self->settings == NULL)
    return 1;

  window = get_window (self, &fresh);
  g_variant_dict_lookup (options, "target", "&s", &target);
  g_variant_dict_lookup (options, "function", "&s", &function);
  g_variant_dict_lookup (options, G_OPTION_REMAINING, "^aay", &files);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autoptr(GFile) file = g_application_command_line_create_file_for_arg (line, files[i]);

      gilk_window_open_file (window, g_file_peek_path (file));
    }
  if (g_variant_dict_contains (options, "example"))
    gilk_window_open_example (window);
  if (target != NULL)
    gilk_window_connect_target (window, target);
  if (function != NULL)
    gilk_window_show_function (window, function);
  if (fresh && target == NULL && function == NULL)
    gilk_window_start_up (window);

  return 0;
}

static void
gilk_app_finalize (GObject *object)
{
  g_clear_object (&GILK_APP (object)->settings);
  G_OBJECT_CLASS (gilk_app_parent_class)->finalize (object);
}

static void
gilk_app_class_init (GilkAppClass *klass)
{
  GApplicationClass *app_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gilk_app_finalize;
  app_class->startup = gilk_app_startup;
  app_class->activate = gilk_app_activate;
  app_class->command_line = gilk_app_command_line;
}

static void
gilk_app_init (GilkApp *self)
{
  static const GOptionEntry options[] = {
    { "target", 't', 0, G_OPTION_ARG_STRING, NULL,
      N_("Connect to a kernel: lab:6.1, lab:6.12, local, ssh:HOST"), N_("SPEC") },
    { "function", 'f', 0, G_OPTION_ARG_STRING, NULL,
      N_("Show the graph of this function"), N_("NAME") },
    { "example", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Open the example session; no kernel is needed"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_("[FILE]") },
    { NULL }
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _("Looks into a stock, running Linux kernel, one basic block at a time.\n"
                                              "FILE is a session (.gilk) or a plan."));
}

GilkApp *
gilk_app_new (void)
{
  return g_object_new (GILK_TYPE_APP,
                       "application-id", "org.gilk.Workbench",
                       "flags", G_APPLICATION_HANDLES_COMMAND_LINE,
                       NULL);
}
