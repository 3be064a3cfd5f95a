/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-entry.c - finds entries of functions to which the kernel can attach a BPF program
 *
 * The kernel attaches such a program (BPF_TRACE_FENTRY) by the function's id in its BTF, and looks up
 * the address by the name of that BTF entry (bpf_check_attach_target() in kernel/bpf/verifier.c). So
 * the name must be that of one function only.
 */
#include "core/bind/gilk-bound-private.h"

#include "core/image/gilk-image-user.h"
#include "core/types/gilk-btf.h"

enum { WORD = 8, MAX_WORDS = 6 };       /* size of an argument; number of arguments in registers */

/* Returns whether the kernel refuses to attach programs to a function that it can trace: functions that
 * run when each program starts and ends (btf_id_deny in kernel/bpf/verifier.c). */
static gboolean
is_denied (const char *name)
{
  static const char *const denied[] = {
    "migrate_disable", "migrate_enable", "rcu_read_unlock_strict", "preempt_count_add", "preempt_count_sub", "__rcu_read_lock",
    "__rcu_read_unlock", NULL,
  };

  return g_strv_contains (denied, name);
}

/* Returns whether the symbol at the function's address is the only one of its name. */
static gboolean
has_own_name (const GilkCfg *cfg)
{
  gboolean more = FALSE;
  const GilkSymbol *symbol = gilk_symbols_by_name (gilk_image_symbols (cfg->image), cfg->function->name, &more);

  return symbol != NULL && !more && symbol->addr == cfg->function->hot.start;
}

/* Sets @words to the arguments that have 8 bytes: bit i for argument i. Of a smaller argument, the
 * kernel may keep only its own bytes. Returns FALSE if an argument is a struct, or not in a register. */
static gboolean
find_words (const GilkBtf *btf, const char *name, guint *words)
{
  GilkPrototype prototype;

  *words = 0;
  if (!gilk_btf_own_function (btf, name, &prototype) || prototype.variadic || prototype.n_arguments > MAX_WORDS)
    return FALSE;
  for (guint i = 0; i < prototype.n_arguments; i++)
    {
      GilkType type;

      if (!gilk_btf_type (btf, prototype.arguments[i], &type) || type.size > WORD || type.kind == GILK_TYPE_STRUCT ||
          type.kind == GILK_TYPE_OTHER)
        return FALSE;
      if (type.size == WORD)
        *words |= 1u << i;
    }

  return TRUE;
}

void
gilk_bound_entry (const GilkCfg *cfg, GilkWant *want, GCancellable *cancellable)
{
  const char *name = cfg->function != NULL ? cfg->function->name : NULL;
  const gboolean is_at_start = want->where == GILK_WHERE_PRE && want->at == 0 && want->block < cfg->n_blocks &&
                               cfg->blocks[want->block].start == cfg->function->hot.start;
  g_autoptr(GilkBtf) btf = NULL;

  if (name == NULL || gilk_image_user_path (cfg->image) != NULL || cfg->function->module != 0 || !is_at_start || want->joins ||
      want->kind == GILK_INLINE_SPAN || want->kind == GILK_INSTRUMENT_MODULE || is_denied (name) || !has_own_name (cfg))
    return;
  btf = gilk_types_get (gilk_image_types (cfg->image), NULL, cancellable, NULL);
  if (btf != NULL && find_words (btf, name, &want->entry_words))
    want->entry_type = gilk_btf_function_id (btf, name);
}
