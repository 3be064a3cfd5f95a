/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-stand-in.h - marks a module's function as a replacement for another
 *
 * For modules that use nothing else of ours. If kernel and module have type
 * information (BTF), Gilk compares the prototypes, and this header is not
 * needed. Modules built against Debian's headers do not have type information; this macro makes the
 * compiler compare them, and records the result as a symbol that Gilk looks for:
 *
 *	int my_statfs(struct dentry *dentry, struct kstatfs *buf) { .. }
 *	ILK_STANDS_IN(my_statfs, simple_statfs);
 *
 * Both functions must be declared, under the names of their kernel symbols. All
 * arguments must be passed in registers: six at most.
 */
#ifndef ILK_STAND_IN_H
#define ILK_STAND_IN_H

#define ILK_STANDS_IN(mine, original) \
	_Static_assert(__builtin_types_compatible_p(__typeof__(mine), __typeof__(original)), \
		       #mine " and " #original " have different prototypes"); \
	extern const char ilk_stands_in__##mine##__for__##original; \
	const char ilk_stands_in__##mine##__for__##original __attribute__((used)) = 1

#endif /* ILK_STAND_IN_H */
