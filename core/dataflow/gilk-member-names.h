/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-member-names.h - which members of which structs a function's instructions load and store
 *
 * Forward data flow over one graph: an argument that is a pointer to a struct lies in its register at the
 * entry, and so does what is loaded from a CPU's variable of such a type (current_task); copies of it, addresses
 * within what it points to, and pointers loaded from there are followed until a register is changed in another
 * way, or by a call. Where ways meet that do not agree, nothing is known. What lies on the stack is not
 * followed, so silence says nothing.
 *
 * Threads: any; the decoder is the caller's. Immutable once made.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/target/gilk-btf.h"

G_BEGIN_DECLS

typedef struct _GilkMemberNames GilkMemberNames;

/* @cfg has its bytes; @prototype is of its function (nullable: not known). */
GilkMemberNames *gilk_member_names_new  (const GilkCfg *cfg, GilkDecoder *decoder, const GilkBtf *btf,
                                         const GilkPrototype *prototype);
void             gilk_member_names_free (GilkMemberNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMemberNames, gilk_member_names_free)

/* "iov_iter.count", the memory operand of instruction @index of the graph; NULL: not known. */
const char      *gilk_member_names_at   (const GilkMemberNames *names, guint index);

G_END_DECLS
