/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-user.h - hooks in programs and libraries
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_USER_H
#define ILK_ABI_USER_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * A patch that is RESERVED is bound to an instruction in a file by USER, then prepared with ILK_PATCH_CALLED and
 * ILK_TACTIC_USER, and no footprint: its code is a function that is given the address of a struct pt_regs, the
 * process's registers, and leaves alone what a called function has to. The kernel's own uprobes lead there: they are
 * registered by ARM, before run time zero, in all processes that map the file or will; and taken out after DISARM, when
 * the patch's time is over, and after close(): these wait for no process, and the patch is pending until its uprobe is
 * out. A hit before the patch is ARMED, or after, is none.
 *
 * The code runs in the context of the process, which may be preempted there. Where it follows an address of the
 * process in a guarded stretch, and has an entry in the exception table for that, it gets what is in memory.
 */
#define ILK_USER_POINTS_MAX	4096u		/* of one call */
#define ILK_USER_INSN_MAX	15u		/* bytes of an instruction */

/*
 * The point is where the function that begins there goes back to its caller, by the kernel's uretprobes. @sp of the
 * registers is what it was at the function's begin.
 */
#define ILK_USER_RETURNS	(1U << 0)

/**
 * struct ilk_user_point - an instruction of a file
 * @patch: id of a patch of this file that is RESERVED
 * @fd: of the caller, open to be read; it may be closed once the call is over
 * @offset: in the file
 * @len: of the instruction, and of @old
 * @old: what is expected there; then 0
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

/* All points are bound, or none. */
struct ilk_user {
	__u32 count;		/* 1..ILK_USER_POINTS_MAX */
	__u32 failed;		/* out: number of points with an error */
	__u64 points;		/* struct ilk_user_point[count] */
};

ILK_ASSERT_SIZE(struct ilk_user_point, 48);
ILK_ASSERT_OFFSET(struct ilk_user_point, old, 32);
ILK_ASSERT_SIZE(struct ilk_user, 16);

#endif /* ILK_ABI_USER_H */
