// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-helper.c - starts helper processes of the agent, each with few privileges; sends messages
 * to them
 *
 * A helper serves the agent through a socket, on which descriptors can be passed, and ends when the
 * agent does. Neither the agent's stream nor /dev/ilk is open in a helper, so a helper cannot keep
 * a session alive.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-privileges.h"

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/*
 * Sends a message, and with it the descriptor @fd unless that is -1. Returns false with errno on
 * failure.
 */
bool gilkd_message_send(int socket, const struct iovec *parts, size_t count, int fd)
{
	union control control = { 0 };
	struct msghdr message = { .msg_iov = (struct iovec *)parts, .msg_iovlen = count };

	if (fd >= 0) {
		struct cmsghdr *head;

		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		head = CMSG_FIRSTHDR(&message);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

/*
 * Receives a message, and sets @fd to the descriptor that came with it, or -1. Returns the size of
 * the message; 0: the peer has closed the socket; -1: error.
 */
ssize_t gilkd_message_receive(int socket, void *bytes, size_t size, int *fd)
{
	struct iovec part = { bytes, size };
	union control control;
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control.bytes, .msg_controllen = sizeof(control.bytes),
	};
	ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *head = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;

	*fd = -1;
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(head), sizeof(*fd));
	return got;
}

/* Closes all the agent's descriptors but the socket, which it moves to GILKD_HELPER_FD. */
static void close_descriptors(int socket)
{
	int null = open("/dev/null", O_RDWR);
	int i;

	if (socket != GILKD_HELPER_FD)
		dup2(socket, GILKD_HELPER_FD);
	for (i = 0; i < GILKD_HELPER_FD; i++)
		dup2(null, i);
	syscall(SYS_close_range, GILKD_HELPER_FD + 1, ~0u, 0);
}

/**
 * gilkd_helper_start() - start a helper
 * @socket: set to the agent's end of the socket to the helper
 * @pid: (nullable): set to the process id of the helper
 *
 * Must be called before privileges are dropped, and before any descriptor of a client is open.
 * Returns 0 or an errno.
 */
int gilkd_helper_start(const struct gilkd_helper *helper, int *socket, pid_t *pid)
{
	int pair[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return errno;
	child = fork();
	if (child < 0)
		return errno;
	if (!child) {
		prctl(PR_SET_NAME, helper->name, 0, 0, 0);
		close_descriptors(pair[1]);
		if (!gilkd_drop_privileges(helper->caps))
			helper->serve(helper->data);
		_exit(EXIT_SUCCESS);
	}
	close(pair[1]);
	*socket = pair[0];
	if (pid)
		*pid = child;
	return 0;
}
