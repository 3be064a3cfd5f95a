/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify.c - the verifier: one pass over all paths through the code of a hook
 *
 * An instruction is verified after all its predecessors, with the state that holds on every path to
 * it. If the instructions cannot be ordered like that, the code has a loop and is refused.
 */
#include "core/verify/gilk-verify.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/verify/gilk-verify-step.h"

enum { NO_STEP = G_MAXUINT32, EX_TYPE_DEFAULT = 1 };

typedef struct {
  GilkStep   step;
  uint32_t   offset;
  uint32_t   successors[3];     /* indices of the successors: next instruction, branch target, fixup
                                 * of a fault; NO_STEP: none */
  uint32_t   fault;             /* index of the instruction's entry in @faults, or NO_STEP */
  uint32_t   predecessors_left; /* number of predecessors that are not verified yet */
  gboolean   replaces;          /* the instruction calls one of the functions in @calls */
  uint8_t    exit_kind;         /* a GilkVerifyExitKind plus 1 if the instruction exits from the
                                 * code, else 0 */
  gboolean   reached;
  GilkState *state;
} Node;

typedef struct {
  const GilkVerifyInput *what;
  GArray              *nodes;      /* (element-type Node): sorted by offset; the last is the end of
                                    * the code */
  uint32_t            *at;         /* for each offset: index of the node that starts there, or
                                    * NO_STEP */
  GArray              *ready;      /* indices of nodes whose predecessors are all verified */
  guint                stores;     /* number of stores to kernel memory verified so far */
  gboolean             left;       /* at least one path leaves the code by an exit */
  uint32_t             offset;     /* offset of the node being verified */
  const char          *broken;
} Pass;

static Node *
get_node (const Pass *pass,
          uint32_t    index)
{
  return &g_array_index (pass->nodes, Node, index);
}

static gboolean
fail_rule (Pass       *pass,
           uint32_t    offset,
           const char *rule)
{
  pass->offset = offset;
  pass->broken = rule;

  return FALSE;
}

/* ---- instructions and successors ---- */

static gboolean
decode_nodes (Pass *pass)
{
  const GilkVerifyInput *what = pass->what;
  Node node = { .successors = { NO_STEP, NO_STEP, NO_STEP }, .fault = NO_STEP };

  for (gsize i = 0; i <= what->length; i++)
    pass->at[i] = NO_STEP;
  if (what->payload > ILK_SAMPLE_MAX)
    return fail_rule (pass, 0, N_("the hook's samples exceed the maximum size"));
  while (node.offset < what->length)
    {
      const char *broken = gilk_step_decode (what->code + node.offset, what->length - node.offset, &node.step);

      if (broken != NULL)
        return fail_rule (pass, node.offset, broken);
      pass->at[node.offset] = pass->nodes->len;
      g_array_append_val (pass->nodes, node);
      node.offset += node.step.length;
    }
  pass->at[what->length] = pass->nodes->len;
  g_array_append_val (pass->nodes, node);

  return TRUE;
}

static gboolean
set_successor (Pass    *pass,
               Node    *node,
               guint    way,
               uint64_t offset)
{
  if (offset > pass->what->length || pass->at[offset] == NO_STEP)
    return fail_rule (pass, node->offset, N_("a branch leads to an offset where no instruction starts"));
  node->successors[way] = pass->at[offset];

  return TRUE;
}

/* Sets the node's exit_kind if the node is an exit that the hook declares. Returns FALSE if it is
 * not. */
static gboolean
find_exit (const Pass *pass,
           Node       *node)
{
  const GilkVerifyInput *what = pass->what;
  uint64_t next = node->offset + node->step.length, to = what->address + next + (uint64_t) node->step.imm;

  if (node->step.kind == GILK_STEP_RETURN && what->may_return)
    node->exit_kind = GILK_VERIFY_RETURNS + 1;
  for (guint i = 0; node->step.kind == GILK_STEP_JMP && i < what->n_exits; i++)
    if (to - what->address > what->length && what->exits[i].address == to)
      node->exit_kind = (uint8_t) (what->exits[i].how + 1);

  return node->exit_kind != 0;
}

static gboolean
is_replacement_call (const Pass *pass,
                     const Node *node)
{
  const GilkVerifyInput *what = pass->what;
  uint64_t next = what->address + node->offset + node->step.length;

  for (guint i = 0; i < what->n_calls; i++)
    if (what->calls[i] == next + (uint64_t) node->step.imm)
      return TRUE;

  return FALSE;
}

static gboolean
find_successors (Pass *pass)
{
  for (uint32_t i = 0; i + 1 < pass->nodes->len; i++)
    {
      Node *node = get_node (pass, i);
      uint64_t next = node->offset + node->step.length;

      if (node->step.kind == GILK_STEP_FILL || find_exit (pass, node))
        continue;
      if (node->step.kind == GILK_STEP_RETURN)
        return fail_rule (pass, node->offset, N_("this instruction is not allowed in a hook"));
      node->replaces = node->step.kind == GILK_STEP_CALL && is_replacement_call (pass, node);
      if (node->step.kind != GILK_STEP_JMP)
        node->successors[0] = i + 1;
      if ((node->step.kind == GILK_STEP_JMP || node->step.kind == GILK_STEP_JCC) &&
          !set_successor (pass, node, 1, next + (uint64_t) node->step.imm))
        return FALSE;
    }

  return TRUE;
}

static gboolean
find_faults (Pass *pass)
{
  const GilkVerifyInput *what = pass->what;

  for (uint32_t i = 0; i < what->n_faults; i++)
    {
      const struct ilk_fault *fault = &what->faults[i];
      Node *node;

      if (fault->offset >= what->length || pass->at[fault->offset] == NO_STEP)
        return fail_rule (pass, fault->offset, N_("an exception-table entry names an offset where no instruction "
                                                  "starts"));
      if (i > 0 && fault->offset <= what->faults[i - 1].offset)
        return fail_rule (pass, fault->offset, N_("the exception-table entries are not sorted"));
      if (fault->data != EX_TYPE_DEFAULT)
        return fail_rule (pass, fault->offset, N_("an exception-table entry has a handler of another type than the "
                                                  "default"));
      node = get_node (pass, pass->at[fault->offset]);
      node->fault = i;
      if (!set_successor (pass, node, 2, fault->fixup - what->address))
        return FALSE;
    }

  return TRUE;
}

/* Marks reachable nodes, and counts their predecessors. */
static void
mark_reachable (Pass *pass)
{
  g_autoptr(GArray) open = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint32_t first = 0;

  get_node (pass, first)->reached = TRUE;
  g_array_append_val (open, first);
  while (open->len > 0)
    {
      const Node *node = get_node (pass, g_array_index (open, uint32_t, open->len - 1));

      g_array_set_size (open, open->len - 1);
      for (guint i = 0; i < G_N_ELEMENTS (node->successors); i++)
        {
          Node *to = node->successors[i] != NO_STEP ? get_node (pass, node->successors[i]) : NULL;

          if (to == NULL)
            continue;
          to->predecessors_left++;
          if (!to->reached)
            g_array_append_val (open, node->successors[i]);
          to->reached = TRUE;
        }
    }
}

/* ---- the pass ---- */

/* Adds what holds on one path to node @index to the node's state. @state: (transfer full)
 * (nullable): NULL if this path can never be taken */
static gboolean
join_into (Pass      *pass,
           uint32_t   index,
           GilkState *state)
{
  Node *to = get_node (pass, index);
  const char *broken = NULL;

  if (--to->predecessors_left == 0)
    g_array_append_val (pass->ready, index);
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

  return broken == NULL || fail_rule (pass, to->offset, broken);
}

/* Continues on both paths of a branch. On each path the state includes what follows from the branch
 * being taken or not taken. */
static gboolean
verify_branch (Pass       *pass,
               const Node *node,
               GilkState  *state)
{
  GilkState *taken = NULL;

  if (node->step.kind == GILK_STEP_JMP)
    return join_into (pass, node->successors[1], state);
  if (state != NULL)
    {
      taken = gilk_state_copy (state);
      if (!gilk_state_assume (taken, node->step.op, TRUE))
        g_clear_pointer (&taken, gilk_state_free);
      if (!gilk_state_assume (state, node->step.op, FALSE))
        g_clear_pointer (&state, gilk_state_free);
    }
  if (!join_into (pass, node->successors[1], taken))
    {
      g_clear_pointer (&state, gilk_state_free);
      return FALSE;
    }

  return join_into (pass, node->successors[0], state);
}

/* Checks that an instruction has an exception-table entry if it may fault, and only then. Continues
 * at the fixup address; after a load that faults, the destination register is undefined. */
static gboolean
verify_fault (Pass                    *pass,
              const Node              *node,
              GilkState               *before,
              const GilkVerifyContext *context)
{
  if (context->loads != (node->fault != NO_STEP))
    {
      gilk_state_free (before);
      return fail_rule (pass, node->offset, context->loads ? N_("an instruction that reads memory has no "
                                                                "exception-table entry")
                                                       : N_("an exception-table entry is for an instruction that does not read memory"));
    }
  if (node->fault == NO_STEP)
    {
      gilk_state_free (before);
      return TRUE;
    }
  before->longest++;
  if (context->stores && ++pass->stores > pass->what->stores)
    {
      gilk_state_free (before);
      return fail_rule (pass, node->offset, N_("the code writes kernel memory that it must not write"));
    }
  if (!context->stores)
    gilk_state_set_reg (before, (guint) node->step.reg, gilk_value_any ());

  return join_into (pass, node->successors[2], before);
}

/* Verifies an exit from the code. @state: (transfer full) */
static gboolean
verify_exit (Pass       *pass,
             const Node *node,
             GilkState  *state)
{
  GilkVerifyContext context = { .what = pass->what, .step = &node->step, .state = state };
  gboolean good = gilk_verify_leave (&context, (GilkVerifyExitKind) (node->exit_kind - 1));
  gboolean in_time = ++state->longest <= pass->what->longest;

  gilk_state_free (state);
  pass->left = TRUE;
  if (!good)
    return fail_rule (pass, node->offset, context.broken);

  return (node->fault == NO_STEP || fail_rule (pass, node->offset, N_("an exception-table entry is for an instruction that does not read memory"))) &&
         (in_time || fail_rule (pass, node->offset, N_("a path through the code exceeds the maximum length")));
}

/* Skips a node that no path can reach, so that its successors do not wait for it. */
static gboolean
skip_node (Pass       *pass,
           const Node *node)
{
  for (guint i = 0; i < G_N_ELEMENTS (node->successors); i++)
    if (node->successors[i] != NO_STEP && !join_into (pass, node->successors[i], NULL))
      return FALSE;

  return TRUE;
}

static gboolean
verify_node (Pass    *pass,
             uint32_t index)
{
  Node *node = get_node (pass, index);
  GilkState *state = g_steal_pointer (&node->state);
  GilkVerifyContext context = {
    .what = pass->what, .step = &node->step, .state = state, .has_fault = node->fault != NO_STEP,
    .replaces = node->replaces,
    .next = pass->what->address + node->offset + node->step.length,
  };
  GilkState *before;

  if (state == NULL)
    return skip_node (pass, node);
  if (node->exit_kind != 0)
    return verify_exit (pass, node, state);
  if (node->step.kind == GILK_STEP_JMP || node->step.kind == GILK_STEP_JCC)
    {
      state->longest++;
      if (node->fault == NO_STEP)
        return verify_branch (pass, node, state);
      gilk_state_free (state);
      return fail_rule (pass, node->offset, N_("an exception-table entry is for an instruction that does not read memory"));
    }

  before = node->fault != NO_STEP ? gilk_state_copy (state) : NULL;
  if (!gilk_verify_step (&context))
    fail_rule (pass, node->offset, context.broken);
  else if (verify_fault (pass, node, before, &context))
    {
      state->longest++;
      return join_into (pass, node->successors[0], state);
    }
  else
    before = NULL;

  g_clear_pointer (&before, gilk_state_free);
  gilk_state_free (state);

  return FALSE;
}

static gboolean
verify_end (Pass *pass)
{
  Node *end = get_node (pass, pass->nodes->len - 1);
  GilkVerifyContext context = { .what = pass->what, .state = end->state };

  if (end->state == NULL && pass->left)
    return TRUE;
  if (end->state == NULL)
    return fail_rule (pass, end->offset, N_("no path leads to the end of the code"));
  if (!gilk_verify_finish (&context))
    return fail_rule (pass, end->offset, context.broken);
  if (end->state->longest > pass->what->longest)
    return fail_rule (pass, end->offset, N_("a path through the code exceeds the maximum length"));

  return TRUE;
}

static gboolean
verify_nodes (Pass *pass)
{
  uint32_t first = 0, looked = 0, reached = 0;

  for (uint32_t i = 0; i < pass->nodes->len; i++)
    reached += get_node (pass, i)->reached;
  if (get_node (pass, first)->predecessors_left > 0)
    return fail_rule (pass, 0, N_("the code contains a loop"));
  get_node (pass, first)->state = gilk_state_new ();
  g_array_append_val (pass->ready, first);

  for (; pass->ready->len > 0; looked++)
    {
      uint32_t index = g_array_index (pass->ready, uint32_t, pass->ready->len - 1);

      g_array_set_size (pass->ready, pass->ready->len - 1);
      if (index + 1 < pass->nodes->len && !verify_node (pass, index))
        return FALSE;
    }
  if (looked < reached)
    return fail_rule (pass, pass->offset, N_("the code contains a loop"));

  return verify_end (pass);
}

gboolean
gilk_verify (const GilkVerifyInput *what,
             GError               **error)
{
  Pass pass = { .what = what };
  gboolean holds;

  pass.nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  pass.ready = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  pass.at = g_new (uint32_t, what->length + 1);
  holds = decode_nodes (&pass) && find_successors (&pass) && find_faults (&pass);
  if (holds)
    {
      mark_reachable (&pass);
      holds = verify_nodes (&pass);
    }
  if (!holds)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("The verifier rejected the code of hook %u at offset %#x: %s. Nothing was prepared. This is a bug in "
                   "Gilk; please report it."),
                 what->iid, pass.offset, _(pass.broken));

  for (uint32_t i = 0; i < pass.nodes->len; i++)
    gilk_state_free (get_node (&pass, i)->state);
  g_array_unref (pass.nodes);
  g_array_unref (pass.ready);
  g_free (pass.at);

  return holds;
}
