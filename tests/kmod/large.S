/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * large.S - a function longer than the window of ilk-decode.c
 *
 * Kernels with KASAN have such functions, and so do graphics drivers. Each instruction but the last
 * is 10 bytes long. The function has no ENDBR, because it is never called.
 */
#include <linux/linkage.h>

SYM_START(gilk_large, SYM_L_GLOBAL, SYM_A_ALIGN)
	.rept 8000
	movabs	$0x1234567812345678, %rax
	.endr
	RET
SYM_FUNC_END(gilk_large)
