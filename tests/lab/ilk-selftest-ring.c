// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-ring.c - readers come and go while producers go on
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define CPUS	64

struct reader {
	int fd;
	struct ilk_info info;
	uint8_t *rings;
	uint64_t tails[CPUS], heads[CPUS];
	uint64_t stored, strange;
};

static void reader_consume(struct reader *r)
{
	struct ilk_consume call = {
		.count = r->info.nr_cpus,
		.tails = (uintptr_t)r->tails,
		.heads = (uintptr_t)r->heads,
	};

	must(ioctl(r->fd, ILK_IOC_CONSUME, &call) ? -errno : 0, "CONSUME");
}

static void reader_open(struct reader *r)
{
	memset(r, 0, sizeof(*r));
	r->fd = ilk_open(&r->info);
	must(ioctl(r->fd, ILK_IOC_RING_CLAIM) ? -errno : 0, "CLAIM");
	r->rings = mmap(NULL, r->info.ring_bytes * r->info.nr_cpus, PROT_READ, MAP_SHARED, r->fd, 0);
	if (r->rings == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	reader_consume(r);
}

/* Take up to @most records of each CPU; with @wait, all that was produced until now. */
static void reader_drain(struct reader *r, uint64_t iid, uint32_t most, bool wait)
{
	uint32_t cpu, n;

	reader_consume(r);
	for (cpu = 0; cpu < r->info.nr_cpus; cpu++) {
		for (n = 0; n < most && r->tails[cpu] != r->heads[cpu]; n++) {
			const volatile struct ilk_record *record = (void *)(r->rings +
				cpu * r->info.ring_bytes +
				(r->tails[cpu] & (r->info.ring_bytes - ILK_CELL)));

			while (wait && record->commit != r->tails[cpu])
				;
			if (record->commit != r->tails[cpu])
				break;
			r->strange += record->iid != iid;
			r->stored++;
			r->tails[cpu] += ILK_CELL * ILK_RECORD_CELLS(record->len);
		}
	}
	reader_consume(r);
}

static void reader_close(struct reader *r)
{
	munmap(r->rings, r->info.ring_bytes * r->info.nr_cpus);
	close(r->fd);
}

static uint64_t sum_heads(const struct reader *r)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < r->info.nr_cpus; cpu++)
		sum += r->heads[cpu];
	return sum;
}

static bool is_fresh(const struct reader *r)
{
	return !memcmp(r->tails, r->heads, r->info.nr_cpus * sizeof(*r->tails));
}

/* A reader leaves records behind; another one comes when nothing is hooked any more. */
static void test_left_behind(void)
{
	struct reader first, second;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL);

	reader_open(&first);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	hit(200);
	reader_drain(&first, hooked.cells.iid, 50, false);
	must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
	reader_close(&first);
	reader_open(&second);
	check(sum_heads(&second) >= sum_heads(&first) && is_fresh(&second),
	      "positions go on behind a former reader (%lu after %lu), and nothing of its is left",
	      sum_heads(&second), sum_heads(&first));
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.count == 400 && c.count - c.dropped == first.stored + c.lost && first.stored,
	      "what it left is lost: %llu hits = %lu stored + %llu lost + %llu dropped", c.count,
	      first.stored, c.lost, c.dropped);
	reader_close(&second);
	close(fd);
}

/* ---- with producers that never rest --------------------------------------------------- */

static volatile bool rest;

static void *produce(void *arg)
{
	while (!rest)
		syscall(target_number, 0, 0);
	return NULL;
}

/* Return: false if a count is wrong or a record is not of this round. */
static bool change_readers(uint64_t *position)
{
	struct reader first, second;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL);
	bool ok;

	reader_open(&first);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	usleep(random() % 20000);
	reader_drain(&first, hooked.cells.iid, random() % 200, false);
	if (random() & 1)
		must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
	reader_close(&first);
	reader_open(&second);
	ok = sum_heads(&second) >= *position;
	usleep(random() % 20000);
	reader_drain(&second, hooked.cells.iid, ~0u, false);
	must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
	ilk_settle(fd);
	reader_drain(&second, hooked.cells.iid, ~0u, true);
	*position = sum_heads(&second);
	reader_close(&second);
	c = ilk_counter(fd, hooked.cells.iid);
	if (c.count - c.dropped != first.stored + second.stored + c.lost || first.strange ||
	    second.strange || !ok) {
		printf("# %llu hits, %lu + %lu stored, %llu lost, %llu dropped, %lu strange\n",
		       c.count, first.stored, second.stored, c.lost, c.dropped,
		       first.strange + second.strange);
		ok = false;
	}
	close(fd);
	return ok;
}

static void test_changes(int rounds)
{
	pthread_t threads[2];
	uint64_t position = 0;
	int i, right = 0;

	rest = false;
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, produce, NULL);
	for (i = 0; i < rounds; i++)
		right += change_readers(&position);
	rest = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(right == rounds, "readers change under producers: %d of %d rounds are exact", right,
	      rounds);
}

/* ---- CPUs that come and go ---------------------------------------------------------------- */

static bool set_online(bool on)
{
	return write_file("/sys/devices/system/cpu/cpu1/online", on ? "1" : "0");
}

/* Rings of 64 KiB that the driver has now. */
static int count_rings(uint64_t ring_bytes)
{
	char line[512], pages[32];
	FILE *file = fopen("/proc/vmallocinfo", "r");
	int n = 0;

	snprintf(pages, sizeof(pages), " pages=%lu ", ring_bytes / 4096);
	while (file && fgets(line, sizeof(line), file))
		n += strstr(line, "[ilk]") && strstr(line, pages);
	if (file)
		fclose(file);
	return n;
}

static void *hit_on_cpu1(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	return hit_target(arg);
}

static void test_cpus(void)
{
	struct reader reader;
	struct hooked hooked;
	struct ilk_counter c;
	pthread_t thread;
	long n = 100;
	int fd, rings[3];

	if (!set_online(false)) {
		printf("# CPU 1 does not go offline here\n");
		return;
	}
	fd = ilk_open(NULL);
	reader_open(&reader);
	rings[0] = count_rings(reader.info.ring_bytes);
	set_online(true);
	rings[1] = count_rings(reader.info.ring_bytes);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	pthread_create(&thread, NULL, hit_on_cpu1, &n);
	pthread_join(thread, NULL);
	must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM");
	reader_drain(&reader, hooked.cells.iid, ~0u, true);
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.count == 100 && reader.stored == 100 && !reader.strange,
	      "a CPU that comes up under a reader stores its samples: %lu of %llu", reader.stored,
	      c.count);
	must(ioctl(reader.fd, ILK_IOC_RING_RELEASE) ? -errno : 0, "RELEASE");
	rings[2] = count_rings(reader.info.ring_bytes);
	check(rings[0] == 1 && rings[1] == 2 && !rings[2],
	      "rings for the CPUs that are online, while there is a reader (%d, %d, %d)", rings[0],
	      rings[1], rings[2]);
	reader_close(&reader);
	close(fd);
}

void test_rings(void)
{
	test_left_behind();
	test_changes(20);
	test_cpus();
}
