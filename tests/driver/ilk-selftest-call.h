/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest-call.h - calls services of the driver a known number of times
 *
 * The calls are made by a calibration stub, which MEASURE runs. The code of the stub is not
 * verified. See ilk-selftest-service.c.
 */
#ifndef ILK_SELFTEST_CALL_H
#define ILK_SELFTEST_CALL_H

#include "ilk-selftest.h"

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
/* Makes @calls calls of the service. Return: number of calls that did not return ILK_EVENT_BAD. */
uint64_t caller_run(struct caller *caller, uint32_t calls);

#endif /* ILK_SELFTEST_CALL_H */
