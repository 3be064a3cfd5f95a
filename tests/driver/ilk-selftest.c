// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest.c - tests the driver alone, on a stock kernel in a VM
 *
 *   ilk-selftest MODULE-FOLDER [ROUNDS [SEED]]
 *
 * Loads ilk.ko with small rings, drives /dev/ilk with hand-made patches, and checks the driver's
 * guarantees: exact counts; restored text after a disarm, the death of a client and an unload;
 * refusals; hostile calls; schedules; samples produced = stored + lost. Prints TAP; the plan "1..N"
 * is the last line. ROUNDS says how often random parts are repeated (4 in ./check). If it is 0,
 * every function of the core kernel is hooked once.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

static struct ilk_info info;

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
		hit(cases[i].n / 2);		/* make hits while the trap is replaced by the
						 * jump */
		ilk_settle(fd);
		start = now_ns();
		hit(cases[i].n / 2);
		printf("# %s: %ld ns a call\n", cases[i].name,
		       (long)((now_ns() - start) / (cases[i].n / 2)));
		check(!text_compare(false), "%s: text is patched", cases[i].name);
		must(ilk_disarm(fd, ILK_DISARM_FILE, &disarm), "DISARM");
		check(disarm.restored == 1 && !disarm.refused && text_compare(true),
		      "%s: text restored", cases[i].name);
		hit(100);
		count = ilk_counter(fd, hooked.cells.iid).count;
		check(count == 2ul * cases[i].n, "%s: counted %lu of %ld", cases[i].name, count,
		      2 * cases[i].n);
		close(fd);
	}
}

/* ---- test of start and stop times -------------------------------------------------- */

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

/* Calls the target until calls are no longer counted. Return: number of calls. */
static uint64_t hits_until_stopped(int fd, uint32_t iid)
{
	uint64_t n = 0, last, count = ilk_counter(fd, iid).count;
	int tries = 100;

	do {
		last = count;
		n += hits_until(now_ns() + 100 * MS);
		count = ilk_counter(fd, iid).count;
	} while (count != last && --tries);
	return n;
}

#define OPTIMISER	"/proc/sys/debug/kprobes-optimization"

static void test_schedule(void)
{
	struct ilk_reserve_hook cells[2] = { { 0 } };
	struct ilk_prepare_hook hooks[2];
	struct ilk_counter a, b, later;
	struct hooked hooked;
	struct ilk_arm arm;
	uint64_t before, during;
	bool early, same;
	int fd = ilk_open(NULL);

	/*
	 * The first hook runs from 200 to 4000 ms, and so does the patch, which contains both
	 * hooks. The gate of the second hook is open from 300 to 3000 ms. The kernel's kprobe
	 * optimiser could delay a start, because it holds text_mutex for a grace period. Switching
	 * the optimiser off waits until it has finished.
	 */
	write_file(OPTIMISER, "0");
	write_file(OPTIMISER, "1");
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
		.start_ns = 200 * MS, .stop_ns = 4000 * MS };
	hooks[1] = (struct ilk_prepare_hook){ .iid = cells[1].iid, .patch = hooked.slot.id,
		.flags = ILK_HOOK_GATED, .start_ns = 300 * MS, .stop_ns = 3000 * MS };
	must(ilk_prepare(fd, &hooked.patch, 1, hooks, 2), "PREPARE");
	must(ilk_arm(fd, &arm), "ARM");
	same = text_compare(true);
	check(same || now_ns() >= arm.zero.mono_ns + 200 * MS, "schedule: nothing is armed before the first start");
	hits_until(arm.zero.mono_ns + 150 * MS);
	before = ilk_counter(fd, cells[0].iid).count;
	/* @early is false if the machine stalled until after the start. */
	early = now_ns() < arm.zero.mono_ns + 200 * MS;
	during = hits_until(arm.zero.mono_ns + 4300 * MS) + hits_until_stopped(fd, cells[0].iid);
	a = ilk_counter(fd, cells[0].iid);
	b = ilk_counter(fd, cells[1].iid);
	hits_until(now_ns() + 100 * MS);
	later = ilk_counter(fd, cells[0].iid);
	check(!early || !before, "schedule: not before its start (%lu hits)", before);
	check(a.count && a.count < before + during && later.count == a.count,
	      "schedule: started and stopped (%llu of %lu hits, then %llu)", a.count, during, later.count);
	check(b.count && b.count < a.count, "schedule: gate opened and closed (%llu of %llu)",
	      b.count, a.count);
	check(text_compare(true), "schedule: restored after the last stop");
	close(fd);
}

/* ---- tests of samples and stack traces ----------------------------------------------- */

static volatile bool drain_stop;
static uint64_t stored, torn;

static void *drain_reader(void *arg)
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

/* Prepares a patch that counts its hits and calls @fn. */
static void hook_call(int fd, struct hooked *hooked, uint64_t fn, uint32_t instrument)
{
	struct ilk_orc orc[2];

	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 256;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, hooked->cells.counter);
	code_call(&hooked->code, &info, fn, hooked->cells.iid, hooked->cells.missed);
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->hook.instrument = instrument;
	hooked->hook.flags = ILK_HOOK_SAMPLES;
	unwind_by_sp(&orc[0], 0, 8);
	/* At the call, the stack contains the return address, ten registers and the guard. */
	unwind_by_sp(&orc[1], 32, 96);
	hooked->patch.orc = (uintptr_t)orc;
	hooked->patch.orc_count = 2;
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE");
}

void hook_instrument(int fd, struct hooked *hooked, const char *name)
{
	uint64_t fn;
	uint32_t id = ilk_instrument(fd, name, &fn);

	if (!id)
		die("instrument %s is not registered", name);
	hook_call(fd, hooked, fn, id);
}

static void claim_rings(int fd)
{
	int64_t bytes = ilk_claim(fd, 0, ILK_RING_DROP, 0);

	must(bytes < 0 ? bytes : 0, "CLAIM");
	info.ring_bytes = bytes;
}

static void test_samples(const char *name, long n)
{
	struct ilk_counter c;
	struct hooked hooked;
	pthread_t thread;
	int fd = ilk_open(&info);

	claim_rings(fd);
	hook_instrument(fd, &hooked, name);
	stored = 0;
	torn = 0;
	drain_stop = false;
	pthread_create(&thread, NULL, drain_reader, &fd);
	must(ilk_arm(fd, NULL), "ARM");
	hit(n);
	ilk_settle(fd);
	hit(n);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	drain_stop = true;
	pthread_join(thread, NULL);
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.count == 4ul * n && c.count - c.missed == stored + c.lost && !torn,
	      "%s: %llu hits = %lu stored + %llu lost + %llu dropped", name, c.count, stored, c.lost,
	      c.missed);
	close(fd);
}

static void test_read(void)
{
	struct hooked hooked;
	uint8_t buf[4096];
	ssize_t n, bytes = 0, records = 0, at;
	int fd = ilk_open(NULL), other = ilk_open(NULL);

	claim_rings(fd);
	check(ilk_claim(other, 0, ILK_RING_DROP, 0) == -EBUSY, "one reader at a time");
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	hit(50);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (at = 0; at < n; records++) {
			const struct ilk_record *r = (void *)(buf + at);

			if (r->iid == ILK_IID_GAP)
				die("read() returned a gap, nothing was lost");
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

/* Tests that a stack trace taken in a function called by a patch passes through the patch. */
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

/* ---- test of a module that is unloaded under a patch ---------------------------------------- */

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
					      "ilk-template.ko", "gilk_busy.ko", "gilk_clone.ko" };
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		must(module_load(path, i ? "" : "ring_kib=64"), path);
	}
}

/* ---- test of machines on which the driver must not load -------------------------------------- */

#define MACHINE	"/sys/module/gilk_machine/parameters/"

/* Returns whether the line for @name in the driver's file "refusals" contains @words. */
static bool is_refused(const char *name, const char *words)
{
	FILE *file = fopen(MACHINE "refusals", "r");
	char line[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, name, strlen(name)) && line[strlen(name)] == ' ' && strstr(line, words);
	if (file)
		fclose(file);
	return found;
}

/* Tests machines on which the driver must not load. Must be called while the driver is not
 * loaded. */
static void test_refused_machines(const char *folder)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC), ret;
	char path[256];

	lseek(log, 0, SEEK_END);
	snprintf(path, sizeof(path), "%s/gilk_machine.ko", folder);
	must(module_load(path, ""), path);
	if (!write_file(MACHINE "tsc_khz", "0"))
		die("the frequency of the time stamp counter cannot be hidden");
	snprintf(path, sizeof(path), "%s/ilk.ko", folder);
	ret = module_load(path, "");
	write_file(MACHINE "tsc_khz", "1");
	check(ret == -EOPNOTSUPP && log_says(log, "not loaded: the kernel does not know the frequency"),
	      "without a known frequency of the time stamp counter the driver does not load (%d)", ret);
	check(access("/dev/" ILK_DEVICE_NAME, F_OK) && text_compare(true), "and it leaves no device, and text as it was");
	check(is_refused("CFI_CLANG", "(kCFI)") && is_refused("CFI", "(kCFI)") && is_refused("none", "-"),
	      "a kernel with kCFI is refused by name, whatever its configuration calls it");
	must(module_unload("gilk_machine"), "unload");
	if (!ret)
		must(module_unload("ilk"), "unload");
	close(log);
}

static const char * const names[] = { "ilk_task", "ilk_args", "ilk_template", "gilk_busy",
				      "gilk_clone", "ilk" };
#define NAMES	(int)(sizeof(names) / sizeof(*names))

static void unload_quietly(void)
{
	char name[32];
	int i;

	for (i = 0; i < ILK_ARENA_MODULES; i++) {
		snprintf(name, sizeof(name), "ilk_arena_%d", i);
		module_unload(name);
	}

	for (i = 0; i < NAMES; i++)
		module_unload(names[i]);
}

static void unload_all(void)
{
	int i, tries, ret;

	check(!arenas_unload(), "arena modules unloaded");
	for (i = 0; i < NAMES; i++) {
		tries = 0;
		while ((ret = module_unload(names[i])) && tries++ < 600)
			usleep(100000);
		check(!ret, "%s unloaded", names[i]);
	}
}

static const char *folder;
static int rounds = 4;

/* Fills the driver's own arena, then repeats tests with the code in the arena of a module. */
static void run_arenas(void)
{
	int fd = ilk_open(NULL);

	check(!arenas_unload(), "no arena module is needed at rest");
	own_arena_fill(fd);
	test_counts();
	test_unwind();
	check(arena_is_loaded(0) && !arena_is_loaded(1), "one module brings what is missing");
	close(fd);
}

static void run_samples(void)
{
	test_samples("task", 30000);
	test_samples("args", 30000);
}

static void run_race(void)
{
	test_race(folder, rounds);
}

static void run_module_unload(void)
{
	test_going(folder);
}

static void torn_out(void)
{
	test_torn_out(folder);
}

static void run_poison(void)
{
	test_poison(folder);
}

static void run_memory(void)
{
	test_memory(folder);
}

static void run_rings(void)
{
	test_rings((rounds ?: 1) * 5);
}

static void run_unloads(void)
{
	test_unloads(folder);
}

static void run_switches(void)
{
	test_switch(rounds ?: 1);
}

static void run_hostile(void)
{
	test_hostile(rounds ?: 1);
}

static void run_churn(void)
{
	test_churn((rounds ?: 1) * 25);
}

static void run_storm(void)
{
	test_storm(rounds, 600);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "clocks", test_clocks }, { "measured samples", test_measured_samples }, { "blocks", test_intervals }, { "services", test_services }, { "tell", test_notify }, { "others", test_isolation }, { "counts", test_counts }, { "refusals", test_refusals },
	{ "bounce", test_bounce },
	{ "grace", test_grace }, { "clones", test_clones }, { "switch", run_switches }, { "kprobes", test_kprobes },
	{ "race", run_race },
	{ "schedule", test_schedule }, { "samples", run_samples }, { "read", test_read },
	{ "unwind", test_unwind }, { "going", run_module_unload }, { "torn-out", torn_out },
	{ "limits", test_limits },
	{ "memory", run_memory }, { "areas", test_areas }, { "rings", run_rings }, { "unloads", run_unloads },
	{ "hostile", run_hostile }, { "kill", test_kill }, { "churn", run_churn }, { "storm", run_storm },
	{ "arenas", run_arenas }, { "arena-torn-out", test_arena_torn_out }, { "idle", test_idle }, { "arena", test_arena },
	{ "poison", run_poison },		/* must be last, because the driver stays poisoned,
						 * that is, refuses to change text */
};

/* Returns whether @name is one of the comma-separated @words. */
static bool is_named(const char *words, const char *name)
{
	size_t len = strlen(name);
	const char *at = words;

	while ((at = strstr(at, name)) && ((at > words && at[-1] != ',') || (at[len] && at[len] != ',')))
		at += len;
	return at;
}

int main(int argc, char **argv)
{
	const char *only = argc > 4 ? argv[4] : NULL;
	uint64_t since;
	size_t i;
	unsigned int seed = argc > 3 ? (unsigned int)atol(argv[3]) : (unsigned int)now_ns();

	if (argc < 2)
		die("usage: ilk-selftest MODULE-FOLDER [ROUNDS [SEED [TESTS]]]");
	folder = argv[1];
	arena_folder = folder;
	rounds = argc > 2 ? atoi(argv[2]) : rounds;
	setvbuf(stdout, NULL, _IOLBF, 0);
	srandom(seed);
	printf("# seed %u\n", seed);
	unload_quietly();
	kernel_load();
	text_remember();
	test_refused_machines(argv[1]);
	load_all(argv[1]);
	check(text_compare(true), "loading changes no text");
	kernel_load();
	close(ilk_open(&info));
	printf("# %u CPUs, arena %llu KiB, ring %llu KiB\n", info.nr_cpus, info.arena_bytes / 1024,
	       info.ring_bytes / 1024);
	find_target();
	arena_remember();

	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		if (only && !is_named(only, tests[i].name))
			continue;
		since = now_ns();
		tests[i].run();
		printf("# %s took %.1f s\n", tests[i].name, (double)(now_ns() - since) / 1e9);
	}
	close(ilk_open(&info));
	check(!info.bugs, "the driver found no defect of its own (%llu)", info.bugs);
	unload_all();
	check(text_compare(true), "unloaded: text as it was");
	return check_summary();
}
