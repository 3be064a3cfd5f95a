// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-ring.c - tests readers that come and go while producers continue
 */
#include <errno.h>
#include <fcntl.h>
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
	uint64_t tails[CPUS], heads[CPUS], told[CPUS];
	struct ilk_gap gaps[CPUS];
	uint64_t stored, strange, missing;
	uint32_t state;
};

static void reader_consume(struct reader *r)
{
	struct ilk_consume call = {
		.count = r->info.nr_cpus,
		.tails = (uintptr_t)r->tails,
		.heads = (uintptr_t)r->heads,
		.gaps = (uintptr_t)r->gaps,
	};

	must(ioctl(r->fd, ILK_IOC_CONSUME, &call) ? -errno : 0, "CONSUME");
	r->state = call.state;
}

static void reader_open_as(struct reader *r, uint64_t ring_bytes, uint32_t mode, uint64_t window_ns)
{
	int64_t bytes;

	memset(r, 0, sizeof(*r));
	r->fd = ilk_open(&r->info);
	bytes = ilk_claim(r->fd, ring_bytes, mode, window_ns);
	must(bytes < 0 ? bytes : 0, "CLAIM");
	r->info.ring_bytes = bytes;
	r->rings = mmap(NULL, r->info.ring_bytes * r->info.nr_cpus, PROT_READ, MAP_SHARED, r->fd, 0);
	if (r->rings == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	reader_consume(r);
}

static void reader_open(struct reader *r)
{
	reader_open_as(r, 0, ILK_RING_DROP, 0);
}

/*
 * Reads all records and all gaps left by lost records. Return: false if the position of a gap is
 * never reached.
 */
static bool reader_drain_gaps(struct reader *r, uint64_t iid)
{
	uint32_t cpu, rounds;
	bool more = true;

	for (rounds = 0; more && rounds < 100000; rounds++) {
		more = false;
		reader_consume(r);
		for (cpu = 0; cpu < r->info.nr_cpus; cpu++) {
			const struct ilk_gap *gap = &r->gaps[cpu];
			bool ahead = gap->lost != r->told[cpu] && gap->at > r->tails[cpu];
			uint64_t end = ahead ? gap->at : r->heads[cpu];

			if (gap->lost != r->told[cpu] && !ahead) {
				r->missing += gap->lost - r->told[cpu];
				r->told[cpu] = gap->lost;
			}
			more |= r->tails[cpu] != end || ahead;
			while (r->tails[cpu] != end) {
				const struct ilk_record *record = (void *)(r->rings +
					cpu * r->info.ring_bytes +
					(r->tails[cpu] & (r->info.ring_bytes - ILK_CELL)));

				if (__atomic_load_n(&record->commit, __ATOMIC_ACQUIRE) != r->tails[cpu])
					break;
				r->strange += record->iid != iid;
				r->stored++;
				r->tails[cpu] += ILK_CELL * ILK_RECORD_CELLS(record->len);
			}
		}
	}
	return !more;
}

/* Reads up to @most records of each CPU; with @wait, waits for all records produced until now. */
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

/* Tests a reader that leaves records unread, followed by a reader that opens the rings after the
 * last hook was removed. */
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
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	reader_close(&first);
	reader_open(&second);
	check(sum_heads(&second) >= sum_heads(&first) && is_fresh(&second),
	      "positions go on behind a former reader (%lu after %lu), and nothing of its is left",
	      sum_heads(&second), sum_heads(&first));
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.count == 400 && c.count - c.missed == first.stored + c.lost && first.stored,
	      "what it left is lost: %llu hits = %lu stored + %llu lost + %llu dropped", c.count,
	      first.stored, c.lost, c.missed);
	reader_close(&second);
	close(fd);
}

/* ---- test of readers of rings whose producers never pause ----------------------------- */

static volatile bool rest;

static void *produce_samples(void *arg)
{
	while (!rest)
		syscall(target_number, 0, 0);
	return NULL;
}

/* Replaces the reader of the rings by a new one. Return: false if a count is wrong, or a record is
 * from another round. */
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
		must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	reader_close(&first);
	reader_open(&second);
	ok = sum_heads(&second) >= *position;
	usleep(random() % 20000);
	reader_drain(&second, hooked.cells.iid, ~0u, false);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	ilk_settle(fd);
	reader_drain(&second, hooked.cells.iid, ~0u, true);
	*position = sum_heads(&second);
	reader_close(&second);
	c = ilk_counter(fd, hooked.cells.iid);
	if (c.count - c.missed != first.stored + second.stored + c.lost || first.strange ||
	    second.strange || !ok) {
		printf("# %llu hits, %lu + %lu stored, %llu lost, %llu dropped, %lu strange\n",
		       c.count, first.stored, second.stored, c.lost, c.missed,
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
		pthread_create(&threads[i], NULL, produce_samples, NULL);
	for (i = 0; i < rounds; i++)
		right += change_readers(&position);
	rest = true;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(right == rounds, "readers change under producers: %d of %d rounds are exact", right,
	      rounds);
}

/* ---- tests of CPUs that go offline and online --------------------------------------------- */

static bool set_online(bool on)
{
	return write_file("/sys/devices/system/cpu/cpu1/online", on ? "1" : "0");
}

/* Returns how many rings the driver has, given the size @ring_bytes of one ring. */
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
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
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

/* ---- tests of ring modes, and of missing samples ------------------------------------------ */

static struct ilk_counter produce_into(struct reader *r, int fd, struct hooked *hooked, long n)
{
	hook_instrument(fd, hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	hit(n);
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	return ilk_counter(fd, hooked->cells.iid);
}

static void test_gaps(void)
{
	struct reader r;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL), round;
	bool ends = true;

	reader_open(&r);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	for (round = 0; round < 20; round++) {
		hit(random() % 2000);
		if (round % 3)
			reader_drain(&r, hooked.cells.iid, random() % 300, false);
		else
			ends &= reader_drain_gaps(&r, hooked.cells.iid);
	}
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	ends &= reader_drain_gaps(&r, hooked.cells.iid);
	c = ilk_counter(fd, hooked.cells.iid);
	check(ends && c.lost && r.missing == c.lost && c.count - c.missed == r.stored + c.lost && !r.strange,
	      "gaps: %llu hits = %lu stored + %lu told to be missing (%llu lost) + %llu dropped",
	      c.count, r.stored, r.missing, c.lost, c.missed);
	reader_close(&r);
	close(fd);
}

static void test_read_gaps(void)
{
	static uint8_t buf[65536];
	uint64_t stored = 0, missing = 0, last = 0, wrong = 0;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL), round;
	ssize_t n, at;

	must(ilk_claim(fd, ILK_RING_BYTES_MIN, ILK_RING_DROP, 0) < 0 ? -EINVAL : 0, "CLAIM");
	fcntl(fd, F_SETFL, O_NONBLOCK);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	for (round = 0; round < 12; round++) {
		if (round < 10)
			hit(round * 150);
		else if (round == 10)
			must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
		while ((n = read(fd, buf, round % 2 ? 1000 : sizeof(buf))) > 0)
			for (at = 0; at < n;) {
				const struct ilk_record *r = (void *)(buf + at);
				struct ilk_lost lost;

				memcpy(&lost, r->data, sizeof(lost));
				at += ILK_CELL * ILK_RECORD_CELLS(r->len);
				if (r->iid != ILK_IID_GAP) {
					stored++;
					last = r->tsc;
					continue;
				}
				missing += lost.lost;
				wrong += r->len != sizeof(lost) || !lost.lost || !last || lost.since > r->tsc;
			}
	}
	c = ilk_counter(fd, hooked.cells.iid);
	check(c.lost && c.lost == missing && stored + missing == c.count - c.missed && !wrong,
	      "read() tells of gaps: %llu hits = %lu stored + %lu missing + %llu dropped", c.count,
	      stored, missing, c.missed);
	close(fd);
}

static void test_stop(void)
{
	struct reader r;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL);
	uint8_t buf[4096];
	bool moved, ends;

	reader_open_as(&r, 4 * ILK_RING_BYTES_MIN, ILK_RING_STOP, 0);
	c = produce_into(&r, fd, &hooked, 6000);
	reader_consume(&r);
	fcntl(r.fd, F_SETFL, O_NONBLOCK);
	moved = read(r.fd, buf, sizeof(buf)) >= 0 || errno != EAGAIN;
	check(!moved && !r.state && c.lost, "filled once: %llu of %llu found no room, nothing is read yet",
	      c.lost, c.count);
	must(ioctl(r.fd, ILK_IOC_RING_FREEZE) ? -errno : 0, "FREEZE");
	must(ioctl(r.fd, ILK_IOC_RING_FREEZE) ? -errno : 0, "FREEZE");
	ends = reader_drain_gaps(&r, hooked.cells.iid);
	check(ends && r.state == ILK_RINGS_FROZEN && !r.strange && r.missing == c.lost && r.stored + c.lost + c.missed == c.count,
	      "then it is read: %lu stored + %lu missing", r.stored, r.missing);
	must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
	r.stored = 0;
	r.missing = 0;
	c = produce_into(&r, fd, &hooked, 100);
	ends = reader_drain_gaps(&r, hooked.cells.iid);
	check(ends && !r.stored && c.lost == c.count - c.missed &&
	      r.missing == c.lost, "frozen rings take nothing: %llu of %llu lost", c.lost, c.count);
	reader_close(&r);
	close(fd);
}

static bool overwrite_round(uint64_t window_ns, uint64_t *kept)
{
	struct reader r;
	struct hooked hooked;
	struct ilk_counter c;
	int fd = ilk_open(NULL);
	bool ok;

	reader_open_as(&r, (1 + random() % 2) * ILK_RING_BYTES_MIN, ILK_RING_OVERWRITE, window_ns);
	hook_instrument(fd, &hooked, "args");
	must(ilk_arm(fd, NULL), "ARM");
	hit(random() % 4000);
	usleep(window_ns ? 300000 : random() % 3000);
	hit(20);
	if (random() & 1)
		must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	must(ioctl(r.fd, ILK_IOC_RING_FREEZE) ? -errno : 0, "FREEZE");
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	memset(r.tails, 0, sizeof(r.tails));
	ok = reader_drain_gaps(&r, hooked.cells.iid) && !r.strange;
	c = ilk_counter(fd, hooked.cells.iid);
	*kept = r.stored;
	if (!ok || r.missing != c.lost || r.stored + c.lost + c.missed != c.count) {
		printf("# %llu hits, %lu stored, %llu lost, %lu missing, %llu dropped, %lu strange\n",
		       c.count, r.stored, c.lost, r.missing, c.missed, r.strange);
		ok = false;
	}
	reader_close(&r);
	close(fd);
	return ok;
}

/* Tests that a ring whose oldest records are overwritten has the newest records: 20 hits of each of
 * two threads, and no older records. */
static void test_overwrite(int rounds)
{
	uint64_t kept, least = ~0ul, most = 0;
	int i, right = 0, windows = 0;

	for (i = 0; i < rounds; i++) {
		right += overwrite_round(0, &kept);
		least = kept < least ? kept : least;
	}
	for (i = 0; i < 4; i++) {
		right += overwrite_round(100000000, &kept);
		windows += kept <= 40;
		most = kept > most ? kept : most;
	}
	check(right == rounds + 4 && windows == 4,
	      "overwritten: %d of %d rounds are exact, at least %lu kept, at most %lu with a window",
	      right, rounds + 4, least, most);
}

static void test_bad_claims(void)
{
	int fd = ilk_open(NULL);
	struct ilk_info info;
	int refused = 0;

	close(ilk_open(&info));
	refused += ilk_claim(fd, ILK_RING_BYTES_MIN / 2, ILK_RING_DROP, 0) == -EINVAL;
	refused += ilk_claim(fd, ILK_RING_BYTES_MIN + 4096, ILK_RING_DROP, 0) == -EINVAL;
	refused += ilk_claim(fd, info.ring_max * 2, ILK_RING_DROP, 0) == -EINVAL;
	refused += ilk_claim(fd, 0, ILK_RING_OVERWRITE + 1, 0) == -EINVAL;
	refused += ilk_claim(fd, 0, ILK_RING_DROP, 1) == -EINVAL;
	refused += ilk_claim(fd, 0, ILK_RING_OVERWRITE, ~0ull) == -EINVAL;
	refused += ioctl(fd, ILK_IOC_RING_FREEZE) && errno == EACCES;
	check(refused == 7, "claims that cannot be are refused: %d of 7", refused);
	close(fd);
}

/* Removes hooks while their records are in rings that are being overwritten. */
static void test_overwrite_churn(void)
{
	struct reader r;
	pthread_t thread;
	int round;

	reader_open_as(&r, ILK_RING_BYTES_MIN, ILK_RING_OVERWRITE, 1000000);
	rest = false;
	pthread_create(&thread, NULL, produce_samples, NULL);
	for (round = 0; round < 30; round++) {
		struct hooked hooked;
		int fd = ilk_open(NULL);

		hook_instrument(fd, &hooked, "args");
		must(ilk_arm(fd, NULL), "ARM");
		usleep(random() % 20000);
		must(ilk_disarm(fd, ILK_DISARM_FILE | ILK_DISARM_FREE, NULL), "DISARM");
		ilk_settle(fd);
		close(fd);
	}
	rest = true;
	pthread_join(thread, NULL);
	check(true, "hooks were freed under the recorder");
	reader_close(&r);
}

void test_rings(int rounds)
{
	test_bad_claims();
	test_gaps();
	test_read_gaps();
	test_stop();
	test_overwrite(rounds);
	test_overwrite_churn();
	test_left_behind();
	test_changes(rounds);
	test_cpus();
}
