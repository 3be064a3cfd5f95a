// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-areas.c - tests areas, the memory in which the code of hooks keeps data
 *
 * Areas are zeroed, whatever the memory contained before; clients can read what code writes there;
 * their total size is bounded; they are allocated completely or not at all.
 * ilk-selftest-areas-freed.c tests when they are freed.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-selftest-fixtures.h"

static struct ilk_info info;

int areas_alloc(int fd, struct ilk_area *areas, uint32_t count)
{
	struct ilk_memory call = { .count = count, .areas = (uintptr_t)areas };

	return ioctl(fd, ILK_IOC_MEMORY, &call) ? -errno : 0;
}

int area_read(int fd, uint32_t id, uint32_t cpu, uint32_t offset, uint64_t *out, uint32_t bytes)
{
	struct ilk_memory_read call = {
		.id = id, .cpu = cpu, .offset = offset, .bytes = bytes, .out = (uintptr_t)out,
	};

	return ioctl(fd, ILK_IOC_MEMORY_READ, &call) ? -errno : 0;
}

/* Allocates @count areas of @bytes each, all with @flags. */
int areas_alloc_some(int fd, uint32_t count, uint32_t bytes, uint32_t flags)
{
	struct ilk_area *areas = calloc(count, sizeof(*areas));
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++)
		areas[i] = (struct ilk_area){ .bytes = bytes, .flags = flags };
	ret = areas_alloc(fd, areas, count);
	free(areas);
	return ret;
}

/* Allocates @mib areas of 1 MiB. Retries on failure, because released memory is freed with a
 * delay. */
int areas_alloc_retry(int fd, uint32_t mib)
{
	int ret, tries = 0;

	while ((ret = areas_alloc_some(fd, mib, MIB, 0)) == -E2BIG && tries++ < 400)
		usleep(50000);
	return ret;
}

static void run_on(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("CPU %u: %s", cpu, strerror(errno));
}

static void run_anywhere(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	sched_setaffinity(0, sizeof(set), &set);
}

/* ---- code that accesses areas -------------------------------------------------------- */

/* Emits an increment of the area's word at @offset. */
void area_add(struct code *code, const struct ilk_area *area, uint32_t offset)
{
	uint64_t at = area->at + offset;

	if (area->flags & ILK_AREA_PER_CPU) {
		code_count(code, at);
		return;
	}
	code_bytes(code, "\x50\x48\xb8", 3);		/* push %rax; mov $at,%rax */
	code_bytes(code, &at, 8);
	code_bytes(code, "\xf0\x48\xff\x00\x58", 5);	/* lock incq (%rax); pop %rax */
}

/* Emits code that sets all bits of an area. If the area is per CPU, sets only the bits of this CPU.
 * */
static void code_fill(struct code *code, const struct ilk_area *area)
{
	bool each = area->flags & ILK_AREA_PER_CPU;
	uint32_t words = area->bytes / 8;
	uint8_t back = each ? 0xef : 0xf0;

	code_bytes(code, "\x50\x51\x48\xb8", 4);	/* push %rax; push %rcx; mov $at,%rax */
	code_bytes(code, &area->at, 8);
	code_bytes(code, "\xb9", 1);			/* mov $words,%ecx */
	code_bytes(code, &words, 4);
	if (each)
		code_bytes(code, "\x65", 1);
	code_bytes(code, "\x48\xc7\x00\xff\xff\xff\xff", 7);	/* movq $-1,(%rax) */
	code_bytes(code, "\x48\x83\xc0\x08\x48\xff\xc9", 7);	/* add $8,%rax; dec %rcx */
	code_bytes(code, "\x75", 1);			/* jnz */
	code_bytes(code, &back, 1);
	code_bytes(code, "\x59\x58", 2);
}

void areas_hook_start(int fd, struct hooked *hooked)
{
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 512;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
}

void areas_hook_prepare(int fd, struct hooked *hooked)
{
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE");
}

static void arm_hook(int fd, struct hooked *hooked)
{
	areas_hook_prepare(fd, hooked);
	must(ilk_arm(fd, NULL), "ARM");
	ilk_settle(fd);
}

/* ---- tests of the contents of areas -------------------------------------------------- */

#define KINDS	6
static const struct ilk_area kinds[KINDS] = {
	{ .bytes = 16 }, { .bytes = 24, .flags = ILK_AREA_PER_CPU }, { .bytes = 4096 }, { .bytes = MIB },
	{ .bytes = 1 << 15, .flags = ILK_AREA_PER_CPU }, { .bytes = 65536 + 8 },
};

/* Returns the number of words of an area, on all CPUs, that differ from @word. */
static uint64_t others_than(int fd, const struct ilk_area *area, uint64_t word)
{
	uint32_t cpus = area->flags & ILK_AREA_PER_CPU ? info.nr_cpus : 1, cpu, i;
	uint64_t *words = malloc(area->bytes), n = 0;

	for (cpu = 0; cpu < cpus; cpu++) {
		must(area_read(fd, area->id, cpu, 0, words, area->bytes), "MEMORY_READ");
		for (i = 0; i < area->bytes / 8; i++)
			n += words[i] != word;
	}
	free(words);
	return n;
}

static void test_zeros(void)
{
	struct ilk_area areas[KINDS];
	uint64_t dirty = 0, clean = 0;
	struct hooked hooked;
	uint32_t round, cpu, i;
	int fd = ilk_open(NULL);

	for (round = 0; round < 4; round++) {
		memcpy(areas, kinds, sizeof(areas));
		must(areas_alloc(fd, areas, KINDS), "MEMORY");
		for (i = 0; i < KINDS; i++)
			dirty += others_than(fd, &areas[i], 0);
		areas_hook_start(fd, &hooked);
		for (i = 0; i < KINDS; i++)
			code_fill(&hooked.code, &areas[i]);
		arm_hook(fd, &hooked);
		for (cpu = 0; cpu < info.nr_cpus; cpu++) {
			run_on(cpu);
			syscall(target_number, 0, 0);
		}
		run_anywhere();
		for (i = 0; i < KINDS; i++)
			clean += others_than(fd, &areas[i], ~0ull);
		must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
		must(areas_alloc_retry(fd, POOL_MIB), "MEMORY of all there may be");
		must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
		must(areas_alloc_retry(fd, 1), "MEMORY");
	}
	close(fd);
	check(!dirty, "areas are zeros on all CPUs, though code filled them before: %lu words are not", dirty);
	check(!clean, "code fills all of them: %lu words are not", clean);
}

static void test_sums(void)
{
	struct ilk_area areas[KINDS];
	uint64_t sum, word, wrong = 0;
	struct hooked hooked;
	uint32_t i, k, cpu;
	int fd = ilk_open(NULL), other = ilk_open(NULL);

	memcpy(areas, kinds, sizeof(areas));
	must(areas_alloc(fd, areas, KINDS), "MEMORY");
	for (i = 0; i < KINDS; i++) {
		wrong += !areas[i].id || areas[i].at % 8 || !areas[i].at;
		for (k = 0; k < i; k++)
			wrong += areas[i].id == areas[k].id;
	}
	check(!wrong, "%u areas have ids of their own, and whole words", KINDS);
	areas_hook_start(fd, &hooked);
	for (i = 0; i < KINDS; i++)
		area_add(&hooked.code, &areas[i], areas[i].bytes - 8);
	arm_hook(fd, &hooked);
	hit(20000);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	must(ilk_disarm(other, ILK_DISARM_ALL_FILES | ILK_DISARM_FREE, NULL), "DISARM of everyone");
	for (i = 0; i < KINDS; i++) {
		for (sum = 0, cpu = 0; cpu < (areas[i].flags & ILK_AREA_PER_CPU ? info.nr_cpus : 1); cpu++) {
			must(area_read(fd, areas[i].id, cpu, areas[i].bytes - 8, &word, 8), "MEMORY_READ");
			sum += word;
		}
		wrong += sum != 40000;
	}
	check(!wrong, "%u areas count as many hits as there were, and are read after a disarm of everyone", KINDS);
	check(area_read(other, areas[0].id, 0, 0, &word, 8) == -ENOENT, "another file does not read them");
	must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
	check(area_read(fd, areas[0].id, 0, 0, &word, 8) == -ENOENT, "given up, they are not read any more");
	close(other);
	close(fd);
}

static void code_load(struct code *code, uint32_t offset, uint8_t to)
{
	code_bytes(code, "\x8b\x90", 2);		/* mov offset(%rax),%edx */
	code_bytes(code, &offset, 4);
	code_bytes(code, "\x89\x51", 2);		/* mov %edx,to(%rcx) */
	code_bytes(code, &to, 1);
}

/* Tests that code finds the current task at the offsets from %gs that INFO reports. */
static void test_task(void)
{
	struct ilk_area area = { .bytes = 32 };
	struct hooked hooked;
	uint32_t words[8];
	char name[16] = "";
	int fd = ilk_open(NULL);

	must(areas_alloc(fd, &area, 1), "MEMORY");
	areas_hook_start(fd, &hooked);
	code_bytes(&hooked.code, "\x50\x51\x52\x48\xb9", 5);	/* push %rax, %rcx, %rdx; mov $at,%rcx */
	code_bytes(&hooked.code, &area.at, 8);
	code_bytes(&hooked.code, "\x65\x48\x8b\x04\x25", 5);	/* mov %gs:current,%rax */
	code_bytes(&hooked.code, &info.gs_current_task, 4);
	code_load(&hooked.code, info.task_pid, 0);
	code_load(&hooked.code, info.task_tgid, 4);
	code_load(&hooked.code, info.task_comm, 8);
	code_load(&hooked.code, info.task_comm + 4, 12);
	code_bytes(&hooked.code, "\x65\x8b\x14\x25", 4);	/* mov %gs:number,%edx */
	code_bytes(&hooked.code, &info.gs_cpu_number, 4);
	code_bytes(&hooked.code, "\x89\x51\x10\x5a\x59\x58", 6);	/* mov %edx,16(%rcx); pop all */
	arm_hook(fd, &hooked);
	run_on(info.nr_cpus - 1);
	prctl(PR_GET_NAME, name);
	syscall(target_number, 0, 0);
	must(area_read(fd, area.id, 0, 0, (uint64_t *)words, sizeof(words)), "MEMORY_READ");
	run_anywhere();
	check(words[0] == (uint32_t)syscall(SYS_gettid) && words[1] == (uint32_t)getpid() &&
	      !memcmp(&words[2], name, 8) && words[4] == info.nr_cpus - 1,
	      "code sees thread %u of %u, \"%.8s\", on CPU %u", words[0], words[1], (char *)&words[2], words[4]);
	close(fd);
}

/* ---- tests of calls that must be refused ----------------------------------------------- */

static void test_bounds(void)
{
	static const struct {
		uint32_t count, bytes, flags;
		int error;
	} cases[] = {
		{ 1, 0, 0, -EINVAL }, { 1, 4, 0, -EINVAL }, { 1, 12, 0, -EINVAL }, { 1, 8, 2, -EINVAL },
		{ 1, MIB + 8, 0, -E2BIG }, { 1, 0xfffffff8, 0, -E2BIG }, { 0, 8, 0, -EINVAL },
		{ 1, (1 << 15) + 8, ILK_AREA_PER_CPU, -E2BIG }, { ILK_BATCH_MAX + 1, 8, 0, -EINVAL },
		{ POOL_MIB + 1, MIB, 0, -E2BIG }, { ILK_BATCH_MAX, 4096, 0, -E2BIG },
		{ ILK_BATCH_MAX, 1 << 15, ILK_AREA_PER_CPU, -E2BIG },
	};
	struct ilk_area pad = { .bytes = 8, .pad = 1 };
	struct ilk_memory call = { .count = 1, .pad = 1, .areas = (uintptr_t)&pad };
	uint32_t i, wrong = 0;
	int fd = ilk_open(NULL), ret;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ret = areas_alloc_some(fd, cases[i].count, cases[i].bytes, cases[i].flags);
		wrong += ret != cases[i].error;
		if (ret != cases[i].error)
			printf("# %u areas of %u bytes, flags %u: %s\n", cases[i].count, cases[i].bytes,
			       cases[i].flags, strerror(-ret));
	}
	wrong += areas_alloc(fd, &pad, 1) != -EINVAL;
	pad.pad = 0;
	wrong += !ioctl(fd, ILK_IOC_MEMORY, &call) || errno != EINVAL;
	wrong += areas_alloc(fd, (void *)16, 1) != -EFAULT;
	wrong += !ioctl(fd, ILK_IOC_MEMORY, (void *)16) || errno != EFAULT;
	check(!wrong, "areas beyond bounds are refused, each by its error: %u are not", wrong);
	must(areas_alloc_some(fd, ILK_BATCH_MAX - 1, 8, 0), "MEMORY");
	must(areas_alloc_some(fd, 1, 8, ILK_AREA_PER_CPU), "MEMORY");
	check(areas_alloc_some(fd, 1, 8, 0) == -E2BIG, "%u areas are the most of a file", ILK_AREAS_MAX);
	close(fd);
	fd = ilk_open(NULL);
	must(areas_alloc_some(fd, 100, 1 << 15, ILK_AREA_PER_CPU), "MEMORY");
	i = POOL_MIB - 100 * info.nr_cpus / 32 - 1;
	must(areas_alloc_some(fd, i, MIB, 0), "MEMORY");
	check(areas_alloc_some(fd, 2, MIB, 0) == -E2BIG, "%u MiB are, with those of each CPU", POOL_MIB);
	close(fd);
}

static void test_reads(void)
{
	struct ilk_area areas[2] = { { .bytes = 64 }, { .bytes = 64, .flags = ILK_AREA_PER_CPU } };
	static uint64_t out[16];
	const struct {
		uint32_t area, cpu, offset, bytes;
		int error;
	} cases[] = {
		{ 0, 0, 0, 64, 0 }, { 0, 0, 56, 8, 0 }, { 0, 0, 64, 0, 0 }, { 1, info.nr_cpus - 1, 0, 64, 0 },
		{ 0, 0, 4, 8, -EINVAL }, { 0, 0, 0, 4, -EINVAL }, { 0, 0, 0, 72, -EINVAL }, { 0, 0, 8, 64, -EINVAL },
		{ 0, 0, 72, 0, -EINVAL }, { 0, 0, 0xfffffff8, 16, -EINVAL }, { 0, 0, 8, 0xfffffff8, -EINVAL },
		{ 0, 1, 0, 8, -EINVAL }, { 1, info.nr_cpus, 0, 8, -EINVAL }, { 1, 0xffffffff, 0, 8, -EINVAL },
		{ 1, 0, 0, 72, -EINVAL }, { 2, 0, 0, 8, -ENOENT }, { 3, 0, 0, 8, -ENOENT },
	};
	uint32_t i, wrong = 0;
	uint32_t ids[4] = { 0 };
	int fd = ilk_open(NULL), ret;

	wrong += area_read(fd, 1, 0, 0, out, 8) != -ENOENT;
	must(areas_alloc(fd, areas, 2), "MEMORY");
	ids[0] = areas[0].id;
	ids[1] = areas[1].id;
	ids[3] = areas[1].id + 1;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ret = area_read(fd, ids[cases[i].area], cases[i].cpu, cases[i].offset, out, cases[i].bytes);
		wrong += ret != cases[i].error;
		if (ret != cases[i].error)
			printf("# reading %u at %u, CPU %u: %s\n", cases[i].bytes, cases[i].offset, cases[i].cpu,
			       strerror(-ret));
	}
	wrong += area_read(fd, ids[0], 0, 0, (void *)16, 8) != -EFAULT;
	wrong += !ioctl(fd, ILK_IOC_MEMORY_READ, (void *)16) || errno != EFAULT;
	check(!wrong, "what is no part of an area is not read: %u cases are wrong", wrong);
	close(fd);
}

/* Tests that a call allocates no area if the last area of the call is invalid, or the result cannot
 * be written to the caller's memory. */
static void test_whole(void)
{
	struct ilk_area *areas = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t i, wrong = 0;
	int fd = ilk_open(NULL);

	for (i = 0; i < MUCH; i++)
		areas[i].bytes = MIB;
	areas[MUCH].bytes = 12;
	for (i = 0; i < 4; i++)
		wrong += areas_alloc(fd, areas, MUCH + 1) != -EINVAL;
	mprotect(areas, 4096, PROT_READ);
	for (i = 0; i < 8; i++)
		wrong += areas_alloc(fd, areas, MUCH) != -EFAULT;
	check(!wrong && !areas_alloc_some(fd, POOL_MIB, MIB, 0), "a call that fails takes nothing");
	munmap(areas, 4096);
	close(fd);
}

/*
 * Drops the capabilities in @drop. /dev/ilk is already open, so the driver can check them only in
 * the next call.
 */
static void drop_capabilities(uint64_t drop)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	int i;

	if (syscall(SYS_capget, &head, data))
		_exit(99);
	for (i = 0; i < 2; i++)
		data[i].effective &= ~(uint32_t)(drop >> (32 * i));
	if (syscall(SYS_capset, &head, data))
		_exit(99);
}

static void test_capabilities(void)
{
	struct ilk_area area = { .bytes = 8 };
	int fd = ilk_open(NULL), status = 0;
	uint64_t word;
	pid_t pid;

	must(areas_alloc(fd, &area, 1), "MEMORY");
	pid = fork();
	if (!pid) {
		drop_capabilities(1ull << CAP_SYS_MODULE);
		if (areas_alloc_some(fd, 1, 8, 0) != -EPERM || area_read(fd, area.id, 0, 0, &word, 8))
			_exit(1);
		drop_capabilities(1ull << CAP_PERFMON | 1ull << CAP_SYS_ADMIN);
		_exit(area_read(fd, area.id, 0, 0, &word, 8) == -EPERM ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	check(!status, "to have memory is for who may load modules, to read it for who may look (%x)", status);
	close(fd);
}

void test_areas(void)
{
	close(ilk_open(&info));
	test_zeros();
	test_sums();
	test_task();
	test_bounds();
	test_reads();
	test_whole();
	test_capabilities();
	test_areas_freed();
}
