/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-armed.h - puts the hooks of a bound plan into the kernel, and removes them
 *
 *   reserve:  get memory for code (slots) and hook ids (iids) from the driver, so that code can be
 *             emitted for the address where it will run; also get memory for programs, and event
 *             counters.
 *   emit:     write the code of each patch, and verify the code of programs.
 *   prepare:  send all patches to the driver, which checks them; kernel text is unchanged.
 *   arm:      arm all hooks and watchpoints, or none.
 *   disarm:   restore kernel text.
 *
 * A plan may follow a live one: then only changes are reserved and prepared, and ARM replaces live
 * patches by new ones. If the driver refuses a hook, the error names the hook's probe point.
 *
 * Threads: one at a time; blocks on the target. Callers must only read fields, except for the rows
 * of programs.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/emit/gilk-emit.h"

G_BEGIN_DECLS

typedef struct {
  struct ilk_area given;
  gboolean        is_stacks;      /* the memory area has stack traces; gilk-run-names.c reads
                                   * them */
  gboolean        is_repeated;    /* an earlier hook has the same memory area; the contents of the
                                   * area are stored with that hook */
} GilkArmedArea;

/* Kernel memory of a hook's program, and its row in the session. */
typedef struct {
  GilkArmedArea   *areas;         /* memory areas, numbered as in the program's operations */
  guint            n_areas;
  uint64_t        *addresses;     /* address of each area */
  uint32_t        *gates;         /* ids of the hooks that the program starts, stops or moves */
  guint           *slots;         /* for each hook in @gates: the slot of its watchpoint */
  gint64           row;           /* id of the hook in the session; 0: not stored yet */
} GilkArmedProgram;

typedef struct _GilkArmed GilkArmed;

struct _GilkArmed {
  GilkTarget           *target;   /* (unowned) */
  const GilkBoundPlan  *bound;    /* (unowned) */
  const GilkArmed      *live;     /* (unowned) (nullable): state of the live plan that this plan
                                   * follows; NULL once this plan is armed */
  struct ilk_info       info;
  guint                 n_hooks, n_patches;
  guint                *first_patch; /* for each splice plan (the patches of one function): index of
                                      * its first patch among the patches of all splice plans */
  uint32_t             *iids;     /* id (iid) of each hook, in plan order */
  uint32_t             *patch_of; /* id of each hook's patch */
  struct ilk_reserve_patch *reserved_patches;
  struct ilk_reserve_hook  *reserved_hooks;
  GilkArmedProgram     *programs; /* one per hook; empty for a hook without a program */
  uint16_t             *refusals; /* for each hook: why the driver refused it; 0: not refused */
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray           *blob;
  uint32_t              switch_iid;  /* iid of the hook whose gate byte turns the hooks of an A/B
                                      * run on and off; 0: no A/B run */
  guint                 n_items, n_hook_items;   /* number of patches to prepare, and number of
                                                  * hooks to prepare */
  gboolean              reserved;
};

/* Initialises the state for arming @bound. @live: (nullable): the armed state of the plan that
 * @bound follows */
void     gilk_armed_init    (GilkArmed *armed, GilkTarget *target, const GilkBoundPlan *bound,
                             const GilkArmed *live);
void     gilk_armed_clear   (GilkArmed *armed);
/* Reserves, emits and prepares; kernel text stays unchanged. @image: the image that the hooks were
 * planned on */
gboolean gilk_armed_prepare (GilkArmed *armed, GilkImage *image, GCancellable *cancellable, GError **error);
gboolean gilk_armed_arm     (GilkArmed *armed, struct ilk_arm *arm, GCancellable *cancellable,
                             GError **error);
/* Disarms all hooks. Returns TRUE if kernel text is restored. Cannot be cancelled. May be repeated
 * after GILK_ERROR_STILL_OWNED. */
gboolean gilk_armed_disarm  (GilkArmed *armed, GError **error);
/* Waits at most 1.5 s until no thread can be in disarmed code. */
void     gilk_armed_wait_retired  (GilkArmed *armed);
/* Disarms, and frees ids and slots. Returns FALSE if kernel text may still be changed. */
gboolean gilk_armed_release  (GilkArmed *armed);
/* The next two functions are for a plan that replaces a live one. gilk_armed_rollback() undoes
 * gilk_armed_prepare(), and with @forget also releases the ids; gilk_armed_disarm_removed() disarms
 * patches whose hooks were all removed. */
void     gilk_armed_rollback       (GilkArmed *armed, gboolean forget);
gboolean gilk_armed_disarm_removed (GilkArmed *armed, GError **error);

/* Appends @data to @blob at a multiple of 8. Returns the offset of the data. */
uint64_t gilk_armed_append_blob (GByteArray *blob, const void *data, gsize bytes);

/* ---- programs: gilk-armed-program.c ---- */

/* Allocates the memory of programs that are new in this plan. Must be called after hooks got their
 * ids (iids). */
gboolean gilk_armed_reserve_memory (GilkArmed *armed, GCancellable *cancellable, GError **error);
void     gilk_armed_program_clear  (GilkArmedProgram *program);
void     gilk_armed_program_copy   (GilkArmedProgram *to, const GilkArmedProgram *from);  /* areas, row */
/* Verifies the emitted code of all programs in a patch of @plan. If it returns FALSE, the patch
 * must not be prepared. */
gboolean gilk_programs_verify      (const GilkSplicePlan *plan, const GilkCode *code, uint64_t slot,
                                    const struct ilk_info *info, const GilkBinding *bindings, GError **error);

/* ---- what a hook records: samples, counts or nothing ---- */

gboolean gilk_hook_takes_samples   (const GilkBoundPlan *bound, guint hook);
/* Returns TRUE if the hook neither counts nor takes samples, so that its hits are not recorded. */
gboolean gilk_hook_leaves_no_trace (const GilkBoundPlan *bound, guint hook);
/* Returns TRUE if the hook's program counts hits itself. */
gboolean gilk_hook_counts_itself   (const GilkBoundPlan *bound, guint hook);

G_END_DECLS
