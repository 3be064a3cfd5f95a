/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-user.h - hooks in programs and libraries
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_USER_H
#define ILK_ABI_USER_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * USER binds a RESERVED patch to an instruction in a file; the patch is then
 * prepared with ILK_PATCH_CALLED and ILK_TACTIC_USER, and no footprint. Its
 * code is a function that gets the address of a struct pt_regs, the process's
 * registers, and preserves the callee-saved registers. It is called by uprobes
 * of the kernel, which ARM registers before run time zero, in all processes
 * that map the file now or later. DISARM, close() and the patch's stop time start the removal
 * of the uprobes. They do not wait for it, and the patch is pending until its uprobe is
 * removed. Hits before the patch is
 * ARMED, or after it was restored, do not count.
 *
 * The code runs in the context of the process, and may be preempted there.
 * If it dereferences an address of the process in a critical section, with an exception-table
 * entry for the access, it can read only pages that are in memory.
 */
#define ILK_USER_POINTS_MAX	4096u		/* maximum number of points per call */
#define ILK_USER_INSN_MAX	15u		/* maximum size of an instruction */

/*
 * The probe point is the return of the function that starts at @offset; the driver uses a uretprobe
 * of the kernel. @sp of the registers has the value that it had at the function's entry.
 */
#define ILK_USER_RETURNS	(1U << 0)

/**
 * struct ilk_user_point - an instruction of a file
 * @patch: id of a RESERVED patch of this file
 * @fd: caller's descriptor of the file, open for reading; may be closed once the
 *     call returns
 * @offset: offset of the instruction in the file
 * @len: size of the instruction, and of @old
 * @old: bytes that are expected at @offset, zero-padded
 */
struct ilk_user_point {
	__u32 patch;
	__s32 fd;
	__u64 offset;
	__u32 len;
	__u32 flags;		/* ILK_USER_* */
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal */
	__u8 old[16];
};

/* USER binds all points or none. */
struct ilk_user {
	__u32 count;		/* 1..ILK_USER_POINTS_MAX */
	__u32 failed;		/* out: number of points with an error */
	__u64 points;		/* struct ilk_user_point[count] */
};

ILK_ASSERT_SIZE(struct ilk_user_point, 48);
ILK_ASSERT_OFFSET(struct ilk_user_point, old, 32);
ILK_ASSERT_SIZE(struct ilk_user, 16);

#endif /* ILK_ABI_USER_H */
