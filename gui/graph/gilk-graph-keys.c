/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-keys.c - keyboard navigation in the graph
 *
 * Arrows move to the nearest block in that direction; with Shift they also select the blocks on the
 * way. T and F follow a branch, Ctrl+Up and Ctrl+Down list all predecessors and successors, B and
 * Shift+B add the current block's pre-hook and post-hook to the plan. Keys are identified by their
 * letter and not by their position, so they work with other keyboard layouts.
 */
#include "gui/graph/gilk-graph-input.h"

#include <stdlib.h>

#include "core/plot/gilk-plot.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-graph-text.h"

static void
go_to_block (GilkGraphView *view,
             int            block)
{
  gilk_graph_view_select (view, 2 * block + (MAX (gilk_graph_view_point (view), 0) & 1), TRUE);
}

/* Returns the distance from one box to another for moving in direction (@dx, @dy); perpendicular
 * distance counts twice. -1: @to is not in that direction. */
static int
measure_distance (const GilkBox *from,
                  const GilkBox *to,
                  int            dx,
                  int            dy)
{
  int x = (to->x + to->width / 2) - (from->x + from->width / 2);
  int y = (to->y + to->height / 2) - (from->y + from->height / 2);
  int along = x * dx + y * dy;
  int aside = abs (x * dy) + abs (y * dx);

  if (along <= 8)
    return -1;

  return along + 2 * aside;
}

static void
move_to_nearest (GilkGraphView *view,
                 int            dx,
                 int            dy)
{
  const GilkLayout *layout = gilk_graph_view_data (view)->graph->layout;
  int current = gilk_graph_view_look (view)->block;
  int best = -1, found = -1;

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      int far = measure_distance (&layout->blocks[current], &layout->blocks[i], dx, dy);

      if ((int) i != current && far >= 0 && !gilk_graph_is_hidden (gilk_graph_view_data (view)->graph, i) && (found < 0 || far < best))
        {
          best = far;
          found = i;
        }
    }
  if (found >= 0)
    go_to_block (view, found);
}

/* Follows the edge of @kind, or the only edge of a block with one successor. */
static void
follow_edge (GilkGraphView *view,
             GilkEdgeKind   kind)
{
  const GilkCfg *cfg = gilk_graph_view_data (view)->cfg;
  const GilkBlock *block = &cfg->blocks[gilk_graph_view_look (view)->block];

  for (guint i = 0; i < block->n_out; i++)
    {
      const GilkEdge *edge = &cfg->edges[block->first_out + i];

      if (edge->kind == kind || edge->kind == GILK_EDGE_FALL || edge->kind == GILK_EDGE_JUMP)
        {
          gilk_graph_view_jump (view, edge->to);
          return;
        }
    }
}

/* ---- going to predecessors and successors ---- */

static void
neighbour_activated (GtkMenuItem   *item,
                     GilkGraphView *view)
{
  gilk_graph_view_jump (view, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (item), "block")));
}

static void
add_neighbour (GtkWidget      *menu,
               GilkGraphView  *view,
               const GilkEdge *edge,
               guint           block)
{
  const GilkGraphLook *look = gilk_graph_view_look (view);
  g_autofree char *count = look->hits != NULL && look->hits[block] != GILK_HITS_UNKNOWN ? gilk_format_count (look->hits[block])
                                                                                       : NULL;
  g_autofree char *text = g_strdup_printf ("%s  %s%s%s", gilk_graph_view_data (view)->graph->titles[block],
                                           gilk_graph_edge_text (edge), count != NULL ? "  · " : "",
                                           count != NULL ? count : "");
  GtkWidget *item = gtk_menu_item_new_with_label (text);

  g_object_set_data (G_OBJECT (item), "block", GINT_TO_POINTER (block));
  g_signal_connect (item, "activate", G_CALLBACK (neighbour_activated), view);
  gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
}

/* Opens a menu of the current block's successors or predecessors. If there is only one, goes to
 * that block. */
static void
offer_neighbours (GilkGraphView *view,
                  gboolean       out)
{
  const GilkCfg *cfg = gilk_graph_view_data (view)->cfg;
  guint at = gilk_graph_view_look (view)->block, n = 0, last = 0;
  GtkWidget *menu = gtk_menu_new ();
  GdkRectangle box;

  for (guint i = 0; i < cfg->n_edges; i++)
    if ((out ? cfg->edges[i].from : cfg->edges[i].to) == at)
      {
        last = out ? cfg->edges[i].to : cfg->edges[i].from;
        add_neighbour (menu, view, &cfg->edges[i], last);
        n++;
      }
  if (n < 2)
    {
      gtk_widget_destroy (g_object_ref_sink (menu));
      g_object_unref (menu);
      if (n == 1)
        gilk_graph_view_jump (view, last);
      return;
    }

  gilk_graph_view_block_extents (view, at, &box);
  gtk_widget_show_all (menu);
  gtk_menu_attach_to_widget (GTK_MENU (menu), GTK_WIDGET (view), NULL);
  g_signal_connect (menu, "selection-done", G_CALLBACK (gtk_widget_destroy), NULL);
  gtk_menu_popup_at_rect (GTK_MENU (menu), gtk_widget_get_window (GTK_WIDGET (view)), &box,
                          out ? GDK_GRAVITY_SOUTH : GDK_GRAVITY_NORTH, out ? GDK_GRAVITY_NORTH : GDK_GRAVITY_SOUTH, NULL);
  gtk_menu_shell_select_first (GTK_MENU_SHELL (menu), FALSE);
}

/* ---- moving by hit counts, and other keys ---- */

typedef struct {
  guint    block;
  uint64_t hits;
} HotBlock;

static int
compare_by_heat (gconstpointer a,
                 gconstpointer b)
{
  const HotBlock *x = a, *y = b;

  if (x->hits != y->hits)
    return x->hits > y->hits ? -1 : 1;

  return (x->block > y->block) - (x->block < y->block);
}

gboolean
gilk_graph_keys_go_by_heat (GilkGraphView *view,
                            int            step)
{
  GilkGraphData *data = gilk_graph_view_data (view);
  const GilkGraphLook *look = gilk_graph_view_look (view);
  g_autoptr(GArray) hot = g_array_new (FALSE, FALSE, sizeof (HotBlock));
  int at = -1;

  if (data == NULL || look->hits == NULL)
    return FALSE;
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    if (look->hits[i] != GILK_HITS_UNKNOWN)
      g_array_append_val (hot, ((HotBlock) { i, look->hits[i] }));
  if (hot->len == 0)
    return FALSE;

  g_array_sort (hot, compare_by_heat);
  for (guint i = 0; i < hot->len; i++)
    if ((int) g_array_index (hot, HotBlock, i).block == look->block)
      at = i;
  at = step == 0 || at < 0 ? 0 : CLAMP (at + step, 0, (int) hot->len - 1);
  go_to_block (view, g_array_index (hot, HotBlock, at).block);

  return TRUE;
}

static void
move_or_extend (GilkGraphView *view,
                gboolean       extend,
                int            dx,
                int            dy)
{
  if (extend)
    gilk_graph_selection_add (view, gilk_graph_view_look (view)->block);
  move_to_nearest (view, dx, dy);
  if (extend)
    gilk_graph_selection_add (view, gilk_graph_view_look (view)->block);
}

/* Moves to the next or previous instruction in address order, even if it is in another block. */
static void
step_insn (GilkGraphView *view,
           int            step)
{
  const GilkCfg *cfg = gilk_graph_view_data (view)->cfg;
  const GilkBlock *block = &cfg->blocks[gilk_graph_view_look (view)->block];
  int at = gilk_graph_view_insn (view);

  at = at < 0 ? (int) (step > 0 ? block->first_insn : block->first_insn + block->n_insns - 1) : at + step;
  if (at >= 0 && at < (int) cfg->n_insns)
    gilk_graph_view_select_insn (view, at, TRUE);
}

static gboolean
handle_control_key (GilkGraphView *view,
                    guint          key)
{
  switch (key)
    {
    case GDK_KEY_Up:    offer_neighbours (view, FALSE); break;
    case GDK_KEY_Down:  offer_neighbours (view, TRUE);  break;
    case GDK_KEY_a:     gilk_graph_selection_set_by_rule (view, GILK_PICK_ALL); break;
    default:            return FALSE;
    }

  return TRUE;
}

gboolean
gilk_graph_keys_handle (GilkGraphView     *view,
                        const GdkEventKey *event)
{
  int block = gilk_graph_view_look (view)->block;
  gboolean shift = (event->state & GDK_SHIFT_MASK) != 0;

  if (event->state & GDK_MOD1_MASK || block < 0)
    return FALSE;
  if (event->state & GDK_CONTROL_MASK)
    return handle_control_key (view, event->keyval);

  switch (event->keyval)
    {
    case GDK_KEY_Left:  move_or_extend (view, shift, -1, 0); break;
    case GDK_KEY_Right: move_or_extend (view, shift, 1, 0);  break;
    case GDK_KEY_Up:    move_or_extend (view, shift, 0, -1); break;
    case GDK_KEY_Down:  move_or_extend (view, shift, 0, 1);  break;
    case GDK_KEY_Home:  gilk_graph_view_jump (view, gilk_graph_view_data (view)->cfg->entry); break;
    case GDK_KEY_t:     follow_edge (view, GILK_EDGE_TAKEN);     break;
    case GDK_KEY_f:     follow_edge (view, GILK_EDGE_NOT_TAKEN); break;
    case GDK_KEY_b:     gilk_graph_view_toggle (view, 2 * block);     break;
    case GDK_KEY_B:     gilk_graph_view_toggle (view, 2 * block + 1); break;
    case GDK_KEY_g:
      if (gilk_graph_view_insn (view) < 0)
        return FALSE;
      g_signal_emit_by_name (view, "follow", (guint) gilk_graph_view_insn (view));
      break;
    case GDK_KEY_j:     step_insn (view, 1);  break;
    case GDK_KEY_k:     step_insn (view, -1); break;
    case GDK_KEY_z:     return gilk_graph_view_fold (view, GILK_FOLD_TOGGLE);
    case GDK_KEY_Z:     return gilk_graph_view_fold (view, GILK_FOLD_LOOPS) || gilk_graph_view_fold (view, GILK_FOLD_OPEN_ALL);
    case GDK_KEY_x:     gilk_graph_selection_toggle (view, block);       break;
    case GDK_KEY_Escape: return gilk_graph_selection_clear (view);
    case GDK_KEY_h:     return gilk_graph_keys_go_by_heat (view, 0);
    case GDK_KEY_bracketright: return gilk_graph_keys_go_by_heat (view, 1);
    case GDK_KEY_bracketleft:  return gilk_graph_keys_go_by_heat (view, -1);
    default:            return FALSE;
    }

  return TRUE;
}
