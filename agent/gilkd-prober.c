// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-prober.c - asks a process to open kprobes, uprobes, counters and timers
 *
 * The process handles messages in their order, see gilkd-probe.c. It can be stuck without limit, so
 * each wait for an answer has a limit. Answers that come later are discarded by their number.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-privileges.h"
#include "gilkd-prober.h"

#define ANSWER_MS	10000u	/* limit of the wait for an answer, which a refusal's text names */
#define STUCK_MS	1000u	/* the same for closing, while another process is late, too */
#define CHECK_MS	20	/* ms between checks of the rings and the client */

/**
 * gilkd_prober_start() - start the process
 * @before: the process that must remove its probes first when the agent has ended; NULL: none
 *
 * Must be called before privileges are dropped, and before any descriptor of a client is open.
 * Returns 0 or an errno.
 */
int gilkd_prober_start(struct gilkd_prober *prober, const char *name,
		       const struct gilkd_prober *before)
{
	const struct gilkd_helper helper = {
		.name = name, .caps = GILKD_CAPS_PROBE, .serve = gilkd_probe_serve,
		.data = before ? &before->pid : NULL,
	};

	return gilkd_helper_start(&helper, &prober->socket, &prober->pid);
}

/*
 * Receives an answer. Returns 0 if it is to message @number, with @error and @fd set; EAGAIN if it
 * is to an earlier one, or another errno.
 */
static int receive_answer(struct gilkd_prober *prober, uint32_t number, int *error, int *fd)
{
	struct gilkd_probe_answer answer;
	const ssize_t got = gilkd_message_receive(prober->socket, &answer, sizeof(answer), fd);

	if (got < 0 && errno == EINTR)
		return EAGAIN;
	if (got != sizeof(answer)) {	/* the process has ended */
		prober->late = 0;
		return EPIPE;
	}
	prober->stuck = false;
	if (answer.number == prober->late)
		prober->late = 0;
	if (answer.number == number) {
		*error = answer.error;
		return 0;
	}
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return EAGAIN;
}

/* Returns whether the process can get another message: it is not stuck with a full queue. */
static bool has_room(const struct gilkd_prober *prober)
{
	struct pollfd room = { .fd = prober->socket, .events = POLLOUT };

	return prober->socket >= 0 && poll(&room, 1, CHECK_MS) > 0;
}

/*
 * Waits for an answer.
 * @ms: limit of the wait
 * @asks: the wait ends when the client is gone
 * @fd: set to the descriptor that came with the answer, or -1
 *
 * Returns 0 or an errno; ETIMEDOUT: the answer has not come.
 */
static int await_answer(struct gilkd_prober *prober, uint32_t number, uint32_t ms, bool asks, int *fd)
{
	struct pollfd answer = { .fd = prober->socket, .events = POLLIN };
	const uint64_t until = gilkd_now_ms() + ms;
	const struct gilkd_client *client = prober->samples->client;
	int error = 0, result = EAGAIN;

	*fd = -1;
	prober->late = number;
	prober->waits = true;
	while (result == EAGAIN) {
		if (gilkd_now_ms() >= until) {
			prober->stuck = true;
			break;
		}
		if (poll(&answer, 1, CHECK_MS) > 0) {
			result = receive_answer(prober, number, &error, fd);
			continue;
		}
		gilkd_samples_tick(prober->samples);
		if (asks && (client->broken || gilkd_client_is_hung_up(client)))
			break;
	}
	prober->waits = false;
	return result == EAGAIN ? ETIMEDOUT : result ? result : error;
}

/* Sends a message, and waits for its answer as await_answer() does. */
static int request_answer(struct gilkd_prober *prober, struct gilkd_probe_message *message,
			  int file, int *fd)
{
	struct iovec part = { message, sizeof(*message) };

	*fd = -1;
	gilkd_prober_flush(prober);
	message->number = ++prober->number;
	if (prober->socket < 0)
		return EBADF;
	if (!has_room(prober))
		return ETIMEDOUT;
	if (!gilkd_message_send(prober->socket, &part, 1, file))
		return errno;
	return await_answer(prober, message->number, ANSWER_MS, true, fd);
}

/* Compares bytes of a file. Returns 0 or an errno; EILSEQ: they are not the expected ones. */
int gilkd_prober_check(struct gilkd_prober *prober, const struct gilkd_probe *probe, int file)
{
	struct gilkd_probe_message message = { .request = GILKD_PROBE_CHECK, .probe = *probe };
	int fd;

	return request_answer(prober, &message, file, &fd);
}

/**
 * gilkd_prober_open() - open a perf event
 * @file: descriptor of the file of a uprobe; else -1
 * @number: set to the number to give to gilkd_prober_close(). NULL: the event is a counter or a timer,
 *	which ends with its descriptors
 *
 * Returns its descriptor, or -errno; then nothing needs to be closed. -ENOSYS: the kernel has no such
 * probes; -ENODEV: the CPU is offline.
 */
int gilkd_prober_open(struct gilkd_prober *prober, const struct gilkd_probe *probe, int file,
		      uint32_t *number)
{
	struct gilkd_probe_message message = { .request = GILKD_PROBE_OPEN, .probe = *probe };
	int fd, error = request_answer(prober, &message, file, &fd);

	if (!error && fd >= 0) {
		if (number)
			*number = message.number;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	/* The probe may be there yet, or come late. Without room, the kernel drops a descriptor. */
	if (number && (!error || error == ETIMEDOUT))
		gilkd_prober_close(prober, message.number);
	return error ? -error : -EMFILE;
}

/* Puts a kprobe, and sets @probe to the descriptor of its event. Returns 0 or an errno. */
int gilkd_prober_open_kprobe(struct gilkd_prober *prober, uint64_t address, int *probe,
			     uint32_t *number)
{
	const struct gilkd_probe kprobe = { .kind = GILKD_KPROBE, .at = address };
	const int fd = gilkd_prober_open(prober, &kprobe, -1, number);

	if (fd < 0)
		return -fd;
	*probe = fd;
	return 0;
}

/* Lets the process hold @fd, too, until gilkd_prober_close(). Returns 0 or an errno. */
int gilkd_prober_keep(struct gilkd_prober *prober, int fd, uint32_t *number)
{
	struct gilkd_probe_message message = {
		.request = GILKD_PROBE_KEEP, .number = ++prober->number,
	};
	struct iovec part = { &message, sizeof(message) };

	if (!has_room(prober))
		return ETIMEDOUT;
	if (!gilkd_message_send(prober->socket, &part, 1, fd))
		return errno;
	*number = message.number;
	return 0;
}

/*
 * Lets the process close what it holds, some time later. The agent's own descriptor must be closed.
 * @number: 0: nothing
 */
void gilkd_prober_close(struct gilkd_prober *prober, uint32_t number)
{
	uint32_t *grown;

	if (!number)
		return;
	grown = realloc(prober->ended, (prober->ended_count + 1) * sizeof(*grown));
	if (!grown)
		return;		/* closed when the agent ends */
	prober->ended = grown;
	grown[prober->ended_count++] = number;
}

/* Receives answers that came late. */
static void discard_answers(struct gilkd_prober *prober)
{
	struct pollfd poll_fd = { .fd = prober->socket, .events = POLLIN };
	int error, fd;

	while (prober->late && poll(&poll_fd, 1, 0) > 0)
		receive_answer(prober, 0, &error, &fd);
}

/* Sends what to close, or some of it. Returns whether the process knows of it. */
static bool send_ended(struct gilkd_prober *prober)
{
	const size_t count = prober->ended_count < GILKD_PROBE_ENDED_MAX ?
		prober->ended_count : GILKD_PROBE_ENDED_MAX;
	struct gilkd_probe_message message = {
		.request = GILKD_PROBE_CLOSE, .number = ++prober->number,
	};
	struct iovec parts[] = {
		{ &message, sizeof(message) },
		{ prober->ended + (prober->ended_count - count), count * sizeof(uint32_t) },
	};
	struct msghdr head = { .msg_iov = parts, .msg_iovlen = 2 };

	if (sendmsg(prober->socket, &head, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		if (errno == EPIPE)	/* the process has ended and closed all */
			prober->ended_count = 0;
		return false;
	}
	prober->ended_count -= count;
	prober->late = message.number;
	return true;
}

/*
 * Tells the process what to close, unless its queue is full because it is stuck. Does nothing during
 * a wait for an answer, in which the rings are drained, and what is due is done.
 */
void gilkd_prober_flush(struct gilkd_prober *prober)
{
	if (prober->waits)
		return;
	discard_answers(prober);
	while (prober->ended_count && send_ended(prober))
		;
}

/*
 * Tells the process what to close, and waits until it has done so; not without limit, because another
 * process can delay that.
 * @other: (nullable): a process for which this one may have to wait
 */
void gilkd_prober_settle(struct gilkd_prober *prober, struct gilkd_prober *other)
{
	uint32_t ms;
	int fd;

	discard_answers(prober);
	if (other)
		discard_answers(other);
	ms = other && other->late ? STUCK_MS : ANSWER_MS;
	while (!prober->stuck && (prober->late || (prober->ended_count && send_ended(prober))))
		await_answer(prober, prober->late, ms, false, &fd);
	gilkd_prober_flush(prober);
}
