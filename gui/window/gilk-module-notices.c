/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-notices.c - reports modules that are loaded or unloaded while the window shows their
 * kernel
 */
#include "gui/window/gilk-module-notices.h"

#include <glib/gi18n.h>

#define NAMES_SHOWN 3

struct _GilkModuleNotices {
  GObject parent_instance;

  GilkPlanModel  *model;
  GilkConnection *connection;
  GilkTargetPoll *poll;
  GilkNavigator  *navigator;
  GilkPlanBinder *binder;
  GilkBanner     *banner;
  gboolean        reported;            /* the last message was about modules with planned hooks */
};

G_DEFINE_FINAL_TYPE (GilkModuleNotices, gilk_module_notices, G_TYPE_OBJECT)

static gboolean
is_in_module (GilkModuleNotices  *self,
              const GilkFunction *function,
              const char         *module)
{
  GilkSymbols *symbols = gilk_image_symbols (gilk_connection_image (self->connection));

  return function != NULL && function->module != 0 && g_str_equal (gilk_symbols_module (symbols, function->module), module);
}

static gboolean
plan_uses_module (GilkModuleNotices *self,
                  const char        *module)
{
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const uint64_t addr = gilk_plan_model_status (self->model, i)->addr;

      if (addr != 0 && is_in_module (self, gilk_functions_at (gilk_navigator_functions (self->navigator), addr), module))
        return TRUE;
    }

  return FALSE;
}

/* Returns the joined names, such as "a, b, c…". (transfer full) */
static char *
join_names (GPtrArray *names)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, NAMES_SHOWN); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (names, i));
  if (names->len > NAMES_SHOWN)
    g_string_append (text, "…");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Appends @line (transfer full) to @text, on a line of its own. */
static void
add_line (GString *text,
          char    *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
  g_free (line);
}

/* Returns the modules in @modules that contain planned hooks or the shown function. (element-type
 * utf8) */
static GPtrArray *
filter_concerned (GilkModuleNotices *self,
                  GStrv              modules,
                  gboolean          *planned)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; gilk_navigator_functions (self->navigator) != NULL && modules[i] != NULL; i++)
    {
      const gboolean hooks = plan_uses_module (self, modules[i]);

      *planned |= hooks;
      if (hooks || is_in_module (self, gilk_navigator_function (self->navigator), modules[i]))
        g_ptr_array_add (names, modules[i]);
    }

  return names;
}

static GPtrArray *
list_names (GStrv modules)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; modules[i] != NULL; i++)
    g_ptr_array_add (names, modules[i]);

  return names;
}

static void
show_changes (GilkModuleNotices       *self,
              const GilkModuleChanges *news)
{
  gboolean planned = FALSE;
  g_autoptr(GPtrArray) gone = filter_concerned (self, news->unloaded, &planned);
  g_autoptr(GPtrArray) anew = filter_concerned (self, news->reloaded, &planned);
  g_autoptr(GPtrArray) come = list_names (news->loaded);
  g_autofree char *gone_names = join_names (gone), *anew_names = join_names (anew), *come_names = join_names (come);
  g_autoptr(GString) text = g_string_new (NULL);
  const GilkRemedy out = { _("Remove its hooks"), "win.drop-refused" };

  if (gone->len > 0)
    add_line (text, g_strdup_printf (_("Unloaded modules: %s. Their functions are still shown but cannot be hooked."),
                                     gone_names));
  if (anew->len > 0)
    add_line (text, g_strdup_printf (_("Reloaded modules: %s. Their functions are shown as they were before the "
                                       "reload, and cannot be hooked until they are read again."), anew_names));
  if (come->len > 0)
    add_line (text, g_strdup_printf (_("Newly loaded modules: %s. Read again to list their functions."), come_names));
  self->reported = planned;
  if (text->len == 0)
    gilk_banner_withdraw (self->banner, "modules");
  else
    gilk_banner_show (self->banner, "modules", gone->len + anew->len > 0 ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text->str,
                      &(GilkRemedy) { _("Read again"), "win.reconnect" }, planned ? &out : NULL);
}

/* Reports changed modules, binds the plan again and, if the module of the shown function was
 * unloaded or loaded, loads the graph again: functions of an unloaded module cannot be hooked. */
static void
modules_changed (GilkModuleNotices *self)
{
  const GilkModuleChanges *news = gilk_target_poll_modules (self->poll);
  const GilkFunction *function = gilk_navigator_function (self->navigator);
  GilkGraphData *data = gilk_navigator_graph (self->navigator);

  show_changes (self, news);
  if (gilk_connection_state (self->connection) != GILK_CONNECTION_READY)
    return;
  gilk_plan_binder_schedule (self->binder);
  if (function != NULL && data != NULL && !gilk_navigator_is_loading (self->navigator) &&
      (data->cfg->refusal == ILK_REFUSAL_MODULE_GONE) == gilk_image_has_module (data->cfg->image, function->module))
    gilk_navigator_reload (self->navigator);
}

/* Reports earlier changes of modules if the plan, after an edit, has hooks in these modules. */
static void
plan_bound (GilkModuleNotices *self)
{
  const GilkModuleChanges *news = gilk_target_poll_modules (self->poll);
  gboolean planned = FALSE;
  g_autoptr(GPtrArray) gone = filter_concerned (self, news->unloaded, &planned);
  g_autoptr(GPtrArray) anew = filter_concerned (self, news->reloaded, &planned);

  if (planned && !self->reported)
    show_changes (self, news);
}

GilkModuleNotices *
gilk_module_notices_new (GilkPlanModel  *model,
                         GilkConnection *connection,
                         GilkTargetPoll *poll,
                         GilkNavigator  *navigator,
                         GilkPlanBinder *binder,
                         GilkBanner     *banner)
{
  GilkModuleNotices *self = g_object_new (GILK_TYPE_MODULE_NOTICES, NULL);

  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->poll = g_object_ref (poll);
  self->navigator = g_object_ref (navigator);
  self->binder = g_object_ref (binder);
  self->banner = g_object_ref (banner);
  g_signal_connect_object (poll, "modules", G_CALLBACK (modules_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (binder, "bound", G_CALLBACK (plan_bound), self, G_CONNECT_SWAPPED);

  return self;
}

static void
gilk_module_notices_dispose (GObject *object)
{
  GilkModuleNotices *self = GILK_MODULE_NOTICES (object);

  if (self->poll != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->poll, self);
      g_signal_handlers_disconnect_by_data (self->binder, self);
    }
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->poll);
  g_clear_object (&self->navigator);
  g_clear_object (&self->binder);
  g_clear_object (&self->banner);
  G_OBJECT_CLASS (gilk_module_notices_parent_class)->dispose (object);
}

static void
gilk_module_notices_class_init (GilkModuleNoticesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_module_notices_dispose;
}

static void
gilk_module_notices_init (GilkModuleNotices *self)
{
}
