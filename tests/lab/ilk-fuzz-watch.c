// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-watch.c - watches of anything, at anybody's addresses
 *
 * No watch does harm, wherever it is: what would, the driver has to refuse.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-fuzz.h"

static const char * const variables[] = {
	"jiffies_64", "init_task", "cpu_dr7", "__preempt_count", "vfs_read", "asm_exc_debug", "ilk_gates", "cpu_entry_area",
	"__per_cpu_offset", "cpu_tss_rw", "pcpu_hot", "runqueues", "raised_list", "nmi_state",
};

static uint64_t some_address(struct fuzzer *fuzzer)
{
	static uint64_t known[sizeof(variables) / sizeof(*variables)];
	uint32_t i = fuzz_below(fuzzer, sizeof(variables) / sizeof(*variables));

	if (one_in(fuzzer, 4))
		return nasty(fuzzer);
	if (!known[i])
		known[i] = kernel_symbol(variables[i]) ?: 1;
	return known[i] + (one_in(fuzzer, 4) ? fuzz_below(fuzzer, 64) : 0);
}

static void fill(struct fuzzer *fuzzer, struct ilk_watch *watch, uint32_t iid)
{
	*watch = (struct ilk_watch){
		.iid = iid, .access = 1 + fuzz_below(fuzzer, 3), .address = some_address(fuzzer),
		.bytes = 1u << fuzz_below(fuzzer, 4), .flags = fuzz_below(fuzzer, 4), .budget = fuzz_below(fuzzer, 50),
		.start_ns = one_in(fuzzer, 3) ? fuzz_below(fuzzer, 3000000) : 0,
	};
	if (watch->access == ILK_WATCH_EXECUTE)
		watch->bytes = 8;
	if (watch->flags & ILK_WATCH_PER_CPU)
		watch->cpu = one_in(fuzzer, 2) ? ILK_WATCH_OWN : fuzz_below(fuzzer, 3);
	if (one_in(fuzzer, 3))
		watch->stop_ns = watch->start_ns + 1 + fuzz_below(fuzzer, 3000000);
}

void fuzz_watches(struct fuzzer *fuzzer, int fd, bool arms)
{
	struct ilk_disarm all = { .what = ILK_DISARM_OWN | ILK_DISARM_FREE };
	struct ilk_watch *watches = place(fuzzer, 8192, 5 * sizeof(*watches));
	struct ilk_watch_status *states = place(fuzzer, 12288, 5 * sizeof(*states));
	struct ilk_reserve_hook hooks[5] = { { 0 } };
	struct ilk_reserve reserve = { .hook_count = 5, .hooks = (uintptr_t)hooks };
	struct ilk_watch_set set = { .count = 1 + fuzz_below(fuzzer, 5), .watches = (uintptr_t)watches };
	struct ilk_watch_tell tell = { .count = set.count, .watches = (uintptr_t)states };
	struct ilk_arm arm;
	uint32_t i;

	if (fuzz_ioctl(fd, CALL_RESERVE, &reserve))
		return;
	for (i = 0; i < 5; i++)
		fill(fuzzer, &watches[i], hooks[one_in(fuzzer, 8) ? 0 : i].iid);
	memset(states, 0, 5 * sizeof(*states));
	for (i = 0; i < 5; i++)
		states[i].iid = hooks[i].iid;
	spoil(fuzzer, watches, 5 * sizeof(*watches), 3);
	spoil(fuzzer, &set, sizeof(set), 8);
	fuzz_ioctl(fd, CALL_WATCH, &set);
	if (arms)
		fuzz_ioctl(fd, CALL_ARM, &arm);
	if (one_in(fuzzer, 4))
		usleep(fuzz_below(fuzzer, 3000));
	spoil(fuzzer, &tell, sizeof(tell), 6);
	fuzz_ioctl(fd, CALL_WATCH_TELL, &tell);
	if (!one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}

/* How many registers of CPU 0 are free. */
uint32_t fuzz_free_registers(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W, .bp_len = 8, .pinned = 1,
		.disabled = 1, .bp_addr = kernel_symbol("jiffies_64"),
	};
	int fds[ILK_WATCHES_MAX];
	uint32_t n = 0, i;

	while (n < ILK_WATCHES_MAX) {
		fds[n] = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
		if (fds[n] < 0)
			break;
		n++;
	}
	for (i = 0; i < n; i++)
		close(fds[i]);
	return n;
}
