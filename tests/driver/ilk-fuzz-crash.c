// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-crash.c - makes corrupted calls of the ioctl that lets a hook crash the kernel
 *
 * The fuzzer's hooks call no services, so a permission that the driver grants does no harm.
 */
#include "ilk-fuzz.h"

void fuzz_crash(struct fuzzer *fuzzer, int fd, bool arms)
{
	struct ilk_disarm all = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
	struct ilk_reserve_hook hook = { 0 };
	struct ilk_reserve reserve = { .hook_count = 1, .hooks = (uintptr_t)&hook };
	struct ilk_crash crash = { .flags = fuzz_below(fuzzer, 4) };

	if (!(crash.flags & ILK_CRASH_TRY) && !fuzz_ioctl(fd, CALL_RESERVE, &reserve))
		crash.iid = hook.iid;
	corrupt_object(fuzzer, &crash, sizeof(crash), 4);
	fuzz_ioctl(fd, CALL_CRASH, one_in(fuzzer, 24) ? (void *)draw_bad_pointer(fuzzer) : &crash);
	if (arms && !one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}
