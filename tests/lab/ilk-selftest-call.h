/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest-call.h - services of the driver, called a known number of times
 *
 * By code that nothing proved: it is a ground's, which MEASURE calls. In ilk-selftest-service.c.
 */
#ifndef ILK_SELFTEST_CALL_H
#define ILK_SELFTEST_CALL_H

#include "ilk-selftest.h"

/* One patch that calls a service, and one that calls nothing. */
struct caller {
	int fd;
	struct ilk_reserve_patch slots[2];
	struct ilk_reserve_hook cells;
	struct code code[2];
};

void caller_open(struct caller *caller);
/* The service is called with the iid and the argument. */
void caller_prepare(struct caller *caller, uint32_t service, uint32_t iid, uint64_t argument);
/* Calls it @calls times. Return: how many of them did not return ILK_EVENT_BAD. */
uint64_t caller_run(struct caller *caller, uint32_t calls);

#endif /* ILK_SELFTEST_CALL_H */
