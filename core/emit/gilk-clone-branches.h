/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-branches.h - branches between blocks of a clone, short where they reach
 *
 * Blocks are written before the addresses of later blocks are known, so targets are filled in at
 * the end. Distances depend on the lengths of the branches in between: the code is first written
 * with long branches only, and then again with short ones where they reach, until nothing changes.
 * A branch becomes short at most once and long again at most once, so this terminates.
 *
 * Threads: only the plan's.
 */
#pragma once

#include "core/emit/gilk-asm.h"

G_BEGIN_DECLS

typedef struct {
  GArray *written;        /* branches in the order of writing, the same in each pass */
  GArray *forms;          /* their forms in the previous pass, in the same order; empty: all long */
} GilkCloneBranches;

void     gilk_clone_branches_init  (GilkCloneBranches *branches);
void     gilk_clone_branches_clear (GilkCloneBranches *branches);

/* Write a branch to the copy of @block, with condition @cc or unconditional. */
void     gilk_clone_branches_jcc   (GilkCloneBranches *branches, GilkAsm *as, guint cc, guint block);
void     gilk_clone_branches_jmp   (GilkCloneBranches *branches, GilkAsm *as, guint block);
/* Writes an unconditional branch, always in the long form. */
void     gilk_clone_branches_jmp_long (GilkCloneBranches *branches, GilkAsm *as, guint block);

/*
 * @starts: offset of each block's copy. Returns TRUE if the form of a branch changes: then all code
 *   must be written again.
 */
gboolean gilk_clone_branches_shorten (GilkCloneBranches *branches, const gsize *starts);
/* Fills in the targets of all branches. */
void     gilk_clone_branches_fill  (const GilkCloneBranches *branches, GilkAsm *as, const gsize *starts);

G_END_DECLS
