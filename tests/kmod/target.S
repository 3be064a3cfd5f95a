/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.S - functions of known shape for the cost benchmark
 *
 * Two functions have one block that starts with two 4-byte instructions, so that a jump fits.
 * Neither instruction is a call, a branch or a memory access, so only the hook adds cost. In
 * the third function, the block is too short for a jump.
 */
#include <linux/linkage.h>

/* No flags are live anywhere in this function. */
SYM_FUNC_START(gilk_bench_dead)
	jmp	1f
1:	lea	1(%rdi), %rax
	lea	2(%rax), %rax
	RET
SYM_FUNC_END(gilk_bench_dead)

	.pushsection .rodata
SYM_DATA(gilk_bench_dead_offset, .long 1b - gilk_bench_dead)
	.popsection

/* The zero flag is live at the probe point; a bounce fits after the return. */
SYM_FUNC_START(gilk_bench_live)
	test	%rdi, %rdi
	jmp	1f
1:	lea	1(%rdi), %rax
	lea	2(%rax), %rax
	jz	2f
	lea	3(%rax), %rax
2:	RET
	.skip 8, 0x90
SYM_FUNC_END(gilk_bench_live)

	.pushsection .rodata
SYM_DATA(gilk_bench_live_offset, .long 1b - gilk_bench_live)
	.popsection

/* The block has four bytes, and is too far from both ends of the function for a bounce through the
 * padding there. The neighbouring blocks are large enough for a jump and never run. So the measured
 * cost of the bounce does not include the splice that makes space for the jump of the bounce. */
SYM_FUNC_START(gilk_bench_short)
	xor	%eax, %eax
	jmp	1f
0:	.rept 13
	movabs	$0x1234567812345678, %rax
	.endr
2:	movabs	$0x1234567812345678, %rax
	RET
1:	cmp	%eax, %edi
	jb	2b
	lea	3(%rax), %rax
	jb	0b
	jb	3f
	RET
3:	.rept 14
	movabs	$0x1234567812345678, %rax
	.endr
	RET
SYM_FUNC_END(gilk_bench_short)

	.pushsection .rodata
SYM_DATA(gilk_bench_short_offset, .long 1b - gilk_bench_short)
	.popsection
