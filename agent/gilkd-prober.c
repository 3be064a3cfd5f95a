// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-prober.c - requests kprobes, uprobes, counters, timers and breakpoints from a helper process
 *
 * The helper (gilkd-probe.c) handles messages in order. It can be stuck for any time, so each wait
 * for an answer has a time limit. Later, an answer with the number of such a message is discarded.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-privileges.h"
#include "gilkd-prober.h"

#define ANSWER_MS	10000u	/* maximum wait for an answer; the message of a refusal names this
				 * time */
#define STUCK_MS	1000u	/* maximum wait for the answer to CLOSE while the other helper
				 * has not answered its last message */
#define CHECK_MS	20	/* ms between checks of the sample rings and of the client's
				 * connection */

/**
 * gilkd_prober_start() - start a helper that opens perf events
 * @before: helper that must remove its probes first when the agent has ended; NULL: none
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
 * Receives an answer from the helper. Returns 0, with @error and @fd set, if it answers message
 * @number; EAGAIN if it answers an earlier message; EPIPE if the helper has ended.
 */
static int receive_answer(struct gilkd_prober *prober, uint32_t number, int *error, int *fd)
{
	struct gilkd_probe_answer answer;
	const ssize_t got = gilkd_message_receive(prober->socket, &answer, sizeof(answer), fd);

	if (got < 0 && errno == EINTR)
		return EAGAIN;
	if (got != sizeof(answer)) {	/* the helper has ended */
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

/*
 * Returns whether the socket has room for a message; it has none while the helper is stuck and its
 * queue full.
 */
static bool has_room(const struct gilkd_prober *prober)
{
	struct pollfd room = { .fd = prober->socket, .events = POLLOUT };

	return prober->socket >= 0 && poll(&room, 1, CHECK_MS) > 0;
}

/*
 * Waits for the answer to message @number.
 * @ms: maximum wait
 * @asks: stop waiting if the client has hung up
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

/* Sends a message to the helper, and waits for its answer as await_answer() does. */
static int request_answer(struct gilkd_prober *prober, struct gilkd_probe_message *message,
			  int file, int *fd)
{
	struct iovec part = { message, sizeof(*message) };

	*fd = -1;
	gilkd_prober_flush(prober);
	message->number = ++prober->number;
	if (prober->socket < 0)
		return EBADF;
	if (prober->stuck)		/* the helper has not answered an earlier message in time */
		return ETIMEDOUT;
	if (!has_room(prober))
		return ETIMEDOUT;
	if (!gilkd_message_send(prober->socket, &part, 1, file))
		return errno;
	return await_answer(prober, message->number, ANSWER_MS, true, fd);
}

/* Compares bytes of a file with the expected ones. Returns 0 or an errno; EILSEQ: they differ. */
int gilkd_prober_check(struct gilkd_prober *prober, const struct gilkd_probe *probe, int file)
{
	struct gilkd_probe_message message = { .request = GILKD_PROBE_CHECK, .probe = *probe };
	int fd;

	return request_answer(prober, &message, file, &fd);
}

/**
 * gilkd_prober_open() - open a perf event
 * @file: descriptor of the file of a uprobe; else -1
 * @number: set to the number to pass to gilkd_prober_close(). NULL: the event is a counter,
 *     a timer or a breakpoint, of which the helper keeps no descriptor
 *
 * Returns the event's descriptor; or -errno, and the caller has nothing to close. -ENOSYS: the
 * kernel lacks this kind of probe; -ENODEV: the CPU is offline.
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
	/*
	 * The helper may have placed the probe, or may do so later. The kernel drops the descriptor
	 * of an answer if the agent has too many open.
	 */
	if (number && (!error || error == ETIMEDOUT))
		gilkd_prober_close(prober, message.number);
	return error ? -error : -EMFILE;
}

/* Moves the open breakpoint @event to the address of @probe. Returns 0 or an errno. */
int gilkd_prober_move(struct gilkd_prober *prober, const struct gilkd_probe *probe, int event)
{
	struct gilkd_probe_message message = { .request = GILKD_PROBE_MOVE, .probe = *probe };
	int fd;

	return request_answer(prober, &message, event, &fd);
}

/* Places a kprobe, and sets @probe to the descriptor of its event. Returns 0 or an errno. */
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

/*
 * Makes the helper keep a duplicate of @fd open until gilkd_prober_close(). Returns 0 or an errno.
 */
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
 * Makes the helper close the descriptor with this number, at the next call of gilkd_prober_flush()
 * or gilkd_prober_settle(). The agent must have closed its own descriptor.
 * @number: number of the descriptor; 0: do nothing
 */
void gilkd_prober_close(struct gilkd_prober *prober, uint32_t number)
{
	uint32_t *grown;

	if (!number)
		return;
	grown = realloc(prober->ended, (prober->ended_count + 1) * sizeof(*grown));
	if (!grown)
		return;		/* out of memory: the helper closes the descriptor only when the
				 * agent ends */
	prober->ended = grown;
	grown[prober->ended_count++] = number;
}

/* Receives and discards the helper's late answers, without waiting. */
static void discard_answers(struct gilkd_prober *prober)
{
	struct pollfd poll_fd = { .fd = prober->socket, .events = POLLIN };
	int error, fd;

	while (prober->late && poll(&poll_fd, 1, 0) > 0)
		receive_answer(prober, 0, &error, &fd);
}

/*
 * Sends the helper a CLOSE message with as many numbers of descriptors from @ended as fit, without
 * waiting. Returns whether it was sent.
 */
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
		if (errno == EPIPE)	/* the helper has ended and closed all its descriptors */
			prober->ended_count = 0;
		return false;
	}
	prober->ended_count -= count;
	prober->late = message.number;
	return true;
}

/*
 * Sends CLOSE messages for all descriptors that the helper must close, as long as its queue has
 * room. Does nothing while the agent waits for an answer: that wait calls this function through
 * gilkd_samples_tick().
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
 * Sends CLOSE messages for all descriptors that the helper must close, and waits until it has
 * closed them. Waits only up to a time limit, because any process can delay the removal of a
 * uprobe.
 * @other: (nullable): a helper that may delay this one
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
