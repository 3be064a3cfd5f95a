// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-watchpoint.c - makes watchpoints of any kind, at any address
 *
 * A watchpoint that the driver accepts must do no harm, whatever its address. Some watchpoints run
 * code at each access; that code moves watchpoints to random addresses.
 */
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-fuzz.h"

static const char * const variables[] = {
	"jiffies_64", "init_task", "cpu_dr7", "__preempt_count", "vfs_read", "asm_exc_debug", "ilk_gates", "cpu_entry_area",
	"__per_cpu_offset", "cpu_tss_rw", "pcpu_hot", "runqueues", "raised_list", "nmi_state",
};

static uint64_t draw_address(struct fuzzer *fuzzer)
{
	static uint64_t known[sizeof(variables) / sizeof(*variables)];
	uint32_t i = fuzz_below(fuzzer, sizeof(variables) / sizeof(*variables));

	if (one_in(fuzzer, 4))
		return draw_nasty(fuzzer);
	if (!known[i])
		known[i] = kernel_symbol(variables[i]) ?: 1;
	return known[i] + (one_in(fuzzer, 4) ? fuzz_below(fuzzer, 64) : 0);
}

static void fill_watch(struct fuzzer *fuzzer, struct ilk_watch *watch, uint32_t iid)
{
	*watch = (struct ilk_watch){
		.iid = iid, .access = 1 + fuzz_below(fuzzer, 3), .address = draw_address(fuzzer),
		.bytes = 1u << fuzz_below(fuzzer, 4), .flags = fuzz_below(fuzzer, 8), .budget = fuzz_below(fuzzer, 50),
		.start_ns = one_in(fuzzer, 3) ? fuzz_below(fuzzer, 3000000) : 0,
	};
	if (watch->access == ILK_WATCH_EXECUTE)
		watch->bytes = 8;
	if (watch->flags & ILK_WATCH_MOVABLE && !one_in(fuzzer, 8)) {
		watch->flags &= ~ILK_WATCH_PER_CPU;
		watch->address = 0;
	}
	if (watch->flags & ILK_WATCH_PER_CPU)
		watch->cpu = one_in(fuzzer, 2) ? ILK_WATCH_EACH_CPU : fuzz_below(fuzzer, 3);
	if (one_in(fuzzer, 3))
		watch->stop_ns = watch->start_ns + 1 + fuzz_below(fuzzer, 3000000);
}

/* Emits code that moves the watchpoint @iid to a random address whenever the code runs. */
static void make_code(struct fuzzer *fuzzer, int fd, struct code *code, uint64_t slot, uint32_t iid)
{
	static const uint8_t begin[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0xbe }, end[] = { 0xc3 };
	static uint64_t service;
	uint8_t mov = 0xbf, call = 0xe8;
	uint64_t address = one_in(fuzzer, 4) ? 0 : draw_address(fuzzer);
	struct ilk_info info;
	int32_t to;

	if (!service && !ioctl(fd, ILK_IOC_INFO, &info))
		service = info.services[ILK_SERVICE_WATCH];
	code_start(code, slot);
	code_bytes(code, begin, sizeof(begin));
	code_bytes(code, &address, 8);
	code_bytes(code, &mov, 1);
	code_bytes(code, &iid, 4);
	to = (int32_t)(service - (slot + code->len + 5));
	if (service) {
		code_bytes(code, &call, 1);
		code_bytes(code, &to, 4);
	}
	code_bytes(code, end, sizeof(end));
}

/*
 * Prepares code for the watchpoint @iid to run at each access. The code moves the watchpoint
 * @moved. Most calls of PREPARE also include the hook @iid.
 */
static void prepare_code(struct fuzzer *fuzzer, int fd, const struct ilk_reserve_patch *slot, uint32_t iid, uint32_t moved)
{
	struct ilk_prepare_patch patch = { .id = slot->id, .tactic = ILK_TACTIC_WATCH, .flags = ILK_PATCH_CALLED };
	struct ilk_prepare_hook hook = { .iid = iid, .patch = slot->id };
	struct ilk_prepare call = {
		.patch_count = 1, .patches = (uintptr_t)&patch, .hook_count = !one_in(fuzzer, 8), .hooks = (uintptr_t)&hook,
	};

	make_code(fuzzer, fd, &fuzzer->codes[0], slot->slot, moved);
	patch.code = (uintptr_t)fuzzer->codes[0].bytes;
	patch.code_len = fuzzer->codes[0].len;
	if (one_in(fuzzer, 8))
		patch.flags |= 1u << fuzz_below(fuzzer, 32);
	if (one_in(fuzzer, 8))
		patch.tactic = fuzz_below(fuzzer, 12);
	if (one_in(fuzzer, 8))
		patch.len = fuzz_below(fuzzer, 40);
	fuzz_ioctl(fd, CALL_PREPARE, &call);
}

/* Disarms the code of a watchpoint while the watchpoint still exists. In half of the calls also
 * frees the code. */
static void give_up_code(struct fuzzer *fuzzer, int fd, uint32_t id)
{
	struct ilk_disarm call = {
		.what = ILK_DISARM_LIST | (one_in(fuzzer, 2) ? ILK_DISARM_FREE : 0), .count = 1, .patches = (uintptr_t)&id,
	};

	fuzz_ioctl(fd, CALL_DISARM, &call);
}

/* Reads the list of patches, which must be readable in any state. */
static void read_list(void)
{
	char bytes[4096];
	int list = open("/sys/kernel/debug/ilk/patches", O_RDONLY | O_CLOEXEC);

	while (list >= 0 && read(list, bytes, sizeof(bytes)) > 0)
		;
	if (list >= 0)
		close(list);
}

void fuzz_watches(struct fuzzer *fuzzer, int fd, bool arms)
{
	struct ilk_disarm all = { .what = ILK_DISARM_FILE | ILK_DISARM_FREE };
	struct ilk_watch *watches = place_object(fuzzer, 8192, 5 * sizeof(*watches));
	struct ilk_watch_status *states = place_object(fuzzer, 12288, 5 * sizeof(*states));
	struct ilk_reserve_hook hooks[5] = { { 0 } };
	struct ilk_reserve_patch slot = { .bytes = 64 };
	struct ilk_reserve reserve = {
		.hook_count = 5, .hooks = (uintptr_t)hooks, .patch_count = 1, .patches = (uintptr_t)&slot,
	};
	struct ilk_watch_set set = { .count = 1 + fuzz_below(fuzzer, 5), .watches = (uintptr_t)watches };
	struct ilk_watch_query tell = { .count = set.count, .watches = (uintptr_t)states };
	struct ilk_arm arm;
	uint32_t i;

	if (fuzz_ioctl(fd, CALL_RESERVE, &reserve))
		return;
	for (i = 0; i < 5; i++)
		fill_watch(fuzzer, &watches[i], hooks[one_in(fuzzer, 8) ? 0 : i].iid);
	if (!one_in(fuzzer, 3)) {
		prepare_code(fuzzer, fd, &slot, hooks[0].iid, hooks[one_in(fuzzer, 2)].iid);
		watches[one_in(fuzzer, 8)].patch = one_in(fuzzer, 8) ? (uint32_t)draw_nasty(fuzzer) : slot.id;
	}
	memset(states, 0, 5 * sizeof(*states));
	for (i = 0; i < 5; i++)
		states[i].iid = hooks[i].iid;
	corrupt_object(fuzzer, watches, 5 * sizeof(*watches), 3);
	corrupt_object(fuzzer, &set, sizeof(set), 8);
	fuzz_ioctl(fd, CALL_WATCH, &set);
	if (arms)
		fuzz_ioctl(fd, CALL_ARM, &arm);
	if (one_in(fuzzer, 4))
		usleep(fuzz_below(fuzzer, 3000));
	if (one_in(fuzzer, 16))
		read_list();
	if (one_in(fuzzer, 4))
		give_up_code(fuzzer, fd, slot.id);
	if (one_in(fuzzer, 8))
		prepare_code(fuzzer, fd, &slot, hooks[0].iid, hooks[1].iid);
	corrupt_object(fuzzer, &tell, sizeof(tell), 6);
	fuzz_ioctl(fd, CALL_WATCH_TELL, &tell);
	if (!one_in(fuzzer, 4))
		fuzz_ioctl(fd, CALL_DISARM, &all);
}

/* Returns how many debug registers of CPU 0 are free. */
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
