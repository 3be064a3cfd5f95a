/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-graph.c - builds the call graph of a kernel: finds all direct calls and tail calls in
 * one pass over its text
 */
#include "core/cfg/gilk-call-graph.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-function-private.h"
#include "core/decode/gilk-insn.h"

#define PARTS_A_STEP 512     /* number of function parts read between two checks for cancellation */

struct _GilkCallGraph {
  gatomicrefcount ref_count;
  GilkFunctions *functions;
  GArray        *by_caller, *by_callee;    /* all call sites (GilkCallSite), sorted by caller in the
                                            * first array and by callee in the second */
};

/* ---- construction ---- */

static void
note_call (GilkFunctions *functions, const GilkFunctionPart *from, const GilkInsn *insn, gpointer user_data)
{
  GilkCallGraph *self = user_data;
  GilkCallSite call = { .site = insn->addr, .caller = from->function, .tail = insn->branch != GILK_BRANCH_CALL };
  const GilkFunctionPart *to;

  if (insn->target >= from->start && insn->target < from->end && insn->target != functions->all[from->function].hot.start)
    return;
  to = gilk_functions_part (functions, insn->target);
  if (to == NULL || insn->target != functions->all[to->function].hot.start ||
      functions->all[to->function].refusal == GILK_REFUSAL_THUNK)
    return;
  /* A jump to the function's own entry closes a loop; it is not a tail call. */
  if (call.tail && to->function == from->function)
    return;
  call.callee = to->function;
  g_array_append_val (self->by_caller, call);
}

static int
compare_by_caller (const void *a, const void *b)
{
  const GilkCallSite *x = a, *y = b;

  return GILK_ORDER (x->caller, y->caller) ?: GILK_ORDER (x->callee, y->callee) ?:
         GILK_ORDER (x->site, y->site);
}

static int
compare_by_callee (const void *a, const void *b)
{
  const GilkCallSite *x = a, *y = b;

  return GILK_ORDER (x->callee, y->callee) ?: compare_by_caller (a, b);
}

GilkCallGraph *
gilk_call_graph_new (GilkFunctions *functions, const GilkProgress *progress, GCancellable *cancellable, GError **error)
{
  g_autoptr(GilkCallGraph) self = g_new0 (GilkCallGraph, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->functions = gilk_functions_ref (functions);
  self->by_caller = g_array_new (FALSE, FALSE, sizeof (GilkCallSite));
  self->by_callee = g_array_new (FALSE, FALSE, sizeof (GilkCallSite));
  for (guint i = 0; i < functions->n_parts; i++)
    {
      if (i % PARTS_A_STEP == 0)
        {
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          gilk_progress (progress, _("Looking for calls"), (double) i / functions->n_parts);
        }
      if (gilk_function_has_text (&functions->all[functions->parts[i].function]))
        gilk_functions_each_branch (functions, &functions->parts[i], note_call, self);
    }
  if (self->by_caller->len > 0)
    g_array_append_vals (self->by_callee, self->by_caller->data, self->by_caller->len);
  g_array_sort (self->by_caller, compare_by_caller);
  g_array_sort (self->by_callee, compare_by_callee);

  return g_steal_pointer (&self);
}

GILK_DEFINE_REF (GilkCallGraph, gilk_call_graph, ref_count)

void
gilk_call_graph_unref (GilkCallGraph *graph)
{
  if (graph == NULL || !g_atomic_ref_count_dec (&graph->ref_count))
    return;
  gilk_functions_unref (graph->functions);
  g_array_unref (graph->by_caller);
  g_array_unref (graph->by_callee);
  g_free (graph);
}

GilkFunctions *
gilk_call_graph_functions (GilkCallGraph *graph)
{
  return graph->functions;
}

/* ---- queries ---- */

/* Returns the calls to function @index if @callee is TRUE, otherwise the calls that this function
 * makes. */
static const GilkCallSite *
find_range (const GArray *all, gboolean callee, guint index, guint *count)
{
  const GilkCallSite *calls = (const GilkCallSite *) (const void *) all->data;
  guint first = GILK_BISECT (all->len, i, (callee ? calls[i].callee : calls[i].caller) < index);
  guint low = first;

  while (low < all->len && (callee ? calls[low].callee : calls[low].caller) == index)
    low++;
  *count = low - first;

  return calls + first;
}

/* Finds a function's index. Returns FALSE for a function of a user program. */
static gboolean
find_index (const GilkCallGraph *self, const GilkFunction *function, guint *index)
{
  const GilkFunction *all = self->functions->all;

  if (function < all || function >= all + self->functions->n_all)
    return FALSE;
  *index = (guint) (function - all);

  return TRUE;
}

/* Returns the calls to @function, sorted by caller, if @callee is TRUE; otherwise the calls that
 * @function makes, sorted by callee. Calls between the same two functions are sorted by site. */
static const GilkCallSite *
find_calls (GilkCallGraph *graph, const GilkFunction *function, gboolean callee, guint *count)
{
  guint index;

  *count = 0;
  return find_index (graph, function, &index)
         ? find_range (callee ? graph->by_callee : graph->by_caller, callee, index, count) : NULL;
}

guint
gilk_call_graph_n_callers (GilkCallGraph *graph, const GilkFunction *function)
{
  guint count, n = 0;
  const GilkCallSite *calls = find_calls (graph, function, TRUE, &count);

  for (guint i = 0; i < count; i++)
    n += i == 0 || calls[i].caller != calls[i - 1].caller;

  return n;
}

/* Adds the indirect calls seen in a run to the partners found in the text. */
static void
add_indirect_calls (GArray *partners, const GilkFunction *function, gboolean callers, const GArray *seen)
{
  for (guint i = 0; i < seen->len; i++)
    {
      const GilkIndirectCall *call = &g_array_index (seen, GilkIndirectCall, i);
      GilkCallPartner partner = { .function = callers ? call->caller : call->callee, .site = call->site };
      guint at = 0;

      if ((callers ? call->callee : call->caller) != function)
        continue;
      while (at < partners->len && g_array_index (partners, GilkCallPartner, at).function != partner.function)
        at++;
      if (at == partners->len)
        g_array_append_val (partners, partner);
      g_array_index (partners, GilkCallPartner, at).seen += call->count;
    }
}

static int
compare_partners (gconstpointer a, gconstpointer b)
{
  const GilkCallPartner *x = a, *y = b;

  return strcmp (x->function->name, y->function->name) ?: GILK_ORDER (x->function, y->function);
}

GArray *
gilk_call_graph_partners (GilkCallGraph *graph, const GilkFunction *function, gboolean callers, const GArray *seen)
{
  GArray *partners = g_array_new (FALSE, FALSE, sizeof (GilkCallPartner));
  guint count;
  const GilkCallSite *all = find_calls (graph, function, callers, &count);

  for (guint i = 0; i < count; i++)
    {
      const GilkFunction *other = &graph->functions->all[callers ? all[i].caller : all[i].callee];
      GilkCallPartner *last = partners->len > 0 ? &g_array_index (partners, GilkCallPartner, partners->len - 1) : NULL;

      if (last == NULL || last->function != other)
        {
          GilkCallPartner partner = { .function = other, .site = all[i].site };

          g_array_append_val (partners, partner);
          last = &g_array_index (partners, GilkCallPartner, partners->len - 1);
        }
      last->n++;
      last->n_tail += all[i].tail ? 1 : 0;
    }
  if (seen != NULL)
    add_indirect_calls (partners, function, callers, seen);
  g_array_sort (partners, compare_partners);

  return partners;
}
