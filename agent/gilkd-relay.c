// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-relay.c - carries a stream to the agent's socket, which systemd listens on
 *
 * A member of the group gilk who logs in by ssh has a shell but not the socket: gilkd --socket
 * connects the shell's standard input and output to the socket. This process has the privileges
 * of that user, and does not inspect the data. Uses one thread per direction, as either may block;
 * when one thread ends, both end.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gilkd.h"

#define RELAY_BYTES	(64u << 10)

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t put = write(fd, bytes, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		bytes += put;
		length -= put;
	}
	return true;
}

static void copy_stream(int from, int to)
{
	char bytes[RELAY_BYTES];
	ssize_t got;

	do {
		got = read(from, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got > 0 && !write_all(to, bytes, got))
			break;
	} while (got > 0 || (got < 0 && errno == EINTR));
}

static void *copy_out(void *data)
{
	copy_stream(STDIN_FILENO, *(const int *)data);
	exit(EXIT_SUCCESS);
}

/*
 * Copies standard input to the agent's socket at @path, and the socket to standard output. Ends
 * when either input ends or either output is closed. Returns the exit code.
 */
int gilkd_relay(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pthread_t thread;

	if (strlen(path) >= sizeof(address.sun_path)) {
		fprintf(stderr, "gilkd: the path %s is too long for a socket\n", path);
		return EXIT_FAILURE;
	}
	strcpy(address.sun_path, path);
	signal(SIGPIPE, SIG_IGN);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    pthread_create(&thread, NULL, copy_out, &fd)) {
		fprintf(stderr, "gilkd: cannot reach the agent's socket %s: %s; check that "
				"gilkd.socket is started and that you are a member of the group "
				"gilk\n", path, strerror(errno));
		return EXIT_FAILURE;
	}
	copy_stream(fd, STDOUT_FILENO);
	return EXIT_SUCCESS;
}
