/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest-clone.h - helpers of the tests of clones written by hand
 */
#ifndef ILK_SELFTEST_CLONE_H
#define ILK_SELFTEST_CLONE_H

#include "ilk-selftest.h"

struct clones {
	int fd;
	uint64_t outer, inner, load;		/* addresses of the functions' first instructions,
						 * after an ENDBR */
	struct ilk_reserve_patch slots[2];	/* [0]: clone of gilk_clone_outer() or
						 * gilk_clone_load(); [1]: clone of
						 * gilk_clone_inner() */
	struct ilk_reserve_hook cells[2];
	struct code code[2];
	struct ilk_orc orc[2][3];
	struct ilk_fault fault;
	struct ilk_prepare_patch patches[2];
	struct ilk_prepare_hook hooks[2];
};

/* Write and read parameters of the module gilk_clone. */
bool clone_set(const char *name, const char *value);
const char *clone_get(const char *name);

void clone_fill_patch(struct clones *c, int i, uint64_t site, uint32_t len, uint32_t flags);
void clone_fill_orc(struct clones *c, int i, uint32_t pushed_at, uint32_t popped_at);
void clones_open(struct clones *c);
void clone_emit_caller(struct clones *c, int i, bool outer, uint64_t callee);
void clones_plan(struct clones *c, bool inner);
void clones_arm(struct clones *c, bool inner);
void clone_plan_load(struct clones *c, int n, uint32_t tactic);

void test_retirement(void);

#endif /* ILK_SELFTEST_CLONE_H */
