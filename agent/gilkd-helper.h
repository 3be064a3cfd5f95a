/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-helper.h - processes of the agent that each have one privilege, and messages to them
 */
#ifndef GILKD_HELPER_H
#define GILKD_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#define GILKD_HELPER_FD	3	/* the only descriptor of a helper that leads anywhere: its end of
				 * the socket */

/**
 * struct gilkd_helper - a process to start
 * @name: of the process, at most 15 characters
 * @caps: the capabilities that it keeps
 * @serve: answers requests from GILKD_HELPER_FD, and returns at the end of the socket
 * @data: for @serve
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
