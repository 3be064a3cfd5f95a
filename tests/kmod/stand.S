/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stand.S - a thread can be kept standing in the middle of a footprint
 *
 * The test writes the copy by hand (ilk-selftest-grace.c): keep both in step.
 */
#include <linux/linkage.h>

/* stand(p) = 7 once *p is 0. The footprint: 6 bytes up to the return. */
SYM_FUNC_START(gilk_stand)
	mov	$7, %eax
	nop
1:	cmpb	$0, (%rdi)
	jne	1b
	RET
SYM_FUNC_END(gilk_stand)
