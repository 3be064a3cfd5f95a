/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-open.h - opens the files that a client names, in separate processes
 */
#ifndef GILKD_OPEN_H
#define GILKD_OPEN_H

#include "gilkd-samples.h"

/**
 * struct gilkd_opener - the process that opens files
 * @socket: socket to the process
 * @keep_mapped_fd: the agent's end of a pipe; closing it makes workers unmap their pages; -1: no
 *     pages are mapped
 * @keep_mapped_peer: the workers' end of the pipe
 * @seq: sequence number of the last request
 */
struct gilkd_opener {
	int socket;
	int keep_mapped_fd, keep_mapped_peer;
	uint32_t seq;
};

enum gilkd_open_kind {
	GILKD_OPEN_READ_BYTES,	/* read @length bytes from @offset on */
	GILKD_OPEN_BIND,	/* keep the pages of @offsets mapped until gilkd_opener_release() */
};

/**
 * struct gilkd_open_request - what to do with a file
 * @expected: required identity of the file; NULL: any
 */
struct gilkd_open_request {
	enum gilkd_open_kind kind;
	uint64_t offset;
	uint32_t length;
	uint32_t count;
	const uint64_t *offsets;
	const struct gilk_user_file *expected;
};

struct gilkd_opened {
	struct gilk_user_file file;
	uint64_t bytes;
	int fd;
};

int gilkd_opener_start(struct gilkd_opener *opener);
void gilkd_opener_release(struct gilkd_opener *opener);
bool gilkd_open_request(struct gilkd_opener *opener, struct gilkd_samples *samples, const char *path,
			const struct gilkd_open_request *ask, struct gilkd_opened *found);

#endif /* GILKD_OPEN_H */
