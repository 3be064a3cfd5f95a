/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-plan.h - describes the hooks requested in one function, and the patches planned for
 * them
 *
 * These structs are the contract between the planner (core/splice), which decides how to hook, and
 * the emitter, which writes the code. The file contains only data, and functions that free data.
 *
 * Threads: a plan belongs to one thread at a time, with everything in it; its graph may be shared.
 */
#pragma once

#include "core/cfg/gilk-point.h"
#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

typedef enum {
  GILK_INLINE_COUNT,            /* increments a per-CPU counter */
  GILK_INLINE_STAMP,            /* records a sample without payload, which is just a time */
  GILK_INLINE_SPAN,             /* records a sample whose payload is the stack address of the return
                                 * address */
  GILK_INLINE_PROGRAM,          /* runs the operations of a probe program */
  GILK_INSTRUMENT_MODULE,       /* calls a function of an instrument module */
} GilkInstrumentKind;

/* A hook requested at one point. */
typedef struct {
  guint              block;     /* index of the block in the control-flow graph */
  GilkWhere          where;
  GilkInstrumentKind kind;
  gboolean           needs_regs;    /* the instrument module has ILK_INSTRUMENT_REGS, so its
                                     * function gets the registers */
  gboolean           gated;         /* the hook has a gate, because it starts or stops at another
                                     * time than the patch's other hooks */
  gboolean           joins;         /* with BPF: the plan has many hooks, so this hook may share a
                                     * program with other hooks */
  guint              force;         /* tactic (enum ilk_tactic) that the user requires; 0: the
                                     * planner chooses */
  gboolean           inner;         /* with ILK_TACTIC_CLONE: the function's entry is not patched,
                                     * so that only other clones call its clone */
  const GilkOps     *ops;           /* (unowned) operations of a program; must outlive the plan */
  guint              at;            /* in a user program: 1 + index of the instruction in front of
                                     * which the hook runs; 0: use @where */
  gboolean           returns;       /* in a user program: the hook runs when the function that
                                     * starts here returns */
  GilkOpsWatch       watch;
  uint32_t           entry_type;    /* id in the kernel's BTF of the function at whose entry the hook
                                     * is; 0: none, or the kernel cannot attach a program there */
  guint              entry_words;   /* bit i: argument i of the function in @entry_type has 8
                                     * bytes */
} GilkWant;

/* The planner's decision on one requested hook. */
typedef struct {
  guint    patch;               /* index in GilkSplicePlan.patches; G_MAXUINT: the hook is
                                 * refused */
  guint    refusal;             /* GilkRefusal; 0: the hook is not refused */
  guint    tactic;              /* enum ilk_tactic */
  guint    cost;                /* number of instructions that this hook adds to each hit */
  guint    why_not_splice;      /* GilkRefusal because of which the hook is a trap or in a clone,
                                 * and not a splice; 0: none */
} GilkChoice;

/* How a patch of a new plan relates to the live plan, which the new plan will replace. */
typedef enum {
  GILK_PATCH_NEW,               /* the patch is not in the live plan */
  GILK_PATCH_STAYS,             /* the patch is live and unchanged; it must not be emitted again */
  GILK_PATCH_FOLLOWS,           /* the patch replaces a live one with the same footprint and other
                                 * hooks */
  GILK_PATCH_ENDS,              /* the patch is live, but the new plan removes all of its hooks; its
                                 * bytes become free only later */
} GilkPatchNext;

typedef struct {
  uint64_t site;
  guint    len;                 /* number of bytes at the site that the patch owns (footprint) */
  guint    tactic;
  guint    code_bound;          /* number of bytes to reserve: upper bound of the code's size */
  guint    first_insn, n_insns; /* instructions of the footprint, which are relocated into the
                                 * patch: index of the first, and number */
  gboolean after_call;          /* the footprint ends with a call that returns to a hook in the
                                 * patch */
  gboolean has_bounces;         /* 5-byte jumps of other patches, which are bounces, are in the
                                 * footprint */
  guint    n_hooks;             /* number of hooks; 0: the patch only frees bytes for the 5-byte
                                 * jumps of bounces */
  guint   *hooks;               /* indices in GilkSplicePlan.wants, in order of execution */
  guint    cost;                /* number of instructions that all hooks together add per hit */
  uint8_t  old[ILK_FOOTPRINT_MAX];
  uint64_t bounce;              /* for a bounce: address of its 5-byte jump, which is in filler, or
                                 * in the footprint of a splice after the jump of that splice; else
                                 * 0 */
  uint8_t  bounce_old[ILK_BOUNCE_BYTES];
  guint    flags;               /* ILK_PATCH_* */
  uint32_t entry_type;          /* with GILK_TACTIC_FENTRY: id of the function in the kernel's BTF */
  guint   *order;               /* blocks of a clone in order, entry first; NULL: original order */
  GilkPatchNext next;           /* how the patch relates to the live plan */
  guint    live;                /* index of the patch in the live plan; not used if the patch is
                                 * new */
} GilkPatchPlan;

static inline void
gilk_patch_plan_clear (GilkPatchPlan *patch)
{
  g_clear_pointer (&patch->hooks, g_free);
  g_clear_pointer (&patch->order, g_free);
  patch->n_hooks = 0;
}

typedef struct _GilkRooms GilkRooms;   /* gilk-splice-private.h */

typedef struct {
  GilkCfg       *cfg;
  GilkLiveness  *liveness;
  GilkWant      *wants;    guint n_wants;
  GilkChoice    *choices;       /* for each hook in @wants: the planner's decision */
  GilkPatchPlan *patches;  guint n_patches;
  guint          n_live;        /* number of patches of the live plan; these come first in
                                 * @patches */
  gboolean       is_watch;      /* the plan is for a watchpoint, not for a function, and @cfg is a
                                 * dummy: see gilk-splice.h */
  gboolean       is_event;      /* the plan is for a tracepoint or timer, and @cfg is a dummy */
  /* private: */
  GilkRooms     *rooms;         /* map of the bytes that are free for the jumps of bounces; NULL
                                 * until a bounce is needed */
  gboolean      *done;          /* for each block: whether its hooks are planned already */
} GilkSplicePlan;

/* Returns whether the plan is for a function, so that @cfg is the function's graph. */
static inline gboolean
gilk_splice_plan_has_graph (const GilkSplicePlan *plan)
{
  return !plan->is_watch && !plan->is_event;
}

/* Ids and addresses that the driver assigned to one hook. */
typedef struct {
  uint32_t iid;
  uint64_t counter, lost, missed;   /* per-CPU offsets of the counters of hits, lost samples, and
                                     * hits that occurred within another hit */
  uint64_t fn;                      /* address of the function of an instrument module */
  uint32_t gate;                    /* iid of the hook whose gate this hook tests, if it is gated;
                                     * 0: its own gate */
  const uint64_t *areas;            /* (unowned) for a hook with a program: address or per-CPU
                                     * offset of each area */
  const uint32_t *gates;            /* (unowned) for a hook with a program: iids of the hooks that
                                     * the program starts, stops or moves */
  const guint    *slots;            /* (unowned) for each hook in @gates: the slot of its
                                     * watchpoint */
} GilkBinding;

typedef struct {
  GByteArray *code;
  GArray     *orc;              /* struct ilk_orc */
  GArray     *faults;           /* struct ilk_fault */
  GArray     *parts;            /* GilkCodePart, in order; set by the caller, or NULL */
  GArray     *programs;         /* GilkCodeProgram, in order, for hooks with programs */
  GArray     *blocks;           /* GilkCodeBlock, in order, only for clones */
  guint       bare;             /* offset in @code of the copy without hooks; 0: there is none */
  guint       added[8];         /* number of instructions that each of the first 8 hooks adds */
} GilkCode;

G_END_DECLS
