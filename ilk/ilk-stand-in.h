/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-stand-in.h - a module's function that may be called in place of another
 *
 * For modules, which need nothing else of ours for it. Where kernel and module tell their types (BTF), Gilk
 * compares them, and no more is needed. Modules that are built on Debian's headers tell none; this has the
 * compiler compare, and says so in a symbol that Gilk looks for:
 *
 *	int my_statfs(struct dentry *dentry, struct kstatfs *buf) { .. }
 *	ILK_STANDS_IN(my_statfs, simple_statfs);
 *
 * Both are to be declared, and named as the kernel's symbols are. All arguments are to be in registers: six at most.
 */
#ifndef ILK_STAND_IN_H
#define ILK_STAND_IN_H

#define ILK_STANDS_IN(mine, original) \
	_Static_assert(__builtin_types_compatible_p(__typeof__(mine), __typeof__(original)), \
		       #mine " and " #original " have different prototypes"); \
	extern const char ilk_stands_in__##mine##__for__##original; \
	const char ilk_stands_in__##mine##__for__##original __attribute__((used)) = 1

#endif /* ILK_STAND_IN_H */
