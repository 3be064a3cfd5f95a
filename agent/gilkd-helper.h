/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-helper.h - helper processes of the agent, each with few privileges, and messages to them
 */
#ifndef GILKD_HELPER_H
#define GILKD_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#define GILKD_HELPER_FD	3	/* a helper's socket to the agent; the descriptors below it are
				 * /dev/null */

/**
 * struct gilkd_helper - description of a helper process to start
 * @name: name of the process, at most 15 characters
 * @caps: capabilities that the process keeps
 * @serve: runs in the process: answers requests from GILKD_HELPER_FD, and returns once the agent
 *     has closed the socket
 * @data: argument of @serve
 */
struct gilkd_helper {
	const char *name;
	uint64_t caps;
	void (*serve)(const void *data);
	const void *data;
};

int gilkd_helper_start(const struct gilkd_helper *helper, int *socket, pid_t *pid);
bool gilkd_message_send(int socket, const struct iovec *parts, size_t count, int fd);
ssize_t gilkd_message_receive(int socket, void *bytes, size_t size, int *fd);

#endif /* GILKD_HELPER_H */
