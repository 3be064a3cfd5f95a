/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-hits.c - table of hits: one row per hook, one column per target
 */
#include "gui/fleet/gilk-fleet-window-private.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-text.h"

void
gilk_fleet_add_column (GtkTreeView *tree, const char *title, int column, gboolean is_number)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *new = gtk_tree_view_column_new_with_attributes (title, cell, "text", column, NULL);

  g_object_set (cell, "xalign", is_number ? 1.0 : 0.0, "xpad", 8, NULL);
  gtk_tree_view_column_set_alignment (new, is_number ? 1.0f : 0.0f);
  gtk_tree_view_column_set_resizable (new, TRUE);
  gtk_tree_view_column_set_expand (new, !is_number);
  gtk_tree_view_append_column (tree, new);
}

/* Returns the hits of hook @label on @member, "refused", or NULL. (transfer full) (nullable) */
static char *
format_hits (const GilkFleetMember *member, const GilkRunFigures *figures, const char *label)
{
  const GArray *hooks = gilk_run_plan (member->run)->hooks;

  for (guint i = 0; i < figures->n_hooks; i++)
    if (g_str_equal (g_array_index (hooks, GilkBoundHook, i).hook->label, label))
      return gilk_text_hits_if_known (figures->hooks[i].hits_known, figures->hooks[i].hits);
  for (guint i = 0; i < member->refusals->len; i++)
    if (g_str_equal (((GilkFleetRefusal *) member->refusals->pdata[i])->label, label))
      return g_strdup (_("refused"));

  return NULL;
}

/* @at: indexes of the members that ran */
static void
fill_rows (GilkFleet *fleet, const GilkPlan *plan, GtkListStore *store, const GArray *at)
{
  for (guint k = 0; k < plan->hooks->len; k++)
    {
      const char *label = ((GilkPlanHook *) plan->hooks->pdata[k])->label;

      gtk_list_store_insert_with_values (store, NULL, -1, 0, label, -1);
    }
  for (guint c = 0; c < at->len; c++)
    {
      GilkRunFigures figures = { 0 };
      GilkFleetMember member;
      GtkTreeIter iter;
      gboolean more = gtk_tree_model_get_iter_first (GTK_TREE_MODEL (store), &iter);

      gilk_fleet_member (fleet, g_array_index (at, guint, c), &member);
      gilk_run_figures (member.run, &figures);
      for (guint k = 0; more && k < plan->hooks->len; k++)
        {
          g_autofree char *hits = format_hits (&member, &figures, ((GilkPlanHook *) plan->hooks->pdata[k])->label);

          gtk_list_store_set (store, &iter, (int) c + 1, hits, -1);
          more = gtk_tree_model_iter_next (GTK_TREE_MODEL (store), &iter);
        }
      gilk_run_figures_clear (&figures);
    }
}

gboolean
gilk_fleet_hits_show (GtkTreeView    *tree,
                      GilkFleet      *fleet,
                      const GilkPlan *plan)
{
  g_autoptr(GArray) at = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree GType *types = g_new (GType, gilk_fleet_n_members (fleet) + 1);
  g_autoptr(GtkListStore) store = NULL;

  gtk_tree_view_set_model (tree, NULL);         /* else GTK updates every row per column */
  while (gtk_tree_view_get_n_columns (tree) > 0)
    gtk_tree_view_remove_column (tree, gtk_tree_view_get_column (tree, 0));
  gilk_fleet_add_column (tree, _("Hook"), 0, FALSE);
  types[0] = G_TYPE_STRING;
  for (guint i = 0; i < gilk_fleet_n_members (fleet); i++)
    {
      GilkFleetMember member;

      gilk_fleet_member (fleet, i, &member);
      if (member.run == NULL)
        continue;
      g_array_append_val (at, i);
      types[at->len] = G_TYPE_STRING;
      gilk_fleet_add_column (tree, member.spec, (int) at->len, TRUE);
    }
  store = gtk_list_store_newv ((int) at->len + 1, types);
  fill_rows (fleet, plan, store, at);
  gtk_tree_view_set_model (tree, GTK_TREE_MODEL (store));

  return at->len > 0;
}
