/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof.c - the verifier: one pass over all paths through the code of a hook
 *
 * An instruction is verified once all its predecessors have been, with the state that holds on
 * every path to it. If there is no such order the code has a loop, which no hook may have.
 */
#include "core/program/gilk-proof.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/program/gilk-proof-walker.h"

enum { NO_STEP = G_MAXUINT32, EX_TYPE_DEFAULT = 1 };

typedef struct {
  GilkStep   step;
  uint32_t   offset;
  uint32_t   ways[3];      /* successors: next, branch target, fixup of a fault; NO_STEP: none */
  uint32_t   fault;        /* index of its fault entry, or NO_STEP */
  uint32_t   awaited;      /* predecessors that are not verified yet */
  gboolean   replaces;     /* it calls one of @calls */
  uint8_t    leaves;       /* it leaves the code: a GilkProofLeaves plus 1 */
  gboolean   reached;
  GilkState *state;
} Node;

typedef struct {
  const GilkProofCase *what;
  GArray              *nodes;      /* Node: by offset; the last is the end of the code */
  uint32_t            *at;         /* by offset: the node that starts there, or NO_STEP */
  GArray              *ready;      /* indices of nodes whose predecessors are all verified */
  guint                stores;     /* stores verified so far */
  gboolean             left;       /* some path leaves the code */
  uint32_t             offset;     /* of the node being verified */
  const char          *broken;
} Walk;

static Node *
node_at (const Walk *walk,
         uint32_t    index)
{
  return &g_array_index (walk->nodes, Node, index);
}

static gboolean
refuse (Walk       *walk,
        uint32_t    offset,
        const char *rule)
{
  walk->offset = offset;
  walk->broken = rule;

  return FALSE;
}

/* ---- instructions and successors ---- */

static gboolean
decode (Walk *walk)
{
  const GilkProofCase *what = walk->what;
  Node node = { .ways = { NO_STEP, NO_STEP, NO_STEP }, .fault = NO_STEP };

  for (gsize i = 0; i <= what->length; i++)
    walk->at[i] = NO_STEP;
  if (what->payload > ILK_SAMPLE_MAX)
    return refuse (walk, 0, N_("its samples exceed the maximum size"));
  while (node.offset < what->length)
    {
      const char *broken = gilk_step_decode (what->code + node.offset, what->length - node.offset, &node.step);

      if (broken != NULL)
        return refuse (walk, node.offset, broken);
      walk->at[node.offset] = walk->nodes->len;
      g_array_append_val (walk->nodes, node);
      node.offset += node.step.length;
    }
  walk->at[what->length] = walk->nodes->len;
  g_array_append_val (walk->nodes, node);

  return TRUE;
}

static gboolean
lead_to (Walk    *walk,
         Node    *node,
         guint    way,
         uint64_t offset)
{
  if (offset > walk->what->length || walk->at[offset] == NO_STEP)
    return refuse (walk, node->offset, N_("a branch leads to an offset where no instruction starts"));
  node->ways[way] = walk->at[offset];

  return TRUE;
}

/* Returns whether the node leaves the code, by an exit that the hook declares. */
static gboolean
leaves (const Walk *walk,
        Node       *node)
{
  const GilkProofCase *what = walk->what;
  uint64_t next = node->offset + node->step.length, to = what->address + next + (uint64_t) node->step.imm;

  if (node->step.kind == GILK_STEP_RETURN && what->may_return)
    node->leaves = GILK_PROOF_RETURNS + 1;
  for (guint i = 0; node->step.kind == GILK_STEP_JMP && i < what->n_exits; i++)
    if (to - what->address > what->length && what->exits[i].address == to)
      node->leaves = (uint8_t) (what->exits[i].how + 1);

  return node->leaves != 0;
}

static gboolean
calls (const Walk *walk,
       const Node *node)
{
  const GilkProofCase *what = walk->what;
  uint64_t next = what->address + node->offset + node->step.length;

  for (guint i = 0; i < what->n_calls; i++)
    if (what->calls[i] == next + (uint64_t) node->step.imm)
      return TRUE;

  return FALSE;
}

static gboolean
find_ways (Walk *walk)
{
  for (uint32_t i = 0; i + 1 < walk->nodes->len; i++)
    {
      Node *node = node_at (walk, i);
      uint64_t next = node->offset + node->step.length;

      if (node->step.kind == GILK_STEP_FILL || leaves (walk, node))
        continue;
      if (node->step.kind == GILK_STEP_RETURN)
        return refuse (walk, node->offset, N_("this instruction is not allowed in a hook"));
      node->replaces = node->step.kind == GILK_STEP_CALL && calls (walk, node);
      if (node->step.kind != GILK_STEP_JMP)
        node->ways[0] = i + 1;
      if ((node->step.kind == GILK_STEP_JMP || node->step.kind == GILK_STEP_JCC) &&
          !lead_to (walk, node, 1, next + (uint64_t) node->step.imm))
        return FALSE;
    }

  return TRUE;
}

static gboolean
find_faults (Walk *walk)
{
  const GilkProofCase *what = walk->what;

  for (uint32_t i = 0; i < what->n_faults; i++)
    {
      const struct ilk_fault *fault = &what->faults[i];
      Node *node;

      if (fault->offset >= what->length || walk->at[fault->offset] == NO_STEP)
        return refuse (walk, fault->offset, N_("a fault entry names an offset where no instruction starts"));
      if (i > 0 && fault->offset <= what->faults[i - 1].offset)
        return refuse (walk, fault->offset, N_("the fault entries are not sorted"));
      if (fault->data != EX_TYPE_DEFAULT)
        return refuse (walk, fault->offset, N_("a fault entry has a handler of another type than the default"));
      node = node_at (walk, walk->at[fault->offset]);
      node->fault = i;
      if (!lead_to (walk, node, 2, fault->fixup - what->address))
        return FALSE;
    }

  return TRUE;
}

/* Marks reachable nodes, and counts their predecessors. */
static void
reach_all (Walk *walk)
{
  g_autoptr(GArray) open = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint32_t first = 0;

  node_at (walk, first)->reached = TRUE;
  g_array_append_val (open, first);
  while (open->len > 0)
    {
      const Node *node = node_at (walk, g_array_index (open, uint32_t, open->len - 1));

      g_array_set_size (open, open->len - 1);
      for (guint i = 0; i < G_N_ELEMENTS (node->ways); i++)
        {
          Node *to = node->ways[i] != NO_STEP ? node_at (walk, node->ways[i]) : NULL;

          if (to == NULL)
            continue;
          to->awaited++;
          if (!to->reached)
            g_array_append_val (open, node->ways[i]);
          to->reached = TRUE;
        }
    }
}

/* ---- the pass ---- */

/* Joins @state into node @index. (transfer full) (nullable): NULL if that path cannot be taken */
static gboolean
go_on (Walk      *walk,
       uint32_t   index,
       GilkState *state)
{
  Node *to = node_at (walk, index);
  const char *broken = NULL;

  if (--to->awaited == 0)
    g_array_append_val (walk->ready, index);
  if (to->state == NULL)
    {
      to->state = state;
      return TRUE;
    }
  if (state != NULL)
    {
      broken = gilk_state_join (to->state, state);
      gilk_state_free (state);
    }

  return broken == NULL || refuse (walk, to->offset, broken);
}

/* Continues on both paths of a branch, each with what its condition implies. */
static gboolean
branch (Walk       *walk,
        const Node *node,
        GilkState  *state)
{
  GilkState *taken = NULL;

  if (node->step.kind == GILK_STEP_JMP)
    return go_on (walk, node->ways[1], state);
  if (state != NULL)
    {
      taken = gilk_state_copy (state);
      if (!gilk_state_assume (taken, node->step.op, TRUE))
        g_clear_pointer (&taken, gilk_state_free);
      if (!gilk_state_assume (state, node->step.op, FALSE))
        g_clear_pointer (&state, gilk_state_free);
    }
  if (!go_on (walk, node->ways[1], taken))
    {
      g_clear_pointer (&state, gilk_state_free);
      return FALSE;
    }

  return go_on (walk, node->ways[0], state);
}

/* A load that faults leaves its register undefined. */
static gboolean
fault (Walk             *walk,
       const Node       *node,
       GilkState        *before,
       const GilkWalker *walker)
{
  if (walker->loads != (node->fault != NO_STEP))
    {
      gilk_state_free (before);
      return refuse (walk, node->offset, walker->loads ? N_("a load has no fault entry")
                                                       : N_("a fault entry names an instruction that does not load"));
    }
  if (node->fault == NO_STEP)
    {
      gilk_state_free (before);
      return TRUE;
    }
  before->longest++;
  if (walker->stores && ++walk->stores > walk->what->stores)
    {
      gilk_state_free (before);
      return refuse (walk, node->offset, N_("it writes kernel memory that it must not write"));
    }
  if (!walker->stores)
    gilk_state_set_reg (before, (guint) node->step.reg, gilk_value_any ());

  return go_on (walk, node->ways[2], before);
}

/* Verifies an exit from the code. @state: (transfer full) */
static gboolean
leave (Walk       *walk,
       const Node *node,
       GilkState  *state)
{
  GilkWalker walker = { .what = walk->what, .step = &node->step, .state = state };
  gboolean good = gilk_walker_leave (&walker, (GilkProofLeaves) (node->leaves - 1));
  gboolean in_time = ++state->longest <= walk->what->longest;

  gilk_state_free (state);
  walk->left = TRUE;
  if (!good)
    return refuse (walk, node->offset, walker.broken);

  return (node->fault == NO_STEP || refuse (walk, node->offset, N_("a fault entry names an instruction that does not load"))) &&
         (in_time || refuse (walk, node->offset, N_("a path exceeds the maximum length")));
}

/* Skips an unreachable node, so that its successors do not wait for it. */
static gboolean
pass_over (Walk       *walk,
           const Node *node)
{
  for (guint i = 0; i < G_N_ELEMENTS (node->ways); i++)
    if (node->ways[i] != NO_STEP && !go_on (walk, node->ways[i], NULL))
      return FALSE;

  return TRUE;
}

static gboolean
look_at (Walk    *walk,
         uint32_t index)
{
  Node *node = node_at (walk, index);
  GilkState *state = g_steal_pointer (&node->state);
  GilkWalker walker = {
    .what = walk->what, .step = &node->step, .state = state, .has_fault = node->fault != NO_STEP,
    .replaces = node->replaces,
    .next = walk->what->address + node->offset + node->step.length,
  };
  GilkState *before;

  if (state == NULL)
    return pass_over (walk, node);
  if (node->leaves != 0)
    return leave (walk, node, state);
  if (node->step.kind == GILK_STEP_JMP || node->step.kind == GILK_STEP_JCC)
    {
      state->longest++;
      if (node->fault == NO_STEP)
        return branch (walk, node, state);
      gilk_state_free (state);
      return refuse (walk, node->offset, N_("a fault entry names an instruction that does not load"));
    }

  before = node->fault != NO_STEP ? gilk_state_copy (state) : NULL;
  if (!gilk_walker_step (&walker))
    refuse (walk, node->offset, walker.broken);
  else if (fault (walk, node, before, &walker))
    {
      state->longest++;
      return go_on (walk, node->ways[0], state);
    }
  else
    before = NULL;

  g_clear_pointer (&before, gilk_state_free);
  gilk_state_free (state);

  return FALSE;
}

static gboolean
finish (Walk *walk)
{
  Node *end = node_at (walk, walk->nodes->len - 1);
  GilkWalker walker = { .what = walk->what, .state = end->state };

  if (end->state == NULL && walk->left)
    return TRUE;
  if (end->state == NULL)
    return refuse (walk, end->offset, N_("no path leads to the end"));
  if (!gilk_walker_finish (&walker))
    return refuse (walk, end->offset, walker.broken);
  if (end->state->longest > walk->what->longest)
    return refuse (walk, end->offset, N_("a path exceeds the maximum length"));

  return TRUE;
}

static gboolean
walk_all (Walk *walk)
{
  uint32_t first = 0, looked = 0, reached = 0;

  for (uint32_t i = 0; i < walk->nodes->len; i++)
    reached += node_at (walk, i)->reached;
  if (node_at (walk, first)->awaited > 0)
    return refuse (walk, 0, N_("the code contains a loop"));
  node_at (walk, first)->state = gilk_state_begin ();
  g_array_append_val (walk->ready, first);

  for (; walk->ready->len > 0; looked++)
    {
      uint32_t index = g_array_index (walk->ready, uint32_t, walk->ready->len - 1);

      g_array_set_size (walk->ready, walk->ready->len - 1);
      if (index + 1 < walk->nodes->len && !look_at (walk, index))
        return FALSE;
    }
  if (looked < reached)
    return refuse (walk, walk->offset, N_("the code contains a loop"));

  return finish (walk);
}

gboolean
gilk_proof (const GilkProofCase  *what,
            GError              **error)
{
  Walk walk = { .what = what };
  gboolean holds;

  walk.nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  walk.ready = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  walk.at = g_new (uint32_t, what->length + 1);
  holds = decode (&walk) && find_ways (&walk) && find_faults (&walk);
  if (holds)
    {
      reach_all (&walk);
      holds = walk_all (&walk);
    }
  if (!holds)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("The verifier rejected the code of hook %u at offset %#x: %s. Nothing was prepared. This is a bug in "
                   "Gilk; please report it."),
                 what->iid, walk.offset, _(walk.broken));

  for (uint32_t i = 0; i < walk.nodes->len; i++)
    gilk_state_free (node_at (&walk, i)->state);
  g_array_unref (walk.nodes);
  g_array_unref (walk.ready);
  g_free (walk.at);

  return holds;
}
