/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-assert.h - macros that check the layout of structs of /dev/ilk at compile time
 *
 * For ilk-abi.h and its parts only.
 */
#ifndef ILK_ABI_ASSERT_H
#define ILK_ABI_ASSERT_H

#define ILK_ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(type) == (bytes), #type " changed size")
#define ILK_ASSERT_OFFSET(type, field, bytes) \
	_Static_assert(__builtin_offsetof(type, field) == (bytes), #type "." #field " moved")

#endif /* ILK_ABI_ASSERT_H */
