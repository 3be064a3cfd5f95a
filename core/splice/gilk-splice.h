/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.h - plans the patches of one function
 *
 * A patch is planned, reserved, emitted, prepared and armed. Planning is pure: it decides the
 * tactic, cost or refusal of each hook. Once the driver has assigned slot addresses,
 * gilk_emit_code() turns each planned patch into bytes. The planner works on all requested hooks of
 * a function at once. A clone serves all of them, see gilk-clone.h.
 *
 * Threads: a plan belongs to one thread at a time; graphs and liveness may be shared.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/decode/gilk-insn.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Plans hooks in a function. Makes a clone only if a hook requests it; see
 * gilk_splice_plan_new_any(). */
GilkSplicePlan *gilk_splice_plan_new  (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants);
/* Works like gilk_splice_plan_new(), but also makes a clone where it is better than the other
 * tactics. */
GilkSplicePlan *gilk_splice_plan_new_any (GilkCfg *cfg, GilkDecoder *decoder,
                                          const GilkWant *wants, guint n_wants);
/**
 * gilk_splice_plan_next:
 * @live: plan of the same function, whose patches are all armed or scheduled
 * @was: index in @live of each requested hook; G_MAXUINT if it is new
 * Plans the hooks of a function while plan @live is live. Live footprints do not move. Hooks that
 * stay keep their footprint; new hooks share a footprint that contains their point, or get
 * footprints in the remaining bytes.
 */
GilkSplicePlan *gilk_splice_plan_next (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants,
                                       const GilkSplicePlan *live, const guint *was);
/* Plans a clone without hooks. Returns NULL and sets @refusal if the function cannot be cloned.
 * @inner: see GilkWant */
GilkSplicePlan *gilk_splice_plan_new_bare (GilkCfg *cfg, GilkDecoder *decoder, gboolean inner,
                                           guint *refusal);
/* Refuses all hooks that are not refused yet, and removes all patches. */
void            gilk_splice_plan_refuse (GilkSplicePlan *plan, guint refusal);
/* Refuses the hooks of patch @index, and removes the patch. The plan must not replace a live
 * plan. */
void            gilk_splice_plan_refuse_patch (GilkSplicePlan *plan, guint index, guint refusal);
void            gilk_splice_plan_free (GilkSplicePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSplicePlan, gilk_splice_plan_free)

/* Plans a hook at one point alone, and returns only the choice and the patch. See also
 * gilk_preview_point(). */
void gilk_splice_preview (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                          guint block, GilkWhere where, GilkInstrumentKind kind,
                          GilkChoice *choice, GilkPatchPlan *patch /* nullable; without hooks */);

/*
 * Finds the point at which each block of a function would be counted, and the cost of a counter
 * there
 *
 * Threads: any; the decoder belongs to the caller.
 */

/* Returns, for each block, the point that the planner would choose for a counter: the pre-hook, or
 * the post-hook if no fault can leave the block in the middle. Traps have a high cost. (transfer
 * full) */
GilkCirculationPoint *gilk_count_points (GilkCfg *cfg, GilkDecoder *decoder);

/*
 * Finds filler: bytes near a function that never run
 *
 * Threads: any; gilk_fillers_foreach() may block on the target, and calls @func in the caller's
 * thread.
 */

#define GILK_PAD_BYTES 16      /* size of the nops in front of each function on 6.12 */

/* Called for each range of filler, [start, end), that is large enough for the jump of a bounce
 * (ILK_BOUNCE_BYTES). */
typedef void (*GilkFillerFunc) (uint64_t start, uint64_t end, gpointer user_data);

void      gilk_fillers_foreach  (const GilkCfg *cfg, GilkFillerFunc func, gpointer user_data);

/* Returns the length of the nop or int3 at the start of @bytes, which are at @addr; 0 if there is
 * none, or if it may be an ftrace site. */
gsize     gilk_filler_length (const uint8_t *bytes, gsize length, uint64_t addr);
/* Returns TRUE if it is certain that control never falls through the block's end. */
gboolean  gilk_never_runs_on (const GilkBlock *block);

/*
 * Computes how much of a function can be hooked
 *
 * Threads: any; reads text, which may block on the target.
 */

typedef struct {
  guint blocks, points;      /* number of blocks, and number of points: two for each block */
  guint jumped, trapped;     /* number of points that are hooked by a jump, and by a trap */
  guint kprobes;             /* number of points that are hooked by a kprobe; the others are
                              * refused */
} GilkHookShare;

/*
 * Plans a counter for each point alone. Returns FALSE if the function cannot be decoded, or is
 * refused as a whole.
 */
gboolean gilk_hook_share      (GilkFunctions *functions, const GilkFunction *function, GilkDecoder *decoder, GilkHookShare *share);
/* Returns the percentage of points that can be hooked, traps included. The result is 100 only if
 * all points can be hooked. */
guint    gilk_hook_share_percent (const GilkHookShare *share);

/*
 * Plans hooks that are BPF programs: at kprobes in the kernel, and at uprobes in user-space
 * programs
 *
 * Each hook has a patch of its own: no instructions are relocated, so hooks do not compete for
 * bytes. The plan checks that an instruction certainly starts at the point, and that the hook runs
 * only if the block runs. The kernel makes its own checks when hooks are armed.
 *
 * Threads: a plan belongs to one thread at a time.
 */

/**
 * gilk_bpf_plan_new:
 * @live: (nullable): live plan of the same function, to be replaced by the new plan
 * @was: index in @live of each requested hook; G_MAXUINT if it is new
 */
GilkSplicePlan *gilk_bpf_plan_new      (GilkCfg *cfg, const GilkWant *wants, guint n_wants,
                                        const GilkSplicePlan *live, const guint *was);
/* Returns whether hooks in the function are BPF programs: the function is in a user-space program,
 * or the target of its image uses BPF. */
gboolean        gilk_bpf_plan_is       (const GilkCfg *cfg);
/* Returns whether a BPF program is possible in a function that the driver refuses as a whole. */
gboolean        gilk_bpf_plan_ignores  (guint refusal);
/* Plans one hook alone, as gilk_bpf_plan_new() does. */
void            gilk_bpf_plan_preview  (GilkCfg *cfg, const GilkWant *want, GilkChoice *choice);

/*
 * Plans a hook whose point is not in a function: a watchpoint, tracepoint or timer
 *
 * The plan belongs to no function. Its graph is one block with one instruction that never runs, so
 * that emitter and verifier find the graph that they expect.
 *
 * Threads: a plan belongs to one thread at a time.
 */

/**
 * gilk_event_plan_new:
 * @kernel: image of the kernel in which the code runs
 * @tactic: enum gilk_bpf_tactic
 * @stays: TRUE if the hook is live already: the new plan replaces the live plan and keeps its only
 *   patch
 * If the hook is refused, the plan's only choice has the refusal.
 */
GilkSplicePlan *gilk_event_plan_new (GilkImage *kernel, const GilkWant *want, guint tactic, gboolean stays);

G_END_DECLS
