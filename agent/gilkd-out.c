// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-out.c - parses incoming frames and writes frames to the stream; also provides the clock
 *
 * Writing an answer waits until the stream has room, but gives up when the client has hung up: a
 * port without a client would block for ever. With a lease it also gives up if there is neither
 * room nor input for the duration of the lease.
 *
 * A port's driver gets messages about clients separately from the data, and on a busy CPU may
 * handle these messages late. So it may report the hang-up of a client after the first bytes of
 * the next client have arrived, and the connection of the next client even later. A hang-up of
 * the previous client must not end the answers to the next client: shortly after a session has
 * started, a hang-up counts only if it lasts.
 *
 * Samples are not written at once, but wait in a backlog until the stream has room. There they are
 * packed to a tenth or less of their size in a ring, so a ring that is filling can be emptied
 * before the stream has room. Writing takes long if the stream is slow. It also takes long if the
 * stream is a port of a virtual machine on a busy host, because each write may then stall the
 * processor. Other frames overtake the backlog: each is sent between two frames of the backlog.
 *
 *	gilkd_backlog_put()	appends a frame to the backlog; the caller checks for room
 *	gilkd_backlog_push()	writes part of the backlog, without waiting
 *	gilkd_send()		writes the rest of a partly sent frame, then its own frame; waits
 *	gilkd_backlog_flush()	writes the whole backlog; waits
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-client.h"

#define RECONNECT_MS	100		/* time limit, in ms, for another client to connect after
					 * a hang-up */
#define LATE_MS		2000		/* for this long after a session starts, a hang-up
					 * may be the previous client's */
#define CHECK_MS		10
#define BACKLOG_MAX	(64ull << 20)	/* maximum size of the backlog (samples that wait for the
					 * stream): enough for about 20 million time stamps */
#define BACKLOG_SHARE	16		/* the backlog (samples that wait for the stream) takes
					 * at most 1/16 of memory */
#define BACKLOG_KEPT	(1u << 20)
#define PUSH_BYTES	(64u << 10)	/* maximum number of bytes that are written to the stream
					 * at once from the backlog: two buffers of a port */

uint64_t gilkd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

/* ---- state of the stream, and writing to it -------------------------------------- */

bool gilkd_client_is_hung_up(const struct gilkd_client *client)
{
	struct pollfd fd = { .fd = client->out };

	return poll(&fd, 1, 0) != 0;
}

/*
 * Returns whether a client that seems to have hung up is gone, and no other client has replaced
 * it.
 */
bool gilkd_client_is_gone(const struct gilkd_client *client)
{
	static const struct timespec look = { 0, CHECK_MS * 1000000l };
	uint64_t until = gilkd_now_ms() + RECONNECT_MS;

	if (!client->is_port || !client->in_session)
		return true;
	if (until < client->started_ms + LATE_MS)
		until = client->started_ms + LATE_MS;
	do
		nanosleep(&look, NULL);
	while (gilkd_client_is_hung_up(client) && gilkd_now_ms() < until);

	return gilkd_client_is_hung_up(client);
}

static bool is_writable(const struct gilkd_client *client)
{
	struct pollfd fd = { .fd = client->out, .events = POLLOUT };

	return poll(&fd, 1, 0) > 0;
}

static int count_unread(const struct gilkd_client *client)
{
	int bytes = 0;

	ioctl(client->in, FIONREAD, &bytes);
	return bytes;
}

static bool wait_writable(struct gilkd_client *client)
{
	struct pollfd fd = { .fd = client->out, .events = POLLOUT };
	const int check_ms = client->lease_ms ? (int)(client->lease_ms / GILKD_LEASE_CHECKS) : -1;
	int before = count_unread(client), checks = 0;

	for (;;) {
		int ready = poll(&fd, 1, check_ms);
		int now = count_unread(client);

		if (ready < 0 && errno == EINTR)
			continue;
		checks = now > before ? 0 : checks + 1;
		before = now;
		if (!ready && checks == GILKD_LEASE_CHECKS)
			return false;
		if (!ready)
			continue;
		if (ready > 0 && !(fd.revents & (POLLHUP | POLLERR | POLLNVAL)))
			return true;
		if (ready < 0 || gilkd_client_is_gone(client))
			return false;
	}
}

static void skip_written(struct iovec *part, size_t *bytes)
{
	size_t n = *bytes < part->iov_len ? *bytes : part->iov_len;

	part->iov_base = (uint8_t *)part->iov_base + n;
	part->iov_len -= n;
	*bytes -= n;
}

/*
 * Writes as much of @parts to the stream as possible, and removes from @parts what was written. A
 * write to a pipe may block even if some of the bytes fit: without @wait, or with a lease, writes
 * only as much as surely fits. Returns the number of bytes written; 0: no room, or the stream is
 * broken.
 */
static size_t write_parts(struct gilkd_client *client, struct iovec parts[2], bool wait)
{
	struct iovec now[2] = { parts[0], parts[1] };
	size_t left;
	ssize_t done;

	if (!client->is_port && (!wait || client->lease_ms)) {
		if (now[0].iov_len > PIPE_BUF)
			now[0].iov_len = PIPE_BUF;
		if (now[1].iov_len > PIPE_BUF - now[0].iov_len)
			now[1].iov_len = PIPE_BUF - now[0].iov_len;
	}
	done = writev(client->out, now, 2);
	if (done < 0) {
		client->broken = errno != EAGAIN && errno != EINTR;
		return 0;
	}
	left = done;
	skip_written(&parts[0], &left);
	skip_written(&parts[1], &left);
	return done;
}

/* ---- the backlog of sample frames ------------------------------------------------- */

static uint64_t get_memory_bytes(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

/*
 * Allocates the backlog, a buffer for samples that wait for the stream; its pages are allocated on
 * use. Must be called before the first sample. Returns 0 or an errno.
 */
int gilkd_backlog_start(struct gilkd_client *client)
{
	struct gilkd_backlog *b = &client->backlog;
	uint64_t share = get_memory_bytes() / BACKLOG_SHARE;
	size_t size = share < BACKLOG_MAX ? share : BACKLOG_MAX;
	uint8_t *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == MAP_FAILED)
		return errno;
	*b = (struct gilkd_backlog){ .bytes = bytes, .size = size };
	return 0;
}

/*
 * Frees the backlog of samples that wait for the stream. First sends the rest of a partly sent
 * frame, as the client may stay connected; drops all other frames.
 */
void gilkd_backlog_end(struct gilkd_client *client)
{
	struct gilkd_backlog *b = &client->backlog;

	if (!client->broken) {
		b->used = b->partly_sent;
		gilkd_backlog_flush(client);
	}
	if (b->bytes)
		munmap(b->bytes, b->size);
	*b = (struct gilkd_backlog){ 0 };
}

size_t gilkd_backlog_room(const struct gilkd_client *client)
{
	return client->backlog.size - client->backlog.used;
}

static void append_bytes(struct gilkd_backlog *b, const void *from, size_t length)
{
	size_t at = (b->from + b->used) % b->size;
	size_t first = length < b->size - at ? length : b->size - at;

	memcpy(b->bytes + at, from, first);
	memcpy(b->bytes, (const uint8_t *)from + first, length - first);
	b->used += length;
	if (b->used > b->used_max)
		b->used_max = b->used;
}

/*
 * Frees the pages of the backlog, which must be empty, if a burst of samples has used many of them.
 */
static void free_burst_memory(struct gilkd_backlog *b)
{
	if (b->used_max > BACKLOG_KEPT)
		madvise(b->bytes, b->size, MADV_DONTNEED);
	b->from = b->used_max = 0;
}

/*
 * Appends a frame to the backlog of samples that wait for the stream. The caller must make sure
 * that there is room for head and payload.
 */
void gilkd_backlog_put(struct gilkd_client *client, const struct gilk_frame *head,
		       const void *payload)
{
	append_bytes(&client->backlog, head, sizeof(*head));
	append_bytes(&client->backlog, payload, head->length);
}

/* Returns the number of unsent bytes of the backlog's first frame. */
static size_t get_frame_left(const struct gilkd_backlog *b)
{
	struct gilk_frame head;
	size_t first = b->size - b->from;

	if (b->partly_sent)
		return b->partly_sent;
	first = first < sizeof(head) ? first : sizeof(head);
	memcpy(&head, b->bytes + b->from, first);
	memcpy((uint8_t *)&head + first, b->bytes, sizeof(head) - first);
	return sizeof(head) + head.length;
}

/* Removes the first @bytes bytes, which have been sent, from the backlog. */
static void remove_sent(struct gilkd_backlog *b, size_t bytes)
{
	while (bytes) {
		size_t frame = get_frame_left(b), n = frame < bytes ? frame : bytes;

		b->from = (b->from + n) % b->size;
		b->used -= n;
		b->partly_sent = frame - n;
		bytes -= n;
	}
	if (!b->used)
		free_burst_memory(b);
}

/*
 * Writes up to @most bytes of the backlog to the stream. Returns the number of bytes written; 0: no
 * room, or the stream is broken.
 */
static size_t push_bytes(struct gilkd_client *client, size_t most, bool wait)
{
	struct gilkd_backlog *b = &client->backlog;
	size_t length = most < b->used ? most : b->used;
	size_t first = length < b->size - b->from ? length : b->size - b->from;
	struct iovec parts[2] = { { b->bytes + b->from, first }, { b->bytes, length - first } };
	size_t done = write_parts(client, parts, wait);

	remove_sent(b, done);
	return done;
}

/*
 * Writes at most PUSH_BYTES of the backlog to the stream, without waiting, because emptying the
 * rings is more urgent.
 */
void gilkd_backlog_push(struct gilkd_client *client)
{
	size_t left = PUSH_BYTES, done;

	while (left && !client->broken && client->backlog.used && is_writable(client)) {
		done = push_bytes(client, left, false);
		if (!done)
			return;
		left -= done;
	}
}

static void flush_backlog(struct gilkd_client *client, bool all)
{
	const struct gilkd_backlog *b = &client->backlog;
	size_t left;

	while (!client->broken && (left = all ? b->used : b->partly_sent)) {
		if (wait_writable(client))
			push_bytes(client, left, true);
		else
			client->broken = true;
	}
}

void gilkd_backlog_flush(struct gilkd_client *client)
{
	flush_backlog(client, true);
}

/* ---- sending one frame ------------------------------------------------------------ */

void gilkd_send(struct gilkd_client *client, const struct gilk_frame *head, const void *payload)
{
	struct iovec parts[2] = {
		{ (void *)head, sizeof(*head) },
		{ (void *)payload, head->length },
	};

	flush_backlog(client, false);
	while (!client->broken && (parts[0].iov_len || parts[1].iov_len)) {
		if (wait_writable(client))
			write_parts(client, parts, true);
		else
			client->broken = true;
	}
}

/*
 * ---- incoming frames, and answers to them ----
 *
 * Functions that parse have no side effects, so that tests and the fuzzer can call them without a
 * stream.
 */

/*
 * Parses the header of a frame if it is complete; rejects at once a header that our clients never
 * send.
 */
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

/* Returns how many bytes to discard so that a HELLO frame, or the start of one, comes first. */
size_t gilkd_frame_resync(const uint8_t *bytes, size_t length)
{
	size_t skip = 0;

	while (skip < length && !may_be_hello(bytes + skip, length - skip))
		skip++;

	return skip;
}

static void send_answer(struct gilkd_client *client, uint16_t flags, uint32_t status,
			const void *payload, size_t length)
{
	struct gilk_frame head = {
		.magic = GILK_WIRE_MAGIC,
		.length = length,
		.type = client->request.type,
		.flags = flags,
		.seq = client->request.seq,
		.status = status,
	};

	gilkd_send(client, &head, payload);
}

/* Sends a part of an answer; gilkd_answer() or gilkd_fail() must follow. */
void gilkd_answer_part(struct gilkd_client *client, const void *payload, size_t length)
{
	const uint8_t *bytes = payload;

	while (length) {
		size_t part = length < GILKD_PART ? length : GILKD_PART;

		send_answer(client, GILK_FRAME_MORE, 0, bytes, part);
		bytes += part;
		length -= part;
	}
}

/* Sends the last part of an answer, or the whole answer. */
void gilkd_answer(struct gilkd_client *client, const void *payload, size_t length)
{
	if (length > GILK_WIRE_PAYLOAD_MAX) {
		gilkd_answer_part(client, payload, length);
		length = 0;
	}
	send_answer(client, 0, 0, payload, length);
}

/* Ends a request with one sentence: cause and remedy. @error is a positive errno. */
void gilkd_fail(struct gilkd_client *client, int error, const char *format, ...)
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
	send_answer(client, 0, error ? error : EIO, text, i);
}
