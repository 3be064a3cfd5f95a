// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-audit.c - logs who changed what in the kernel, and when
 *
 * Sends one datagram per action to the socket that syslog(3) uses, with facility "authpriv", as
 * sudo does. The C library's syslog() would wait as long as the log daemon is stuck. This file
 * waits only briefly; the next entry then contains the number of actions that were not logged.
 * The agent also works without a log.
 *
 * Addresses are not logged, because logs have more readers than kallsyms. The session's file
 * has the addresses.
 */
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-audit.h"

#define LOG_PATH	"/dev/log"
#define ACT_MAX		512
#define TRIES		5
#define TRY_EVERY_MS	20

/*
 * Looks up a user in /etc/passwd only: other NSS sources of the C library are shared libraries,
 * which a static program cannot load.
 */
static void get_user_name(uid_t uid, char *name, size_t size)
{
	FILE *users = fopen("/etc/passwd", "re");
	struct passwd *user;

	snprintf(name, size, "uid %u", (unsigned int)uid);
	while (users && (user = fgetpwent(users))) {
		if (user->pw_uid != uid)
			continue;
		snprintf(name, size, "%.32s (uid %u)", user->pw_name, (unsigned int)uid);
		break;
	}
	if (users)
		fclose(users);
}

/*
 * Gets the user that started sudo or pkexec from environment variables, which these programs
 * set.
 */
static bool get_invoking_user(uid_t *uid)
{
	static const char *const variables[] = { "SUDO_UID", "PKEXEC_UID" };
	size_t i;

	for (i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);
		char *end;
		unsigned long number = value ? strtoul(value, &end, 10) : 0;

		if (value && *value && !*end) {
			*uid = number;
			return true;
		}
	}

	return false;
}

/*
 * Determines which user the client is: if the agent runs under sudo or pkexec, the user that
 * started sudo or pkexec; else the user at the other end of the stream, as the kernel reports it.
 */
static void find_client(struct gilkd_audit *audit, int stream)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);
	char name[64];
	uid_t uid;

	if (get_invoking_user(&uid)) {
		get_user_name(uid, name, sizeof(name));
		snprintf(audit->who, sizeof(audit->who), "%s", name);
	} else if (!getsockopt(stream, SOL_SOCKET, SO_PEERCRED, &peer, &length) && peer.pid) {
		get_user_name(peer.uid, name, sizeof(name));
		snprintf(audit->who, sizeof(audit->who), "%s, process %d", name, (int)peer.pid);
	} else {
		get_user_name(getuid(), name, sizeof(name));
		snprintf(audit->who, sizeof(audit->who), "%s, not by a socket", name);
	}
}

/**
 * gilkd_audit_open() - open the audit log
 * @stream: the client's stream
 * @path: path of the socket to log to; NULL: that of syslog(3)
 */
void gilkd_audit_open(struct gilkd_audit *audit, int stream, const char *path)
{
	audit->path = path ? path : LOG_PATH;
	audit->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	audit->unlogged = 0;
	find_client(audit, stream);
}

void gilkd_audit_close(struct gilkd_audit *audit)
{
	if (audit->fd >= 0)
		close(audit->fd);
	audit->fd = -1;
}

/*
 * Sends an entry to the log's socket; gives up after TRIES attempts. Does not connect to the
 * socket, because a restarted log daemon creates a new one at the path.
 */
static bool send_to_log(struct gilkd_audit *audit, const char *text, size_t length)
{
	static const struct timespec pause = { 0, TRY_EVERY_MS * 1000000l };
	struct sockaddr_un log = { .sun_family = AF_UNIX };
	int tries;

	snprintf(log.sun_path, sizeof(log.sun_path), "%s", audit->path);
	for (tries = 0; tries < TRIES; tries++) {
		if (sendto(audit->fd, text, length, MSG_NOSIGNAL, (struct sockaddr *)&log,
			   sizeof(log)) >= 0)
			return true;
		if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
			break;
		nanosleep(&pause, NULL);
	}

	return false;
}

/**
 * gilkd_audit_log() - log an action, successful or not, with the client that requested it
 *
 * Preserves errno.
 */
void gilkd_audit_log(struct gilkd_audit *audit, const char *format, ...)
{
	const int error = errno;
	char text[ACT_MAX], before[64] = "";
	size_t length;
	va_list args;

	if (audit->fd < 0)
		return;
	if (audit->unlogged)
		snprintf(before, sizeof(before), " (%u earlier actions were not logged)",
			 audit->unlogged);
	length = snprintf(text, sizeof(text), "<%d>gilkd[%d]: for %s%s: ", LOG_AUTHPRIV | LOG_NOTICE,
			  (int)getpid(), audit->who, before);
	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - length, format, args);
	va_end(args);
	if (send_to_log(audit, text, strlen(text)))
		audit->unlogged = 0;
	else
		audit->unlogged++;
	errno = error;
}
