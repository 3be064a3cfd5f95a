/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-branches.h - branches from block to block of a clone, short where they reach
 *
 * Blocks are written before it is known where others will be, so a branch is led to its block in the end. How
 * far it is to there depends on how long the branches between are: code is written with all of them long, then
 * again with those short that may be, until none changes any more. A branch becomes short at most once and long
 * again at most once, so that this ends.
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"

G_BEGIN_DECLS

typedef struct {
  GArray *written;        /* in the order of writing, which is the same each time */
  GArray *forms;          /* likewise, of the time before; empty: all are long */
} GilkCloneBranches;

void     gilk_clone_branches_init  (GilkCloneBranches *branches);
void     gilk_clone_branches_clear (GilkCloneBranches *branches);

/* To the copy of @block, on condition @cc or without one. */
void     gilk_clone_branches_jcc   (GilkCloneBranches *branches, GilkAsm *as, guint cc, guint block);
void     gilk_clone_branches_jmp   (GilkCloneBranches *branches, GilkAsm *as, guint block);
/* The same, in its long form whatever the distance. */
void     gilk_clone_branches_jmp_long (GilkCloneBranches *branches, GilkAsm *as, guint block);

/* @starts: per block: offset of its copy. TRUE if others could be short: then all is to be written again. */
gboolean gilk_clone_branches_shorten (GilkCloneBranches *branches, const gsize *starts);
/* Leads them to their blocks. */
void     gilk_clone_branches_fill  (const GilkCloneBranches *branches, GilkAsm *as, const gsize *starts);

G_END_DECLS
