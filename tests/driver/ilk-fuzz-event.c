// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-event.c - makes corrupted calls about event counters, and about permission to crash the
 * kernel
 *
 * The fuzzer's hooks call no services, so a permission that the driver grants does no harm.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "ilk-fuzz.h"

static uint64_t draw_key(struct fuzzer *fuzzer)
{
	switch (fuzz_below(fuzzer, 8)) {
	case 0: return draw_nasty(fuzzer);
	case 1: return ILK_EVENT(fuzz_below(fuzzer, 7), draw_nasty(fuzzer) & 0xffffff);
	case 2: return ILK_EVENT(PERF_TYPE_HARDWARE, fuzz_below(fuzzer, 12));
	default: return ILK_EVENT(PERF_TYPE_SOFTWARE, fuzz_below(fuzzer, 13));
	}
}

void fuzz_events(struct fuzzer *fuzzer, int fd, bool arms)
{
	struct ilk_disarm all = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
	struct ilk_event_counter *events = place_object(fuzzer, 16384, 9 * sizeof(*events));
	struct ilk_reserve_hook hook = { 0 };
	struct ilk_reserve reserve = { .hook_count = 1, .hooks = (uintptr_t)&hook };
	struct ilk_events call = { .count = 1 + fuzz_below(fuzzer, 9), .events = (uintptr_t)events };
	struct ilk_crash crash = { .flags = fuzz_below(fuzzer, 4) };
	uint32_t i;

	memset(events, 0, 9 * sizeof(*events));
	for (i = 0; i < 9; i++)
		events[i].key = draw_key(fuzzer);
	call.flags = arms ? one_in(fuzzer, 2) : ILK_EVENTS_PROBE;
	corrupt_object(fuzzer, events, 9 * sizeof(*events), 8);
	corrupt_object(fuzzer, &call, sizeof(call), 8);
	fuzz_ioctl(fd, CALL_EVENTS, one_in(fuzzer, 24) ? (void *)draw_bad_pointer(fuzzer) : &call);
	if (!(crash.flags & ILK_CRASH_TRY) && !fuzz_ioctl(fd, CALL_RESERVE, &reserve))
		crash.iid = hook.iid;
	corrupt_object(fuzzer, &crash, sizeof(crash), 4);
	fuzz_ioctl(fd, CALL_CRASH, one_in(fuzzer, 24) ? (void *)draw_bad_pointer(fuzzer) : &crash);
	if (arms && !one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}
