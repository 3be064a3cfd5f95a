/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-plan.h - hooks wanted in one function, and the patches planned for them
 *
 * The contract between the planner (core/splice), which decides, and the emitter, which writes the
 * code. It has only data, and functions that free it.
 *
 * Threads: a plan belongs to one at a time, with everything in it; its graph may be shared.
 */
#pragma once

#include "core/cfg/gilk-point.h"
#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

typedef enum {
  GILK_INLINE_COUNT,            /* one per-CPU increment */
  GILK_INLINE_STAMP,            /* TSC sample without payload */
  GILK_INLINE_SPAN,             /* TSC sample of the call's frame: where its return address is */
  GILK_INLINE_PROGRAM,          /* the want's operations */
  GILK_INSTRUMENT_MODULE,       /* a call */
} GilkInstrumentKind;

/* A hook wanted at one point. */
typedef struct {
  guint              block;     /* index in the graph */
  GilkWhere          where;
  GilkInstrumentKind kind;
  gboolean           needs_regs;    /* module instrument with ILK_INSTRUMENT_REGS */
  gboolean           gated;         /* start/stop differ from others of the same patch */
  guint              force;         /* enum ilk_tactic; 0: the planner chooses */
  gboolean           inner;         /* with CLONE: only other clones call it */
  const GilkOps     *ops;           /* (unowned) with PROGRAM; outlives the plan */
  guint              at;            /* in a program: 1 + index of the instruction after it; 0: see @where */
  gboolean           returns;       /* in a program: hooks the returns of the function that starts here */
} GilkWant;

/* The planner's decision on one want. */
typedef struct {
  guint    patch;               /* index into patches; G_MAXUINT if refused */
  guint    refusal;             /* GilkRefusal; 0: planned */
  guint    tactic;              /* enum ilk_tactic */
  guint    cost;                /* instructions added per hit: this hook's share */
  guint    why_not_splice;      /* refusal that led to a trap or a clone; 0: none */
} GilkChoice;

/* The relation of a patch to the live plan that its plan follows. */
typedef enum {
  GILK_PATCH_NEW,               /* not in the live plan */
  GILK_PATCH_STAYS,             /* live and unchanged; must not be emitted again */
  GILK_PATCH_FOLLOWS,           /* replaces the live one: same footprint, other hooks */
  GILK_PATCH_ENDS,              /* live, without hooks now; its bytes are not free yet */
} GilkPatchNext;

typedef struct {
  uint64_t site;
  guint    len;                 /* footprint bytes */
  guint    tactic;
  guint    code_bound;          /* bytes to reserve */
  guint    first_insn, n_insns; /* instructions relocated */
  gboolean after_call;          /* it ends with a call that returns into it; a hook follows the call */
  gboolean has_bounces;         /* bounces of other patches are in the footprint */
  guint    n_hooks;             /* 0: it only makes room for bounces */
  guint   *hooks;               /* indices of the wants, in order of execution */
  guint    cost;                /* instructions added per pass, for all hooks */
  uint8_t  old[ILK_FOOTPRINT_MAX];
  uint64_t bounce;              /* address of its bounce; 0: none. It may be in the footprint */
                                /* of an earlier splice of the plan, after its jump */
  uint8_t  bounce_old[ILK_BOUNCE_BYTES];
  guint    flags;               /* ILK_PATCH_* */
  guint   *order;               /* of a clone: all reachable blocks, entry first; NULL: original order */
  GilkPatchNext next;           /* in a plan that follows a live one */
  guint    live;                /* its index there, unless new */
} GilkPatchPlan;

static inline void
gilk_patch_plan_clear (GilkPatchPlan *patch)
{
  g_clear_pointer (&patch->hooks, g_free);
  g_clear_pointer (&patch->order, g_free);
  patch->n_hooks = 0;
}

typedef struct _GilkRooms GilkRooms;   /* gilk-room.h */

typedef struct {
  GilkCfg       *cfg;
  GilkLiveness  *liveness;
  GilkWant      *wants;    guint n_wants;
  GilkChoice    *choices;       /* one per want */
  GilkPatchPlan *patches;  guint n_patches;
  guint          n_live;        /* patches of the live plan that it follows; they come first */
  gboolean       is_watch;      /* for a watchpoint: @cfg is not a function's, gilk-splice.h */
  /* private: */
  GilkRooms     *rooms;         /* NULL until a bounce is needed */
  gboolean      *done;          /* by block: whether it is planned */
} GilkSplicePlan;

/* Ids and addresses that the driver gave for one want. */
typedef struct {
  uint32_t iid;
  uint64_t counter, lost, missed;   /* per-CPU offsets; missed: hits within a hit */
  uint64_t fn;                      /* the function of a module instrument */
  uint32_t gate;                    /* iid whose gate a gated hook tests; 0: its own */
  const uint64_t *areas;            /* (unowned) of a program: where each area is */
  const uint32_t *gates;            /* (unowned) of a program: iids of the hooks that it starts or stops */
} GilkBinding;

typedef struct {
  GByteArray *code;
  GArray     *orc;              /* struct ilk_orc */
  GArray     *faults;           /* struct ilk_fault */
  GArray     *parts;            /* GilkCodePart, in order, not of a clone; NULL unless the caller set it */
  GArray     *programs;         /* GilkCodeProgram, in order; for those hooks whose code it has */
  GArray     *blocks;           /* GilkCodeBlock, in order, of a clone */
  guint       bare;             /* offset of the code without hooks; 0: not needed */
  guint       added[8];         /* instructions added, for each of the first 8 hooks, as emitted */
} GilkCode;

G_END_DECLS
