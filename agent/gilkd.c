// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd.c - the agent: the only user-space code of Gilk that runs as root
 *
 * Serves one byte stream:
 *
 *   no session --HELLO--> session --BYE, hang-up, bad frame--> no session
 *                            |  ^
 *                            +--+ HELLO: the earlier session ends first
 *
 * Without a session, input is discarded until a HELLO parses: a port may hold bytes of a dead
 * client. A partial frame that gets no more input is such a left-over too if it ends with a HELLO;
 * this is checked after GILKD_STALL_MS. With --stdio the end of the stream ends the process; with
 * --port it waits for the next client, and informs it that no session is open: that client may have
 * had one, if a hang-up was seen late. However a session ends, /dev/ilk is closed with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "gilkd.h"

#ifndef GILK_VERSION
#define GILK_VERSION "unknown"
#endif

#define HUNG_UP_MS	200	/* how often to check a port without a client, unless it wakes us */

/*
 * Announces that no session is open. On a port, a client cannot see that its agent died and was
 * restarted.
 */
static void send_bye(struct gilkd *d)
{
	const struct gilk_frame bye = { .magic = GILK_WIRE_MAGIC, .type = GILK_BYE };

	gilkd_send(d, &bye, NULL);
}

static void discard_input(struct gilkd *d, size_t count)
{
	d->used -= count;
	memmove(d->buffer, d->buffer + count, d->used);
}

/* Handles every whole frame in the buffer. Returns false if the stream is beyond repair. */
static bool process_input(struct gilkd *d)
{
	while (d->used && !d->broken) {
		struct gilk_frame head;
		enum gilkd_parse parse;

		if (!d->in_session)
			discard_input(d, gilkd_frame_resync(d->buffer, d->used));

		parse = gilkd_frame_parse(d->buffer, d->used, &head);
		if (parse == GILKD_PARSE_MORE)
			break;
		if (parse == GILKD_PARSE_BAD) {
			gilkd_session_end(d);
			if (!d->port)
				return false;
			send_bye(d);
			discard_input(d, 1);
			continue;
		}

		d->request = head;
		gilkd_dispatch(d, d->buffer + sizeof(head), head.length);
		discard_input(d, sizeof(head) + head.length);
	}

	return true;
}

/*
 * Drops a partial frame that gets no more input, if it ends with a HELLO: its sender died, and a
 * new client waits for an answer.
 */
static void drop_stalled_frame(struct gilkd *d)
{
	const size_t hello = sizeof(struct gilk_frame) + sizeof(struct gilk_hello);

	if (!d->port || d->used <= hello || gilkd_now_ms() - d->last_input_ms < GILKD_STALL_MS)
		return;

	d->last_input_ms = gilkd_now_ms();
	if (gilkd_frame_resync(d->buffer + d->used - hello, hello))
		return;

	gilkd_session_end(d);
	discard_input(d, d->used - hello);
	process_input(d);
}

static int poll_timeout(const struct gilkd *d)
{
	uint64_t now = gilkd_now_ms();
	uint64_t wake = UINT64_MAX;

	if (d->samples.running)
		wake = d->samples.next_ms;
	if (d->in_session && d->lease_ms && wake > d->checked_ms + d->lease_ms / GILKD_LEASE_CHECKS)
		wake = d->checked_ms + d->lease_ms / GILKD_LEASE_CHECKS;
	if (d->port && d->used && wake > d->last_input_ms + GILKD_STALL_MS)
		wake = d->last_input_ms + GILKD_STALL_MS;
	if (d->arenas.until_ms && wake > d->arenas.next_ms)
		wake = d->arenas.next_ms;
	if (wake == UINT64_MAX)
		return -1;

	return wake <= now ? 0 : (int)(wake - now);
}

/*
 * Waits for a client on a port. Without one a port is always ready (POLLHUP), so poll() cannot
 * wait; but a new client wakes the port's queue, which is an edge.
 */
static void wait_for_client(const struct gilkd *d)
{
	struct epoll_event event;

	epoll_wait(d->edges, &event, 1, HUNG_UP_MS);
}

/* Ends the session of a client that is gone. Returns false if no other can come. */
static bool end_hung_up_session(struct gilkd *d)
{
	d->must_announce |= d->in_session;
	gilkd_session_end(d);
	d->used = 0;
	d->broken = false;
	if (d->port)
		wait_for_client(d);

	return d->port;
}

/*
 * Returns whether the client has been silent for the time of its lease. A connection can fall
 * silent without an end: a cable was pulled, or the client's machine sleeps. The kernel's text must
 * not stay patched until TCP gives up. Called right after poll(): time in which we did not check,
 * because of a long request or because this machine slept, counts as one check interval at most.
 */
static bool is_lease_over(struct gilkd *d, bool input)
{
	uint64_t now = gilkd_now_ms(), look = d->lease_ms / GILKD_LEASE_CHECKS, since = now - d->checked_ms;

	d->checked_ms = now;
	d->silent_ms = input ? 0 : d->silent_ms + (since < look ? since : look);
	return d->in_session && d->lease_ms && d->silent_ms >= look * GILKD_LEASE_CHECKS;
}

static void end_silent_session(struct gilkd *d)
{
	gilkd_audit_log(&d->audit, "received nothing from the client for %u ms", d->lease_ms);
	if (!d->port)
		fprintf(stderr, "gilkd: received nothing from the client for %u ms; restoring what "
				"was armed\n", d->lease_ms);
	d->broken = true;
}

/* Returns false at the end of the stream. */
static bool read_input(struct gilkd *d)
{
	ssize_t got = read(d->in, d->buffer + d->used, GILKD_BUFFER - d->used);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0)
		return false;

	d->used += got;
	d->last_input_ms = gilkd_now_ms();
	return true;
}

static int serve_clients(struct gilkd *d)
{
	if (d->port) {
		send_bye(d);
		d->broken = false;
		gilkd_arenas_release(d);
	}

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = d->in, .events = POLLIN },
			{ .fd = d->backlog.used ? d->out : -1, .events = POLLOUT },
		};
		bool there = true;

		if (d->must_announce && !gilkd_client_is_hung_up(d)) {
			d->must_announce = false;
			if (!d->in_session)
				send_bye(d);
		}
		if (poll(fds, 2, poll_timeout(d)) < 0 && errno != EINTR)
			return EXIT_FAILURE;

		if (fds[0].revents & POLLIN)
			there = read_input(d);
		else if (fds[0].revents)
			there = false;
		if (is_lease_over(d, fds[0].revents))
			end_silent_session(d);
		if (!there && !gilkd_client_is_gone(d))
			continue;

		if (there && fds[0].revents && !process_input(d)) {
			fprintf(stderr, "gilkd: the client sent a malformed frame; "
				"make sure that both are of the same release\n");
			return EXIT_FAILURE;
		}
		gilkd_samples_tick(d);
		gilkd_arenas_tick(d);
		drop_stalled_frame(d);
		if ((!there || d->broken) && !end_hung_up_session(d))
			return EXIT_SUCCESS;
	}
}

static int open_port(struct gilkd *d, const char *path)
{
	struct epoll_event edge = { .events = EPOLLIN | EPOLLET };

	d->in = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (d->in < 0) {
		fprintf(stderr, "gilkd: cannot open port %s: %s; check that it exists and that no "
				"other gilkd uses it\n", path, strerror(errno));
		return -1;
	}
	d->edges = epoll_create1(EPOLL_CLOEXEC);
	if (d->edges < 0 || epoll_ctl(d->edges, EPOLL_CTL_ADD, d->in, &edge)) {
		fprintf(stderr, "gilkd: cannot wait for port %s: %s\n", path, strerror(errno));
		return -1;
	}
	d->out = d->in;
	d->port = true;

	return 0;
}

static void print_help(void)
{
	puts("Usage: gilkd --stdio | --port PATH | --socket PATH\n"
	     "Gilk's agent: gives one client access to this machine's kernel.\n"
	     "Gilk starts it, as root, on the target machine.\n"
	     "\n"
	     "  --stdio      serve a client on standard input and output; exit at end of stream\n"
	     "  --port PATH  serve clients on a port device, one after another\n"
	     "  --socket PATH  connect standard input and output to the agent at a socket\n"
	     "  --version    print the version and the protocol's versions\n"
	     "  --help       print this text");
}

int main(int argc, char **argv)
{
	struct gilkd d = { .in = STDIN_FILENO, .out = STDOUT_FILENO, .device = -1,
			   .samples.device = -1, .kcore.fd = -1, .audit.fd = -1 };
	int status, error;

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("gilkd %s (wire %u, driver ABI %u)\n",
		       GILK_VERSION, GILK_WIRE_VERSION, ILK_ABI_VERSION);
		return EXIT_SUCCESS;
	}
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		print_help();
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], "--socket"))
		return gilkd_relay(argv[2]);
	if ((argc != 3 || strcmp(argv[1], "--port")) && (argc != 2 || strcmp(argv[1], "--stdio"))) {
		fputs("gilkd: expected --stdio, --port PATH or --socket PATH; see gilkd --help\n", stderr);
		return 2;
	}
	error = gilkd_opener_start(&d.opener);
	if (error) {
		fprintf(stderr, "gilkd: cannot start the process that opens programs: %s; free some memory\n",
			strerror(error));
		return EXIT_FAILURE;
	}
	if (argc == 3 && open_port(&d, argv[2]))
		return EXIT_FAILURE;
	error = gilkd_drop_privileges(GILKD_CAPS);
	if (error) {
		fprintf(stderr, "gilkd: cannot drop privileges: %s; allow this in the container or "
				"security module that confines it\n", strerror(error));
		return EXIT_FAILURE;
	}
	signal(SIGPIPE, SIG_IGN);
	/* The kernel clears a huge page in one go, and holds the CPU for that long. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	d.buffer = malloc(GILKD_BUFFER);
	if (!d.buffer) {
		fputs("gilkd: out of memory\n", stderr);
		return EXIT_FAILURE;
	}

	gilkd_audit_open(&d.audit, d.in, NULL);
	status = serve_clients(&d);
	gilkd_arenas_end(&d);
	gilkd_audit_close(&d.audit);
	free(d.buffer);
	return status;
}
