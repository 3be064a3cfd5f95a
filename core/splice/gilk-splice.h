/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.h - planning and emitting the patches of one function
 *
 * Plan, reserve, emit, prepare, arm: planning is pure and tells tactic, cost or
 * refusal of each wanted hook; once the driver has given slot addresses,
 * emission turns each planned patch into bytes. The planner works on the whole
 * set wanted in a function at once. A clone serves the whole set, see gilk-clone.h.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/splice/gilk-liveness.h"

G_BEGIN_DECLS

typedef enum { GILK_WHERE_PRE, GILK_WHERE_POST } GilkWhere;

typedef enum {
  GILK_INLINE_COUNT,            /* one per-CPU increment */
  GILK_INLINE_STAMP,            /* TSC sample of no payload */
  GILK_INLINE_SPAN,             /* TSC sample of the call's frame: where its return address is */
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
  gboolean houses;              /* bounces of other patches lie in the footprint */
  guint    n_hooks;             /* 0: it is there to make room for bounces */
  guint   *hooks;               /* indices of the wants, in order of execution */
  guint    cost;                /* added instructions per pass, all hooks */
  uint8_t  old[ILK_FOOTPRINT_MAX];
  uint64_t bounce;              /* where its bounce goes; 0: none. May lie in the footprint */
                                /* of an earlier splice of the plan, behind its jump */
  uint8_t  bounce_old[ILK_BOUNCE_BYTES];
  guint    flags;               /* ILK_PATCH_* */
  GilkPatchNext next;           /* in a plan that follows a live one */
  guint    live;                /* its index there, unless new */
} GilkPatchPlan;

typedef struct _GilkRooms GilkRooms;   /* gilk-room.h */

typedef struct {
  GilkCfg       *cfg;
  GilkLiveness  *liveness;
  GilkWant      *wants;    guint n_wants;
  GilkChoice    *choices;       /* one per want */
  GilkPatchPlan *patches;  guint n_patches;
  guint          n_live;        /* patches of the live plan that it follows; they come first */
  /* private: */
  GilkRooms     *rooms;         /* NULL until a bounce is looked for */
  gboolean      *done;          /* blocks that are planned */
} GilkSplicePlan;

/* Clones where they are asked for; see gilk_splice_plan_new_any(). */
GilkSplicePlan *gilk_splice_plan_new  (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants);
/* Clones also where they are better. */
GilkSplicePlan *gilk_splice_plan_new_any (GilkCfg *cfg, GilkDecoder *decoder,
                                          const GilkWant *wants, guint n_wants);
/**
 * gilk_splice_plan_next:
 * @live: plan of the same function, of which all patches are armed or scheduled
 * @was: per want: which one it is in @live; G_MAXUINT if it is new
 * Live footprints stay where they are: hooks that stay keep theirs, new hooks share
 * one where their point lies inside, and find places in the bytes that are left.
 */
GilkSplicePlan *gilk_splice_plan_next (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants,
                                       const GilkSplicePlan *live, const guint *was);
/* Refuses all wants that are not refused yet; no patch is left. */
void            gilk_splice_plan_refuse (GilkSplicePlan *plan, guint refusal);
void            gilk_splice_plan_free (GilkSplicePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSplicePlan, gilk_splice_plan_free)

/* What would happen at one point alone, without keeping a plan (for cfg views). */
void gilk_splice_preview (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                          guint block, GilkWhere where, GilkInstrumentKind kind,
                          GilkChoice *choice, GilkPatchPlan *patch /* nullable; hooks unset */);

/* What the driver gave for one want. */
typedef struct {
  uint32_t iid;
  uint64_t counter, lost, dropped;   /* per-CPU offsets */
  uint64_t fn;                       /* module instrument's function */
} GilkBinding;

typedef struct {
  GByteArray *code;
  GArray     *orc;              /* struct ilk_orc */
  GArray     *faults;           /* struct ilk_fault */
  guint       bare;             /* offset of the code without hooks; 0: none is needed */
  guint       added[8];         /* instructions added, per hook (first 8), as emitted */
} GilkCode;

void gilk_code_clear (GilkCode *code);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkCode, gilk_code_clear)

/**
 * gilk_splice_emit:
 * @slot: address the code will run at
 * @bindings: one per want of the plan
 * Fills @code (zeroed by the caller). Fails only if something is out of rel32 reach
 * or larger than the bound: both are bugs of ours and said so.
 */
gboolean gilk_splice_emit (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                           const struct ilk_info *info, const GilkBinding *bindings,
                           GilkCode *code, GError **error);
/* @links: (nullable): entry address of a function to address of the clone that clones call
 * instead, both as pointers */
gboolean gilk_splice_emit_linked (const GilkSplicePlan *plan, guint patch, uint64_t slot,
                                  const struct ilk_info *info, const GilkBinding *bindings,
                                  GHashTable *links, GilkCode *code, GError **error);

G_END_DECLS
