/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-change.c - finds what each program can change in the kernel at its probe point, and
 * sets when the changes end
 */
#include "core/bind/gilk-bound-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-reloc.h"
#include "core/image/gilk-type-scope.h"

GilkBtf *
gilk_bound_types (const GilkBoundChange *change,
                  uint32_t               module,
                  GError               **error)
{
  const char *name = gilk_symbols_module (gilk_image_symbols (change->image), module);
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_types_get (gilk_image_types (change->image), name, change->cancellable, &local);

  if (btf == NULL && !gilk_types_are_missing (local))
    g_propagate_error (error, g_steal_pointer (&local));

  return btf;
}

/* ---- changes that are possible at a probe point ---- */

/* Finds the types (BTF or debug data) of the code that @function belongs to. Returns NULL without
 * @error if they are unknown. */
static GilkBtf *
find_types (const GilkBoundChange *change, const GilkFunction *function, GError **error)
{
  const GilkTypeScope scope = { .module = function->module, .place.code = function->hot.start };
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_scope_types (change->image, &scope, change->cancellable, &local);

  if (btf == NULL && !gilk_types_are_missing (local))
    g_propagate_error (error, g_steal_pointer (&local));

  return btf;
}

/* Returns the function that @insn calls. Returns NULL if @insn is not a direct call, or if the
 * kernel rewrites it at run time (a static call, for example). */
static const GilkFunction *
find_callee (const GilkBoundChange *change, const GilkInsn *insn)
{
  const GilkFunction *function;
  guint count = 0;

  if (insn->branch != GILK_BRANCH_CALL)
    return NULL;
  gilk_image_sites (change->image, insn->addr, insn->addr + insn->len, &count);
  function = count == 0 ? gilk_functions_at (change->functions, insn->target) : NULL;

  return function != NULL && function->hot.start == insn->target ? function : NULL;
}

gboolean
gilk_bound_change_fill_place (const GilkBoundChange *change,
                              const GilkPlan        *plan,
                              const GilkBoundHook   *hook,
                              GilkProgramPlace      *place,
                              GError               **error)
{
  const GilkCfg *cfg = hook->cfg;
  const GilkBlock *block = &cfg->blocks[hook->block];
  const gboolean pre = hook->where == GILK_WHERE_PRE;
  guint index = gilk_point_boundary (cfg, hook->block, hook->where);
  const GilkInsn *insn = index < block->first_insn + block->n_insns ? &cfg->insns[index] : NULL;
  const GilkFunction *callee = insn != NULL && pre && !place->is_user ? find_callee (change, insn) : NULL;
  g_autoptr(GError) local = NULL;

  place->may_change = plan->may_change;
  place->crash = plan->crash != GILK_CRASH_NEVER;
  if (place->is_user)
    return TRUE;
  place->may_return = gilk_reloc_return (cfg) >= 0;
  place->at_branch = !pre && insn != NULL && insn->branch == GILK_BRANCH_JCC && !(insn->flags & GILK_INSN_LOOP);
  place->callee = callee != NULL ? callee->name : NULL;
  if (callee != NULL && place->may_change)
    place->callee_btf = find_types (change, callee, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return local == NULL;
}

/* ---- replacement functions ---- */

/* Sets @found to whether @function, a replacement, calls or jumps to the function that it replaces:
 * that call would lead to @function again, an endless recursion. */
static gboolean
check_recursion (const GilkBoundChange *change, const GilkFunction *function, gboolean *found, GError **error)
{
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (change->functions, function, change->decoder, error);

  if (cfg == NULL)
    return FALSE;
  *found = FALSE;
  for (guint i = 0; i < cfg->n_insns; i++)
    *found |= cfg->insns[i].target == change->cfg->function->hot.start;

  return TRUE;
}

/* Returns whether @function's module declares, by ILK_STANDS_IN() (ilk-stand-in.h), that @function
 * may replace @original. */
static gboolean
has_stand_in_marker (const GilkBoundChange *change, const GilkFunction *function, const char *original)
{
  GilkSymbols *symbols = gilk_image_symbols (change->image);
  g_autofree char *name = g_strdup_printf ("ilk_stands_in__%s__for__%s", function->name, original);
  const GilkSymbol *symbol = gilk_symbols_by_name (symbols, name, NULL);

  return symbol != NULL && symbol->module == function->module;
}

gboolean
gilk_bound_find_function (const GilkBoundChange *change,
                          const char            *name,
                          const char            *original,
                          GilkProgramFunction   *function,
                          GError               **error)
{
  const GilkFunction *found = gilk_functions_lookup (change->functions, name, error);
  gboolean goes_round = FALSE;
  g_autoptr(GError) local = NULL;

  if (found == NULL || !check_recursion (change, found, &goes_round, error))
    return FALSE;
  if (goes_round)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                   _("%s itself calls %s, and would recurse without end. Write a function that "
                     "does not make this call."), name, change->cfg->function->name);
      return FALSE;
    }
  if (found->refusal == GILK_REFUSAL_INIT || gilk_reloc_never_left (change->cfg->function->name))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                   _("%s cannot be called from here: it is freed after boot, or never returns. Choose other functions."), name);
      return FALSE;
    }
  function->address = found->hot.start;
  function->module = gilk_symbols_module (gilk_image_symbols (change->image), found->module);
  function->vouched = has_stand_in_marker (change, found, original);
  function->btf = find_types (change, found, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return local == NULL;
}

uint64_t
gilk_bound_find_variable (const GilkBoundChange *change,
                          const char            *name)
{
  gboolean more = FALSE;
  GilkSymbols *symbols = gilk_image_symbols (change->image);
  const GilkSymbol *symbol = gilk_symbols_by_name (symbols, name, &more);

  return symbol != NULL && !more && gilk_symbols_is_variable (symbols, symbol) ? symbol->addr : 0;
}

/* ---- stop times of hooks that change something ---- */

void
gilk_bound_changes_set_ends (GilkBoundPlan *bound)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GilkPlanHook *planned = g_ptr_array_index (bound->plan->hooks, i);

      if (hook->error != NULL || hook->program == NULL || gilk_program_changes (hook->program) == 0 ||
          planned->stop_ns != 0)
        continue;
      if (bound->plan->run_length_ns == 0)
        g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_REFUSED, _("Hook %s cannot work: %s %s"), planned->label,
                     gilk_refusal_cause (GILK_REFUSAL_CHANGE_ENDLESS),
                     gilk_refusal_remedy (GILK_REFUSAL_CHANGE_ENDLESS));
      else if (planned->start_ns < bound->plan->run_length_ns)
        planned->stop_ns = bound->plan->run_length_ns;
    }
}
