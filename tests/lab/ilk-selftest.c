// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest.c - proves the driver alone, on a stock kernel in a VM
 *
 *   ilk-selftest MODULE-FOLDER [ROUNDS]
 *
 * Loads ilk.ko with small rings, drives /dev/ilk by hand-made patches, and checks
 * the rules of DESIGN section 4 that are the driver's: exact counts, restore
 * after disarm, death and unload, refusals, hostile calls, schedule, and that
 * samples produced = stored + lost. Prints TAP; "1..N" last.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest.h"

static int checks, failures;
static struct ilk_info info;

void check(bool ok, const char *what, ...)
{
	va_list args;

	printf("%sok %d - ", ok ? "" : "not ", ++checks);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	failures += !ok;
}

void die(const char *why, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, why);
	vprintf(why, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	exit(1);
}

/* ---- the function that is hit an exact number of times ------------------------ */

static const struct target {
	const char *function;
	long number;
} targets[] = {
	{ "__x64_sys_umask", SYS_umask },
	{ "__x64_sys_getpgid", SYS_getpgid },
	{ "__x64_sys_sched_get_priority_max", SYS_sched_get_priority_max },
	{ "__x64_sys_sched_getscheduler", SYS_sched_getscheduler },
	{ "__x64_sys_getsid", SYS_getsid },
	{ "__x64_sys_ioprio_get", SYS_ioprio_get },
};

static long target_number;
static struct point target_point;

static void find_target(void)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		if (!point_find(kernel_symbol(targets[i].function), 0, &target_point))
			continue;
		target_number = targets[i].number;
		printf("# target %s, footprint %u bytes\n", targets[i].function,
		       target_point.len);
		return;
	}
	die("no system call begins with instructions the test knows");
}

static void *hit_target(void *arg)
{
	long n = *(long *)arg;

	while (n--)
		syscall(target_number, 0, 0);
	return NULL;
}

/* Two threads hit the target @n times each. */
static void hit(long n)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hit_target, &n);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* Reserve, emit a counter, fill the plan in. */
static void hook_counter(int fd, struct hooked *hooked, const struct point *point, bool near,
			 uint32_t tactic)
{
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = *point;
	hooked->slot.bytes = 96;
	hooked->cells.flags = near ? ILK_HOOK_COUNTER_NEAR : 0;
	if (ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1))
		die("RESERVE failed");
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, hooked->cells.counter);
	code_finish(&hooked->code, point);
	hooked_plan(hooked, tactic);
}

static void must(int ret, const char *what)
{
	if (ret)
		die("%s failed: %s", what, strerror(-ret));
}

static void test_counts(void)
{
	static const struct {
		const char *name;
		bool near;
		uint32_t tactic;
		long n;
	} cases[] = {
		{ "splice, near counter", true, ILK_TACTIC_SPLICE, 200000 },
		{ "splice, far counter", false, ILK_TACTIC_SPLICE, 200000 },
		{ "trap", true, ILK_TACTIC_TRAP, 20000 },
	};
	struct ilk_disarm disarm;
	struct hooked hooked;
	uint64_t start, count;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fd = ilk_open(NULL);
		hook_counter(fd, &hooked, &target_point, cases[i].near, cases[i].tactic);
		must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE");
		check(text_compare(true), "%s: PREPARE changes no text", cases[i].name);
		must(ilk_arm(fd, NULL), "ARM");
		hit(cases[i].n / 2);		/* through the trap, and the change to the jump */
		ilk_settle(fd);
		start = now_ns();
		hit(cases[i].n / 2);
		printf("# %s: %ld ns a call\n", cases[i].name,
		       (long)((now_ns() - start) / (cases[i].n / 2)));
		check(!text_compare(false), "%s: text is patched", cases[i].name);
		must(ilk_disarm(fd, ILK_DISARM_OWN, &disarm), "DISARM");
		check(disarm.restored == 1 && !disarm.refused && text_compare(true),
		      "%s: text restored", cases[i].name);
		hit(100);
		count = ilk_counter(fd, hooked.cells.iid).count;
		check(count == 2ul * cases[i].n, "%s: counted %lu of %ld", cases[i].name, count,
		      2 * cases[i].n);
		close(fd);
	}
}

/* ---- refusals -------------------------------------------------------------------- */

static void expect_refusal(int fd, struct hooked *hooked, uint32_t refusal, const char *what)
{
	int ret = ilk_prepare(fd, &hooked->patch, 1, NULL, 0);

	check(ret < 0 && hooked->patch.refusal == refusal && hooked->patch.error == ret,
	      "refused: %s (refusal %u, wanted %u, %s)", what, hooked->patch.refusal, refusal,
	      strerror(-ret));
	if (!ret)
		ilk_disarm(fd, ILK_DISARM_OWN, NULL);
}

/* The same plan, but at another address with the bytes that are there. */
static void aim(struct hooked *hooked, uint64_t site, uint32_t len)
{
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->patch.site = site;
	hooked->patch.len = len;
	memset(hooked->patch.old, 0x90, ILK_FOOTPRINT_MAX);
	if (site)
		kernel_read(site, hooked->patch.old, len);
}

static uint64_t self_relative(uint64_t addr)
{
	int32_t rel;

	return kernel_read(addr, &rel, 4) ? 0 : addr + rel;
}

/* First entry of a table whose address lies in core text behind _stext. */
static uint64_t table_entry(const char *table, uint32_t stride)
{
	uint64_t base = kernel_symbol(table), i, at;
	uint64_t low = kernel_symbol("_stext"), high = kernel_symbol("__noinstr_text_start");

	for (i = 0; base && i < 4096; i++) {
		at = self_relative(base + i * stride);
		if (at > low + 4096 && at < high)
			return at;
	}
	return 0;
}

static void test_refusals(void)
{
	static const char * const denied[] = {
		"do_syscall_64", "notify_die", "ilk_ioctl", "asm_exc_int3", "__rcu_read_lock",
		"__switch_to_asm", "default_idle",
	};
	static const struct {
		const char *table;
		uint32_t stride, refusal;
	} tables[] = {
		{ "__start___jump_table", 16, ILK_REFUSAL_JUMP_LABEL },
		{ "__start_static_call_sites", 8, ILK_REFUSAL_STATIC_CALL },
		{ "__start___ex_table", 12, ILK_REFUSAL_EXTABLE },
		{ "__start___bug_table", 12, ILK_REFUSAL_BUG },
	};
	struct ilk_prepare_patch twice[2];
	struct hooked hooked, other;
	uint64_t site;
	size_t i;
	int fd = ilk_open(NULL);

	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	hook_counter(fd, &other, &target_point, true, ILK_TACTIC_SPLICE);

	hooked.patch.old[2] ^= 1;
	expect_refusal(fd, &hooked, ILK_REFUSAL_TEXT_DIFFERS, "other bytes");
	aim(&hooked, 0, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "address 0");
	aim(&hooked, kernel_symbol("jiffies_64") ?: kernel_symbol("init_task"), 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "kernel data");
	aim(&hooked, (uintptr_t)&hooked, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_RANGE, "user memory");
	aim(&hooked, ~0ul - 3, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_NOT_TEXT, "end of memory");
	for (i = 0; i < sizeof(denied) / sizeof(*denied); i++) {
		site = kernel_symbol(denied[i]);
		if (!site || (!strcmp(denied[i], "default_idle") && false))
			continue;
		aim(&hooked, site + 12, 5);
		expect_refusal(fd, &hooked, ILK_REFUSAL_DENIED, denied[i]);
	}
	aim(&hooked, target_point.site - 5, 5);
	expect_refusal(fd, &hooked, ILK_REFUSAL_FTRACE, "fentry site");
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		site = table_entry(tables[i].table, tables[i].stride);
		if (!site)
			continue;
		aim(&hooked, site, 5);
		expect_refusal(fd, &hooked, tables[i].refusal, tables[i].table);
	}
	hooked_plan(&hooked, ILK_TACTIC_BOUNCE);
	expect_refusal(fd, &hooked, ILK_REFUSAL_UNSUPPORTED, "bounce");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.patch.len = 4;
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "a jump in 4 bytes");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.patch.id = 0x7fffffff;
	expect_refusal(fd, &hooked, ILK_REFUSAL_BAD_ITEM, "unknown patch");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	hooked.hook.instrument = 99999;
	check(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1) == -ENOENT &&
	      hooked.hook.refusal == ILK_REFUSAL_INSTRUMENT, "refused: unknown instrument");

	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	twice[0] = hooked.patch;
	twice[1] = other.patch;
	check(ilk_prepare(fd, twice, 2, NULL, 0) == -EEXIST && !twice[0].error &&
	      twice[1].refusal == ILK_REFUSAL_OVERLAP, "refused: overlap in one transaction");
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE after refusals");
	expect_refusal(fd, &hooked, ILK_REFUSAL_STATE, "prepared twice");
	expect_refusal(fd, &other, ILK_REFUSAL_OVERLAP, "overlap");
	check(text_compare(true), "refusals changed no text");
	close(fd);
}

/* ---- kprobes beside us ------------------------------------------------------------ */

static bool write_file(const char *path, const char *words)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, words, strlen(words)) == (ssize_t)strlen(words);

	if (fd >= 0)
		close(fd);
	return ok;
}

#define TRACING "/sys/kernel/tracing/"

static void test_kprobes(void)
{
	struct ilk_arm arm = { 0 };
	struct hooked hooked;
	char words[128];
	int fd = ilk_open(NULL);

	snprintf(words, sizeof(words), "p:ilkt/here 0x%lx", target_point.site);
	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_SPLICE);
	if (!write_file(TRACING "kprobe_events", words)) {
		printf("# no kprobe events here\n");
		close(fd);
		return;
	}
	expect_refusal(fd, &hooked, ILK_REFUSAL_KPROBE, "a kprobe, not enabled");
	write_file(TRACING "kprobe_events", "-:ilkt/here");
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked.patch, 1, NULL, 0), "PREPARE");
	write_file(TRACING "kprobe_events", words);
	check(ilk_arm(fd, &arm) == -EBUSY && arm.failed_patch == hooked.slot.id &&
	      arm.refusal == ILK_REFUSAL_KPROBE, "ARM sees a kprobe that came after PREPARE");
	write_file(TRACING "kprobe_events", "-:ilkt/here");
	check(!ilk_arm(fd, &arm), "ARM works once it is gone");
	ilk_settle(fd);
	/* A kprobe on our jump works; we do not restore under it, not even when we die. */
	if (write_file(TRACING "kprobe_events", words) &&
	    write_file(TRACING "events/ilkt/here/enable", "1")) {
		struct ilk_disarm disarm;
		int tries = 0;

		ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, &disarm);
		check(disarm.refused == 1 && !disarm.restored, "DISARM leaves a foreign int3");
		close(fd);
		hit(100);
		write_file(TRACING "events/ilkt/here/enable", "0");
		write_file(TRACING "kprobe_events", "-:ilkt/here");
		while (!text_compare(false) && tries++ < 100)
			usleep(100000);
		check(text_compare(true), "restored as soon as the other is gone");
		return;
	}
	close(fd);
}

/* ---- schedule ---------------------------------------------------------------------- */

#define MS 1000000ull

static uint64_t hits_until(uint64_t end)
{
	uint64_t n = 0;

	while (now_ns() < end) {
		syscall(target_number, 0, 0);
		n++;
	}
	return n;
}

static void test_schedule(void)
{
	struct ilk_reserve_hook cells[2] = { { 0 } };
	struct ilk_prepare_hook hooks[2];
	struct ilk_counter a, b, later;
	struct hooked hooked;
	struct ilk_arm arm;
	uint64_t before, during;
	int fd = ilk_open(NULL);

	/* One hook from 200 to 500 ms, which arms the patch; one gated from 300 to 400. */
	memset(&hooked, 0, sizeof(hooked));
	hooked.point = target_point;
	hooked.slot.bytes = 128;
	must(ilk_reserve(fd, &hooked.slot, 1, cells, 2), "RESERVE");
	code_start(&hooked.code, hooked.slot.slot);
	code_count(&hooked.code, cells[0].counter);
	code_gate(&hooked.code, info.gates + cells[1].iid, code_count_bytes(cells[1].counter));
	code_count(&hooked.code, cells[1].counter);
	code_finish(&hooked.code, &target_point);
	hooked_plan(&hooked, ILK_TACTIC_SPLICE);
	memset(hooks, 0, sizeof(hooks));
	hooks[0] = (struct ilk_prepare_hook){ .iid = cells[0].iid, .patch = hooked.slot.id,
		.start_ns = 200 * MS, .stop_ns = 500 * MS };
	hooks[1] = (struct ilk_prepare_hook){ .iid = cells[1].iid, .patch = hooked.slot.id,
		.flags = ILK_HOOK_GATED, .start_ns = 300 * MS, .stop_ns = 400 * MS };
	must(ilk_prepare(fd, &hooked.patch, 1, hooks, 2), "PREPARE");
	must(ilk_arm(fd, &arm), "ARM");
	check(text_compare(true), "schedule: nothing is armed before the first start");
	hits_until(arm.zero_mono_ns + 150 * MS);
	before = ilk_counter(fd, cells[0].iid).count;
	during = hits_until(arm.zero_mono_ns + 600 * MS);
	a = ilk_counter(fd, cells[0].iid);
	b = ilk_counter(fd, cells[1].iid);
	hits_until(arm.zero_mono_ns + 700 * MS);
	later = ilk_counter(fd, cells[0].iid);
	check(!before && a.count && a.count < during && later.count == a.count,
	      "schedule: started and stopped (%llu of %lu hits)", a.count, during);
	check(b.count && b.count < a.count, "schedule: gate opened and closed (%llu of %llu)",
	      b.count, a.count);
	check(text_compare(true), "schedule: restored after the last stop");
	close(fd);
}

/* ---- samples ------------------------------------------------------------------------- */

static volatile bool drain_stop;
static uint64_t stored, torn;

static void *drain(void *arg)
{
	int fd = *(int *)arg;
	uint64_t tails[64], heads[64];
	struct ilk_consume call = {
		.count = info.nr_cpus, .tails = (uintptr_t)tails, .heads = (uintptr_t)heads,
	};
	uint8_t *rings = mmap(NULL, info.ring_bytes * info.nr_cpus, PROT_READ, MAP_SHARED, fd, 0);
	bool last;
	uint32_t cpu;

	if (rings == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	memset(tails, 0, sizeof(tails));
	do {
		last = drain_stop;
		if (ioctl(fd, ILK_IOC_CONSUME, &call))
			die("CONSUME: %s", strerror(errno));
		for (cpu = 0; cpu < info.nr_cpus; cpu++) {
			while (tails[cpu] != heads[cpu]) {
				const volatile struct ilk_record *r = (void *)(rings +
					cpu * info.ring_bytes +
					(tails[cpu] & (info.ring_bytes - ILK_CELL)));

				if (r->commit != tails[cpu])
					break;
				torn += !r->iid || r->len > ILK_SAMPLE_MAX;
				tails[cpu] += ILK_CELL * ILK_RECORD_CELLS(r->len);
				stored++;
			}
			torn += last && tails[cpu] != heads[cpu];
		}
		if (!last)
			usleep(3000);
	} while (!last);
	ioctl(fd, ILK_IOC_CONSUME, &call);
	munmap(rings, info.ring_bytes * info.nr_cpus);
	return NULL;
}

/* A patch that counts its hits and calls @fn. */
static void hook_call(int fd, struct hooked *hooked, uint64_t fn, uint32_t instrument)
{
	struct ilk_orc orc[2] = { { .offset = 0 } };
	uint32_t i;
	int16_t cfa;

	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 256;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, hooked->cells.counter);
	code_call(&hooked->code, &info, fn, hooked->cells.iid, hooked->cells.dropped);
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->hook.instrument = instrument;
	hooked->hook.flags = ILK_HOOK_SAMPLES;
	/* At the call: return address, ten registers and the guard are on the stack. */
	for (i = 0; i < 2; i++) {
		cfa = i ? 96 : 8;
		memcpy(orc[i].entry, &cfa, 2);
		orc[i].entry[4] = 5;				/* from the stack pointer */
		orc[i].entry[5] = kernel_is_6_1() ? 0 : 2;	/* a call frame */
	}
	orc[1].offset = 32;
	hooked->patch.orc = (uintptr_t)orc;
	hooked->patch.orc_count = 2;
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE");
}

static void hook_instrument(int fd, struct hooked *hooked, const char *name)
{
	uint64_t fn;
	uint32_t id = ilk_instrument(fd, name, &fn);

	if (!id)
		die("instrument %s is not registered", name);
	hook_call(fd, hooked, fn, id);
}

static void test_samples(const char *name, long n)
{
	struct ilk_counter c;
	struct hooked hooked;
	pthread_t thread;
	int fd = ilk_open(&info);

	must(ioctl(fd, ILK_IOC_RING_CLAIM) ? -errno : 0, "CLAIM");
	hook_instrument(fd, &hooked, name);
	stored = 0;
	torn = 0;
	drain_stop = false;
	pthread_create(&thread, NULL, drain, &fd);
	must(ilk_arm(fd, NULL), "ARM");
	hit(n);
	ilk_settle(fd);
	hit(n);
	must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
	drain_stop = true;
	pthread_join(thread, NULL);
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.count == 4ul * n && c.count - c.dropped == stored + c.lost && !torn,
	      "%s: %llu hits = %lu stored + %llu lost + %llu dropped", name, c.count, stored, c.lost,
	      c.dropped);
	close(fd);
}

static void test_read(void)
{
	struct hooked hooked;
	uint8_t buf[4096];
	ssize_t n, bytes = 0, records = 0, at;
	int fd = ilk_open(NULL), other = ilk_open(NULL);

	must(ioctl(fd, ILK_IOC_RING_CLAIM) ? -errno : 0, "CLAIM");
	check(ioctl(other, ILK_IOC_RING_CLAIM) && errno == EBUSY, "one reader at a time");
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	hit(50);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (at = 0; at < n; records++) {
			const struct ilk_record *r = (void *)(buf + at);

			if (r->iid != hooked.cells.iid || r->len != 48 || r->commit >= info.nr_cpus)
				die("read() returned nonsense");
			at += ILK_CELL * ILK_RECORD_CELLS(r->len);
		}
		bytes += n;
		if (records >= 100)
			break;
	}
	check(records == 100, "read() returned %zd whole records in %zd bytes", records, bytes);
	check(module_unload("ilk_args") == -EAGAIN || module_unload("ilk_args") == -EWOULDBLOCK,
	      "an instrument in use cannot be unloaded");
	check(module_unload("ilk") < 0, "the driver in use cannot be unloaded");
	close(fd);
	close(other);
}

/* A stack trace taken in what a patch calls must run through the patch. */
static void test_unwind(void)
{
	static char trace[65536];
	struct hooked hooked;
	const char *at;
	ssize_t n = 0;
	int fd = ilk_open(NULL), file;

	write_file(TRACING "trace", "");
	if (!write_file(TRACING "kprobe_events", "p:ilkt/inside int_sqrt")) {
		printf("# no kprobe events here\n");
		close(fd);
		return;
	}
	write_file(TRACING "options/stacktrace", "1");
	write_file(TRACING "events/ilkt/inside/enable", "1");
	hook_call(fd, &hooked, kernel_symbol("int_sqrt"), 0);
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
	syscall(target_number, 0, 0);
	close(fd);
	file = open(TRACING "trace", O_RDONLY);
	if (file >= 0) {
		n = read(file, trace, sizeof(trace) - 1);
		close(file);
	}
	trace[n > 0 ? n : 0] = 0;
	write_file(TRACING "events/ilkt/inside/enable", "0");
	write_file(TRACING "kprobe_events", "-:ilkt/inside");
	at = strstr(trace, "<stack trace>");
	check(at && strstr(at, "ilk") && strstr(at, "do_syscall_64"),
	      "a stack trace runs through the patch");
	if (!at || !strstr(at, "do_syscall_64"))
		printf("# %s\n", trace);
}

/* ---- death, storms ---------------------------------------------------------------------- */

static volatile bool hammer_stop;

/* System calls of all sorts, so that functions all over the kernel are hit. */
static void *hammer(void *arg)
{
	char buf[4096];
	int pipes[2], fd;
	pid_t pid;

	while (!hammer_stop) {
		hit_target(&(long){ 50 });
		fd = open("/proc/self/stat", O_RDONLY);
		if (fd >= 0) {
			while (read(fd, buf, sizeof(buf)) > 0)
				;
			close(fd);
		}
		if (!pipe(pipes)) {
			if (write(pipes[1], buf, 100) == 100 && read(pipes[0], buf, 100) == 100)
				sched_yield();
			close(pipes[0]);
			close(pipes[1]);
		}
		munmap(mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0), 65536);
		usleep(100);
		pid = vfork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

/* Up to @want random functions of the core kernel; those refused are left out. */
static uint32_t plan_many(int fd, struct hooked *many, uint32_t want, uint32_t *refused)
{
	uint64_t low = kernel_symbol("_stext"), high = kernel_symbol("_etext");
	size_t count, n = 0, tries = 0;
	const struct symbol *functions = kernel_functions(&count), *f;
	struct point point;

	*refused = 0;
	while (n < want && tries++ < want * 20) {
		f = &functions[(size_t)random() % count];
		if (f->addr < low || f->addr >= high || !point_find(f->addr, f->size, &point) ||
		    !point.has_fentry || point.site + point.len > f->addr + f->size)
			continue;
		hook_counter(fd, &many[n], &point, n < 64,
			     n % 4 == 3 ? ILK_TACTIC_TRAP : ILK_TACTIC_SPLICE);
		if (ilk_prepare(fd, &many[n].patch, 1, &many[n].hook, 1)) {
			(*refused)++;
			continue;
		}
		n++;
	}
	return n;
}

static uint64_t total_hits(int fd, const struct hooked *many, uint32_t n)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		sum += ilk_counter(fd, many[i].cells.iid).count;
	return sum;
}

static void storm_round(int round, uint32_t want)
{
	static struct hooked many[1024];
	struct ilk_disarm disarm = { 0 };
	uint32_t n, refused;
	uint64_t start, armed, settled, hits;
	struct ilk_arm arm;
	int fd = ilk_open(NULL), ret;

	n = plan_many(fd, many, want, &refused);
	start = now_ns();
	ret = ilk_arm(fd, &arm);
	armed = now_ns();
	if (ret) {
		check(false, "storm %d: ARM: %s, refusal %u", round, strerror(-ret), arm.refusal);
		close(fd);
		return;
	}
	if (round % 4 == 1)		/* disarm in the middle of it */
		usleep(random() % 20000);
	else
		ilk_settle(fd);
	settled = now_ns();
	usleep(100000);
	hits = total_hits(fd, many, n);
	if (round % 4 == 2)
		close(fd);
	else
		ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, &disarm);
	check((round % 4 == 2 ? text_is_restored() : text_compare(true)) && !disarm.refused,
	      "storm %d: %u patches, %u refused, %lu hits, armed in %lu us, jumps after %lu us",
	      round, n, refused, hits, (armed - start) / 1000, (settled - armed) / 1000);
	if (round % 4 != 2)
		close(fd);
}

static void test_storm(int rounds, uint32_t want)
{
	pthread_t threads[2];
	int i;

	hammer_stop = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hammer, NULL);
	for (i = 0; i < rounds; i++)
		storm_round(i, want);
	hammer_stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void test_kill(void)
{
	static struct hooked many[64];
	uint32_t refused;
	int pipes[2], fd, round;
	char byte = 0;
	pid_t pid;

	for (round = 0; round < 4; round++) {
		if (pipe(pipes))
			die("pipe");
		pid = fork();
		if (!pid) {
			fd = ilk_open(NULL);
			plan_many(fd, many, 64, &refused);
			must(ilk_arm(fd, NULL), "ARM");
			if (round & 1)
				ilk_settle(fd);
			if (write(pipes[1], &byte, 1) != 1)
				_exit(1);
			for (;;)
				hit(1000);
		}
		if (read(pipes[0], &byte, 1) != 1)
			die("the client died early");
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		check(text_compare(true), "kill -9 %s: text restored",
		      round & 1 ? "when armed" : "while waiting");
		close(pipes[0]);
		close(pipes[1]);
	}
}

/* ---- hostile calls ------------------------------------------------------------------------ */

static const unsigned long commands[] = {
	ILK_IOC_INFO, ILK_IOC_RESERVE, ILK_IOC_PREPARE, ILK_IOC_DISARM, ILK_IOC_STATUS,
	ILK_IOC_COUNTERS, ILK_IOC_INSTRUMENTS, ILK_IOC_RING_CLAIM, ILK_IOC_CONSUME, ILK_IOC_ARM,
};

/* A number of the sort that breaks things. */
static uint64_t nasty(uint8_t *arena)
{
	switch (random() % 8) {
	case 0: return 0;
	case 1: return random() % 16;
	case 2: return ~0ull;
	case 3: return 0xffffffff80000000ull + random() % (1 << 26);
	case 4: return 1ull << (random() % 64);
	case 5: return ((uint64_t)random() << 32) ^ random();
	default: return (uintptr_t)arena + random() % 4096;
	}
}

static void fuzz(int fd, int rounds)
{
	uint8_t *arena = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	uint64_t call[8];
	int i, k;

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 8; k++)
			call[k] = random() % 3 ? nasty(arena) :
				  (random() % 4) | (uint64_t)(random() % 4) << 32;
		for (k = 0; k < 64; k++)
			((uint64_t *)arena)[random() % 512] = nasty(arena);
		ioctl(fd, random() % 16 ? commands[random() % 10] : (unsigned long)random(),
		      random() % 32 ? (void *)call : (void *)nasty(arena));
		if (!(i % 64))
			ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, NULL);
	}
	munmap(arena, 1 << 20);
}

/* A sound PREPARE with one field spoilt; never armed. */
static void mutate(int fd, int rounds)
{
	struct hooked hooked;
	uint32_t *words = (uint32_t *)&hooked.patch;
	int i;

	for (i = 0; i < rounds; i++) {
		hook_counter(fd, &hooked, &target_point, random() & 1, ILK_TACTIC_SPLICE);
		words[random() % (sizeof(hooked.patch) / 4)] = nasty((uint8_t *)&hooked);
		((uint32_t *)&hooked.hook)[random() % (sizeof(hooked.hook) / 4)] =
			nasty((uint8_t *)&hooked);
		ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1);
		ilk_disarm(fd, ILK_DISARM_OWN | ILK_DISARM_FREE, NULL);
	}
}

static void test_hostile(void)
{
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		fd = ilk_open(NULL);
		fuzz(fd, 20000);
		mutate(fd, 3000);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status) && text_compare(true),
	      "23000 hostile calls, text unchanged");
	fd = ilk_open(&info);
	check(!info.poisoned && !info.patches_live, "nothing is left of them");
	close(fd);
}

static void test_limits(void)
{
	struct ilk_reserve_patch patch = { .bytes = ILK_SLOT_MAX };
	uint32_t n = 0;
	int fd = ilk_open(&info), ret, tries = 0;

	while (!(ret = ilk_reserve(fd, &patch, 1, NULL, 0)))
		n++;
	check(ret == -ENOSPC && n > 200, "the arena holds %u slots of %u bytes, then says so", n,
	      ILK_SLOT_MAX);
	close(fd);
	do {
		usleep(20000);
		close(ilk_open(&info));
	} while (info.hooks_live && tries++ < 500);
	check(info.arena_free > info.arena_bytes - 4096 && !info.hooks_live,
	      "all of it is free again: %llu of %llu bytes, %u hooks live", info.arena_free,
	      info.arena_bytes, info.hooks_live);
}

/* ---- a module that goes away under a patch -------------------------------------------------- */

static void test_going(const char *folder)
{
	struct ilk_patch_status status[1] = { { 0 } };
	struct ilk_status call = { .capacity = 1, .patches = (uintptr_t)status };
	struct hooked hooked;
	struct point point;
	char path[256];
	int fd = ilk_open(NULL);

	kernel_load();
	if (!point_find(kernel_symbol("template_hit"), 0, &point)) {
		printf("# template_hit begins with instructions the test does not know\n");
		close(fd);
		return;
	}
	hook_counter(fd, &hooked, &point, true, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE in a module");
	must(ilk_arm(fd, NULL), "ARM in a module");
	ilk_settle(fd);
	must(module_unload("ilk_template"), "unload");
	if (ioctl(fd, ILK_IOC_STATUS, &call))
		die("STATUS");
	check(call.count == 1 && status[0].state == ILK_STATE_GONE,
	      "a patch in an unloaded module is gone");
	close(fd);
	snprintf(path, sizeof(path), "%s/ilk-template.ko", folder);
	must(module_load(path, ""), "load again");
}

static void load_all(const char *folder)
{
	static const char * const files[] = { "ilk.ko", "ilk-task.ko", "ilk-args.ko",
					      "ilk-template.ko" };
	char path[256];
	size_t i;

	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		must(module_load(path, i ? "" : "ring_kib=64"), path);
	}
}

static void unload_all(void)
{
	static const char * const names[] = { "ilk_task", "ilk_args", "ilk_template", "ilk" };
	int i, tries, ret;

	for (i = 0; i < 4; i++) {
		tries = 0;
		while ((ret = module_unload(names[i])) && tries++ < 50)
			usleep(100000);
		check(!ret, "%s unloaded", names[i]);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 4;

	if (argc < 2)
		die("usage: ilk-selftest MODULE-FOLDER [ROUNDS]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	kernel_load();
	text_remember();
	load_all(argv[1]);
	check(text_compare(true), "loading changes no text");
	kernel_load();
	close(ilk_open(&info));
	printf("# %u CPUs, arena %llu KiB, ring %llu KiB\n", info.nr_cpus, info.arena_bytes / 1024,
	       info.ring_bytes / 1024);
	find_target();

	test_counts();
	test_refusals();
	test_kprobes();
	test_schedule();
	test_samples("task", 30000);
	test_samples("args", 30000);
	test_read();
	test_unwind();
	test_going(argv[1]);
	test_limits();
	test_hostile();
	test_kill();
	test_storm(rounds, 400);
	unload_all();
	check(text_compare(true), "unloaded: text as it was");
	printf("1..%d\n# %d failed\n", checks, failures);
	return failures != 0;
}
