/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-change.h - functions called by emitted code in place of kernel functions
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_CHANGE_H
#define ILK_ABI_CHANGE_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

#define ILK_PINS_MAX		256	/* maximum number of pins per file, including pins of
					 * pools that are not freed yet */
#define ILK_MODULE_NAME		56	/* size of the name of a module, which is NUL-padded */

/**
 * struct ilk_pin - keeps a module loaded while emitted code may call it
 * @address: the function's address
 * @module: name of the module that is expected to contain the function, NUL-padded
 * @refusal: enum ilk_refusal
 *
 * The pin lives as long as a memory area that is allocated at the same time (ilk-abi-memory.h).
 * Request the pin before the PREPARE of the code that calls the function. It is released when
 * the last patch of the file is freed: by then, no task can return into that patch's code.
 * Functions of the kernel itself need no pin.
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
