/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-client.h - the client: its stream, the request that is being answered, and its audit log
 */
#ifndef GILKD_CLIENT_H
#define GILKD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gilk-wire.h"
#include "gilkd-audit.h"

#define GILKD_PART	(256u << 10)	/* maximum payload of one frame of an answer that takes
					 * several frames */
#define GILKD_LEASE_CHECKS	6		/* number of checks whether the client is silent,
						 * within the duration of its lease */

/**
 * struct gilkd_backlog - sample frames that wait for the stream, in a circular buffer
 * @from: offset of the first byte
 * @used: number of bytes
 * @partly_sent: number of unsent bytes of the first frame if it was partly sent; else 0
 * @used_max: maximum of @used since the buffer was last empty
 */
struct gilkd_backlog {
	uint8_t *bytes;
	size_t size, from, used, partly_sent, used_max;
};

/**
 * struct gilkd_client - the byte stream, and the client at its other end if there is one
 * @is_port: the stream is a port, which outlives its clients
 * @in_session: a session is open
 * @broken: the stream can no longer be written; the session is about to end
 * @started_ms: start of the session
 * @lease_ms: the session ends if the client sends nothing for this time; 0: the session ends only
 *     with the stream
 * @request: header of the request being answered
 */
struct gilkd_client {
	int in;
	int out;
	bool is_port;
	bool in_session;
	bool broken;
	uint64_t started_ms;
	uint32_t lease_ms;
	struct gilk_frame request;
	struct gilkd_backlog backlog;
	struct gilkd_audit audit;
};

/* gilkd-out.c */
uint64_t gilkd_now_ms(void);
bool gilkd_client_is_hung_up(const struct gilkd_client *client);
bool gilkd_client_is_gone(const struct gilkd_client *client);
int gilkd_backlog_start(struct gilkd_client *client);
void gilkd_backlog_end(struct gilkd_client *client);
size_t gilkd_backlog_room(const struct gilkd_client *client);
void gilkd_backlog_put(struct gilkd_client *client, const struct gilk_frame *head, const void *payload);
void gilkd_backlog_push(struct gilkd_client *client);
void gilkd_backlog_flush(struct gilkd_client *client);
void gilkd_send(struct gilkd_client *client, const struct gilk_frame *head, const void *payload);

/* frames */
enum gilkd_parse {
	GILKD_PARSE_MORE,	/* the frame is incomplete */
	GILKD_PARSE_FRAME,
	GILKD_PARSE_BAD,	/* not a frame */
};

enum gilkd_parse gilkd_frame_parse(const uint8_t *bytes, size_t length, struct gilk_frame *head);
size_t gilkd_frame_resync(const uint8_t *bytes, size_t length);
void gilkd_answer_part(struct gilkd_client *client, const void *payload, size_t length);
void gilkd_answer(struct gilkd_client *client, const void *payload, size_t length);
void gilkd_fail(struct gilkd_client *client, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* GILKD_CLIENT_H */
