/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stand.S - functions that keep a thread running, or asleep, in the middle of a footprint
 *
 * ilk-selftest-grace.c has a hand-written copy of each footprint: keep both in step.
 */
#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/smap.h>

/* stand(p) returns 7 once *p is 0. The footprint is the 6 bytes in front of the return. */
SYM_FUNC_START(gilk_stand)
	mov	$7, %eax
	nop
1:	cmpb	$0, (%rdi)
	jne	1b
	RET
SYM_FUNC_END(gilk_stand)

/* fault(p) reads a byte of user memory. The footprint is 6 bytes, starting at the first nop. */
SYM_FUNC_START(gilk_fault)
	xor	%eax, %eax
	ASM_STAC
	nop
1:	movb	(%rdi), %al
	nop
	nop
	nop
2:	ASM_CLAC
	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(gilk_fault)
