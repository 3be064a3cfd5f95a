/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-plan.h - what is wanted in one function, and the patches that are to serve it
 *
 * The contract between the planner (core/splice), which decides, and the emitter, which
 * writes what was decided. Data, and how it is freed.
 *
 * Threads: a plan belongs to one at a time, with all in it; its graph may be shared.
 */
#pragma once

#include "core/cfg/gilk-point.h"
#include "core/dataflow/gilk-liveness.h"
#include "core/emit/gilk-ops.h"

G_BEGIN_DECLS

typedef enum {
  GILK_INLINE_COUNT,            /* one per-CPU increment */
  GILK_INLINE_STAMP,            /* TSC sample of no payload */
  GILK_INLINE_SPAN,             /* TSC sample of the call's frame: where its return address is */
  GILK_INLINE_PROGRAM,          /* what the want's operations say */
  GILK_INSTRUMENT_MODULE,       /* a call */
} GilkInstrumentKind;

/* What is wanted at one point. */
typedef struct {
  guint              block;     /* index in the cfg */
  GilkWhere          where;
  GilkInstrumentKind kind;
  gboolean           needs_regs;    /* module instrument with ILK_INSTRUMENT_REGS */
  gboolean           gated;         /* start/stop differ from others of the same patch */
  guint              force;         /* enum ilk_tactic, 0 = planner's choice */
  gboolean           inner;         /* with CLONE: one that only other clones call */
  const GilkOps     *ops;           /* (unowned) with PROGRAM; outlives the plan */
  guint              at;            /* of a program: index of the instruction it is before + 1; 0: @where says */
  gboolean           returns;       /* of a program: there the function begins whose returns are meant */
} GilkWant;

/* What the planner decided for one want. */
typedef struct {
  guint    patch;               /* index into patches; G_MAXUINT if refused */
  guint    refusal;             /* GilkRefusal, 0 = planned */
  guint    tactic;              /* enum ilk_tactic */
  guint    cost;                /* added instructions per hit, this hook's share */
  guint    why_not_splice;      /* refusal that led to a trap or a clone; 0: none did */
} GilkChoice;

/* What a patch of a plan is to a live plan that it follows. */
typedef enum {
  GILK_PATCH_NEW,               /* nothing */
  GILK_PATCH_STAYS,             /* live as it is; not to be emitted anew */
  GILK_PATCH_FOLLOWS,           /* takes the place of the live one: same footprint, other hooks */
  GILK_PATCH_ENDS,              /* live, has no hooks any more; its bytes are not free yet */
} GilkPatchNext;

typedef struct {
  uint64_t site;
  guint    len;                 /* footprint bytes */
  guint    tactic;
  guint    code_bound;          /* bytes to reserve */
  guint    first_insn, n_insns; /* instructions relocated */
  gboolean behind_call;         /* it ends with a call that returns to it, for a hook behind that */
  gboolean houses;              /* bounces of other patches lie in the footprint */
  guint    n_hooks;             /* 0: it is there to make room for bounces */
  guint   *hooks;               /* indices of the wants, in order of execution */
  guint    cost;                /* added instructions per pass, all hooks */
  uint8_t  old[ILK_FOOTPRINT_MAX];
  uint64_t bounce;              /* where its bounce goes; 0: none. May lie in the footprint */
                                /* of an earlier splice of the plan, behind its jump */
  uint8_t  bounce_old[ILK_BOUNCE_BYTES];
  guint    flags;               /* ILK_PATCH_* */
  guint   *order;               /* of a clone: all blocks that control gets to, the entry first; NULL: as in the original */
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
  gboolean       is_watch;      /* of a watch's program: @cfg is no function's, gilk-watch-plan.h */
  /* private: */
  GilkRooms     *rooms;         /* NULL until a bounce is looked for */
  gboolean      *done;          /* blocks that are planned */
} GilkSplicePlan;

/* What the driver gave for one want. */
typedef struct {
  uint32_t iid;
  uint64_t counter, lost, dropped;   /* per-CPU offsets */
  uint64_t fn;                       /* module instrument's function */
  uint32_t gate;                     /* of whose gate a gated one looks at; 0: its own */
  const uint64_t *areas;             /* (unowned) of a program: where each is */
  const uint32_t *gates;             /* (unowned) of a program: iids of the hooks that it starts or stops */
} GilkBinding;

typedef struct {
  GByteArray *code;
  GArray     *orc;              /* struct ilk_orc */
  GArray     *faults;           /* struct ilk_fault */
  GArray     *parts;            /* GilkCodePart, in order, of a patch that is no clone; NULL unless the caller set it */
  GArray     *programs;         /* GilkCodeProgram, in order; of those of whose hooks it has the code */
  GArray     *blocks;           /* GilkCodeBlock, in order, of a clone */
  guint       bare;             /* offset of the code without hooks; 0: none is needed */
  guint       added[8];         /* instructions added, per hook (first 8), as emitted */
} GilkCode;

G_END_DECLS
