/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-crash.h - permission to crash the kernel
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_CRASH_H
#define ILK_ABI_CRASH_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

#define ILK_CRASH_TRY		(1U << 0)	/* only checks whether a crash is allowed */
#define ILK_CRASH_NO_DUMP	(1U << 1)	/* allows a crash without a crash kernel */

/**
 * struct ilk_crash - allows the code of a hook to crash the kernel
 * @iid: id of a hook that was reserved through this open file; 0 with ILK_CRASH_TRY
 * @flags: ILK_CRASH_*
 * @refusal: enum ilk_refusal
 */
struct ilk_crash {
	__u32 iid;		/* in */
	__u32 flags;		/* in */
	__u32 refusal;		/* out */
	__u32 pad;
};

ILK_ASSERT_SIZE(struct ilk_crash, 16);

#endif /* ILK_ABI_CRASH_H */
