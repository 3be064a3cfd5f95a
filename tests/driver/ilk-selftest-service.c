// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-service.c - tests the service that crashes the kernel, called by unverified code, and
 * the CPU flags with which services run
 *
 * The unverified code is a calibration stub, which MEASURE runs a known number of times. The stub
 * calls a service.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

#define CALLS	16

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, ret = 0xc3;

static void write_call(struct caller *caller, const struct ilk_info *info, uint32_t service, uint32_t iid,
		       uint64_t argument)
{
	static const uint8_t to_edi = 0xbf, to_rsi[] = { 0x48, 0xbe }, to_rax[] = { 0x48, 0xb8 };
	static const uint8_t call_rax[] = { 0xff, 0xd0 };
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
	code_count(code, caller->cells.counter);
	code_bytes(code, &ret, 1);
}

/* Emits a call of a service with the CPU flag AC set, which allows access to user memory. The
 * emitted code counts a hit if AC is still set afterwards. */
static void write_open_call(struct caller *caller, const struct ilk_info *info, uint32_t service, uint64_t first,
			    uint64_t second)
{
	static const uint8_t to_rdi[] = { 0x48, 0xbf }, to_rsi[] = { 0x48, 0xbe }, to_rax[] = { 0x48, 0xb8 };
	static const uint8_t set_ac[] = { 0x9c, 0x81, 0x0c, 0x24, 0, 0, 4, 0, 0x9d };		/* as stac */
	static const uint8_t clear_ac[] = { 0x9c, 0x81, 0x24, 0x24, 0xff, 0xff, 0xfb, 0xff, 0x9d };
	/* xor %edx,%edx; call *%rax; pushf; pop %rax; test $AC,%eax; je */
	static const uint8_t call[] = { 0x31, 0xd2, 0xff, 0xd0, 0x9c, 0x58, 0xa9, 0, 0, 4, 0, 0x74 };
	uint8_t skip = (uint8_t)code_count_bytes(caller->cells.counter);
	struct code *code = &caller->code[0];

	code_start(code, caller->slots[0].slot);
	code_bytes(code, endbr, sizeof(endbr));
	code_bytes(code, to_rdi, 2);
	code_bytes(code, &first, 8);
	code_bytes(code, to_rsi, 2);
	code_bytes(code, &second, 8);
	code_bytes(code, to_rax, 2);
	code_bytes(code, &info->services[service], 8);
	code_bytes(code, set_ac, sizeof(set_ac));
	code_bytes(code, call, sizeof(call));
	code_bytes(code, &skip, 1);
	code_count(code, caller->cells.counter);
	code_bytes(code, clear_ac, sizeof(clear_ac));
	code_bytes(code, &ret, 1);
}

void caller_open(struct caller *caller)
{
	memset(caller, 0, sizeof(*caller));
	caller->fd = ilk_open(NULL);
	caller->slots[0].bytes = caller->slots[1].bytes = 96;
	must(ilk_reserve(caller->fd, caller->slots, 2, &caller->cells, 1), "RESERVE of callers");
}

/* Prepares the code that calls a service, and for comparison code that calls nothing. */
static void prepare_code(struct caller *caller)
{
	struct ilk_prepare_hook hook = { .iid = caller->cells.iid, .patch = caller->slots[0].id };
	struct ilk_prepare_patch patches[2];
	int i;

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

void caller_prepare(struct caller *caller, uint32_t service, uint32_t iid, uint64_t argument)
{
	struct ilk_info info;

	close(ilk_open(&info));
	write_call(caller, &info, service, iid, argument);
	prepare_code(caller);
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

/* ---- test of the service that crashes the kernel ----------------------------------- */

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

/* ---- tests that services run with the CPU flag AC clear ---------------------------------- */

#define AC	0x40000ul
#define SEEN	TRACING "events/ilkt/seen/enable"
#define MARKERS	TRACING "events/ilk/marker/enable"

/* Counts in @lines the lines of the trace that show CPU flags. Return: number of these lines with
 * AC set. */
static uint32_t count_open(uint32_t *lines)
{
	FILE *file = fopen(TRACING "trace", "r");
	uint32_t open = 0;
	char line[1024];
	const char *at;

	*lines = 0;
	while (file && fgets(line, sizeof(line), file)) {
		at = strstr(line, "flags=");
		*lines += at != NULL;
		open += at && strtoul(at + strlen("flags="), NULL, 16) & AC;
	}
	if (file)
		fclose(file);
	return open;
}

/* Checks that a service runs with AC clear. @function: a probeable function that the service
 * calls at least @least times */
static void test_closed(uint32_t service, const char *name, const char *function, uint32_t least, uint64_t first,
			uint64_t second)
{
	struct caller caller;
	struct ilk_info info;
	uint32_t open, lines;
	char event[128];
	uint64_t kept;

	caller_open(&caller);
	close(ilk_open(&info));
	write_open_call(&caller, &info, service, first, second);
	prepare_code(&caller);
	snprintf(event, sizeof(event), "p:ilkt/seen %s flags=%%flags:x64", function);
	fclose(fopen(TRACING "trace", "w"));
	if (!write_file(TRACING "kprobe_events", event) || !write_file(SEEN, "1"))
		die("no kprobe on %s", function);
	kept = caller_run(&caller, CALLS);
	write_file(SEEN, "0");
	open = count_open(&lines);
	write_file(TRACING "kprobe_events", "-:ilkt/seen");
	check(lines >= least && !open, "%s: what the service calls has no access to the process (%u of %u calls have)", name,
	      open, lines);
	check(kept == CALLS, "%s: the code that called it has it again (%lu of %u)", name, kept, CALLS);
	close(caller.fd);
}

/* Tests the marker's service. If stack traces are on, the marker's event records a stack. */
static void test_marker_closed(void)
{
	write_file(TRACING "options/stacktrace", "1");
	if (!write_file(MARKERS, "1"))
		die("the driver has no event marker");
	test_closed(ILK_SERVICE_MARKER, "marker", "stack_trace_save", CALLS, 0, 0);
	write_file(MARKERS, "0");
	write_file(TRACING "options/stacktrace", "0");
}

static void test_access(void)
{
	test_closed(ILK_SERVICE_STACK, "stack", "stack_trace_save", CALLS, 0, 0);
	test_marker_closed();
	check(text_is_restored(), "text is as before");
}

void test_services(void)
{
	test_crashes();
	test_access();
}
