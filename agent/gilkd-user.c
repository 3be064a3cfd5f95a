// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-user.c - reads files of programs and libraries, and binds hooks in them
 *
 * The client names a file by its path, and gets only bytes of programs: ordinary files that start
 * like ELF files (gilkd-open.c). The client reads symbols and code piece by piece. Each answer
 * contains the identity of the file, so that the client notices if the file was replaced in
 * between. The agent checks the identity again when hooks are bound.
 *
 * Whether the kernel can put a uprobe on an instruction is known only once a process maps the file.
 * So a process of the agent maps the file until ARM is over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gilkd.h"

/* Copies an absolute path without NUL from the end of a request. */
static bool copy_path(struct gilkd_client *client, const uint8_t *text, size_t length,
		      char path[GILK_WIRE_PATH_MAX + 1])
{
	if (!length || length > GILK_WIRE_PATH_MAX || text[0] != '/' || memchr(text, '\0', length)) {
		gilkd_fail(client, EINVAL, "The request has no absolute path of at most %u "
					       "bytes; give the full path.", GILK_WIRE_PATH_MAX);
		return false;
	}
	memcpy(path, text, length);
	path[length] = '\0';
	return true;
}

void gilkd_do_user_read(struct gilkd *d, uint8_t *payload, size_t length)
{
	char path[GILK_WIRE_PATH_MAX + 1];
	struct gilkd_open_request ask = { .kind = GILKD_OPEN_READ_BYTES };
	struct gilk_user_read range;
	struct gilkd_opened found;
	void *bytes = NULL;

	memcpy(&range, payload, sizeof(range));
	if (range.pad || range.length > GILK_WIRE_USER_MAX || range.offset > INT64_MAX - GILK_WIRE_USER_MAX) {
		gilkd_fail(&d->client, EINVAL, "The request asks for more of a file than fits "
					       "into one answer; make sure that client and agent "
					       "are of the same release.");
		return;
	}
	if (!copy_path(&d->client, payload + sizeof(range), length - sizeof(range), path))
		return;
	ask.offset = range.offset;
	ask.length = range.length;
	if (!gilkd_open_request(&d->opener, &d->samples, path, &ask, &found))
		return;
	if (found.bytes)
		bytes = mmap(NULL, found.bytes, PROT_READ, MAP_SHARED, found.fd, 0);
	if (bytes == MAP_FAILED) {
		gilkd_fail(&d->client, ENOMEM, "The agent is out of memory; free some on the "
					       "target.");
	} else {
		gilkd_answer_part(&d->client, &found.file, sizeof(found.file));
		gilkd_answer(&d->client, bytes, found.bytes);
		if (bytes)
			munmap(bytes, found.bytes);
	}
	if (found.fd >= 0)
		close(found.fd);
}

/* ---- binding hooks to instructions ---- */

void gilkd_do_user_bind(struct gilkd *d, uint8_t *payload, size_t length)
{
	static uint64_t offsets[GILK_USER_POINTS_MAX];
	struct gilkd_open_request ask = { .kind = GILKD_OPEN_BIND, .offsets = offsets };
	struct gilk_user_point *points = (void *)(payload + sizeof(struct gilk_user_bind));
	char path[GILK_WIRE_PATH_MAX + 1];
	struct gilk_user_bind head;
	struct gilkd_opened found;
	size_t bytes;

	memcpy(&head, payload, sizeof(head));
	bytes = head.count * sizeof(*points);
	if (!head.count || head.count > GILK_USER_POINTS_MAX || length - sizeof(head) < bytes) {
		gilkd_fail(&d->client, EINVAL, "Malformed request: its count does not match its "
					       "length. Client and agent may be of different "
					       "versions.");
		return;
	}
	if (!d->bpf.live) {
		gilkd_fail(&d->client, EOPNOTSUPP, "The driver does not support watchpoints, tracepoints, "
						   "timers, event counters or hooks in user "
						   "programs; use BPF.");
		return;
	}
	if (!copy_path(&d->client, (uint8_t *)points + bytes, length - sizeof(head) - bytes, path))
		return;
	for (ask.count = 0; ask.count < head.count; ask.count++)
		offsets[ask.count] = points[ask.count].offset;
	ask.expected = &head.file;
	if (!gilkd_open_request(&d->opener, &d->samples, path, &ask, &found))
		return;
	gilkd_bpf_user_bind(&d->bpf, found.fd, points, head.count);
	close(found.fd);
}
