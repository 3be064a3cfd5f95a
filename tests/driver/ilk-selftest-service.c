// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-service.c - event counters and crashes, requested by unverified code
 *
 * The code is a calibration stub, so that it is called a known number of times. It calls a service
 * and counts itself if that returns something other than ILK_EVENT_BAD.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest-call.h"

#define CALLS	16
#define CLOCK	ILK_EVENT(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)
#define FAULTS	ILK_EVENT(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, ret = 0xc3;

static void write_call(struct caller *caller, const struct ilk_info *info, uint32_t service, uint32_t iid,
		       uint64_t argument)
{
	static const uint8_t to_edi = 0xbf, to_rsi[] = { 0x48, 0xbe }, to_rax[] = { 0x48, 0xb8 };
	static const uint8_t call_rax[] = { 0xff, 0xd0 }, is_bad[] = { 0x48, 0x83, 0xf8, 0xff, 0x74 };
	uint8_t skip = (uint8_t)code_count_bytes(caller->cells.counter);
	struct code *code = &caller->code[0];

	code_start(code, caller->slots[0].slot);
	code_bytes(code, endbr, sizeof(endbr));
	code_bytes(code, &to_edi, 1);
	code_bytes(code, &iid, 4);
	code_bytes(code, to_rsi, 2);
	code_bytes(code, &argument, 8);
	code_bytes(code, to_rax, 2);
	code_bytes(code, &info->services[service], 8);
	code_bytes(code, call_rax, 2);
	code_bytes(code, is_bad, sizeof(is_bad));
	code_bytes(code, &skip, 1);
	code_count(code, caller->cells.counter);
	code_bytes(code, &ret, 1);
}

void caller_open(struct caller *caller)
{
	memset(caller, 0, sizeof(*caller));
	caller->fd = ilk_open(NULL);
	caller->slots[0].bytes = caller->slots[1].bytes = 96;
	must(ilk_reserve(caller->fd, caller->slots, 2, &caller->cells, 1), "RESERVE of callers");
}

void caller_prepare(struct caller *caller, uint32_t service, uint32_t iid, uint64_t argument)
{
	struct ilk_prepare_hook hook = { .iid = caller->cells.iid, .patch = caller->slots[0].id };
	struct ilk_prepare_patch patches[2];
	struct ilk_info info;
	int fd = ilk_open(&info), i;

	close(fd);
	write_call(caller, &info, service, iid, argument);
	code_start(&caller->code[1], caller->slots[1].slot);
	code_bytes(&caller->code[1], endbr, sizeof(endbr));
	code_bytes(&caller->code[1], &ret, 1);
	for (i = 0; i < 2; i++)
		patches[i] = (struct ilk_prepare_patch){
			.id = caller->slots[i].id, .site = caller->slots[i].slot, .flags = ILK_PATCH_CALIBRATION,
			.code = (uintptr_t)caller->code[i].bytes, .code_len = caller->code[i].len,
		};
	must(ilk_prepare(caller->fd, patches, 2, &hook, 1), "PREPARE of callers");
}

uint64_t caller_run(struct caller *caller, uint32_t calls)
{
	struct ilk_measure_result row;
	struct ilk_measure call = {
		.patch = caller->slots[0].id, .base = caller->slots[1].id, .calls = calls, .count = 1, .out = (uintptr_t)&row,
	};
	uint64_t before = ilk_counter(caller->fd, caller->cells.iid).count;

	must(ioctl(caller->fd, ILK_IOC_MEASURE, &call) ? -errno : 0, "MEASURE of callers");
	return ilk_counter(caller->fd, caller->cells.iid).count - before;
}

/* ---- event counters ---------------------------------------------------------------- */

static int create_events(int fd, struct ilk_event_counter *items, uint32_t count, uint32_t flags)
{
	struct ilk_events call = { .count = count, .flags = flags, .events = (uintptr_t)items };

	return ioctl(fd, ILK_IOC_EVENTS, &call) ? -errno : 0;
}

static void test_events_refused(int fd)
{
	struct ilk_event_counter items[ILK_EVENTS_MAX + 1] = { { .key = CLOCK } }, odd = { .key = ILK_EVENT(5, 1) }, none = { 0 };
	uint32_t i;

	check(create_events(fd, items, 0, 0) == -EINVAL && create_events(fd, items, ILK_EVENTS_MAX + 1, 0) == -EINVAL &&
	      create_events(fd, items, 1, 2) == -EINVAL, "no counters, too many, and flags that are none");
	check(create_events(fd, (void *)8, 1, 0) == -EFAULT && ioctl(fd, ILK_IOC_EVENTS, 0x10) < 0 && errno == EFAULT,
	      "counters from nowhere");
	check(create_events(fd, &odd, 1, 0) == -EINVAL && odd.refusal == ILK_REFUSAL_BAD_ITEM &&
	      create_events(fd, &none, 1, 0) == -EINVAL && none.refusal == ILK_REFUSAL_BAD_ITEM, "breakpoints, and nothing, are no counters");
	for (i = 0; i < ILK_EVENTS_MAX; i++)
		items[i].key = ILK_EVENT(PERF_TYPE_SOFTWARE, i < 2 ? i : i + 100);
	check(create_events(fd, items, ILK_EVENTS_MAX, 0) == -ENODEV && items[2].refusal == ILK_REFUSAL_EVENT_MISSING && !items[3].refusal,
	      "the first that the kernel has not ends the request");
}

static void test_events(void)
{
	struct ilk_event_counter item = { .key = CLOCK };
	struct caller one, other;
	struct ilk_info info;

	caller_open(&one);
	caller_open(&other);
	close(ilk_open(&info));
	test_events_refused(one.fd);
	must(create_events(one.fd, &item, 1, ILK_EVENTS_PROBE), "EVENTS, as a try");
	check(item.cpus == info.nr_cpus && !item.blind, "the clock counts on %u of %u processors", item.cpus, info.nr_cpus);
	caller_prepare(&other, ILK_SERVICE_EVENT, other.cells.iid, FAULTS);
	check(caller_run(&other, CALLS) == 0, "a counter that nobody made is bad");
	item.key = FAULTS;
	must(create_events(one.fd, &item, 1, 0), "EVENTS");
	caller_prepare(&one, ILK_SERVICE_EVENT, one.cells.iid, FAULTS);
	check(caller_run(&one, CALLS) == CALLS && caller_run(&other, CALLS) == CALLS, "one that was made is read, whoever asks");
	close(one.fd);
	ilk_settle(other.fd);
	usleep(300000);
	check(caller_run(&other, CALLS) == 0, "behind the end of who made it it is bad again");
	close(other.fd);
	check(text_is_restored(), "text is as before");
}

/* ---- crashes ----------------------------------------------------------------------- */

static int allow_crash(int fd, uint32_t iid, uint32_t flags, uint32_t *refusal)
{
	struct ilk_crash call = { .iid = iid, .flags = flags };
	int error = ioctl(fd, ILK_IOC_CRASH, &call) ? -errno : 0;

	*refusal = call.refusal;
	return error;
}

static void test_crashes(void)
{
	struct caller one, other;
	uint32_t refusal;

	caller_open(&one);
	caller_open(&other);
	check(allow_crash(one.fd, 0, ILK_CRASH_TRY, &refusal) == -ENOENT && refusal == ILK_REFUSAL_CRASH_NO_KERNEL &&
	      allow_crash(one.fd, one.cells.iid, 0, &refusal) == -ENOENT && refusal == ILK_REFUSAL_CRASH_NO_KERNEL,
	      "without a crash kernel no hook may crash");
	check(!allow_crash(one.fd, 0, ILK_CRASH_TRY | ILK_CRASH_NO_DUMP, &refusal), "it may if that is said");
	check(allow_crash(other.fd, one.cells.iid, ILK_CRASH_NO_DUMP, &refusal) == -EINVAL && refusal == ILK_REFUSAL_BAD_ITEM &&
	      allow_crash(one.fd, 0x7fffffff, ILK_CRASH_NO_DUMP, &refusal) == -EINVAL, "another's hook, and nobody's");
	check(allow_crash(one.fd, one.cells.iid, 4, &refusal) == -EINVAL && allow_crash(one.fd, 1, ILK_CRASH_TRY, &refusal) == -EINVAL &&
	      ioctl(one.fd, ILK_IOC_CRASH, 0x10) < 0 && errno == EFAULT, "flags that are none, a try of a hook, and nowhere");
	caller_prepare(&one, ILK_SERVICE_CRASH, one.cells.iid, 0x776f6e);
	caller_run(&one, CALLS);
	check(true, "who was not allowed to crash calls it, and lives");
	close(one.fd);
	close(other.fd);
}

void test_services(void)
{
	test_events();
	test_crashes();
}
