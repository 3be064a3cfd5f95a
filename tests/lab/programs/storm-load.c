// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm-load.c - makes the load of a busy machine, and calls that hooks must count exactly
 *
 *   storm-load load SEED WORKERS      until SIGTERM, uses processes, pipes, files, memory,
 *                                     sockets, signals, futexes and timers at random
 *   storm-load witness CALLS          makes CALLS calls of every witness, from two threads
 *   storm-load names                  prints the kernel functions of the witnesses
 *   storm-load pace                   prints the minimum duration of an empty system call, in ns
 *
 * A witness is a system call that neither "load" nor a lab's shell makes. So a hook at the entry of
 * its kernel function must count exactly CALLS.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *self;
static unsigned int seed;

static unsigned int pick_below(unsigned int below)
{
	return (unsigned int)rand_r(&seed) % below;
}

/* ---- the load of a busy machine --------------------------------------------------------- */

static void reap_child(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void do_exec(void)
{
	pid_t pid = pick_below(2) ? fork() : vfork();

	if (!pid) {
		execl(self, self, "true", NULL);
		_exit(1);
	}
	if (pid > 0)
		reap_child(pid);
}

static void do_pipe(void)
{
	char buf[8192];
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		while (read(ends[0], buf, 1 + pick_below(sizeof(buf))) > 0)
			;
		_exit(0);
	}
	close(ends[0]);
	for (int i = pick_below(60); i > 0; i--)
		if (write(ends[1], buf, 1 + pick_below(sizeof(buf))) < 0)
			break;
	close(ends[1]);
	if (pid > 0)
		reap_child(pid);
}

static void do_file(void)
{
	char name[64], other[72], buf[4096] = "storm";
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "/tmp/storm.%d", getpid());
	snprintf(other, sizeof(other), "%s.new", name);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return;
	for (int i = pick_below(30); i > 0; i--)
		if (pwrite(fd, buf, pick_below(sizeof(buf)), pick_below(100000)) < 0)
			break;
	if (!fstat(fd, &st) && !ftruncate(fd, st.st_size / 2) && pread(fd, buf, sizeof(buf), 0) >= 0)
		lseek(fd, 0, SEEK_END);
	close(fd);
	if (!rename(name, other) && !link(other, name))
		unlink(name);
	unlink(other);
}

static void do_memory(void)
{
	size_t size = (1 + pick_below(64)) * 4096;
	char *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return;
	for (size_t at = 0; at < size; at += 4096)
		map[at] = 1;
	mprotect(map, size / 2, PROT_READ);
	madvise(map, size, MADV_DONTNEED);
	map = mremap(map, size, size + 65536, MREMAP_MAYMOVE);
	if (map != MAP_FAILED)
		munmap(map, size + 65536);
}

static void do_unix_socket(void)
{
	char buf[4096];
	int ends[2];

	if (socketpair(AF_UNIX, pick_below(2) ? SOCK_STREAM : SOCK_DGRAM, 0, ends))
		return;
	for (int i = pick_below(30); i > 0; i--)
		if (send(ends[0], buf, 1 + pick_below(1000), MSG_DONTWAIT) > 0 &&
		    recv(ends[1], buf, sizeof(buf), MSG_DONTWAIT) < 0)
			break;
	close(ends[0]);
	close(ends[1]);
}

static void do_tcp(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(name);
	char buf[2000] = "";
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), peer;

	if (!bind(server, (struct sockaddr *)&name, len) && !listen(server, 4) &&
	    !getsockname(server, (struct sockaddr *)&name, &len) &&
	    !connect(client, (struct sockaddr *)&name, len)) {
		peer = accept(server, NULL, NULL);
		for (int i = pick_below(20); i > 0; i--)
			if (send(client, buf, sizeof(buf), MSG_NOSIGNAL) < 0 ||
			    recv(peer, buf, sizeof(buf), 0) < 0)
				break;
		close(peer);
	}
	close(client);
	close(server);
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void do_signals(void)
{
	struct itimerval timer = { { 0, 500 }, { 0, 500 } }, off = { 0 };
	sigset_t set, old;

	signal(SIGUSR1, on_signal);
	signal(SIGALRM, on_signal);
	for (int i = pick_below(30); i > 0; i--)
		kill(getpid(), SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &old);
	setitimer(ITIMER_REAL, &timer, NULL);
	sigprocmask(SIG_SETMASK, &old, NULL);
	for (int i = 0; i < 3; i++)
		usleep(1000);
	setitimer(ITIMER_REAL, &off, NULL);
	/* Let the child die of a page fault. */
	if (!pick_below(8)) {
		pid_t pid = fork();

		if (!pid) {
			volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			*page = 0;
		}
		if (pid > 0)
			reap_child(pid);
	}
}

static uint32_t futex_word;

static void *futex_waker(void *unused)
{
	for (int i = 0; i < 20; i++) {
		__atomic_fetch_add(&futex_word, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &futex_word, FUTEX_WAKE_PRIVATE, 1);
		sched_yield();
	}
	return unused;
}

static void do_futex(void)
{
	struct timespec soon = { 0, 300000 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, futex_waker, NULL))
		return;
	for (int i = 0; i < 10; i++)
		syscall(SYS_futex, &futex_word, FUTEX_WAIT_PRIVATE, futex_word, &soon);
	pthread_join(thread, NULL);
}

static void do_timers(void)
{
	struct itimerspec when = { { 0, 200000 }, { 0, 200000 } };
	struct epoll_event event = { .events = EPOLLIN };
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0), count = eventfd(0, 0);
	uint64_t value = 1;

	timerfd_settime(timer, 0, &when, NULL);
	epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
	epoll_ctl(set, EPOLL_CTL_ADD, count, &event);
	for (int i = 0; i < 5; i++) {
		if (write(count, &value, sizeof(value)) < 0 || epoll_wait(set, &event, 1, 2) < 0 ||
		    read(timer, &value, sizeof(value)) < 0)
			break;
		value = 1;
	}
	close(timer);
	close(set);
	close(count);
}

static void do_proc(void)
{
	static const char * const files[] = {
		"/proc/self/maps", "/proc/self/status", "/proc/stat", "/proc/meminfo",
		"/proc/cmdline", "/proc/self/stack", "/proc/interrupts", "/sys/kernel/mm/transparent_hugepage/enabled",
	};
	char buf[4096];
	int fd = open(files[pick_below(ARRAY_SIZE(files))], O_RDONLY);

	if (fd < 0)
		return;
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

/* Single-steps a child by ptrace, so that traps come from user space, too, not only from the
 * driver. */
static void do_ptrace(void)
{
	int status, steps = 0;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		for (int i = 0; i < 10; i++)
			getppid();
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		if (ptrace(steps++ < 100 ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL, NULL))
			break;
	if (pid > 0)
		kill(pid, SIGKILL);
}

static void do_sched(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(pick_below(2), &set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_yield();
	CPU_SET(0, &set);
	CPU_SET(1, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void (* const actions[])(void) = {
	do_exec, do_pipe, do_file, do_memory, do_unix_socket, do_tcp, do_signals, do_futex,
	do_timers, do_proc, do_ptrace, do_sched,
};

static volatile sig_atomic_t stop;

static void on_stop(int number)
{
	(void)number;
	stop = 1;
}

static void make_calls(void)
{
	while (!stop)
		actions[pick_below(ARRAY_SIZE(actions))]();
}

static int start_workers(unsigned int from, int workers)
{
	signal(SIGTERM, on_stop);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < workers; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		seed = from + (unsigned int)i;
		if (nice(19) < 0)
			_exit(1);
		make_calls();
		_exit(0);
	}
	while (!stop)
		pause();
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}

/* ---- calls of the witnesses, which hooks must count exactly ----------------------------- */

static const struct {
	const char *function;
	long number, arguments[3];
} witnesses[] = {
	{ "__x64_sys_fsync", SYS_fsync, { -1 } },
	{ "__x64_sys_fdatasync", SYS_fdatasync, { -1 } },
	{ "__x64_sys_syncfs", SYS_syncfs, { -1 } },
	{ "__x64_sys_getpriority", SYS_getpriority, { 0, 0 } },
	{ "__x64_sys_sched_get_priority_max", SYS_sched_get_priority_max, { SCHED_FIFO } },
	{ "__x64_sys_sched_rr_get_interval", SYS_sched_rr_get_interval, { -1, 0 } },
	{ "__x64_sys_personality", SYS_personality, { 0xffffffff } },
	{ "__x64_sys_flock", SYS_flock, { -1, 1 } },
	{ "__x64_sys_getsid", SYS_getsid, { 0 } },
	{ "__x64_sys_capget", SYS_capget, { 0, 0 } },
	{ "__x64_sys_mincore", SYS_mincore, { 1, 0, 0 } },
	{ "__x64_sys_readahead", SYS_readahead, { -1, 0, 0 } },
};

static long calls;

static void *count_calls(void *half)
{
	long n = calls / 2 + (half ? calls % 2 : 0);

	for (long i = 0; i < n; i++)
		for (size_t w = 0; w < ARRAY_SIZE(witnesses); w++)
			syscall(witnesses[w].number, witnesses[w].arguments[0],
				witnesses[w].arguments[1], witnesses[w].arguments[2]);
	return NULL;
}

static int verify_counts(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, count_calls, &calls))
		return 1;
	count_calls(NULL);
	pthread_join(thread, NULL);
	printf("calls %ld\n", calls);
	return 0;
}

/* Prints the minimum of many measurements, which does not depend on other load on the host. */
static void show_pace(void)
{
	struct timespec from, to;
	long ns, best = -1;

	for (int i = 0; i < 100; i++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (int n = 0; n < 100; n++)
			syscall(SYS_getppid);
		clock_gettime(CLOCK_MONOTONIC, &to);
		ns = (to.tv_sec - from.tv_sec) * 1000000000l + to.tv_nsec - from.tv_nsec;
		best = best < 0 || ns < best ? ns : best;
	}
	printf("%ld\n", best / 100);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	self = argv[0];
	if (!strcmp(command, "true"))
		return 0;
	if (!strcmp(command, "load") && argc == 4) {
		setpgid(0, 0);
		return start_workers((unsigned int)atol(argv[2]), atoi(argv[3]));
	}
	if (!strcmp(command, "witness") && argc == 3) {
		calls = atol(argv[2]);
		return verify_counts();
	}
	if (!strcmp(command, "names")) {
		for (size_t w = 0; w < ARRAY_SIZE(witnesses); w++)
			puts(witnesses[w].function);
		return 0;
	}
	if (!strcmp(command, "pace")) {
		show_pace();
		return 0;
	}
	fprintf(stderr, "usage: storm-load load SEED WORKERS | witness CALLS | names | pace\n");
	return 2;
}
