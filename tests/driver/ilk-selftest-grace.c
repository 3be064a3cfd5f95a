// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-grace.c - tests that a footprint is not overwritten while a thread is inside it
 *
 * The thread loops in gilk_stand() (tests/kmod/stand.S), among the instructions that the jump will
 * overwrite. Until the thread leaves, the hook is a trap. Then the jump is written. Also tests that
 * grace periods end while CPUs go offline and online.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define PARAMETERS	"/sys/module/gilk_busy/parameters/"
#define PAGE		4096
#define STANDS_BYTES	6	/* size of the footprint: nop; cmpb $0, (%rdi); jne */

static const uint8_t stands[STANDS_BYTES] = { 0x90, 0x80, 0x3f, 0x00, 0x75, 0xfb };

static void hook_stand(int fd, struct hooked *hooked)
{
	uint64_t entry = kernel_symbol("gilk_stand");
	struct point point = { .len = STANDS_BYTES };
	uint8_t bytes[32];
	uint32_t i;

	if (!entry || kernel_read(entry, bytes, sizeof(bytes)))
		die("no function gilk_stand");
	for (i = 0; i + STANDS_BYTES < sizeof(bytes) && memcmp(bytes + i, stands, STANDS_BYTES); i++)
		;
	point.site = entry + i;
	memcpy(point.old, stands, STANDS_BYTES);
	hook_counter(fd, hooked, &point, false, ILK_TACTIC_SPLICE);
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE where a thread stands");
}

static void arm_below(const char *mode, const char *how)
{
	int passed = read_number(PARAMETERS "passed"), fd = ilk_open(NULL), tries = 0;
	struct hooked hooked;
	uint8_t now[STANDS_BYTES];

	hook_stand(fd, &hooked);
	write_file(PARAMETERS "stand", mode);
	while (read_number(PARAMETERS "stand") != 1 && tries++ < 1000)
		usleep(10000);
	usleep(100000);
	must(ilk_arm(fd, NULL), "ARM where a thread stands");
	usleep(1500000);
	kernel_read(hooked.patch.site, now, sizeof(now));
	check(patch_status(fd, 0).state == ILK_STATE_TRAPPED && now[0] == 0xcc &&
	      !memcmp(now + 1, stands + 1, STANDS_BYTES - 1), "%s: the jump waits for it", how);
	write_file(PARAMETERS "stand", "0");
	ilk_settle(fd);
	check(patch_status(fd, 0).state == ILK_STATE_ARMED &&
	      read_number(PARAMETERS "passed") == passed + 1,
	      "%s: it went on unharmed, and then the jump came", how);
	close(fd);
}

/* ---- tests of a task that sleeps in a page fault --------------------------------------- */

static const uint8_t reads[] = { 0x90, 0x8a, 0x07, 0x90, 0x90, 0x90 };

/* Maps a page without contents. An access to the page waits until the test supplies the contents by
 * userfaultfd. */
static void *page_to_come(int *events)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*events = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	range.range.start = (uintptr_t)page;
	range.range.len = PAGE;
	must(*events < 0 || ioctl(*events, UFFDIO_API, &api) ||
	     ioctl(*events, UFFDIO_REGISTER, &range), "userfaultfd");
	return page;
}

static void wait_for_fault(int events)
{
	struct pollfd poller = { .fd = events, .events = POLLIN };

	must(poll(&poller, 1, 60000) == 1 ? 0 : -ETIMEDOUT, "a task in a page fault");
}

static void *read_it(void *page)
{
	char words[32];

	snprintf(words, sizeof(words), "%lu", (unsigned long)page);
	write_file(PARAMETERS "fault", words);
	return NULL;
}

/* Arms a hook whose footprint contains the faulting instruction as its second instruction. */
static void hook_fault(int fd, struct hooked *hooked, struct ilk_fault *fault)
{
	uint64_t entry = kernel_symbol("gilk_fault");
	struct point point = { .len = sizeof(reads) };
	uint8_t bytes[48];
	uint32_t i;

	if (!entry || kernel_read(entry, bytes, sizeof(bytes)))
		die("no function gilk_fault");
	for (i = 0; i + sizeof(reads) < sizeof(bytes) && memcmp(bytes + i, reads, sizeof(reads)); i++)
		;
	point.site = entry + i;
	memcpy(point.old, reads, sizeof(reads));
	hook_counter(fd, hooked, &point, false, ILK_TACTIC_SPLICE);
	fault->offset = hooked->code.len - 5 - sizeof(reads) + 1;
	fault->data = 1;			/* EX_TYPE_DEFAULT */
	fault->fixup = point.site + sizeof(reads);
	hooked->patch.faults = (uintptr_t)fault;
	hooked->patch.fault_count = 1;
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE where a task sleeps");
}

static void zero_page(int events, void *page)
{
	struct uffdio_zeropage zero = { .range = { (uintptr_t)page, PAGE } };

	must(ioctl(events, UFFDIO_ZEROPAGE, &zero), "a page of zeros");
	close(events);
}

static uint32_t hooks_left(void)
{
	struct ilk_info info;

	close(ilk_open(&info));
	return info.hooks_live;
}

static bool are_all_free(void)
{
	int tries = 0;

	while (hooks_left() && tries++ < 400)
		usleep(50000);
	return !hooks_left();
}

static void arm_below_fault(void)
{
	struct hooked hooked;
	struct ilk_fault fault = { 0 };
	int fd = ilk_open(NULL), events;
	void *page = page_to_come(&events);
	pthread_t thread;

	hook_fault(fd, &hooked, &fault);
	pthread_create(&thread, NULL, read_it, page);
	wait_for_fault(events);
	must(ilk_arm(fd, NULL), "ARM where a task sleeps");
	usleep(2000000);
	check(patch_status(fd, 0).state == ILK_STATE_TRAPPED,
	      "a task that sleeps in a fault in the footprint: the jump waits");
	zero_page(events, page);
	pthread_join(thread, NULL);
	ilk_settle(fd);
	check(patch_status(fd, 0).state == ILK_STATE_ARMED, "it went on unharmed, and then the jump came");
	close(fd);
}

/* Frees a hook while a task sleeps in a page fault taken by code in the hook's slot. */
static void free_below_fault(void)
{
	struct hooked hooked;
	struct ilk_fault fault = { 0 };
	int fd, events;
	void *page = page_to_come(&events);
	pthread_t thread;

	check(are_all_free(), "all slots are free");
	fd = ilk_open(NULL);
	hook_fault(fd, &hooked, &fault);
	must(ilk_arm(fd, NULL), "ARM of what may fault");
	ilk_settle(fd);
	pthread_create(&thread, NULL, read_it, page);
	wait_for_fault(events);
	close(fd);
	usleep(2000000);
	check(hooks_left() == 1, "a slot is kept for a task that sleeps in a fault there");
	zero_page(events, page);
	pthread_join(thread, NULL);
	check(are_all_free(), "and freed behind it");
}

static void *toggle_cpu(void *arg)
{
	int i;

	for (i = 0; i < 6; i++) {
		write_file("/sys/devices/system/cpu/cpu1/online", i & 1 ? "1" : "0");
		usleep(50000);
	}
	return arg;
}

static void arm_while_cpus_leave(void)
{
	struct hooked hooked;
	pthread_t thread;
	int i, fd;

	pthread_create(&thread, NULL, toggle_cpu, NULL);
	for (i = 0; i < 6; i++) {
		fd = ilk_open(NULL);
		hook_stand(fd, &hooked);
		must(ilk_arm(fd, NULL), "ARM while a CPU leaves");
		ilk_settle(fd);
		if (patch_status(fd, 0).state != ILK_STATE_ARMED)
			die("a grace period ended without its jump");
		close(fd);
	}
	pthread_join(thread, NULL);
	check(text_is_restored(), "grace periods end while a CPU goes and comes");
}

void test_grace(void)
{
	arm_below("1", "a thread in the footprint");
	arm_below("2", "one with preemption off");
	arm_below_fault();
	free_below_fault();
	arm_while_cpus_leave();
}
