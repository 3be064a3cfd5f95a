// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * user-target.c - runs inside a lab: calls its own functions a known number of times
 *
 *   user-target [plain] THREADS CALLS  calls all functions in each thread, or with "plain" only
 *                                      the first one; then prints the numbers of calls
 *   user-target wait                   prints "ready", then makes the calls once for each line of
 *                                      standard input
 *   user-target cost CALLS             makes ROUNDS rounds of calls of the first function, and
 *                                      prints the minimum ticks of a round
 *   user-target sum PID                prints a checksum of the text in the memory of process PID
 *   user-target give NUMBER..          as user nobody, calls the first function with each number,
 *                                      and with the address of a string
 *   user-target forks CHILDREN CALLS   child processes call only the first function
 *
 * Of the structs that gilk_user_member() gets, CALLS / 4 have a size of 7, and one of every 8 is at
 * an inaccessible address.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct member {
	char head[0x38];
	uint32_t size;
	uint32_t pad;
	uint64_t wide;
};

long gilk_user_plain(long n);
long gilk_user_member(const struct member *m, long readable);
long gilk_user_deep(long depth);
long gilk_user_switch(long n);

static volatile long sink, result;

__attribute__((noipa)) long gilk_user_plain(long n)
{
	sink = n;
	return n * 2 + 1;
}

__attribute__((noipa)) long gilk_user_member(const struct member *m, long readable)
{
	if (!readable)
		return -1;
	return m->size;
}

/* Calls itself @depth times. Each of the @depth + 1 nested calls has a frame of its own. */
__attribute__((noipa)) long gilk_user_deep(long depth)
{
	sink = depth;
	if (depth > 0)
		return gilk_user_deep(depth - 1) + sink;
	return depth;
}

/* Has several exits, which are reached through a jump table. */
__attribute__((noipa)) long gilk_user_switch(long n)
{
	switch (n & 7) {
	case 0: sink = 10; return n;
	case 1: sink = 21; return n ^ sink;
	case 2: sink = 32; break;
	case 3: sink = 43; return n + 5;
	case 4: return gilk_user_plain(n);
	case 5: sink = 65; return sink;
	case 6: sink = 76; return n - sink;
	case 7: sink = 87; return 3;
	}
	return sink * 2;
}

static long calls;
static int plain;

static void call_all(long i)
{
	static const struct member seven = { .size = 7, .wide = 0x1122334455667788 }, other = { .size = 9 };

	result = gilk_user_plain(i);
	if (i % 8 == 5)
		result = gilk_user_member((void *)0x10, 0);
	else
		result = gilk_user_member(i % 4 ? &other : &seven, 1);
	result = gilk_user_deep(i % 4);
	result = gilk_user_switch(i);
}

static void *run_thread(void *unused)
{
	long i;

	for (i = 0; i < calls; i++)
		if (plain)
			result = gilk_user_plain(i);
		else
			call_all(i);
	return NULL;
}

static int run_threads(int count)
{
	pthread_t ids[64];
	int i;

	for (i = 0; i < count && i < 64; i++)
		if (pthread_create(&ids[i], NULL, run_thread, NULL))
			return 1;
	while (i-- > 0)
		pthread_join(ids[i], NULL);
	printf("pid %d\ncalls %ld\n", getpid(), calls * count);
	return 0;
}

static int run_forks(int count)
{
	int i, status, bad = 0;

	for (i = 0; i < count; i++)
		if (!fork()) {
			run_thread(NULL);
			_exit(0);
		}
	while (wait(&status) > 0)
		bad |= status;
	printf("calls %ld\n", calls * count);
	return bad != 0;
}

static unsigned long long read_ticks(void)
{
	unsigned int low, high;

	asm volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (unsigned long long)high << 32 | low;
}

static int pass_numbers(int count, char **numbers)
{
	static const char own[16] = "my own words";
	int i;

	if (setgid(65534) || setuid(65534))
		return 1;
	for (i = 0; i < count; i++)
		result = gilk_user_plain((long)strtoul(numbers[i], NULL, 0));
	result = gilk_user_plain((long)own);
	return 0;
}

#define ROUNDS	50

static int measure_cost(long count)
{
	unsigned long long best = ~0ull, begin, took;
	int round;
	long i;

	for (round = 0; round < ROUNDS; round++) {
		begin = read_ticks();
		for (i = 0; i < count; i++)
			result = gilk_user_plain(i);
		took = read_ticks() - begin;
		best = took < best ? took : best;
	}
	printf("%llu %ld\ncalls %ld\n", best, count, ROUNDS * count);
	return 0;
}

static int wait_lines(void)
{
	char line[64];
	long i = 0;

	printf("ready %d\n", getpid());
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		call_all(i++);
		printf("called %ld\n", i);
		fflush(stdout);
	}
	return 0;
}

static uint64_t sum_range(FILE *mem, unsigned long begin, unsigned long end, uint64_t sum)
{
	static unsigned char page[4096];

	for (; begin < end; begin += sizeof(page)) {
		if (fseeko(mem, begin, SEEK_SET) || fread(page, 1, sizeof(page), mem) != sizeof(page))
			return 0;
		for (size_t i = 0; i < sizeof(page); i++)
			sum = (sum ^ page[i]) * 0x100000001b3ull;
	}
	return sum;
}

static int sum_text(const char *pid)
{
	char path[64], line[512], rights[8];
	unsigned long begin, end;
	uint64_t sum = 0xcbf29ce484222325ull;
	FILE *maps, *mem;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	maps = fopen(path, "r");
	snprintf(path, sizeof(path), "/proc/%.20s/mem", pid);
	mem = fopen(path, "r");
	if (!maps || !mem)
		return 1;
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && !strcmp(rights, "r-xp") &&
		    strchr(line, '/'))
			sum = sum_range(mem, begin, end, sum);
	printf("sum %016llx\n", (unsigned long long)sum);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "wait"))
		return wait_lines();
	if (argc > 2 && !strcmp(argv[1], "give"))
		return pass_numbers(argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "cost"))
		return measure_cost(atol(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "sum"))
		return sum_text(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "forks")) {
		calls = atol(argv[3]);
		plain = 1;
		return run_forks(atoi(argv[2]));
	}
	if (argc == 4 && !strcmp(argv[1], "plain")) {
		plain = 1;
		argv++;
		argc--;
	}
	if (argc != 3)
		return 2;
	calls = atol(argv[2]);
	return run_threads(atoi(argv[1]));
}
