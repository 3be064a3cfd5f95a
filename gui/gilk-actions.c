/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.c - the one table of actions: keys, groups and titles
 *
 * Rows without an action are keys that a widget handles while it has the
 * focus; they are listed so that the shortcuts window shows all there are.
 */
#include "gui/gilk-actions.h"

#include <glib/gi18n.h>

typedef struct {
  const char *group;
  const char *action;            /* "win.run"; NULL for a widget's own key */
  const char *accels[3];
  const char *title;
} Action;

static const Action actions[] = {
  { N_("Find"), "win.find", { "<Control>k", "<Control>g" }, N_("Find a function") },
  { N_("Find"), "win.find-action", { "<Control><Shift>p" }, N_("Find an action") },
  { N_("Find"), "win.back", { "<Alt>Left" }, N_("Back to the block or function before") },
  { N_("Find"), "win.forward", { "<Alt>Right" }, N_("Forward") },
  { N_("Find"), "win.calls", { "<Alt>Down" }, N_("Callers and callees") },
  { N_("Find"), "win.call-graph", { "<Control><Shift>g" }, N_("Call graph, or the function's own") },
  { N_("Find"), "win.mode::explore", { "<Control>1" }, N_("Explore") },
  { N_("Find"), "win.mode::schedule", { "<Control>2" }, N_("Schedule") },
  { N_("Find"), "win.mode::results", { "<Control>3" }, N_("Results") },

  { N_("Graph"), NULL, { "Up" }, N_("Move to the nearest block (all four arrows)") },
  { N_("Graph"), NULL, { "b" }, N_("Plan the block's pre-hook, or take it out") },
  { N_("Graph"), NULL, { "<Shift>b" }, N_("Plan the block's post-hook, or take it out") },
  { N_("Graph"), "win.find-in-function", { "<Control>f" }, N_("Find in this function") },
  { N_("Graph"), NULL, { "space" }, N_("Listing, or graph") },
  { N_("Graph"), NULL, { "j" }, N_("Next instruction; K: the one before") },
  { N_("Graph"), NULL, { "g" }, N_("To where the instruction leads (in the listing Enter as well)") },
  { N_("Graph"), NULL, { "t" }, N_("Follow the branch taken") },
  { N_("Graph"), NULL, { "f" }, N_("Follow the branch not taken") },
  { N_("Graph"), NULL, { "<Control>Down" }, N_("Choose among the ways out; Ctrl+Up: in") },
  { N_("Graph"), NULL, { "x" }, N_("Choose the block as one of several, or no more") },
  { N_("Graph"), NULL, { "<Shift>Down" }, N_("Choose the blocks one goes through (all four arrows)") },
  { N_("Graph"), NULL, { "<Control>a" }, N_("Choose all blocks; Escape: none") },
  { N_("Graph"), "win.plan-chosen", { "<Control>b" }, N_("Plan hooks of the blocks that are chosen") },
  { N_("Graph"), "win.unplan-chosen", { "<Control><Shift>b" }, N_("Take them out of the plan") },
  { N_("Graph"), NULL, { "Home" }, N_("Entry block") },
  { N_("Graph"), NULL, { "h" }, N_("Hottest block") },
  { N_("Graph"), NULL, { "bracketright" }, N_("Next block by heat") },
  { N_("Graph"), NULL, { "bracketleft" }, N_("Previous block by heat") },
  { N_("Graph"), "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" }, N_("Zoom in") },
  { N_("Graph"), "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" }, N_("Zoom out") },
  { N_("Graph"), "win.zoom-one", { "<Control>0" }, N_("Actual size") },
  { N_("Graph"), "win.zoom-fit", { "<Control>9" }, N_("Whole graph") },
  { N_("Graph"), "win.minimap", { "<Control>m" }, N_("Minimap") },
  { N_("Graph"), "win.graph-layer::heat", { "<Alt>1" }, N_("Colour blocks by heat") },
  { N_("Graph"), "win.graph-layer::tactic", { "<Alt>2" }, N_("by tactic or refusal") },
  { N_("Graph"), "win.graph-layer::cost", { "<Alt>3" }, N_("by the cost of a count") },

  { N_("Run"), "win.run", { "<Control>r", "F5" }, N_("Start or stop the run") },
  { N_("Run"), "win.apply-plan", { "<Control><Shift>r" }, N_("Have the run go by the changed plan") },
  { N_("Run"), "win.disarm-all", { "<Control><Shift>d" }, N_("Disarm all") },
  { N_("Run"), "win.cancel", { "Escape" }, N_("Cancel what is under way") },

  { N_("Plan and files"), "win.undo", { "<Control>z" }, N_("Undo") },
  { N_("Plan and files"), "win.redo", { "<Control><Shift>z", "<Control>y" }, N_("Redo") },
  { N_("Plan and files"), "win.watch", { "<Control><Shift>w" }, N_("Watch a variable") },
  { N_("Plan and files"), "win.open", { "<Control>o" }, N_("Open a session or a plan") },
  { N_("Plan and files"), "win.sessions", { "<Control><Shift>o" }, N_("The sessions of this user") },
  { N_("Plan and files"), "win.copy-command", { "<Control><Shift>c" }, N_("Copy what is planned as a command") },
  { N_("Plan and files"), "win.save-plan", { "<Control>s" }, N_("Save the plan") },
  { N_("Plan and files"), "win.export::svg", { "<Control>e" }, N_("Export what is in view") },

  { N_("Writers"), NULL, { "<Control>f" }, N_("Find a writer") },
  { N_("Writers"), NULL, { "Return" }, N_("To the block in the graph; Escape: back") },
  { N_("Writers"), NULL, { "<Control>c" }, N_("Copy the rows in view") },

  { N_("Window"), "win.function-list", { "<Control><Shift>l" }, N_("Function list") },
  { N_("Window"), "win.inspector", { "<Control><Shift>i" }, N_("Inspector") },
  { N_("Window"), "win.plan-panel", { "F9" }, N_("Plan") },
  { N_("Window"), "win.next-pane", { "F6" }, N_("Next pane") },
  { N_("Window"), "win.help", { "F1" }, N_("Guide: the page about what is in view") },
  { N_("Window"), "win.shortcuts", { "<Control>question", "<Control>F1" }, N_("Keyboard shortcuts") },
  { N_("Window"), "app.new-window", { "<Control>n" }, N_("New window, with a target of its own") },
  { N_("Window"), "app.preferences", { "<Control>comma" }, N_("Preferences") },
  { N_("Window"), "win.close", { "<Control>w" }, N_("Close the window") },
  { N_("Window"), "app.quit", { "<Control>q" }, N_("Quit") },
};

void
gilk_actions_set_accels (GtkApplication *app)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      const char *accels[4] = { actions[i].accels[0], actions[i].accels[1], actions[i].accels[2], NULL };

      if (actions[i].action != NULL)
        gtk_application_set_accels_for_action (app, actions[i].action, accels);
    }
}

gboolean
gilk_actions_nth (guint        i,
                  const char **action,
                  const char **title,
                  const char **accel)
{
  if (i >= G_N_ELEMENTS (actions))
    return FALSE;
  *action = actions[i].action;
  *title = _(actions[i].title);
  *accel = actions[i].accels[0];

  return TRUE;
}

static GtkWidget *
shortcut_new (const Action *action)
{
  return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT,
                       "visible", TRUE,
                       "accelerator", action->accels[0],
                       "title", _(action->title),
                       NULL);
}

GtkWidget *
gilk_actions_shortcuts_window (GtkWindow *parent)
{
  GtkWidget *window = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE,
                                    "transient-for", parent, NULL);
  GtkWidget *section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name", "all",
                                     "max-height", 12, "visible", TRUE, NULL);
  GtkWidget *group = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (i == 0 || g_strcmp0 (actions[i].group, actions[i - 1].group) != 0)
        {
          group = g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", _(actions[i].group),
                                "visible", TRUE, NULL);
          gtk_container_add (GTK_CONTAINER (section), group);
        }
      gtk_container_add (GTK_CONTAINER (group), shortcut_new (&actions[i]));
    }
  gtk_container_add (GTK_CONTAINER (window), section);

  return window;
}
