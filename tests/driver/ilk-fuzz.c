// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz.c - hostile clients of the driver, on a kernel in a VM
 *
 *   ilk-fuzz MODULE-FOLDER SEQUENCES [SEED]
 *
 * Loads ilk.ko with small rings. Clients of two threads each make random and corrupted sequences of
 * all calls on shared files, fork children that inherit the files, and are killed in the middle. At
 * the end, kernel text must be restored, the driver must not hold objects of clients, and their
 * memory must be free. During the test, memory use must stay within a bound. The caller must check
 * the kernel's messages. Prints TAP; the plan "1..N" is the last line.
 */
#include <glob.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ilk-fuzz.h"

#define CLIENTS		3
#define THREADS		2	/* number of threads per client */
#define DOWN_MAX_KIB	(160 * 1024)	/* maximum decrease of free memory during the test */
#define LEFT_MAX_KIB	(16 * 1024)	/* maximum decrease of free memory at the end of the test */

/* ---- processes and threads of the clients ------------------------------------------- */

/*
 * Maps the memory for the arguments of a thread's calls, here called its arena. Arenas are 4 GiB
 * apart and far from all other memory. So if one half of a pointer into an arena is corrupted, it
 * never points to other memory of the client.
 */
static void *find_arena(unsigned int thread)
{
	uint8_t *at = (void *)(((0x100ul + thread) << 32) + 0x10000);
	uint8_t *arena = mmap(at, FUZZ_ARENA, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	return arena == at ? arena : NULL;
}

static void *run_thread(void *arg)
{
	struct fuzzer *fuzzer = arg;

	while (atomic_load(&fuzz_shared->done) < fuzz_shared->wanted) {
		fuzz_sequence(fuzzer, fuzz_below(fuzzer, FUZZ_FILES));
		atomic_fetch_add(&fuzz_shared->done, 1);
	}
	return NULL;
}

static void run_client(uint64_t seed)
{
	static struct fuzzer fuzzers[THREADS];
	pthread_t threads[THREADS];
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < FUZZ_FILES; i++)
		fuzz_open_file(i);
	for (i = 0; i < THREADS; i++) {
		fuzzers[i].random = (seed * THREADS + i + 1) * 0x9e3779b97f4a7c15ull;
		fuzzers[i].arena = find_arena(i);
		if (!fuzzers[i].arena || pthread_create(&threads[i], NULL, run_thread, &fuzzers[i]))
			_exit(2);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static pid_t start_client(uint64_t seed)
{
	pid_t pid = fork();

	if (!pid)
		run_client(seed);
	return pid;
}

/* ---- memory use of the machine ------------------------------------------------------ */

struct memory {
	char name[32];
	long kib;
};

static struct memory memory_before[80];

static int read_memory(struct memory *lines)
{
	FILE *file = fopen("/proc/meminfo", "r");
	int n = 0;

	while (file && n < 80 && fscanf(file, "%31[^:]: %ld%*[^\n] ", lines[n].name, &lines[n].kib) == 2)
		n++;
	if (file)
		fclose(file);
	return n;
}

static long read_meminfo(const char *name)
{
	struct memory lines[80];
	int n = read_memory(lines);

	while (n--)
		if (!strcmp(lines[n].name, name))
			return lines[n].kib;
	return 0;
}

/* Prints the lines of /proc/meminfo that changed. */
static void show_memory(void)
{
	struct memory lines[80];
	int n = read_memory(lines), i;

	for (i = 0; i < n; i++)
		if (labs(lines[i].kib - memory_before[i].kib) > 2048)
			printf("# %s: %ld KiB, was %ld\n", lines[i].name, lines[i].kib,
			       memory_before[i].kib);
}

/*
 * Releases freed memory from KASAN's quarantine, which may hold up to a 32nd of all memory.
 */
static void shrink_slabs(void)
{
	glob_t files;
	size_t i;

	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &files))
		return;
	for (i = 0; i < files.gl_pathc; i++)
		write_file(files.gl_pathv[i], "1");
	globfree(&files);
}

static long highest, lowest;	/* free memory at the start and minimum since then, KiB */

static void check_memory(void)
{
	long now = read_meminfo("MemAvailable");

	if (now < lowest)
		lowest = now;
}

/* Starts and kills clients until they have run enough sequences. Return: number of killed
 * clients. */
static unsigned int run_clients(uint64_t seed)
{
	pid_t pids[CLIENTS] = { 0 }, gone;
	unsigned int killed = 0, i, status, odd = 0;
	uint64_t told = now_ns(), begin = told;
	unsigned long done = 0;

	while (done < fuzz_shared->wanted) {
		for (i = 0; i < CLIENTS; i++)
			if (pids[i] <= 0)
				pids[i] = start_client(seed++);
		usleep(50000 + random() % 400000);
		check_memory();
		if (!(random() % 16)) {
			kill(pids[random() % CLIENTS], SIGKILL);
			killed++;
		}
		while ((gone = waitpid(-1, (int *)&status, WNOHANG)) > 0) {
			odd += !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) &&
			       !(WIFEXITED(status) && !WEXITSTATUS(status));
			for (i = 0; i < CLIENTS; i++)
				if (pids[i] == gone)
					pids[i] = 0;
		}
		done = atomic_load(&fuzz_shared->done);
		if (now_ns() - told > 10000000000ull) {
			told = now_ns();
			printf("# %lu sequences, %lu a second, %lu patches armed, %u clients killed, "
			       "memory down by %ld KiB at most\n", done,
			       done * 1000000000ul / (told - begin), atomic_load(&fuzz_shared->armed),
			       killed, highest - lowest);
		}
	}
	for (i = 0; i < CLIENTS; i++)
		if (pids[i] > 0)
			waitpid(pids[i], (int *)&status, 0);
	printf("# %lu sequences in %lu ms\n", done, (now_ns() - begin) / 1000000);
	check(!odd, "%u clients ended of themselves", odd);
	return killed;
}

static void show_results(void)
{
	unsigned long n, all, ns;
	int call, error;

	for (call = 0; call < FUZZ_CALLS; call++) {
		all = atomic_load(&fuzz_shared->results[call][0]);
		ns = atomic_load(&fuzz_shared->ns[call]);
		printf("# %s: %lu good", fuzz_names[call], all);
		for (error = 1; error < FUZZ_ERRORS; error++) {
			n = atomic_load(&fuzz_shared->results[call][error]);
			all += n;
			if (n)
				printf(", %lu %s", n, strerrorname_np(error) ?: "?");
		}
		printf(ns ? "; %lu us each\n" : "\n", ns / 1000 / (all ? all : 1));
	}
}

/* ---- choosing sites to hook ------------------------------------------------------------- */

static uint64_t function_size(uint64_t addr)
{
	const struct symbol *functions;
	size_t count, i;

	functions = kernel_functions(&count);
	for (i = 0; i < count; i++)
		if (functions[i].addr == addr)
			return functions[i].size;
	return 0;
}

static void add_site(int fd, uint64_t function, uint64_t size)
{
	struct point *point = &fuzz_sites[fuzz_site_count];
	struct hooked hooked;

	if (!function || !size || !text_holds(function) || !point_find(function, size, point) ||
	    !point->has_fentry || point->site + point->len > function + size)
		return;
	hook_counter(fd, &hooked, point, false, ILK_TACTIC_SPLICE);
	if (!ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1))
		fuzz_site_count++;
	ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL);
}

/* Chooses sites: a third in functions that the test's own system calls execute, the rest in random
 * functions. */
static void find_sites(void)
{
	static const char * const run[] = {
		"__x64_sys_umask", "__x64_sys_getpgid", "__x64_sys_getsid", "__x64_sys_ioprio_get",
		"do_getpgid", "vfs_open", "vfs_read", "vfs_write", "ksys_write", "ksys_read",
		"do_sys_openat2", "path_openat", "wake_up_new_task", "kernel_clone", "copy_process",
		"do_exit", "schedule", "hrtimer_nanosleep", "do_nanosleep", "do_mmap", "do_munmap",
		"handle_mm_fault", "sched_clock_cpu", "dput", "fput", "kill_pid_info", "do_wait",
	};
	const struct symbol *functions, *function;
	size_t count, i;
	int fd = ilk_open(NULL), tries = 20000;
	uint64_t addr;

	for (i = 0; i < sizeof(run) / sizeof(*run); i++) {
		addr = kernel_symbol(run[i]);
		add_site(fd, addr, function_size(addr));
	}
	printf("# %u sites that are run", fuzz_site_count);
	functions = kernel_functions(&count);
	while (fuzz_site_count < FUZZ_SITES && tries--) {
		function = &functions[(size_t)random() % count];
		add_site(fd, function->addr, function->size);
	}
	printf(", %u in all\n", fuzz_site_count);
	close(fd);
}

/* ---- main --------------------------------------------------------------------------------- */

/* Checks that the driver does not hold any objects. The driver frees the memory of a closed file
 * one grace period later. */
static void check_that_nothing_is_left(void)
{
	struct ilk_info info;
	int tries = 0;
	long down;

	do {
		usleep(100000);
		close(ilk_open(&info));
	} while ((info.hooks_live || info.patches_live) && tries++ < 600);
	check(text_is_restored(), "text is as before");
	check(!info.hooks_live && !info.patches_live, "%u hooks and %u patches are left",
	      info.hooks_live, info.patches_live);
	check(!info.poisoned && !info.bugs, "poisoned %u, states that should not be %llu",
	      info.poisoned, info.bugs);
	check(info.arena_free > info.arena_bytes - 4096, "%llu of %llu bytes of the arena are free",
	      info.arena_free, info.arena_bytes);
	check_memory();
	check(highest - lowest < DOWN_MAX_KIB, "memory went down by %ld KiB of at most %d",
	      highest - lowest, DOWN_MAX_KIB);
	shrink_slabs();
	for (tries = 0; tries < 100; tries++) {
		down = highest - read_meminfo("MemAvailable");
		if (down < LEFT_MAX_KIB)
			break;
		usleep(100000);
	}
	check(down < LEFT_MAX_KIB, "memory is back but for %ld KiB", down);
	if (down >= LEFT_MAX_KIB)
		show_memory();
}

int main(int argc, char **argv)
{
	char path[256];
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : now_ns() & 0xffffffff;
	unsigned int killed;
	int ret, tries = 0;

	/*
	 * Return freed memory to the kernel at once, because the test measures free memory. Pages
	 * in the kernel's per-CPU lists, up to 20 MiB per CPU, do not count as free memory.
	 */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	write_file("/proc/sys/vm/percpu_pagelist_high_fraction", "4096");
	if (argc < 3)
		die("usage: ilk-fuzz MODULE-FOLDER SEQUENCES [SEED]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	srandom((unsigned int)seed);
	printf("# seed %lu\n", seed);
	fuzz_shared = mmap(NULL, sizeof(*fuzz_shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fuzz_shared == MAP_FAILED)
		die("no memory");
	fuzz_shared->wanted = strtoul(argv[2], NULL, 0);
	kernel_load();
	text_remember();
	snprintf(path, sizeof(path), "%s/ilk.ko", argv[1]);
	must(module_load(path, "ring_kib=64"), path);
	arena_folder = argv[1];
	arenas_load(ILK_ARENA_MODULES * (uint64_t)ILK_ARENA_MODULE_BYTES);
	find_target();
	find_sites();
	if (fuzz_site_count < FUZZ_SITES / 2)
		die("only %u sites", fuzz_site_count);
	/* The first comparison allocates a buffer that stays allocated, so compare once before
	 * memory is measured. */
	check(text_compare(true), "the search for sites leaves text as it was");
	shrink_slabs();
	highest = lowest = read_meminfo("MemAvailable");
	read_memory(memory_before);

	killed = run_clients(seed);
	show_results();
	check(atomic_load(&fuzz_shared->armed) > fuzz_shared->wanted / 100,
	      "%lu patches were armed, %u clients killed", atomic_load(&fuzz_shared->armed), killed);
	check_that_nothing_is_left();
	check(!arenas_unload(), "arena modules unloaded");
	while ((ret = module_unload("ilk")) && tries++ < 100)
		usleep(100000);
	check(!ret, "ilk unloaded");
	check(text_compare(true), "unloaded: text is as before");
	return check_summary();
}
