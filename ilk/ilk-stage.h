/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-stage.h - copies arrays from user memory, with limits, before any lock is taken
 */
#ifndef ILK_STAGE_H
#define ILK_STAGE_H

#include <linux/types.h>

#include "ilk-abi.h"

/* Arguments of PREPARE, copied from user memory; see ilk-stage.c */
struct ilk_staged {
	struct ilk_prepare_patch *patches;
	struct ilk_prepare_hook *hooks;
	u8 *blobs;			/* exception entries, ORC entries and code of all patches */
	u32 *at;			/* offset in @blobs of each patch's data; then the end of
					 * the last patch's data */
	u32 patch_count, hook_count;
	u32 failed;
};

int ilk_copy_in(void *to, u64 from, size_t bytes);
int ilk_copy_out(u64 to, const void *from, size_t bytes);
void *ilk_copy_array(u64 from, u32 count, size_t size);
int ilk_stage(struct ilk_staged *staged, const struct ilk_prepare *call);
void ilk_unstage(struct ilk_staged *staged);
const struct ilk_fault *ilk_staged_faults(const struct ilk_staged *staged, u32 i);
const struct ilk_orc *ilk_staged_orc(const struct ilk_staged *staged, u32 i);
const u8 *ilk_staged_code(const struct ilk_staged *staged, u32 i);

#endif /* ILK_STAGE_H */
