// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-acts.c - logs what is done to the kernel: who, what, when
 *
 * Sends one datagram per act to where syslog(3) sends, with facility "authpriv", as sudo does. The
 * C library's own function would wait for a log that is stuck, and the rings with it: here the wait
 * is short, and the next entry says how many were not logged. The agent also works without a log.
 *
 * Addresses are not logged: logs have more readers than kallsyms. The session's file has them.
 */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "gilkd.h"

#define LOG_PATH	"/dev/log"
#define ACT_MAX		512
#define TRIES		5
#define TRY_EVERY_MS	20

/*
 * Looks up a user in /etc/passwd only: the C library's other sources are shared libraries, which a
 * static program cannot load.
 */
static void name_of(uid_t uid, char *name, size_t size)
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

/* Gets the user that started sudo or pkexec. These do not take the variables from their caller. */
static bool starter(uid_t *uid)
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
 * Determines the client: the user at the other end of the stream, as the kernel reports it; with
 * sudo or pkexec the user that started it.
 */
static void find_who(struct gilkd_acts *acts, int stream)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);
	char name[64];
	uid_t uid;

	if (starter(&uid)) {
		name_of(uid, name, sizeof(name));
		snprintf(acts->who, sizeof(acts->who), "%s", name);
	} else if (!getsockopt(stream, SOL_SOCKET, SO_PEERCRED, &peer, &length) && peer.pid) {
		name_of(peer.uid, name, sizeof(name));
		snprintf(acts->who, sizeof(acts->who), "%s, process %d", name, (int)peer.pid);
	} else {
		name_of(getuid(), name, sizeof(name));
		snprintf(acts->who, sizeof(acts->who), "%s, not by a socket", name);
	}
}

/**
 * gilkd_acts_open() - prepare to log acts
 * @stream: of the client
 * @path: of the log's socket, NULL for the system's
 */
void gilkd_acts_open(struct gilkd_acts *acts, int stream, const char *path)
{
	acts->path = path ? path : LOG_PATH;
	acts->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	acts->untold = 0;
	find_who(acts, stream);
}

void gilkd_acts_close(struct gilkd_acts *acts)
{
	if (acts->fd >= 0)
		close(acts->fd);
	acts->fd = -1;
}

/* Sends by name each time: a restarted log has a new socket there. */
static bool tell(struct gilkd_acts *acts, const char *text, size_t length)
{
	static const struct timespec pause = { 0, TRY_EVERY_MS * 1000000l };
	struct sockaddr_un log = { .sun_family = AF_UNIX };
	int tries;

	snprintf(log.sun_path, sizeof(log.sun_path), "%s", acts->path);
	for (tries = 0; tries < TRIES; tries++) {
		if (sendto(acts->fd, text, length, MSG_NOSIGNAL, (struct sockaddr *)&log,
			   sizeof(log)) >= 0)
			return true;
		if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
			break;
		nanosleep(&pause, NULL);
	}

	return false;
}

/**
 * gilkd_act() - log what was done, or tried, and for whom
 *
 * Keeps errno.
 */
void gilkd_act(struct gilkd_acts *acts, const char *format, ...)
{
	const int error = errno;
	char text[ACT_MAX], before[64] = "";
	size_t length;
	va_list args;

	if (acts->fd < 0)
		return;
	if (acts->untold)
		snprintf(before, sizeof(before), " (%u earlier actions were not logged)",
			 acts->untold);
	length = snprintf(text, sizeof(text), "<%d>gilkd[%d]: for %s%s: ", LOG_AUTHPRIV | LOG_NOTICE,
			  (int)getpid(), acts->who, before);
	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - length, format, args);
	va_end(args);
	if (tell(acts, text, strlen(text)))
		acts->untold = 0;
	else
		acts->untold++;
	errno = error;
}
