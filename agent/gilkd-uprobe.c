// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-uprobe.c - puts uprobes into programs and removes them, in a separate process
 *
 * To put a uprobe or to remove it, the kernel takes locks of every process that maps the file, and
 * any process can delay that without limit. And if the task that does it is killed, the kernel
 * stops half-way and leaves int3 in processes. So the agent itself does neither:
 *
 *	agent --- socket --- process: one request after the other, in their order
 *
 * The agent waits at most TIMEOUT_S for an answer, and for none when uprobes end. The process holds
 * a descriptor of each perf event: the agent's own, with which it links programs, is never the last
 * one. Once the agent has ended, the process removes all uprobes and exits. It ignores the signals
 * by which users and systemd end the agent; only SIGKILL can stop it half-way.
 *
 * The process gets numbers and descriptors of files, never a path.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-privileges.h"
#include "gilkd-probe.h"
#include "gilkd-uprobe.h"

#define TIMEOUT_S	10u	/* limit for one uprobe, which a refusal's text names */
#define CHECK_MS	20	/* ms between checks of the rings and the client */
#define TYPE_PATH	"/sys/bus/event_source/devices/uprobe/type"
#define RETURNS		1u	/* bit of perf_event_attr.config */
#define ENDED_MAX	1024u	/* maximum number of uprobes per message */

enum kind {
	CHECK,			/* compare bytes of the file */
	OPEN,			/* do that, then put the uprobe */
	CLOSE,			/* remove the uprobes of the numbers that follow; no answer */
};

/* Message to the process; with CHECK and OPEN it comes with a descriptor of the file. */
struct message {
	uint32_t kind, number;
	uint64_t offset;
	uint32_t returns, len;
	uint8_t old[ILK_USER_INSN_MAX + 1];
};

/* After OPEN it comes with a descriptor of the perf event. */
struct answer {
	uint32_t number;
	int32_t error;			/* an errno */
};

#define MESSAGE_MAX	(sizeof(struct message) + ENDED_MAX * sizeof(uint32_t))

/* ---- the process ------------------------------------------------------------------------ */

/**
 * struct events - perf events of the uprobes
 * @items: in the order in which they were opened
 */
struct events {
	struct event { uint32_t number; int fd; } *items;
	size_t count, room;
};

static bool keep_event(struct events *events, uint32_t number, int fd)
{
	if (events->count == events->room) {
		const size_t room = 2 * events->room + 16;
		struct event *grown = realloc(events->items, room * sizeof(*grown));

		if (!grown)
			return false;
		events->items = grown;
		events->room = room;
	}
	events->items[events->count++] = (struct event){ number, fd };
	return true;
}

static void close_event(struct events *events, uint32_t number)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		if (events->items[i].number != number)
			continue;
		close(events->items[i].fd);
		events->items[i] = events->items[--events->count];
		return;
	}
}

/* Returns 0, or EILSEQ if the file has other bytes than expected. */
static int check_bytes(const struct message *message, int file)
{
	uint8_t now[sizeof(message->old)];
	ssize_t got;

	if (message->len > sizeof(now))
		return EINVAL;
	do
		got = pread(file, now, message->len, message->offset);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)message->len && !memcmp(now, message->old, got) ? 0 : EILSEQ;
}

/*
 * Puts a uprobe into all processes that map the file, and into those that will. The kernel resolves
 * the path of a descriptor in this process. Returns a descriptor, or -errno.
 */
static int open_event(const struct message *message, int file)
{
	char path[64];
	struct perf_event_attr attr = {
		.type = gilkd_probe_type(TYPE_PATH),
		.size = PERF_ATTR_SIZE_VER1,	/* up to config2; every kernel knows it */
		.config = message->returns ? RETURNS : 0,
		.uprobe_path = (uintptr_t)path,
		.probe_offset = message->offset,
	};

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return (int)attr.type < 0 ? -ENOSYS : gilkd_probe_open_event(&attr);
}

static void handle_file(struct events *events, const struct message *message, int file)
{
	struct answer answer = { .number = message->number };
	struct iovec part = { &answer, sizeof(answer) };
	int fd = -1;

	answer.error = file < 0 ? EMFILE : check_bytes(message, file);
	if (!answer.error && message->kind == OPEN) {
		fd = open_event(message, file);
		answer.error = fd < 0 ? -fd : 0;
		if (fd >= 0 && !keep_event(events, message->number, fd)) {
			close(fd);
			fd = -1;
			answer.error = ENOMEM;
		}
	}
	gilkd_message_send(GILKD_HELPER_FD, &part, 1, fd);
	if (file >= 0)
		close(file);
}

/*
 * Waits until the agent has ended and so the kernel has removed its kprobes: that needs a mutex which
 * the kernel holds while it removes a uprobe.
 */
static void await_end(pid_t agent)
{
	static const struct timespec pause = { 0, CHECK_MS * 1000000l };
	unsigned int i;

	for (i = 0; i < TIMEOUT_S * 1000 / CHECK_MS && getppid() == agent; i++)
		nanosleep(&pause, NULL);
}

static void serve_uprobes(void)
{
	static uint8_t bytes[MESSAGE_MAX] __attribute__((aligned(8)));
	const struct message *message = (const struct message *)bytes;
	const uint32_t *numbers = (const uint32_t *)(message + 1);
	const pid_t agent = getppid();
	struct events events = { 0 };
	ssize_t got;
	size_t i;
	int file;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		got = gilkd_message_receive(GILKD_HELPER_FD, bytes, sizeof(bytes), &file);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < (ssize_t)sizeof(*message)) {
			await_end(agent);
			return;
		}
		if (message->kind != CLOSE)
			handle_file(&events, message, file);
		for (i = 0; message->kind == CLOSE && i < (got - sizeof(*message)) / sizeof(*numbers); i++)
			close_event(&events, numbers[i]);
	}
}

/**
 * gilkd_uprober_start() - start the process that puts uprobes
 *
 * Must be called before privileges are dropped, and before any descriptor of a client is open.
 * Returns 0 or an errno.
 */
int gilkd_uprober_start(struct gilkd_uprober *uprober)
{
	return gilkd_helper_start("gilkd-uprobe", GILKD_CAPS_PROBE, serve_uprobes,
				  &uprober->socket);
}

/* ---- the agent's side -------------------------------------------------------------------- */

/*
 * Waits for the answer to the last request, and discards late answers to earlier ones. Sets @fd to
 * the descriptor that came with it, or -1. Returns 0 or an errno.
 */
static int wait_for_answer(struct gilkd_uprober *uprober, struct gilkd_samples *samples, int *fd)
{
	struct pollfd poll_fd = { .fd = uprober->socket, .events = POLLIN };
	const uint64_t until = gilkd_now_ms() + TIMEOUT_S * 1000;
	struct answer answer;

	while (gilkd_now_ms() < until && !samples->client->broken) {
		if (poll(&poll_fd, 1, CHECK_MS) > 0) {
			if (gilkd_message_receive(poll_fd.fd, &answer, sizeof(answer), fd) !=
			    sizeof(answer))
				return EPIPE;
			if (answer.number == uprober->number)
				return answer.error;
			if (*fd >= 0)
				close(*fd);
			*fd = -1;
			continue;
		}
		gilkd_samples_tick(samples);
		if (gilkd_client_is_hung_up(samples->client))
			break;
	}
	return ETIMEDOUT;
}

static int request_file(struct gilkd_uprober *uprober, struct gilkd_samples *samples,
			enum kind kind, const struct gilkd_uprobe *uprobe, int *fd)
{
	struct message message = {
		.kind = kind, .number = ++uprober->number, .offset = uprobe->offset,
		.returns = uprobe->returns, .len = uprobe->len,
	};
	struct iovec part = { &message, sizeof(message) };
	struct pollfd poll_fd = { .fd = uprober->socket, .events = POLLOUT };

	*fd = -1;
	memcpy(message.old, uprobe->old, sizeof(message.old));
	gilkd_uprober_flush(uprober);
	if (poll(&poll_fd, 1, CHECK_MS) <= 0)	/* it is stuck, and its queue is full */
		return ETIMEDOUT;
	if (!gilkd_message_send(uprober->socket, &part, 1, uprobe->file))
		return errno;
	return wait_for_answer(uprober, samples, fd);
}

/* Compares bytes of the file. Returns 0 or an errno; EILSEQ: they are not the expected ones. */
int gilkd_uprober_check(struct gilkd_uprober *uprober, struct gilkd_samples *samples,
			const struct gilkd_uprobe *uprobe)
{
	int fd, error = request_file(uprober, samples, CHECK, uprobe, &fd);

	if (fd >= 0)
		close(fd);
	return error;
}

/**
 * gilkd_uprober_open() - compare bytes of the file, and put a uprobe
 * @samples: rings to drain while waiting
 * @number: set to the number to give to gilkd_uprober_close()
 *
 * Returns the descriptor of its perf event, or -errno. After a failure nothing needs to be closed.
 */
int gilkd_uprober_open(struct gilkd_uprober *uprober, struct gilkd_samples *samples,
		       const struct gilkd_uprobe *uprobe, uint32_t *number)
{
	int fd, error = request_file(uprober, samples, OPEN, uprobe, &fd);

	if (!error && fd >= 0) {
		*number = uprober->number;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	/* The uprobe may be there yet, or come late. */
	gilkd_uprober_close(uprober, uprober->number);
	return error ? -error : -EMFILE;
}

/* Removes a uprobe some time later. The agent's descriptor of its event must be closed. */
void gilkd_uprober_close(struct gilkd_uprober *uprober, uint32_t number)
{
	uint32_t *grown = realloc(uprober->ended, (uprober->ended_count + 1) * sizeof(*grown));

	if (!grown)
		return;		/* removed when the agent ends */
	uprober->ended = grown;
	grown[uprober->ended_count++] = number;
}

/* Tells the process which uprobes to remove, unless its queue is full because it is stuck. */
void gilkd_uprober_flush(struct gilkd_uprober *uprober)
{
	static const struct message message = { .kind = CLOSE };

	while (uprober->ended_count) {
		const size_t count = uprober->ended_count < ENDED_MAX ?
			uprober->ended_count : ENDED_MAX;
		struct iovec parts[] = {
			{ (void *)&message, sizeof(message) },
			{ uprober->ended + (uprober->ended_count - count), count * sizeof(uint32_t) },
		};
		struct msghdr head = { .msg_iov = parts, .msg_iovlen = 2 };

		if (sendmsg(uprober->socket, &head, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
			if (errno == EPIPE)	/* the process has ended, and so have all uprobes */
				uprober->ended_count = 0;
			return;
		}
		uprober->ended_count -= count;
	}
}
