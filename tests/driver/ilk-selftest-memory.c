// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-memory.c - tests how much memory the driver uses
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define MIB (1l << 20)

/*
 * Limits the page allocator's per-CPU lists. Pages in these lists do not count as available memory;
 * on 6.12 the lists may contain more pages than a test uses.
 */
static void limit_page_lists(bool shorten)
{
	if (!write_file("/proc/sys/vm/percpu_pagelist_high_fraction", shorten ? "1000" : "0"))
		die("the page allocator's lists cannot be limited");
}

/* ---- test of the memory for the arguments of PREPARE -------------------------------- */

static struct ilk_prepare_patch *items;
static uint8_t *blob;

static void make_items(uint32_t code_len, uint32_t orc_count)
{
	uint32_t i;

	memset(items, 0, ILK_BATCH_MAX * sizeof(*items));
	for (i = 0; i < ILK_BATCH_MAX; i++) {
		items[i].code = (uintptr_t)blob;
		items[i].code_len = code_len;
		items[i].orc = (uintptr_t)blob;
		items[i].orc_count = orc_count;
	}
}

/* Runs @child and observes available memory. Return: maximum decrease in bytes. */
static long measure_child(void (*child)(int fd), int *status)
{
	long before = 1024 * available_kib(), lowest = before, now;
	pid_t pid = fork();

	if (!pid) {
		child(ilk_open(NULL));
		_exit(0);
	}
	while (!waitpid(pid, status, WNOHANG)) {
		now = 1024 * available_kib();
		lowest = now < lowest ? now : lowest;
		if (before - now > 256 * MIB)
			kill(pid, SIGKILL);
		usleep(1000);
	}
	return before - lowest;
}

static void prepare_shared(int fd)
{
	int ret = ilk_prepare(fd, items, ILK_BATCH_MAX, NULL, 0);
	uint32_t at = ILK_PREPARE_BYTES_MAX / (ILK_SLOT_MAX + ILK_SLOT_MAX / 8 * 8);

	_exit(ret == -E2BIG && items[at].refusal == ILK_REFUSAL_TOO_LARGE &&
	      items[at].error == ret && !items[at - 1].error ? 0 : 1);
}

static void prepare_for_ever(int fd)
{
	for (;;)
		ilk_prepare(fd, items, ILK_BATCH_MAX, NULL, 0);
}

static void test_staging(void)
{
	struct ilk_info info;
	long took, before;
	int status = 0, i;
	pid_t pid;

	items = mmap(NULL, ILK_BATCH_MAX * sizeof(*items), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	blob = mmap(NULL, 2 * ILK_SLOT_MAX, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (items == MAP_FAILED || blob == MAP_FAILED)
		die("mmap: %s", strerror(errno));

	limit_page_lists(true);
	make_items(ILK_SLOT_MAX, ILK_SLOT_MAX / 8);
	took = measure_child(prepare_shared, &status);
	check(WIFEXITED(status) && !WEXITSTATUS(status) && took < 64 * MIB,
	      "65536 items that share 128 KiB are refused as too large, %ld MiB taken", took / MIB);

	/* Make the largest PREPARE that the driver accepts, and kill its process at a random
	 * moment. */
	make_items(ILK_PREPARE_BYTES_MAX / ILK_BATCH_MAX, 0);
	before = 1024 * available_kib();
	for (i = 0; i < 10; i++) {
		pid = fork();
		if (!pid)
			prepare_for_ever(ilk_open(NULL));
		usleep(random() % 300000);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	took = before - 1024 * available_kib();
	close(ilk_open(&info));
	check(WIFSIGNALED(status) && !info.patches_live && took < 64 * MIB,
	      "killed while 32 MiB are taken in: %ld KiB less than before", took / 1024);
	limit_page_lists(false);
	munmap(items, ILK_BATCH_MAX * sizeof(*items));
	munmap(blob, 2 * ILK_SLOT_MAX);
}

/* ---- test of COUNTERS with 65,536 iids ------------------------------------------------ */

static void test_counter_table(void)
{
	uint32_t *iids = calloc(ILK_BATCH_MAX, sizeof(*iids)), i, cpu;
	struct ilk_counters call = { .count = ILK_BATCH_MAX, .flags = ILK_COUNTERS_PER_CPU };
	struct ilk_counter *out, sum, row;
	struct hooked hooked[2];
	struct ilk_info info;
	uint32_t wrong = 0;
	int fd = ilk_open(&info);

	out = calloc((size_t)ILK_BATCH_MAX * info.nr_cpus, sizeof(*out));
	if (!iids || !out)
		die("no memory");
	hook_counter(fd, &hooked[0], &target_point, true, ILK_TACTIC_SPLICE);
	hook_counter(fd, &hooked[1], &target_point, true, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked[0].patch, 1, &hooked[0].hook, 1), "PREPARE");
	must(ilk_arm(fd, NULL), "ARM");
	hit(1000);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	for (i = 0; i < ILK_BATCH_MAX; i++)
		iids[i] = hooked[i % 2].cells.iid;
	call.iids = (uintptr_t)iids;
	call.out = (uintptr_t)out;
	must(ioctl(fd, ILK_IOC_COUNTERS, &call) ? -errno : 0, "COUNTERS");
	sum = ilk_counter(fd, hooked[0].cells.iid);
	for (i = 0; i < ILK_BATCH_MAX; i++) {
		memset(&row, 0, sizeof(row));
		for (cpu = 0; cpu < info.nr_cpus; cpu++)
			row.count += out[(size_t)i * info.nr_cpus + cpu].count;
		wrong += row.count != (i % 2 ? 0 : sum.count);
	}
	check(sum.count == 2000 && !wrong, "65536 counters by CPU in one call, %u wrong", wrong);
	iids[ILK_BATCH_MAX - 1] = 0;
	check(ioctl(fd, ILK_IOC_COUNTERS, &call) && errno == ENOENT,
	      "an iid of nobody in the last of them");
	close(fd);
	free(iids);
	free(out);
}

/* ---- test of the driver's use of the address space for modules ----------------------------- */

/* Returns the size of a section in a module's file. */
static uint64_t section_bytes(const char *path, const char *name)
{
	uint8_t *file;
	Elf64_Ehdr *head;
	Elf64_Shdr *sections;
	uint64_t bytes = 0;
	struct stat stat;
	int fd = open(path, O_RDONLY | O_CLOEXEC), i;

	if (fd < 0 || fstat(fd, &stat))
		die("%s: %s", path, strerror(errno));
	file = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	head = (Elf64_Ehdr *)file;
	sections = (Elf64_Shdr *)(file + head->e_shoff);
	for (i = 0; i < head->e_shnum; i++)
		if (!strcmp((char *)file + sections[head->e_shstrndx].sh_offset +
			    sections[i].sh_name, name))
			bytes = sections[i].sh_size;
	munmap(file, stat.st_size);
	close(fd);
	return bytes;
}

static void test_shared(const char *folder)
{
	struct ilk_reserve_hook *hooks = calloc(400, sizeof(*hooks));
	uint32_t i, near = 0, again = 0;
	uint64_t bytes;
	char path[256];
	int fd = ilk_open(NULL);

	snprintf(path, sizeof(path), "%s/ilk.ko", folder);
	bytes = section_bytes(path, ".data..percpu");
	check(bytes && bytes <= 300, "%lu bytes of the 8192 of per-CPU data that all modules share",
	      bytes);
	for (i = 0; i < 400; i++)
		hooks[i].flags = ILK_HOOK_COUNTER_NEAR;
	must(ilk_reserve(fd, NULL, 0, hooks, 400), "RESERVE");
	for (i = 0; i < 400; i++)
		near += hooks[i].counter == (uint64_t)(int32_t)hooks[i].counter;
	must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
	must(ilk_reserve(fd, NULL, 0, hooks, 400), "RESERVE");
	for (i = 0; i < 400; i++)
		again += hooks[i].counter == (uint64_t)(int32_t)hooks[i].counter;
	check(near >= 24 && near <= 256 && again >= 24, "%u near counters, and %u the next time",
	      near, again);
	close(fd);
	free(hooks);
}

/* ---- test of the memory that the driver uses when idle --------------------------------------- */

#define IDLE_MAX	2000000l

/* Returns the memory used by the driver, its arena modules and its allocations. */
static long driver_bytes(void)
{
	char line[512], name[64];
	long sum = 0, bytes;
	FILE *file = fopen("/proc/modules", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %ld", name, &bytes) == 2 &&
		    (!strcmp(name, "ilk") || !strncmp(name, "ilk_arena_", 10)))
			sum += bytes;
	if (file)
		fclose(file);
	file = fopen("/proc/vmallocinfo", "r");
	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, " [ilk]") && sscanf(line, "%*s %ld", &bytes) == 1)
			sum += bytes;
	if (file)
		fclose(file);
	return sum;
}

void test_idle(void)
{
	struct ilk_reserve_patch patches[48] = { { 0 } };
	uint32_t i, n = 0;
	long before, after;
	int fd;

	arenas_unload();
	before = driver_bytes();
	check(before && before <= IDLE_MAX, "%ld bytes with nothing armed", before);
	for (i = 0; i < 48; i++)
		patches[i].bytes = ILK_SLOT_MAX;
	fd = ilk_open(NULL);
	must(ilk_reserve(fd, patches, 48, NULL, 0), "RESERVE of 3 MiB");
	for (i = 0; i < ILK_ARENA_MODULES; i++)
		n += arena_is_loaded(i);
	check(n >= 12 && n <= 13, "%u arena modules are loaded for 3 MiB of slots", n);
	check(module_unload("ilk_arena_0") == -EWOULDBLOCK, "one in use cannot be unloaded");
	close(fd);
	check(!arenas_unload(), "they can when the client is gone");
	after = driver_bytes();
	check(after && after <= IDLE_MAX, "%ld bytes then", after);
}

void test_memory(const char *folder)
{
	test_shared(folder);
	test_staging();
	test_counter_table();
}

/* ---- test that freed slots contain no code -------------------------------------------- */

static uint8_t *arena;		/* copy of the driver's own arena before anything was hooked */
static uint64_t arena_bytes, arena_used;

/* Returns the address of a module's arena, or 0 if the module is not loaded. */
static uint64_t arena_base(const char *module)
{
	unsigned long base = 0;
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/sections/.kprobes.text", module);
	file = fopen(path, "r");
	if (file && fscanf(file, "%lx", &base) != 1)
		base = 0;
	if (file)
		fclose(file);
	return base;
}

void arena_remember(void)
{
	struct ilk_info info;

	close(ilk_open(&info));
	arena_used = info.arena_bytes - info.arena_free;
	arena_bytes = info.arena_bytes;
	arena = malloc(arena_bytes);
	if (!arena || kernel_read(arena_base("ilk"), arena, arena_bytes))
		die("the arena cannot be read");
}

/* Counts the bytes of code in an arena that differ from the earlier copy @then. If @then is NULL,
 * counts all bytes of code.
 * */
static uint64_t leftovers_in(uint64_t base, uint64_t bytes, const uint8_t *then)
{
	uint8_t page[4096];
	uint64_t at, length, n = 0, i;

	for (at = 0; at < bytes; at += length) {
		length = bytes - at < sizeof(page) ? bytes - at : sizeof(page);
		if (kernel_read(base + at, page, length))
			die("an arena cannot be read");
		for (i = 0; i < length; i++)
			n += page[i] != 0xcc && (!then || page[i] != then[at + i]);
	}
	return n;
}

static uint64_t arena_leftovers(void)
{
	uint64_t n = leftovers_in(arena_base("ilk"), arena_bytes, arena), base;
	struct ilk_info info;
	char name[32];
	int i;

	for (i = 0; i < ILK_ARENA_MODULES; i++) {
		snprintf(name, sizeof(name), "ilk_arena_%d", i);
		base = arena_base(name);
		n += base ? leftovers_in(base, ILK_ARENA_MODULE_BYTES, NULL) : 0;
	}
	close(ilk_open(&info));
	return n + (info.arena_bytes - info.arena_free != arena_used);
}

void test_arena(void)
{
	uint64_t left;
	int tries = 0;

	while ((left = arena_leftovers()) && tries++ < 100)
		usleep(100000);
	check(!left, "all slots are free, and hold int3: %lu bytes do not", left);
}

/* ---- test of unloading modules that no hook uses ------------------------------------------ */

static long probe_hits(const char *name)
{
	char line[256], found[64];
	long hits = -1, n;
	FILE *file = fopen(TRACING "kprobe_profile", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " %63s %ld", found, &n) == 2 && !strcmp(found, name))
			hits = n;
	if (file)
		fclose(file);
	return hits;
}

void test_unloads(const char *folder)
{
	struct hooked hooked;
	struct point point;
	char path[256];
	long before, with;
	int fd;

	if (!write_file(TRACING "kprobe_events", "p:ilkt/going ilk_module_going")) {
		printf("# no kprobe events here\n");
		return;
	}
	write_file(TRACING "events/ilkt/going/enable", "1");
	snprintf(path, sizeof(path), "%s/ilk-template.ko", folder);
	must(module_unload("ilk_template"), "unload");
	before = probe_hits("going");
	must(module_load(path, ""), "load again");
	kernel_load();
	fd = ilk_open(NULL);
	if (point_find(kernel_symbol("template_hit"), 0, &point)) {
		hook_counter(fd, &hooked, &point, true, ILK_TACTIC_SPLICE);
		must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE in a module");
		must(module_unload("ilk_template"), "unload");
		with = probe_hits("going") - before;
		must(module_load(path, ""), "load again");
		check(!before && with == 1,
		      "unloads wait for the driver if a patch lies in the module, not else (%ld, %ld)",
		      with, before);
	}
	close(fd);
	write_file(TRACING "events/ilkt/going/enable", "0");
	write_file(TRACING "kprobe_events", "-:ilkt/going");
	kernel_load();
}
