/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-modules.c - modules loaded or unloaded while the window shows their kernel
 *
 * An unloaded module is reported only if it concerns the plan or the graph. A loaded module is
 * always reported, because its functions are missing in the list. The banner's owner "modules"
 * reports both, "vanished" that the shown function is gone.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#define NAMES_SHOWN 3

static gboolean
is_in_module (GilkWindow         *self,
              const GilkFunction *function,
              const char         *module)
{
  GilkSymbols *symbols = gilk_image_symbols (gilk_connection_image (self->connection));

  return function != NULL && function->module != 0 && g_str_equal (gilk_symbols_module (symbols, function->module), module);
}

static gboolean
plan_uses_module (GilkWindow *self,
                  const char *module)
{
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const uint64_t addr = gilk_plan_model_status (self->model, i)->addr;

      if (addr != 0 && is_in_module (self, gilk_functions_at (self->functions, addr), module))
        return TRUE;
    }

  return FALSE;
}

/* Joins names such as "a, b, c…". (transfer full) */
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

/* Takes @line. */
static void
add_line (GString *text,
          char    *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
  g_free (line);
}

/* Returns those of @modules that contain planned hooks or the shown function. (element-type utf8) */
static GPtrArray *
filter_concerned (GilkWindow *self,
                  GStrv       modules,
                  gboolean   *planned)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; self->functions != NULL && modules[i] != NULL; i++)
    {
      const gboolean hooks = plan_uses_module (self, modules[i]);

      *planned |= hooks;
      if (hooks || is_in_module (self, self->function, modules[i]))
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
show_changes (GilkWindow              *self,
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
    add_line (text, g_strdup_printf (_("Unloaded: %s. Its functions are still shown but cannot be hooked."), gone_names));
  if (anew->len > 0)
    add_line (text, g_strdup_printf (_("Reloaded: %s. Its functions are shown from before the reload and cannot be hooked "
                                       "until they are read again."), anew_names));
  if (come->len > 0)
    add_line (text, g_strdup_printf (_("Loaded: %s. Read again to list its functions."), come_names));
  self->modules_reported = planned;
  if (text->len == 0)
    gilk_banner_withdraw (self->banner, "modules");
  else
    gilk_banner_show (self->banner, "modules", gone->len + anew->len > 0 ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text->str,
                      &(GilkRemedy) { _("Read again"), "win.reconnect" }, planned ? &out : NULL);
}

/* Binds the plan and loads the graph again: functions of an unloaded module are
 * refused from now on. */
static void
modules_changed (GilkWindow *self)
{
  const GilkModuleChanges *news = gilk_target_poll_modules (self->target_poll);
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);

  show_changes (self, news);
  if (gilk_connection_state (self->connection) != GILK_CONNECTION_READY)
    return;
  gilk_plan_binder_schedule (self->binder);
  if (self->function != NULL && data != NULL && self->loading == NULL &&
      (data->cfg->refusal == ILK_REFUSAL_MODULE_GONE) == gilk_image_has_module (data->cfg->image, self->function->module))
    gilk_window_reload_function (self, self->function);
}

/* Repeats the message if an edit of the plan has made earlier changes of modules relevant. */
void
gilk_window_show_module_changes (GilkWindow *self)
{
  const GilkModuleChanges *news = gilk_target_poll_modules (self->target_poll);
  gboolean planned = FALSE;
  g_autoptr(GPtrArray) gone = filter_concerned (self, news->unloaded, &planned);
  g_autoptr(GPtrArray) anew = filter_concerned (self, news->reloaded, &planned);

  if (planned && !self->modules_reported)
    show_changes (self, news);
}

/* ---- shown function is gone ---- */

void
gilk_window_show_vanished (GilkWindow *self,
                           const char *name)
{
  g_autofree char *text = g_strdup_printf (_("%s is no longer in the kernel: its module was unloaded. To hook it "
                                             "again, load the module and read again."), name);
  char *vanished = g_strdup (name);
  gboolean planned = FALSE;

  g_free (self->vanished_function);
  self->vanished_function = vanished;
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model) && !planned; i++)
    planned = gilk_function_is_named (gilk_plan_model_hook (self->model, i)->function, vanished);
  gilk_banner_show (self->banner, "vanished", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Read again"), "win.reconnect" },
                    planned ? &(GilkRemedy) { _("Remove its hooks"), "win.drop-refused" } : NULL);
}

void
gilk_window_clear_vanished (GilkWindow *self)
{
  g_clear_pointer (&self->vanished_function, g_free);
  gilk_banner_withdraw (self->banner, "vanished");
}

static void
reconnect_target (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  gilk_window_reconnect (user_data);
}

void
gilk_window_modules_init (GilkWindow *self)
{
  static const GActionEntry entries[] = { { "reconnect", reconnect_target } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->target_poll, "modules", G_CALLBACK (modules_changed), self, G_CONNECT_SWAPPED);
}
