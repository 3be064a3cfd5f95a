/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-fifo.c - prints the samples that come from /dev/ilk, until Ctrl-C
 *
 *   cc -o ilk-fifo ilk-fifo.c && ./ilk-fifo &
 *   gilk run --ring-mode fifo --hook vfs_read@entry:pre:stamp --for 10s; kill %1
 *
 * Headers are those of the package gilk-dev; in the source tree, cc -I. finds them.
 *
 * The stream is described in ilk-abi-ring.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <ilk/ilk-abi.h>

static volatile sig_atomic_t ended;

static void end(int signal)
{
	ended = signal;
}

int main(void)
{
	static union { struct ilk_record first; char bytes[65536]; } buf;
	struct pollfd fd = { .fd = open("/dev/ilk", O_RDONLY | O_NONBLOCK), .events = POLLIN };
	bool reading = false;
	unsigned long samples = 0, missing = 0;
	struct ilk_lost lost;
	ssize_t n = 0, at;

	signal(SIGINT, end);
	signal(SIGTERM, end);
	while (!ended || n > 0) {	/* all that is there */
		n = read(fd.fd, &buf, sizeof(buf));	/* the first one claims the rings */
		if (n < 0 && errno != EAGAIN && errno != EINTR) {
			perror("/dev/ilk");
			return 1;
		}
		if (!reading)
			fprintf(stderr, "reading /dev/ilk\n");
		reading = true;
		if (n < 0)
			poll(&fd, 1, 100);
		for (at = 0; at < n;) {
			struct ilk_record *r = (void *)(buf.bytes + at);

			at += ILK_RECORD_CELLS(r->len) * ILK_CELL;
			memcpy(&lost, (char *)r + offsetof(struct ilk_record, data), sizeof(lost));
			if (r->iid == ILK_IID_GAP)
				missing += lost.lost;
			else
				printf("cpu %llu tsc %llu hook %u len %u\n", r->commit, r->tsc, r->iid, r->len);
			samples += r->iid != ILK_IID_GAP;
		}
	}
	fprintf(stderr, "%lu samples, %lu missing\n", samples, missing);
	return 0;
}
