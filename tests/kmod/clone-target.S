/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clone-target.S - functions of known shape for the driver's test of clones
 *
 * ilk-selftest-clone.c contains hand-written clones of these functions: keep both files in step.
 */
#include <linux/linkage.h>
#include <asm/asm.h>

/* outer(x) = inner(x + 1) + x */
SYM_FUNC_START(gilk_clone_outer)
	push	%rbx
	mov	%rdi, %rbx
	lea	1(%rdi), %rdi
	call	gilk_clone_inner
	add	%rbx, %rax
	pop	%rbx
	RET
SYM_FUNC_END(gilk_clone_outer)

/* inner(x) = wait(x) + 3 */
SYM_FUNC_START(gilk_clone_inner)
	push	%rbx
	lea	3, %rbx
	call	gilk_clone_wait
	add	%rbx, %rax
	pop	%rbx
	RET
SYM_FUNC_END(gilk_clone_inner)

/* load(p) = *p, or -14 if it cannot be read */
SYM_FUNC_START(gilk_clone_load)
	lea	0(%rdi), %rdx
1:	mov	(%rdx), %rax
	nop
	nop
2:	RET
3:	mov	$-14, %rax
	jmp	2b
	_ASM_EXTABLE(1b, 3b)
SYM_FUNC_END(gilk_clone_load)
