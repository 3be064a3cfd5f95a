/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-entry.c - finds the function entries to which the kernel can attach a BPF program as
 * fentry
 *
 * An fentry program (BPF_TRACE_FENTRY) names its function by a BTF id. The kernel looks up the
 * address by the name in that BTF entry (bpf_check_attach_target() in kernel/bpf/verifier.c), so
 * the name must belong to only one function. Hooks that are switched on and off during the run
 * (hooks with a gate) use kprobes, because the kernel attaches and removes fentry programs slowly,
 * one after another.
 */
#include "core/bind/gilk-bound-entry.h"

#include "core/base/gilk-refusal.h"
#include "core/image/gilk-debug.h"
#include "core/image/gilk-image-user.h"
#include "core/link/gilk-target.h"
#include "core/types/gilk-btf.h"

enum { WORD = 8, MAX_WORDS = 6 };       /* size of an argument in bytes; maximum number of arguments
                                         * in registers */

/*
 * Returns whether the kernel refuses to attach programs to the function although it can be traced,
 * because it runs at the start or end of each BPF program (btf_id_deny in kernel/bpf/verifier.c).
 */
static gboolean
is_denied (const char *name)
{
  static const char *const denied[] = {
    "migrate_disable", "migrate_enable", "rcu_read_unlock_strict", "preempt_count_add", "preempt_count_sub", "__rcu_read_lock",
    "__rcu_read_unlock", "___migrate_enable", NULL,
  };

  return g_strv_contains (denied, name);
}

/* Returns whether no other symbol has the function's name. */
static gboolean
has_own_name (const GilkCfg *cfg)
{
  gboolean more = FALSE;
  const GilkSymbol *symbol = gilk_symbols_by_name (gilk_image_symbols (cfg->image), cfg->function->name, &more);

  return symbol != NULL && !more && symbol->addr == cfg->function->hot.start;
}

/* Returns whether a value of the type is passed in a single register. */
static gboolean
is_word (const GilkType *type)
{
  return type->kind == GILK_TYPE_INT || type->kind == GILK_TYPE_ENUM || type->kind == GILK_TYPE_POINTER;
}

/*
 * Sets bit i of @words if argument i has 8 bytes; of a narrower argument the kernel may save only
 * its own bytes. Returns FALSE if the kernel refuses the function, because an argument or the
 * result is a struct or is not passed in a register.
 */
static gboolean
find_words (const GilkBtf *btf, const char *name, guint *words)
{
  GilkPrototype prototype;
  GilkType returns;

  *words = 0;
  if (!gilk_btf_own_function (btf, name, &prototype) || prototype.variadic || prototype.n_arguments > MAX_WORDS)
    return FALSE;
  if (prototype.returns != 0 && (!gilk_btf_type (btf, prototype.returns, &returns) || (returns.kind != GILK_TYPE_VOID && !is_word (&returns))))
    return FALSE;
  for (guint i = 0; i < prototype.n_arguments; i++)
    {
      GilkType type;

      if (!gilk_btf_type (btf, prototype.arguments[i], &type) || !is_word (&type) || type.size > WORD)
        return FALSE;
      if (type.size == WORD)
        *words |= 1u << i;
    }

  return TRUE;
}

/* Returns whether the target's kernel supports fentry programs. */
static gboolean
can_attach (const GilkCfg *cfg, GCancellable *cancellable)
{
  GilkTarget *target = gilk_image_target (cfg->image);
  struct ilk_info info;

  return target != NULL && gilk_target_driver_info (target, &info, cancellable, NULL) && (info.features & GILK_BPF_ENTRIES) != 0;
}

/*
 * Returns whether the hook is at the start of a function of the kernel itself (not of a module)
 * that may be hooked. Functions that the kernel calls for each program are excluded, as
 * GILK_REFUSAL_OWN_PATH.
 */
static gboolean
is_kernel_entry (const GilkCfg *cfg, const GilkWant *want)
{
  return cfg->function != NULL && gilk_image_user_path (cfg->image) == NULL && cfg->function->module == 0 && cfg->function->refusal == 0 &&
         (cfg->refusal == 0 || cfg->refusal == GILK_REFUSAL_INDIRECT_JUMP) && want->where == GILK_WHERE_PRE && want->at == 0 &&
         want->block < cfg->n_blocks && cfg->blocks[want->block].start == cfg->function->hot.start;
}

void
gilk_bound_entry (const GilkCfg *cfg, GilkWant *want, GCancellable *cancellable)
{
  g_autoptr(GilkBtf) btf = NULL;
  const char *name;

  if (!is_kernel_entry (cfg, want) || want->joins || want->gated || want->kind == GILK_INLINE_SPAN || want->kind == GILK_INSTRUMENT_MODULE)
    return;
  name = cfg->function->name;
  if (is_denied (name) || !has_own_name (cfg) || !can_attach (cfg, cancellable))
    return;
  btf = gilk_types_get (gilk_image_types (cfg->image), NULL, cancellable, NULL);
  if (btf != NULL && find_words (btf, name, &want->entry_words))
    want->entry_type = gilk_btf_function_id (btf, name);
}
