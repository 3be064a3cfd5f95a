/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-liveness.h - finds registers and flags whose values are still needed
 *
 * Backward data flow over one graph. The kernel's System V convention is assumed at calls and
 * exits; where it is uncertain (indirect exits, assembly), everything is live.
 *
 * Threads: any; the decoder belongs to the caller. Immutable once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

typedef struct {
  uint16_t regs;     /* GILK_REG_BIT mask of live registers */
  uint16_t flags;    /* GILK_FLAG_* mask */
} GilkLive;

typedef struct {
  GilkLive *before;  /* registers and flags live before each instruction */
  GilkLive *after;   /* registers and flags live at each block's end, before its
                       * terminating branch */
  gboolean *uaccess; /* for each instruction: whether it may run between stac and clac */
  guint     n_insns, n_blocks;
} GilkLiveness;

GilkLiveness *gilk_liveness_new  (const GilkCfg *cfg, GilkDecoder *decoder);
void          gilk_liveness_free (GilkLiveness *liveness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLiveness, gilk_liveness_free)

/*
 * The struct members that a function's instructions load and store
 *
 * Forward data flow over one graph. Tracking starts with arguments that point to structs, which are
 * in registers at the entry, and with per-CPU variables that point to structs (current_task), when
 * they are loaded. Copies of such pointers, addresses within the structs, and pointers loaded from
 * the structs are tracked until a call, or any other instruction, changes their register. Where
 * paths with different results join, the result is unknown. The stack is not tracked, so an operand
 * without a name may be a struct member, too.
 *
 * Threads: any; the decoder belongs to the caller. Immutable once made.
 */

typedef struct _GilkMemberNames GilkMemberNames;

/*
 * Finds the struct members that the instructions of @cfg load and store. @cfg must not be a
 * recorded graph, which lacks instructions; @prototype: (nullable): prototype of the graph's
 * function; NULL if unknown.
 */
GilkMemberNames *gilk_member_names_new  (const GilkCfg *cfg, GilkDecoder *decoder, const GilkBtf *btf,
                                         const GilkPrototype *prototype);
void             gilk_member_names_free (GilkMemberNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMemberNames, gilk_member_names_free)

/*
 * Returns the struct member that is the memory operand of instruction @index, such as
 * "iov_iter.count"; NULL if unknown.
 */
const char      *gilk_member_names_at   (const GilkMemberNames *names, guint index);

G_END_DECLS
