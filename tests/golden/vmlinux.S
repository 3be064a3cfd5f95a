/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmlinux.S - the file of a kernel, as small as can be: three functions, of which ftrace can trace two
 *
 * copy_some() has a loop and a call; run_any() ends by a jump to a return thunk; early_setup() has no
 * ftrace site and is in the kprobe blacklist.
 */
	.macro function name
	.globl \name
	.type \name, @function
	.balign 16
\name:
	.endm

	.macro traced
9:	call __fentry__
	.pushsection __mcount_loc, "a"
	.quad 9b
	.popsection
	.endm

	.text
	.globl _stext, _text
_text:
_stext:
	function copy_some
	traced
	test %rsi, %rsi
	je 2f
1:	movb (%rdi), %al
	movb %al, (%rdx)
	inc %rdi
	inc %rdx
	dec %rsi
	jne 1b
2:	call run_any
	ret
	.size copy_some, . - copy_some

	function run_any
	traced
	xor %eax, %eax
	jmp __x86_return_thunk
	.size run_any, . - run_any

	function early_setup
	mov $1, %eax
	ret
	.size early_setup, . - early_setup

	function __fentry__
	ret
	.size __fentry__, . - __fentry__

	function __x86_return_thunk
	ret
	int3
	.size __x86_return_thunk, . - __x86_return_thunk
	.balign 16
	.globl _etext
_etext:

	.section .rodata, "a"
	.globl linux_banner
	.type linux_banner, @object
linux_banner:
	.asciz "Linux version 6.99.0-made (nobody@nowhere) (cc) #1 SMP, to be looked at, never to be booted"
	.size linux_banner, . - linux_banner

	.section _kprobe_blacklist, "a"
	.type _kbl_addr_early_setup, @object
_kbl_addr_early_setup:
	.quad early_setup
	.size _kbl_addr_early_setup, 8
	.section .note.GNU-stack, "", @progbits
