/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest-areas.h - helpers of the tests of memory for the code of hooks
 */
#ifndef ILK_SELFTEST_AREAS_H
#define ILK_SELFTEST_AREAS_H

#include "ilk-selftest.h"

#define MIB		(1u << 20)
#define POOL_MIB	(ILK_POOL_BYTES_MAX / MIB)
#define MUCH		48u	/* size of a large allocation, MiB: visible in available memory; two
				 * of them exceed a file's limit */

/* Allocates areas. Return: 0 or a negative errno. */
int areas_alloc(int fd, struct ilk_area *areas, uint32_t count);
int areas_alloc_some(int fd, uint32_t count, uint32_t bytes, uint32_t flags);
int areas_alloc_retry(int fd, uint32_t mib);
int area_read(int fd, uint32_t id, uint32_t cpu, uint32_t offset, uint64_t *out, uint32_t bytes);

/* Prepare a patch at the target. The caller emits the patch's code between the two calls. */
void areas_hook_start(int fd, struct hooked *hooked);
void areas_hook_prepare(int fd, struct hooked *hooked);
void area_add(struct code *code, const struct ilk_area *area, uint32_t offset);

void test_areas_freed(void);

#endif /* ILK_SELFTEST_AREAS_H */
