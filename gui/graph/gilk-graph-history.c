/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-history.c - position history of the graph: before jumps, and per function
 */
#include "gui/graph/gilk-graph-view-private.h"

#define JUMPS_MAX 100

typedef struct {
  guint        n_blocks;         /* to detect that the function changed */
  int          point, insn;
  GilkViewport port;
} Position;

static Position
get_position (GilkGraphView *self)
{
  return (Position) { self->data->cfg->n_blocks, self->look.point, self->look.insn, self->port };
}

static void
restore_position (GilkGraphView  *self,
                  const Position *place)
{
  self->port = place->port;
  self->placed = TRUE;
  self->look.insn = place->insn;
  gilk_graph_view_select (self, place->point, FALSE);
}

gboolean
gilk_graph_view_can_back (GilkGraphView *self)
{
  return self->jumps->len > 0;
}

void
gilk_graph_view_back (GilkGraphView *self)
{
  Position place;

  if (self->jumps->len == 0)
    return;
  place = g_array_index (self->jumps, Position, self->jumps->len - 1);
  g_array_set_size (self->jumps, self->jumps->len - 1);
  restore_position (self, &place);
}

static void
save_jump (GilkGraphView *self)
{
  Position place = get_position (self);

  if (self->jumps->len >= JUMPS_MAX)
    g_array_remove_index (self->jumps, 0);
  g_array_append_val (self->jumps, place);
}

void
gilk_graph_view_jump_insn (GilkGraphView *self,
                           guint          insn)
{
  if (self->data == NULL || (int) insn == self->look.insn)
    return;

  save_jump (self);
  gilk_graph_view_select_insn (self, insn, TRUE);
}

void
gilk_graph_view_jump (GilkGraphView *self,
                      int            block)
{
  if (self->data == NULL)
    return;
  if (gilk_graph_is_hidden (self->data->graph, (guint) block))        /* go to its fold, do not open it */
    block = (int) gilk_cfg_fold_shown (self->data->graph->fold, (guint) block);
  if (block == self->look.block)
    return;

  save_jump (self);
  gilk_graph_view_select (self, 2 * block + (MAX (self->look.point, 0) & 1), TRUE);
}

void
gilk_graph_view_save_position (GilkGraphView *self)
{
  Position *place;

  g_array_set_size (self->jumps, 0);
  if (self->data == NULL || !self->placed || self->data->name == NULL)
    return;

  place = g_new (Position, 1);
  *place = get_position (self);
  g_hash_table_replace (self->positions, g_strdup (self->data->name), place);
}

void
gilk_graph_view_restore_position (GilkGraphView *self)
{
  const Position *place = self->data != NULL ? g_hash_table_lookup (self->positions, self->data->name) : NULL;

  if (place == NULL || place->n_blocks != self->data->cfg->n_blocks)
    return;

  restore_position (self, place);
}

void
gilk_graph_view_history_init (GilkGraphView *self)
{
  self->jumps = g_array_new (FALSE, FALSE, sizeof (Position));
  self->positions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
