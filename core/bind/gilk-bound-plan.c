/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-plan.c - binds a plan: matches it to a running kernel
 *
 *   1. for each hook, find the function, graph, block, instrument, and parameters or program
 *   2. for each function, plan all of its hooks together
 *   3. add gates (bytes that switch single hooks on and off) to hooks that share a patch but not a
 *   schedule, and repeat step 2
 *   4. turn refusals into errors of their hooks
 *
 * If the plan replaces a live one, the hooks that are live already are found first.
 */
#include "core/bind/gilk-bound-plan.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-bound-instruments.h"
#include "core/bind/gilk-bound-event.h"
#include "core/bind/gilk-plan-way.h"
#include "core/bind/gilk-bound-entry.h"
#include "core/bind/gilk-bound-private.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/bind/gilk-text-owners.h"
#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-inline.h"
#include "core/image/gilk-image-user.h"
#include "core/plan/gilk-plan-event.h"
#include "core/splice/gilk-splice.h"

typedef struct {
  GilkBoundPlan *bound;
  const GilkBoundPlan *live;      /* the plan that is armed now and that the bound plan will
                                   * replace; NULL: none */
  GilkFunctions *functions;
  GilkImage     *image;
  GilkTarget    *target;          /* the machine whose running kernel the image is read from; NULL:
                                   * the image is not of a running kernel */
  GilkDecoder   *decoder;
  GCancellable  *cancellable;
  GHashTable    *cfgs;            /* GilkFunction -> its GilkCfg, before blocks are split at
                                   * hooks */
  GilkBoundInstruments *instruments;
  GilkBoundPrograms *programs;
  GilkTracepoints *tracepoints;   /* the kernel's tracepoints; NULL: not read yet */
  GArray        *others;          /* patches that other clients of the driver have (element-type
                                   * struct ilk_patch_status) */
  guint          clone_bytes;     /* total code size, in bytes, of the clones planned so far */
} Binder;

/* ---- blocks split at hooks ---- */

static GilkBoundHook *
hook_at (GilkBoundPlan *bound, guint index)
{
  return &g_array_index (bound->hooks, GilkBoundHook, index);
}

/* Finds the control flow graphs whose blocks must be split. Returns a map from each such graph to a
 * GArray of the addresses to split it at. */
static GHashTable *
collect_split_points (GilkBoundPlan *bound)
{
  GHashTable *cuts = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = hook_at (bound, i);
      GArray *at;

      if (hook->where != GILK_WHERE_AT || hook->addr == 0)
        continue;
      at = g_hash_table_lookup (cuts, hook->cfg);
      if (at == NULL)
        {
          at = g_array_new (FALSE, FALSE, sizeof (uint64_t));
          g_hash_table_insert (cuts, hook->cfg, at);
        }
      g_array_append_val (at, hook->addr);
    }

  return cuts;
}

static guint
preview_tactic (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder, guint block, GilkWhere where)
{
  GilkChoice choice;

  gilk_splice_preview (cfg, liveness, decoder, block, where, GILK_INSTRUMENT_MODULE, &choice, NULL);

  return choice.refusal != 0 ? ILK_TACTIC_NONE : choice.tactic;
}

/*
 * If a hook cannot be spliced (reached by a jump) at the start of its block, but at the end of the
 * preceding block, moves it there. The preceding block falls through, so both places are the same
 * point in the code.
 */
static void
choose_side (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder, GilkBoundHook *hook)
{
  const GilkBlock *before = hook->block > 0 ? &cfg->blocks[hook->block - 1] : NULL;

  if (before == NULL || before->end != hook->addr || before->ending != GILK_END_FALL ||
      hook->where != GILK_WHERE_PRE || cfg->blocks[hook->block].n_in != 1 ||
      preview_tactic (cfg, liveness, decoder, hook->block, GILK_WHERE_PRE) == ILK_TACTIC_SPLICE ||
      preview_tactic (cfg, liveness, decoder, hook->block - 1, GILK_WHERE_POST) != ILK_TACTIC_SPLICE)
    return;
  hook->block--;
  hook->where = GILK_WHERE_POST;
}

/* Moves a hook from the original graph to the same point in @cut, the graph in which blocks are
 * split. */
static void
move_hook (GilkCfg *cut, const GilkLiveness *liveness, GilkDecoder *decoder, GilkBoundHook *hook)
{
  const GilkBlock *b = &hook->cfg->blocks[hook->block];

  if (hook->where == GILK_WHERE_POST)
    hook->block = (guint) gilk_cfg_block_around (cut, b->end - 1);
  else if (hook->where == GILK_WHERE_PRE)
    hook->block = (guint) gilk_cfg_block_at (cut, b->start);
  else if (gilk_point_edge (cut, hook->addr, &hook->block, &hook->where) && liveness != NULL)
    choose_side (cut, liveness, decoder, hook);
  gilk_cfg_unref (hook->cfg);
  hook->cfg = gilk_cfg_ref (cut);
}

static void
split_graph (GilkBoundPlan *bound, GilkDecoder *decoder, const GilkCfg *whole, const GArray *at)
{
  g_autoptr(GilkCfg) cut = gilk_cfg_new_cut (whole, decoder, (const uint64_t *) (const void *) at->data, at->len);
  g_autoptr(GilkLiveness) liveness = cut->refusal == 0 ? gilk_liveness_new (cut, decoder) : NULL;

  for (guint i = 0; i < bound->hooks->len; i++)
    if (hook_at (bound, i)->cfg == whole && hook_at (bound, i)->addr != 0)
      move_hook (cut, liveness, decoder, hook_at (bound, i));
}

/* Splits a block wherever a hook is in front of an instruction in its middle. All hooks in the
 * graphs concerned are moved to the split graphs. */
static void
split_blocks (GilkBoundPlan *bound, GilkDecoder *decoder)
{
  g_autoptr(GHashTable) cuts = collect_split_points (bound);
  GHashTableIter iter;
  gpointer whole, at;

  g_hash_table_iter_init (&iter, cuts);
  while (g_hash_table_iter_next (&iter, &whole, &at))
    split_graph (bound, decoder, whole, at);
}

/* ---- probe points in user programs ---- */

/* Returns the index of the instruction that starts at @addr; G_MAXUINT: none. */
static guint
find_insn (const GilkCfg *cfg, guint block, uint64_t addr)
{
  const GilkBlock *b = &cfg->blocks[block];

  for (guint i = b->first_insn; i < b->first_insn + b->n_insns; i++)
    if (cfg->insns[i].addr == addr)
      return i;

  return G_MAXUINT;
}

static void
refuse_offset (GilkBoundHook *hook)
{
  g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("Cannot hook %s%s: no instruction starts at this offset. See gilk cfg %s for the function's "
                 "instructions."),
               hook->hook->function, hook->hook->block, hook->hook->function);
}

/* Returns TRUE if @addr is inside @block and not at its start. If the plan has a fingerprint, the
 * function must also be unchanged. */
static gboolean
is_within (const GilkBoundHook *hook, uint64_t addr, guint block)
{
  const char *print = hook->hook->fingerprint;

  return addr != hook->cfg->blocks[block].start && (print[0] == '\0' || gilk_cfg_is_graph (hook->cfg, print));
}

static gboolean
place_in_block (GilkBoundHook *hook, uint64_t addr, guint block)
{
  guint insn = find_insn (hook->cfg, block, addr);

  if (insn == G_MAXUINT || hook->hook->where == GILK_WHERE_POST)
    {
      refuse_offset (hook);
      return FALSE;
    }
  hook->block = block;
  hook->at = insn + 1;
  hook->addr = addr;

  return TRUE;
}

/*
 * Makes the hook catch all returns of its function. If the function has exactly one exit, the hook
 * is a post-hook there. Otherwise it is a uretprobe: a uprobe at the first instruction, by which
 * the kernel catches each return.
 */
static gboolean
place_returns (GilkBoundHook *hook)
{
  gboolean whole;
  g_autoptr(GArray) exits = gilk_cfg_exits (hook->cfg, &whole);
  guint insn = find_insn (hook->cfg, hook->cfg->entry, hook->cfg->function->hot.start);

  if (insn == G_MAXUINT)
    {
      g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("Cannot hook %s: none of its instructions could be read. Choose another function."),
                   hook->hook->function);
      return FALSE;
    }
  /* If the only exit is a tail call, a program cannot be a post-hook there: the return value that
   * the program may use does not exist yet. */
  if (whole && exits->len == 1 && (g_array_index (exits, GilkCfgExit, 0).number > 0 || !hook->hook->is_program))
    {
      hook->block = g_array_index (exits, GilkCfgExit, 0).block;
      hook->addr = hook->cfg->blocks[hook->block].start;
      return TRUE;
    }
  hook->block = hook->cfg->entry;
  hook->at = insn + 1;
  hook->addr = hook->cfg->function->hot.start;
  hook->returns = TRUE;

  return TRUE;
}

/**
 * find_user_place:
 * Finds a hook's probe point in a user-space program. As in the kernel, the point may be at the
 * start or end of a block; it may also be in front of any instruction. "return" is where the
 * function returns to its caller, on any path.
 * Sets the hook's block, address and instruction, and whether it moved.
 * Returns: FALSE, with the hook's error set, on failure
 */
static gboolean
find_user_place (GilkBoundHook  *hook,
                 const GilkPlan *plan,
                 const char     *release,
                 const char     *build_id)
{
  const GilkPlanHook *planned = hook->hook;
  uint64_t addr;
  int block;

  /* A uprobe can be in front of any instruction, so blocks need not be split for it. */
  if (hook->where == GILK_WHERE_AT)
    hook->where = GILK_WHERE_PRE;

  if (planned->anchor != NULL && strcmp (planned->anchor, "return") == 0 && hook->cfg->n_blocks > 0)
    return place_returns (hook);
  if (planned->block != NULL && gilk_cfg_parse_offset (hook->cfg, planned->block, &addr))
    {
      block = gilk_cfg_block_around (hook->cfg, addr);
      if (block < 0)
        {
          refuse_offset (hook);
          return FALSE;
        }
      if (is_within (hook, addr, (guint) block))
        return place_in_block (hook, addr, (guint) block);
    }
  if (!gilk_rebind (hook->cfg, plan, planned, release, build_id, &addr, &hook->moved, &hook->error))
    return FALSE;
  block = gilk_cfg_block_around (hook->cfg, addr);
  if (block >= 0 && addr != hook->cfg->blocks[block].start)
    return place_in_block (hook, addr, (guint) block);
  hook->block = (guint) block;
  hook->addr = addr;

  return TRUE;
}

/* ---- graphs of functions ---- */

/* Returns whether the plan's hooks are BPF programs at the kernel's own probes, instead of patches
 * by the driver. */
static gboolean
is_by_bpf (const Binder *b)
{
  return b->bound->by_bpf;
}

static gboolean
is_user (const GilkCfg *cfg)
{
  return gilk_image_user_path (cfg->image) != NULL;
}

static GilkCfg *
get_graph (Binder *b, const char *name, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (b->functions, name, error);
  GilkCfg *cfg;

  if (function == NULL)
    return NULL;
  cfg = g_hash_table_lookup (b->cfgs, function);
  if (cfg != NULL)
    return cfg;
  cfg = gilk_cfg_new (b->functions, function, b->decoder, error);
  if (cfg != NULL)
    g_hash_table_insert (b->cfgs, (gpointer) function, cfg);

  return cfg;
}

/* ---- step 1: binds each hook ---- */

/* Returns the instrument's index in the bound plan's list of instruments, to which it is added if
 * necessary. */
static guint
add_instrument (GilkBoundPlan *bound, const struct ilk_instrument_desc *desc)
{
  for (guint i = 0; i < bound->instruments->len; i++)
    if (g_array_index (bound->instruments, struct ilk_instrument_desc, i).id == desc->id)
      return i;
  g_array_append_val (bound->instruments, *desc);

  return bound->instruments->len - 1;
}

static gboolean
is_fatal (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Returns whether the hook's instrument is a function of a kernel module, which a BPF program
 * cannot call. */
static gboolean
is_module (const GilkPlanHook *hook)
{
  return !hook->is_program && hook->watch == NULL && gilk_inline_by_name (hook->instrument) == NULL;
}

/* Refuses a hook that cannot be a BPF program at any probe point. */
static void
refuse_by_bpf (GilkBoundHook *hook, guint refusal)
{
  g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot hook %s: %s %s"), hook->hook->function,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

static void
bind_event (Binder *b, GilkBoundHook *hook)
{
  gilk_bound_event_bind (hook, b->image, is_by_bpf (b), &b->tracepoints, b->cancellable);
  if (hook->error != NULL)
    return;
  if (hook->hook->is_program)
    gilk_bound_programs_bind (b->programs, hook);
  else
    hook->takes_samples = gilk_inline_by_name (hook->hook->instrument)->samples;
}

static void
bind_hook (Binder *b, GilkBoundHook *hook)
{
  const char *release = b->target != NULL ? gilk_target_release (b->target) : NULL;
  const char *build_id = b->target != NULL ? gilk_target_build_id (b->target) : NULL;
  const struct ilk_instrument_desc *desc;
  GilkCfg *cfg;

  hook->instrument = G_MAXUINT;
  hook->splice_plan = hook->want_index = hook->live_index = G_MAXUINT;
  hook->where = hook->hook->where;
  hook->choice.patch = G_MAXUINT;
  if (is_by_bpf (b) && is_module (hook->hook))
    {
      refuse_by_bpf (hook, GILK_REFUSAL_BPF_MODULE);
      return;
    }
  if (hook->hook->event.kind != 0)
    {
      bind_event (b, hook);
      return;
    }
  if (hook->hook->watch != NULL)
    {
      gilk_bound_watchpoint_bind (hook, b->functions, b->image, b->decoder, is_by_bpf (b), b->cancellable);
      if (hook->error == NULL)
        gilk_bound_programs_bind (b->programs, hook);
      return;
    }
  cfg = get_graph (b, hook->hook->function, &hook->error);
  if (cfg == NULL)
    return;
  hook->cfg = gilk_cfg_ref (cfg);
  if (is_user (cfg) ? !find_user_place (hook, b->bound->plan, release, build_id)
                    : !gilk_rebind (cfg, b->bound->plan, hook->hook, release, build_id, &hook->addr, &hook->moved,
                                    &hook->error))
    return;
  if (!is_user (cfg))
    {
      hook->block = (guint) gilk_cfg_block_around (cfg, hook->addr);
      if (hook->hook->where == GILK_WHERE_AT)
        gilk_point_edge (cfg, hook->addr, &hook->block, &hook->where);
    }
  if (hook->hook->is_program)
    {
      gilk_bound_programs_bind (b->programs, hook);
      return;
    }
  if (!gilk_bound_instruments_find (b->instruments, hook->hook->instrument, hook->hook->params,
                                    &desc, &hook->error))
    return;
  if (desc != NULL)
    hook->instrument = add_instrument (b->bound, desc);
  hook->takes_samples = desc != NULL || gilk_inline_by_name (hook->hook->instrument)->samples;
}

static gboolean
bind_hooks (Binder *b, const GilkProgress *progress, GError **error)
{
  GPtrArray *planned = b->bound->plan->hooks;

  for (guint i = 0; i < planned->len; i++)
    {
      GilkBoundHook hook = { .hook = g_ptr_array_index (planned, i) };

      if (g_cancellable_set_error_if_cancelled (b->cancellable, error))
        return FALSE;
      gilk_progress (progress, _("Matching the plan to the kernel"), (double) i / planned->len);
      bind_hook (b, &hook);
      g_array_append_val (b->bound->hooks, hook);
      if (hook.error != NULL && is_fatal (hook.error))
        {
          g_propagate_error (error, g_error_copy (hook.error));
          return FALSE;
        }
    }

  return TRUE;
}

/* ---- step 2: plans all hooks of each function ---- */

/*
 * Minimum number of hooks in a plan for hooks at function entries to share a BPF program. Each hit
 * of a shared program executes about ten more instructions.
 */
#define JOIN_MIN 16

static GilkWant
make_want (const GilkBoundPlan *bound, const GilkBoundHook *hook, gboolean gated)
{
  const GilkPlanHook *planned = hook->hook;
  const GilkInline *known = hook->program == NULL ? gilk_inline_by_name (planned->instrument) : NULL;
  GilkWant want = {
    .block = hook->block, .where = hook->where, .gated = gated, .force = planned->tactic,
    .inner = planned->inner, .at = hook->at, .returns = hook->returns, .joins = bound->hooks->len >= JOIN_MIN && bound->plan->interleave.period_ns == 0,
  };

  if (known != NULL)
    want.kind = known->kind;
  else if (hook->program != NULL)
    {
      want.kind = GILK_INLINE_PROGRAM;
      want.ops = gilk_program_ops (hook->program);
    }
  else
    {
      const struct ilk_instrument_desc *desc =
        &g_array_index (bound->instruments, struct ilk_instrument_desc, hook->instrument);

      want.kind = GILK_INSTRUMENT_MODULE;
      want.needs_regs = (desc->flags & ILK_INSTRUMENT_REGS) != 0;
    }

  return want;
}

/* Groups the bound hooks by function: returns a map from each GilkCfg to a GArray of the indices of
 * its hooks. */
static GHashTable *
group_hooks_by_graph (GilkBoundPlan *bound)
{
  GHashTable *by_graph = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      GilkCfg *cfg = hook_at (bound, i)->cfg;
      GArray *members;

      if (cfg == NULL || hook_at (bound, i)->error != NULL)
        continue;
      members = g_hash_table_lookup (by_graph, cfg);
      if (members == NULL)
        {
          members = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (by_graph, cfg, members);
        }
      g_array_append_val (members, i);
    }

  return by_graph;
}

/* ---- step 3: adds gates to hooks ---- */

/*
 * Adds gates (switches of single hooks) where hooks share a patch but start or stop at different
 * times. Returns whether gates were added; the caller then plans again, which comes to an end
 * because gates are never removed.
 */
static gboolean
add_gates (GilkBoundPlan *bound, const GArray *members, const GilkSplicePlan *plan,
           GilkWant *wants)
{
  gboolean added = FALSE;

  for (guint p = 0; p < plan->n_patches; p++)
    {
      const GilkPatchPlan *patch = &plan->patches[p];
      const GilkPlanHook *first = NULL;
      gboolean differ = FALSE;

      for (guint h = 0; h < patch->n_hooks; h++)
        {
          guint member = g_array_index (members, guint, patch->hooks[h]);
          const GilkPlanHook *hook = hook_at (bound, member)->hook;

          first = first != NULL ? first : hook;
          differ |= hook->start_ns != first->start_ns || hook->stop_ns != first->stop_ns;
          /* A patch that replaces a live patch takes effect at once, so hooks that start or stop
           * later need gates. */
          differ |= patch->next == GILK_PATCH_FOLLOWS && (hook->start_ns != 0 || hook->stop_ns != 0);
        }
      for (guint h = 0; differ && h < patch->n_hooks; h++)
        {
          added |= !wants[patch->hooks[h]].gated;
          wants[patch->hooks[h]].gated = TRUE;
        }
    }

  return added;
}

/* Limit of the total code size of clones in bytes. Beyond it, a function is cloned only if a hook
 * requests the tactic clone, so that space for such clones is left in the driver's code memory. */
#define CLONE_BYTES_MAX (4u << 20)

static gboolean
is_clone (const GilkSplicePlan *plan)
{
  return plan->n_patches == 1 && plan->patches[0].tactic == ILK_TACTIC_CLONE;
}

static GilkSplicePlan *
plan_wants (Binder *b, GilkCfg *cfg, const GilkWant *wants, guint n_wants)
{
  GilkOthers others;
  GilkSplicePlan *plan;

  if (is_by_bpf (b))
    return gilk_bpf_plan_new (cfg, wants, n_wants, NULL, NULL);
  others = gilk_bound_others_in_function (b->others, cfg->function);
  if (others != GILK_OTHERS_NONE || b->clone_bytes >= CLONE_BYTES_MAX)
    plan = gilk_splice_plan_new (cfg, b->decoder, wants, n_wants);
  else
    plan = gilk_splice_plan_new_any (cfg, b->decoder, wants, n_wants);

  /* A function cannot have both a clone and hooks in the original code, because a call executes
   * only one of the two. Here another client has hooks or a clone, so a conflict is refused. */
  if (others == GILK_OTHERS_CLONE || (others == GILK_OTHERS_HOOKS && is_clone (plan)))
    gilk_splice_plan_refuse (plan, ILK_REFUSAL_OVERLAP);
  for (guint i = others == GILK_OTHERS_HOOKS ? plan->n_patches : 0; i > 0; i--)
    if (gilk_bound_others_in_range (b->others, plan->patches[i - 1].site, plan->patches[i - 1].site + plan->patches[i - 1].len))
      gilk_splice_plan_refuse_patch (plan, i - 1, ILK_REFUSAL_OVERLAP);

  return plan;
}

/* Returns whether a hook needs a gate (a switch of its own) even if it does not share its patch. */
static gboolean
needs_gate (const Binder *b, const GilkBoundHook *hook)
{
  return gilk_plan_is_switched (b->bound->plan, hook->hook) || hook->control != GILK_CONTROL_NONE ||
         (is_by_bpf (b) && (hook->hook->start_ns != 0 || hook->hook->stop_ns != 0));
}

static GilkSplicePlan *
plan_function (Binder *b, GilkCfg *cfg, const GArray *members, guint follows)
{
  g_autofree GilkWant *wants = g_new0 (GilkWant, members->len);
  g_autofree guint *was = g_new0 (guint, members->len);
  const GilkSplicePlan *live = NULL;
  GilkSplicePlan *plan = NULL;

  if (follows != G_MAXUINT)
    live = g_ptr_array_index (b->live->splice_plans, follows);
  for (guint i = 0; i < members->len; i++)
    {
      const GilkBoundHook *hook = hook_at (b->bound, g_array_index (members, guint, i));

      was[i] = gilk_bound_live_want (b->live, hook);
      wants[i] = make_want (b->bound, hook, needs_gate (b, hook) || (was[i] != G_MAXUINT && live->wants[was[i]].gated));
      if (is_by_bpf (b) && was[i] == G_MAXUINT)
        gilk_bound_entry (cfg, &wants[i], b->cancellable);
    }
  if (is_user (cfg) && !is_by_bpf (b))
    {
      plan = gilk_bpf_plan_new (cfg, wants, members->len, NULL, NULL);
      gilk_splice_plan_refuse (plan, GILK_REFUSAL_NEEDS_BPF);
      return plan;
    }
  do
    {
      gilk_splice_plan_free (plan);
      plan = live != NULL
             ? is_by_bpf (b) ? gilk_bpf_plan_new (cfg, wants, members->len, live, was)
                             : gilk_splice_plan_next (cfg, b->decoder, wants, members->len, live, was)
             : plan_wants (b, cfg, wants, members->len);
    }
  while (add_gates (b->bound, members, plan, wants));

  if (is_clone (plan))
    b->clone_bytes += plan->patches[0].code_bound;

  return plan;
}

const char *
gilk_bound_hook_function (const GilkBoundHook *hook)
{
  const char *named = hook->hook->function;

  return hook->cfg != NULL && strstr (named, GILK_FUNCTION_OR) != NULL ? hook->cfg->function->name : named;
}

char *
gilk_bound_hook_block (const GilkBoundHook *hook)
{
  if (!gilk_plan_hook_has_graph (hook->hook))
    return g_strdup ("");
  if (hook->error == NULL && hook->cfg != NULL)
    return gilk_cfg_offset_name (hook->cfg, hook->addr);
  if (hook->hook->block != NULL)
    return g_strdup (hook->hook->block);

  return g_strdup_printf ("@%s", hook->hook->anchor != NULL ? hook->hook->anchor : "?");
}

/* ---- step 4: turns refusals into errors of hooks ---- */

static void
refuse_hook (GilkBoundHook *hook, guint refusal)
{
  g_autofree char *offset = gilk_cfg_offset_name (hook->cfg, hook->addr);
  gboolean overlap = refusal == GILK_REFUSAL_SHARES_BYTES || refusal == ILK_REFUSAL_OVERLAP;

  g_set_error (&hook->error, GILK_ERROR, overlap ? GILK_ERROR_OVERLAP : GILK_ERROR_REFUSED,
               _("Cannot hook %s%s (%s): %s %s"), hook->hook->function, offset,
               gilk_where_name (hook->hook->where), gilk_refusal_cause (refusal),
               gilk_refusal_remedy (refusal));
}

static void
copy_choices (GilkBoundPlan *bound, const GArray *members, const GilkSplicePlan *plan,
              gboolean is_live)
{
  for (guint i = 0; i < members->len; i++)
    {
      GilkBoundHook *hook = hook_at (bound, g_array_index (members, guint, i));

      hook->splice_plan = bound->splice_plans->len;
      hook->want_index = i;
      hook->choice = plan->choices[i];
      /* Refuse new inner clones in a run that has started. Only other clones call an inner clone,
       * but the existing clones would still call the original function. */
      if (is_live && hook->hook->inner && hook->choice.refusal == 0)
        hook->choice.refusal = GILK_REFUSAL_LIVE_BYTES;
      if (hook->choice.refusal != 0)
        refuse_hook (hook, hook->choice.refusal);
    }
}

/* Returns whether a hook is planned on its own, because it is at a tracepoint, a timer or watched
 * data and not in the code of a function. */
static gboolean
runs_alone (const GilkBoundHook *hook)
{
  return hook->error == NULL && !gilk_plan_hook_has_graph (hook->hook);
}

static GilkSplicePlan *
plan_alone (Binder *b, const GilkBoundHook *hook, gboolean stays)
{
  GilkWant want = make_want (b->bound, hook, needs_gate (b, hook));

  if (hook->hook->watch == NULL)
    return gilk_event_plan_new (b->image, &want, gilk_plan_event_tactic (&hook->hook->event), stays);
  want.watch = (GilkOpsWatch) {
    .bytes = hook->watch.bytes, .slot = hook->watch.slot, .each_cpu = hook->watch.cpu == GILK_WATCH_EACH_CPU,
    .executes = hook->watch.access == GILK_WATCH_EXECUTE,
  };

  return gilk_event_plan_new (b->image, &want, GILK_TACTIC_BREAKPOINT, stays);
}

/* Makes a splice plan for each watchpoint, and for each hook at an event. */
static void
plan_lone_hooks (Binder *b)
{
  for (guint i = 0; i < b->bound->hooks->len; i++)
    {
      GilkBoundHook *hook = hook_at (b->bound, i);
      const gboolean stays = hook->live_index != G_MAXUINT;
      guint follows = G_MAXUINT;
      GilkSplicePlan *plan;

      if (!runs_alone (hook))
        continue;
      if (stays)
        follows = g_array_index (b->live->hooks, GilkBoundHook, hook->live_index).splice_plan;
      plan = plan_alone (b, hook, stays);
      if (plan->choices[0].refusal != 0)
        {
          hook->choice = plan->choices[0];
          refuse_by_bpf (hook, hook->choice.refusal);
          gilk_splice_plan_free (plan);
          continue;
        }
      hook->splice_plan = b->bound->splice_plans->len;
      hook->want_index = 0;
      hook->choice = plan->choices[0];
      g_ptr_array_add (b->bound->splice_plans, plan);
      g_array_append_val (b->bound->live_plans, follows);
    }
}

static void
plan_functions (Binder *b)
{
  g_autoptr(GHashTable) by_graph = group_hooks_by_graph (b->bound);

  for (guint i = 0; i < b->bound->hooks->len; i++)
    {
      GilkCfg *cfg = hook_at (b->bound, i)->cfg;
      GilkSplicePlan *plan;
      GArray *members;
      guint follows;

      if (cfg == NULL || hook_at (b->bound, i)->error != NULL ||
          hook_at (b->bound, i)->splice_plan != G_MAXUINT)
        continue;
      members = g_hash_table_lookup (by_graph, cfg);
      follows = gilk_bound_live_plan (b->live, cfg);
      plan = plan_function (b, cfg, members, follows);
      copy_choices (b->bound, members, plan, b->live != NULL);
      g_ptr_array_add (b->bound->splice_plans, plan);
      g_array_append_val (b->bound->live_plans, follows);
    }

  plan_lone_hooks (b);
  for (guint i = 0; i < b->bound->hooks->len; i++)
    b->bound->n_failed += hook_at (b->bound, i)->error != NULL;
}

/* ---- public functions ---- */

static void
clear_hook (gpointer data)
{
  GilkBoundHook *hook = data;

  g_clear_pointer (&hook->cfg, gilk_cfg_unref);
  g_clear_pointer (&hook->program, gilk_program_unref);
  g_clear_error (&hook->error);
}

static GilkBoundPlan *
bound_plan_alloc (GilkPlan *plan)
{
  GilkBoundPlan *bound = g_new0 (GilkBoundPlan, 1);

  bound->plan = gilk_plan_ref (plan);
  bound->hooks = g_array_new (FALSE, TRUE, sizeof (GilkBoundHook));
  g_array_set_clear_func (bound->hooks, clear_hook);
  bound->splice_plans = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_splice_plan_free);
  bound->live_plans = g_array_new (FALSE, FALSE, sizeof (guint));
  bound->instruments = g_array_new (FALSE, TRUE, sizeof (struct ilk_instrument_desc));

  return bound;
}

/*
 * Returns whether the plan's hooks are to be BPF programs. If the plan replaces a live one, that is
 * so if the live plan's hooks are. Otherwise, it is so if the target uses BPF or the plan needs
 * BPF; if only the plan does, gilk_plan_choose_way() switches the target to BPF before the plan
 * runs.
 */
static gboolean
goes_by_bpf (const GilkPlan *plan, const GilkBoundPlan *live, GilkTarget *target)
{
  if (live != NULL)
    return live->by_bpf;

  return (target != NULL && gilk_target_way (target) == GILK_WAY_BPF) || gilk_plan_needs_bpf (plan);
}

static GilkBoundPlan *
bind_plan (GilkPlan            *given,
           const GilkBoundPlan *live,
           gboolean             readonly,
           GilkFunctions       *functions,
           GilkImage           *image,
           const GilkProgress  *progress,
           GCancellable        *cancellable,
           GError             **error)
{
  const gboolean by_bpf = goes_by_bpf (given, live, gilk_image_target (image));
  g_autoptr(GilkPlan) plan = by_bpf ? gilk_plan_without_modules (given) : gilk_plan_ref (given);
  g_autoptr(GilkBoundPlan) bound = bound_plan_alloc (plan);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GHashTable) cfgs =
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) gilk_cfg_unref);
  g_autoptr(GilkBoundInstruments) instruments =
    gilk_bound_instruments_new (gilk_image_target (image), !readonly, cancellable);
  g_autoptr(GilkBoundPrograms) programs = gilk_bound_programs_new (bound, functions, image, decoder,
                                                                      cancellable);
  Binder binder = {
    .bound = bound, .live = live, .functions = functions, .image = image, .target = gilk_image_target (image),
    .decoder = decoder, .cancellable = cancellable, .cfgs = cfgs,
    .instruments = instruments, .programs = programs,
  };
  g_autoptr(GilkTracepoints) tracepoints = NULL;
  g_autoptr(GArray) others = NULL;
  GilkTarget *driver;               /* the target, if its driver (or its BPF) can be asked to check
                                     * the plan; NULL: it cannot */
  gboolean bound_all, switches;

  bound->by_bpf = by_bpf;
  if (readonly && binder.target != NULL && !gilk_target_has_driver (binder.target) && !bound->by_bpf)
    bound->partly_checked = TRUE;
  switches = binder.target != NULL && bound->by_bpf != (gilk_target_way (binder.target) == GILK_WAY_BPF);
  driver = bound->partly_checked || switches ? NULL : binder.target;
  bound_all = bind_hooks (&binder, progress, error);
  tracepoints = binder.tracepoints;
  if (!bound_all)
    return NULL;
  bound->partly_checked |= gilk_bound_instruments_has_assumed (instruments);
  split_blocks (bound, decoder);
  gilk_bound_programs_check_shared (bound);
  gilk_bound_watchpoints_check_count (bound);
  gilk_bound_changes_set_ends (bound);
  if (!gilk_bound_services_check (bound, driver, cancellable, error))
    return NULL;
  bound->counters_unchecked = switches && bound->events->len > 0;
  bound->partly_checked |= bound->counters_unchecked;
  if (live != NULL)
    gilk_bound_match_live (bound, live);
  others = gilk_bound_others_new (binder.target, NULL, cancellable, error);
  if (others == NULL)
    return NULL;
  binder.others = others;
  plan_functions (&binder);

  return g_steal_pointer (&bound);
}

GilkBoundPlan *
gilk_bound_plan_new (GilkPlan           *plan,
                     GilkFunctions      *functions,
                     GilkImage          *image,
                     const GilkProgress *progress,
                     GCancellable       *cancellable,
                     GError            **error)
{
  return bind_plan (plan, NULL, FALSE, functions, image, progress, cancellable, error);
}

GilkBoundPlan *
gilk_bound_plan_new_readonly (GilkPlan           *plan,
                              GilkFunctions      *functions,
                              GilkImage          *image,
                              const GilkProgress *progress,
                              GCancellable       *cancellable,
                              GError            **error)
{
  return bind_plan (plan, NULL, TRUE, functions, image, progress, cancellable, error);
}

GilkBoundPlan *
gilk_bound_plan_next (GilkPlan            *plan,
                      const GilkBoundPlan *live,
                      GilkFunctions       *functions,
                      GilkImage           *image,
                      const GilkProgress  *progress,
                      GCancellable        *cancellable,
                      GError             **error)
{
  return bind_plan (plan, live, FALSE, functions, image, progress, cancellable, error);
}

GilkBoundPlan *
gilk_bound_plan_new_bare (const char *title)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();

  plan->title = g_strdup (title);

  return bound_plan_alloc (plan);
}

void
gilk_bound_plan_add_bare (GilkBoundPlan  *bound,
                          GilkSplicePlan *clone)
{
  const guint follows = G_MAXUINT;

  g_assert (clone->n_wants == 0 && clone->n_patches == 1);
  g_ptr_array_add (bound->splice_plans, clone);
  g_array_append_val (bound->live_plans, follows);
}

void
gilk_bound_plan_free (GilkBoundPlan *bound)
{
  if (bound == NULL)
    return;

  g_ptr_array_unref (bound->splice_plans);
  g_array_unref (bound->hooks);
  g_array_unref (bound->live_plans);
  g_array_unref (bound->instruments);
  g_clear_pointer (&bound->events, g_array_unref);
  gilk_plan_unref (bound->plan);
  g_free (bound);
}
