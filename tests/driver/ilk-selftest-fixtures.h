/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest-fixtures.h - set-ups that tests of several files share: areas, calls of services,
 * clones
 */
#ifndef ILK_SELFTEST_FIXTURES_H
#define ILK_SELFTEST_FIXTURES_H

#include "ilk-selftest.h"

/* ---- areas: memory for the code of hooks ---- */

#define MIB		(1u << 20)
#define POOL_MIB	(ILK_POOL_BYTES_MAX / MIB)
#define MUCH		48u	/* size of a large allocation, MiB: visible in available memory; two
				 * of them exceed a file's limit */

/* Allocates areas. Return: 0 or a negative errno. */
int areas_alloc(int fd, struct ilk_area *areas, uint32_t count);
int areas_alloc_some(int fd, uint32_t count, uint32_t bytes, uint32_t flags);
int areas_alloc_retry(int fd, uint32_t mib);
int area_read(int fd, uint32_t id, uint32_t cpu, uint32_t offset, uint64_t *out, uint32_t bytes);

/* Prepare a patch at the target, in two steps; between them the caller emits the patch's code. */
void areas_hook_start(int fd, struct hooked *hooked);
void areas_hook_prepare(int fd, struct hooked *hooked);
void area_add(struct code *code, const struct ilk_area *area, uint32_t offset);

void test_areas_freed(void);

/*
 * Calls services of the driver a known number of times.
 *
 * The calls are made by a calibration stub, which MEASURE runs. The code of the stub is not
 * verified. See ilk-selftest-service.c.
 */

/* Two calibration stubs: one calls a service, the other calls nothing. */
struct caller {
	int fd;
	struct ilk_reserve_patch slots[2];
	struct ilk_reserve_hook cells;
	struct code code[2];
};

void caller_open(struct caller *caller);
/* Prepares code that calls @service with @iid and @argument. */
void caller_prepare(struct caller *caller, uint32_t service, uint32_t iid, uint64_t argument);
/* Makes @calls calls of the service. Return: number of calls that returned. */
uint64_t caller_run(struct caller *caller, uint32_t calls);

/* ---- clones written by hand ---- */

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

#endif /* ILK_SELFTEST_FIXTURES_H */
