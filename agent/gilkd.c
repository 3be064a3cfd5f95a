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
 * client. A partial frame is such a left-over, too, if it ends with a HELLO and no input has
 * come for STALL_MS. With --stdio the end of the stream ends the process; with --port the agent
 * waits for the next client, and informs it that no session is open, because that client may
 * have sent its HELLO before the agent noticed the hang-up. However a session ends, /dev/ilk is
 * closed with it.
 */
#include <errno.h>
#include <limits.h>
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

#include "gilkd-privileges.h"
#include "gilkd.h"

#ifndef GILK_VERSION
#define GILK_VERSION "unknown"
#endif

#define BUFFER	(sizeof(struct gilk_frame) + GILK_WIRE_PAYLOAD_MAX)
#define FLUSH_MS	100	/* ms between attempts to send the helpers of gilkd-probe.c CLOSE
				 * messages that had to wait */
#define STALL_MS	1000	/* age, in ms, from which on a partial frame without further
				 * input may be a left-over of a dead client */
#define HUNG_UP_MS	2000	/* ms between checks for a client on a port that is hung up, if no
				 * event comes earlier */

/**
 * struct server - serves one client after another
 * @client: client of @agent
 * @edges: epoll instance that wakes when a port's state changes
 * @must_announce: a hang-up ended a session, and the next client must be informed
 * @buffer: input not yet consumed; a frame starts at its first byte
 * @last_input_ms: time of the last input
 * @silent_ms: duration of the silence up to @checked_ms
 */
struct server {
	struct gilkd agent;
	struct gilkd_client *client;
	int edges;
	bool must_announce;
	uint8_t *buffer;
	size_t used;
	uint64_t last_input_ms;
	uint32_t silent_ms;
	uint64_t checked_ms;
};

/*
 * Informs the client that no session is open. On a port, a client cannot see otherwise that the
 * agent died and was restarted.
 */
static void send_bye(struct server *s)
{
	const struct gilk_frame bye = { .magic = GILK_WIRE_MAGIC, .type = GILK_BYE };

	gilkd_send(s->client, &bye, NULL);
}

static void discard_input(struct server *s, size_t count)
{
	s->used -= count;
	memmove(s->buffer, s->buffer + count, s->used);
}

/* Handles every whole frame in the buffer. Returns false if the stream can no longer be used. */
static bool process_input(struct server *s)
{
	while (s->used && !s->client->broken) {
		struct gilk_frame head;
		enum gilkd_parse parse;

		if (!s->client->in_session)
			discard_input(s, gilkd_frame_resync(s->buffer, s->used));

		parse = gilkd_frame_parse(s->buffer, s->used, &head);
		if (parse == GILKD_PARSE_MORE)
			break;
		if (parse == GILKD_PARSE_BAD) {
			gilkd_session_end(&s->agent);
			if (!s->client->is_port)
				return false;
			send_bye(s);
			discard_input(s, 1);
			continue;
		}

		s->client->request = head;
		gilkd_dispatch(&s->agent, s->buffer + sizeof(head), head.length);
		discard_input(s, sizeof(head) + head.length);
	}

	return true;
}

/*
 * Drops a partial frame that gets no more input, if it ends with a HELLO: the sender of the
 * frame died, and a new client waits for an answer.
 */
static void drop_stalled_frame(struct server *s)
{
	const size_t hello = sizeof(struct gilk_frame) + sizeof(struct gilk_hello);

	if (!s->client->is_port || s->used <= hello || gilkd_now_ms() - s->last_input_ms < STALL_MS)
		return;

	s->last_input_ms = gilkd_now_ms();
	if (gilkd_frame_resync(s->buffer + s->used - hello, hello))
		return;

	gilkd_session_end(&s->agent);
	discard_input(s, s->used - hello);
	process_input(s);
}

static uint64_t get_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int poll_timeout(const struct server *s)
{
	const struct gilkd_client *client = s->client;
	uint64_t now = gilkd_now_ms();
	uint64_t wake = get_sooner(gilkd_samples_next_ms(&s->agent.samples),
				   gilkd_arenas_next_ms(&s->agent.arenas));

	wake = get_sooner(wake, gilkd_bpf_next_ms(&s->agent.bpf));
	if (client->in_session && client->lease_ms)
		wake = get_sooner(wake, s->checked_ms + client->lease_ms / GILKD_LEASE_CHECKS);
	if (client->is_port && s->used)
		wake = get_sooner(wake, s->last_input_ms + STALL_MS);
	if (s->agent.prober.ended_count || s->agent.uprober.ended_count)
		wake = get_sooner(wake, now + FLUSH_MS);
	if (wake == UINT64_MAX)
		return -1;

	if (wake <= now)
		return 0;
	return wake - now < INT_MAX ? (int)(wake - now) : INT_MAX;
}

/*
 * Waits for a client on a port. While the port is without a client, it is always ready (POLLHUP),
 * so poll() cannot wait; but a new client causes an edge-triggered event.
 */
static void wait_for_client(const struct server *s)
{
	const int due = poll_timeout(s);
	struct epoll_event event;

	epoll_wait(s->edges, &event, 1, due >= 0 && due < HUNG_UP_MS ? due : HUNG_UP_MS);
}

/* Ends the session of a client that is gone. Returns false if no other client can connect. */
static bool end_hung_up_session(struct server *s)
{
	s->must_announce |= s->client->in_session;
	gilkd_session_end(&s->agent);
	s->used = 0;
	s->client->broken = false;
	if (s->client->is_port)
		wait_for_client(s);

	return s->client->is_port;
}

/*
 * Returns whether the client has been silent for the time of its lease, so that its session must
 * end. A connection can fall silent without ending: a cable is unplugged, or the client's machine
 * sleeps. The kernel's text must not stay patched until TCP gives up. Must be called right after
 * poll(): time without checks, because of a long request or because this machine slept, counts as
 * at most one check interval.
 */
static bool is_lease_over(struct server *s, bool input)
{
	uint64_t now = gilkd_now_ms(), since = now - s->checked_ms;
	uint64_t look = s->client->lease_ms / GILKD_LEASE_CHECKS;

	s->checked_ms = now;
	s->silent_ms = input ? 0 : s->silent_ms + (since < look ? since : look);
	return s->client->in_session && s->client->lease_ms &&
	       s->silent_ms >= look * GILKD_LEASE_CHECKS;
}

static void end_silent_session(struct server *s)
{
	gilkd_audit_log(&s->client->audit, "received nothing from the client for %u ms",
			s->client->lease_ms);
	if (!s->client->is_port)
		fprintf(stderr, "gilkd: received nothing from the client for %u ms; restoring what "
				"was armed\n", s->client->lease_ms);
	s->client->broken = true;
}

/*
 * Reads what the stream has, and appends it to the buffer. Returns false at the end of the stream.
 */
static bool read_input(struct server *s)
{
	ssize_t got = read(s->client->in, s->buffer + s->used, BUFFER - s->used);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0)
		return false;

	s->used += got;
	s->last_input_ms = gilkd_now_ms();
	return true;
}

static int serve_clients(struct server *s)
{
	if (s->client->is_port) {
		send_bye(s);
		s->client->broken = false;
		gilkd_arenas_release(&s->agent.arenas);
	}

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = s->client->in, .events = POLLIN },
			{ .fd = s->client->backlog.used ? s->client->out : -1, .events = POLLOUT },
		};
		bool there = true;

		if (s->must_announce && !gilkd_client_is_hung_up(s->client)) {
			s->must_announce = false;
			if (!s->client->in_session)
				send_bye(s);
		}
		if (poll(fds, 2, poll_timeout(s)) < 0 && errno != EINTR)
			return EXIT_FAILURE;

		if (fds[0].revents & POLLIN)
			there = read_input(s);
		else if (fds[0].revents)
			there = false;
		if (is_lease_over(s, fds[0].revents))
			end_silent_session(s);
		if (!there && !gilkd_client_is_gone(s->client))
			continue;

		if (there && fds[0].revents && !process_input(s)) {
			fprintf(stderr, "gilkd: the client sent a malformed frame; "
				"make sure that both are of the same release\n");
			return EXIT_FAILURE;
		}
		gilkd_samples_tick(&s->agent.samples);
		gilkd_prober_flush(&s->agent.prober);
		gilkd_prober_flush(&s->agent.uprober);
		gilkd_arenas_tick(&s->agent.arenas, &s->client->audit);
		drop_stalled_frame(s);
		if ((!there || s->client->broken) && !end_hung_up_session(s))
			return EXIT_SUCCESS;
	}
}

static int open_port(struct server *s, const char *path)
{
	struct epoll_event edge = { .events = EPOLLIN | EPOLLOUT | EPOLLET };

	s->client->in = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (s->client->in < 0) {
		fprintf(stderr, "gilkd: cannot open port %s: %s; check that it exists and that no "
				"other gilkd uses it\n", path, strerror(errno));
		return -1;
	}
	s->edges = epoll_create1(EPOLL_CLOEXEC);
	if (s->edges < 0 || epoll_ctl(s->edges, EPOLL_CTL_ADD, s->client->in, &edge)) {
		fprintf(stderr, "gilkd: cannot wait for port %s: %s\n", path, strerror(errno));
		return -1;
	}
	s->client->out = s->client->in;
	s->client->is_port = true;

	return 0;
}

static void print_help(void)
{
	puts("Usage: gilkd --stdio | --port PATH | --socket PATH | --kernel FILE\n"
	     "Gilk's agent: gives one client access to this machine's kernel.\n"
	     "Gilk starts it, as root, on the target machine.\n"
	     "\n"
	     "  --stdio      serve a client on standard input and output; exit at end of stream\n"
	     "  --port PATH  serve clients on a port device, one after another\n"
	     "  --socket PATH  connect standard input and output to the agent at a socket\n"
	     "  --kernel FILE  serve a client on standard input and output, with FILE, a vmlinux, in the\n"
	     "               place of the kernel; needs no root\n"
	     "  --version    print the version and the protocol's versions\n"
	     "  --help       print this text");
}

/* Starts the processes that open programs and probes. Prints why, if one cannot be started. */
static bool start_helpers(struct server *s)
{
	int error = gilkd_opener_start(&s->agent.opener);

	if (error) {
		fprintf(stderr, "gilkd: cannot start the process that opens programs: %s; free some memory\n",
			strerror(error));
		return false;
	}
	error = gilkd_prober_start(&s->agent.prober, "gilkd-probe", NULL);
	if (!error)
		error = gilkd_prober_start(&s->agent.uprober, "gilkd-uprobe", &s->agent.prober);
	if (error)
		fprintf(stderr, "gilkd: cannot start a process that opens probes: %s; free some memory\n",
			strerror(error));
	return !error;
}

int main(int argc, char **argv)
{
	struct server s = { .client = &s.agent.client };
	int status, error;
	bool of_file;

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
	of_file = argc == 3 && !strcmp(argv[1], "--kernel");
	if (!of_file && (argc != 3 || strcmp(argv[1], "--port")) && (argc != 2 || strcmp(argv[1], "--stdio"))) {
		fputs("gilkd: expected --stdio, --port PATH, --socket PATH or --kernel FILE; see gilkd --help\n", stderr);
		return 2;
	}
	gilkd_init(&s.agent, STDIN_FILENO, STDOUT_FILENO);
	if (of_file) {
		gilkd_vmlinux_open(&s.agent.vmlinux, s.client, argv[2]);
		s.agent.kcore.file = s.agent.vmlinux.fd;
	} else if (!start_helpers(&s)) {
		return EXIT_FAILURE;
	}
	if (argc == 3 && !of_file && open_port(&s, argv[2]))
		return EXIT_FAILURE;
	error = gilkd_drop_privileges(of_file ? 0 : GILKD_CAPS);
	if (error) {
		fprintf(stderr, "gilkd: cannot drop privileges: %s; allow this in the container or "
				"security module that confines it\n", strerror(error));
		return EXIT_FAILURE;
	}
	signal(SIGPIPE, SIG_IGN);
	/*
	 * Disable huge pages: the kernel clears a whole huge page without giving up the CPU, which
	 * would delay other threads.
	 */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	s.buffer = malloc(BUFFER);
	if (!s.buffer) {
		fputs("gilkd: out of memory\n", stderr);
		return EXIT_FAILURE;
	}

	if (!of_file)		/* reading the file of a kernel need not be in the system's log */
		gilkd_audit_open(&s.client->audit, s.client->in, NULL);
	status = serve_clients(&s);
	gilkd_arenas_end(&s.agent.arenas, &s.client->audit);
	gilkd_audit_close(&s.client->audit);
	gilkd_vmlinux_close(&s.agent.vmlinux);
	free(s.buffer);
	return status;
}
