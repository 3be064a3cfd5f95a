// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-frame.c - frames in and out, and the clock
 *
 * Parsing is pure (bytes to verdict), so that the tests and the fuzzer run it
 * without a stream. Writing waits for room, but gives up when the client has hung
 * up: a port without a client would block for ever.
 *
 * A port's driver learns of clients by messages apart from the data, and handles them
 * when it gets to it: with a busy CPU, behind the first bytes of the next client. That
 * one's answer must not end for the hang-up of the one before.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "gilkd.h"

#define SETTLE_MS	100	/* a port that hung up may be another client's by then */

uint64_t gilkd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

/* Reads a header if it is there; a header that no client of ours sends is bad at once. */
enum gilkd_parse gilkd_frame_parse(const uint8_t *bytes, size_t length, struct gilk_frame *head)
{
	if (length < sizeof(*head))
		return GILKD_PARSE_MORE;

	memcpy(head, bytes, sizeof(*head));
	if (head->magic != GILK_WIRE_MAGIC || head->length > GILK_WIRE_PAYLOAD_MAX ||
	    head->flags || !head->seq || head->status || head->reserved)
		return GILKD_PARSE_BAD;

	return length - sizeof(*head) < head->length ? GILKD_PARSE_MORE : GILKD_PARSE_FRAME;
}

static bool may_be_hello(const uint8_t *bytes, size_t length)
{
	static const uint32_t magic = GILK_WIRE_MAGIC;
	struct gilk_frame head;

	if (length < sizeof(magic))
		return !memcmp(bytes, &magic, length);
	if (memcmp(bytes, &magic, sizeof(magic)))
		return false;
	if (length < sizeof(head))
		return true;

	return gilkd_frame_parse(bytes, length, &head) != GILKD_PARSE_BAD &&
	       head.type == GILK_HELLO && head.length == sizeof(struct gilk_hello);
}

/* How many bytes to throw away so that a HELLO frame, or the start of one, is in front. */
size_t gilkd_frame_resync(const uint8_t *bytes, size_t length)
{
	size_t skip = 0;

	while (skip < length && !may_be_hello(bytes + skip, length - skip))
		skip++;

	return skip;
}

bool gilkd_is_hung_up(const struct gilkd *d)
{
	struct pollfd fd = { .fd = d->out };

	return poll(&fd, 1, 0) != 0;
}

/* After a sign that the client has hung up: has it, with nobody in its place? */
bool gilkd_is_gone(const struct gilkd *d)
{
	static const struct timespec settle = { 0, SETTLE_MS * 1000000l };

	if (!d->port || !d->hello)
		return true;
	nanosleep(&settle, NULL);

	return gilkd_is_hung_up(d);
}

static bool wait_writable(struct gilkd *d)
{
	struct pollfd fd = { .fd = d->out, .events = POLLOUT };

	for (;;) {
		int ready = poll(&fd, 1, -1);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready > 0 && !(fd.revents & (POLLHUP | POLLERR | POLLNVAL)))
			return true;
		if (ready < 0 || gilkd_is_gone(d))
			return false;
	}
}

void gilkd_send(struct gilkd *d, const struct gilk_frame *head, const void *payload)
{
	struct iovec parts[2] = {
		{ (void *)head, sizeof(*head) },
		{ (void *)payload, head->length },
	};
	int first = 0;

	while (!d->broken && first < 2) {
		ssize_t done;

		if (!parts[first].iov_len) {
			first++;
			continue;
		}
		if (!wait_writable(d)) {
			d->broken = true;
			break;
		}
		done = writev(d->out, parts + first, 2 - first);
		if (done < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (done < 0) {
			d->broken = true;
			break;
		}
		while (first < 2 && (size_t)done >= parts[first].iov_len)
			done -= parts[first++].iov_len;
		if (first < 2) {
			parts[first].iov_base = (uint8_t *)parts[first].iov_base + done;
			parts[first].iov_len -= done;
		}
	}
}

static void answer(struct gilkd *d, uint16_t flags, uint32_t status,
		   const void *payload, size_t length)
{
	struct gilk_frame head = {
		.magic = GILK_WIRE_MAGIC,
		.length = length,
		.type = d->request.type,
		.flags = flags,
		.seq = d->request.seq,
		.status = status,
	};

	gilkd_send(d, &head, payload);
}

/* Some of an answer; gilkd_answer() or gilkd_fail() must follow. */
void gilkd_answer_part(struct gilkd *d, const void *payload, size_t length)
{
	const uint8_t *bytes = payload;

	while (length) {
		size_t part = length < GILKD_PART ? length : GILKD_PART;

		answer(d, GILK_FRAME_MORE, 0, bytes, part);
		bytes += part;
		length -= part;
	}
}

/* The rest of an answer, or all of it. */
void gilkd_answer(struct gilkd *d, const void *payload, size_t length)
{
	if (length > GILK_WIRE_PAYLOAD_MAX) {
		gilkd_answer_part(d, payload, length);
		length = 0;
	}
	answer(d, 0, 0, payload, length);
}

/* Ends a request with one sentence: cause and remedy. @error is a positive errno. */
void gilkd_fail(struct gilkd *d, int error, const char *format, ...)
{
	char text[512];
	va_list args;
	size_t i;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	for (i = 0; text[i]; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	answer(d, 0, error ? error : EIO, text, i);
}
