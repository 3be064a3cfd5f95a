/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-change.h - functions that the code of hooks calls in place of the kernel's
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_CHANGE_H
#define ILK_ABI_CHANGE_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

#define ILK_PINS_MAX		256	/* of one file, and its pools that are not freed */
#define ILK_MODULE_NAME		56	/* bytes, with a NUL behind the name */

/**
 * struct ilk_pin - a module that stays, for emitted code calls a function of it
 * @address: of the function
 * @module: whose it is meant to be, NUL-padded
 * @refusal: enum ilk_refusal
 *
 * It is pinned for as long as areas of memory are that are given at this time (ilk-abi-memory.h): to be asked for
 * before the PREPARE of the code that calls it, and given up behind the last patch of the file, when no
 * task can return into its code. Code of the kernel itself needs none.
 */
struct ilk_pin {
	__u64 address;		/* in */
	char module[ILK_MODULE_NAME];	/* in */
	__u32 refusal;		/* out */
	__u32 pad;
};

ILK_ASSERT_SIZE(struct ilk_pin, 72);
ILK_ASSERT_OFFSET(struct ilk_pin, refusal, 64);

#endif /* ILK_ABI_CHANGE_H */
