/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-keys.c - moving about a graph with the keyboard alone
 *
 * Arrows go to the nearest block in that direction, T and F follow a branch,
 * B and Shift+B plan the current block's hooks. Single letters, no positions
 * on the keyboard: other layouts keep them.
 */
#include "gui/gilk-graph-keys.h"

#include <stdlib.h>

static void
go_to (GilkGraphView *view,
       int            block)
{
  gilk_graph_view_select (view, 2 * block + (MAX (gilk_graph_view_point (view), 0) & 1), TRUE);
}

/* Distance along the way wanted, sideways counted double; -1 if not that way. */
static int
distance (const GilkBox *from,
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
move (GilkGraphView *view,
      int            dx,
      int            dy)
{
  const GilkLayout *layout = gilk_graph_view_data (view)->graph->layout;
  int current = gilk_graph_view_look (view)->block;
  int best = -1, found = -1;

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      int far = distance (&layout->blocks[current], &layout->blocks[i], dx, dy);

      if ((int) i != current && far >= 0 && (found < 0 || far < best))
        {
          best = far;
          found = i;
        }
    }
  if (found >= 0)
    go_to (view, found);
}

/* Along the edge of that kind; a block with one way out is left by either key. */
static void
follow (GilkGraphView *view,
        GilkEdgeKind   kind)
{
  const GilkCfg *cfg = gilk_graph_view_data (view)->cfg;
  const GilkBlock *block = &cfg->blocks[gilk_graph_view_look (view)->block];

  for (guint i = 0; i < block->n_out; i++)
    {
      const GilkEdge *edge = &cfg->edges[block->first_out + i];

      if (edge->kind == kind || edge->kind == GILK_EDGE_FALL || edge->kind == GILK_EDGE_JUMP)
        {
          go_to (view, edge->to);
          return;
        }
    }
}

typedef struct {
  guint    block;
  uint64_t hits;
} Hot;

static int
hotter_first (gconstpointer a,
              gconstpointer b)
{
  const Hot *x = a, *y = b;

  if (x->hits != y->hits)
    return x->hits > y->hits ? -1 : 1;

  return (x->block > y->block) - (x->block < y->block);
}

gboolean
gilk_graph_keys_by_heat (GilkGraphView *view,
                         int            step)
{
  GilkGraphData *data = gilk_graph_view_data (view);
  const GilkGraphLook *look = gilk_graph_view_look (view);
  g_autoptr(GArray) hot = g_array_new (FALSE, FALSE, sizeof (Hot));
  int at = -1;

  if (data == NULL || look->hits == NULL)
    return FALSE;
  for (guint i = 0; i < data->cfg->n_blocks; i++)
    if (look->hits[i] != GILK_HITS_UNKNOWN)
      g_array_append_val (hot, ((Hot) { i, look->hits[i] }));
  if (hot->len == 0)
    return FALSE;

  g_array_sort (hot, hotter_first);
  for (guint i = 0; i < hot->len; i++)
    if ((int) g_array_index (hot, Hot, i).block == look->block)
      at = i;
  at = step == 0 || at < 0 ? 0 : CLAMP (at + step, 0, (int) hot->len - 1);
  go_to (view, g_array_index (hot, Hot, at).block);

  return TRUE;
}

gboolean
gilk_graph_keys_handle (GilkGraphView     *view,
                        const GdkEventKey *event)
{
  int block = gilk_graph_view_look (view)->block;

  if (event->state & (GDK_CONTROL_MASK | GDK_MOD1_MASK) || block < 0)
    return FALSE;

  switch (event->keyval)
    {
    case GDK_KEY_Left:  move (view, -1, 0); break;
    case GDK_KEY_Right: move (view, 1, 0);  break;
    case GDK_KEY_Up:    move (view, 0, -1); break;
    case GDK_KEY_Down:  move (view, 0, 1);  break;
    case GDK_KEY_Home:  go_to (view, gilk_graph_view_data (view)->cfg->entry); break;
    case GDK_KEY_t:     follow (view, GILK_EDGE_TAKEN);     break;
    case GDK_KEY_f:     follow (view, GILK_EDGE_NOT_TAKEN); break;
    case GDK_KEY_b:     gilk_graph_view_toggle (view, 2 * block);     break;
    case GDK_KEY_B:     gilk_graph_view_toggle (view, 2 * block + 1); break;
    case GDK_KEY_h:     return gilk_graph_keys_by_heat (view, 0);
    case GDK_KEY_bracketright: return gilk_graph_keys_by_heat (view, 1);
    case GDK_KEY_bracketleft:  return gilk_graph_keys_by_heat (view, -1);
    default:            return FALSE;
    }

  return TRUE;
}
