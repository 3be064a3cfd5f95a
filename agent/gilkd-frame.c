// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-frame.c - parses incoming frames, and answers them
 *
 * Parsing is free of side effects, so that the tests and the fuzzer run it without a stream.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gilkd-client.h"

/* Parses a header if it is complete; rejects at once a header that our clients never send. */
enum gilkd_parse gilkd_frame_parse(const uint8_t *bytes, size_t length, struct gilk_frame *head)
{
	if (length < sizeof(*head))
		return GILKD_PARSE_MORE;

	memcpy(head, bytes, sizeof(*head));
	if (head->magic != GILK_WIRE_MAGIC || head->length > GILK_WIRE_PAYLOAD_MAX ||
	    head->flags || !head->seq || head->status || head->reserved)
		return GILKD_PARSE_BAD;

	return length - sizeof(*head) < head->length ? GILKD_PARSE_MORE : GILKD_PARSE_FRAME;
}

static bool may_be_hello(const uint8_t *bytes, size_t length)
{
	static const uint32_t magic = GILK_WIRE_MAGIC;
	struct gilk_frame head;

	if (length < sizeof(magic))
		return !memcmp(bytes, &magic, length);
	if (memcmp(bytes, &magic, sizeof(magic)))
		return false;
	if (length < sizeof(head))
		return true;

	return gilkd_frame_parse(bytes, length, &head) != GILKD_PARSE_BAD &&
	       head.type == GILK_HELLO && head.length == sizeof(struct gilk_hello);
}

/* Returns how many bytes to discard so that a HELLO frame, or the start of one, comes first. */
size_t gilkd_frame_resync(const uint8_t *bytes, size_t length)
{
	size_t skip = 0;

	while (skip < length && !may_be_hello(bytes + skip, length - skip))
		skip++;

	return skip;
}

static void send_answer(struct gilkd_client *client, uint16_t flags, uint32_t status,
			const void *payload, size_t length)
{
	struct gilk_frame head = {
		.magic = GILK_WIRE_MAGIC,
		.length = length,
		.type = client->request.type,
		.flags = flags,
		.seq = client->request.seq,
		.status = status,
	};

	gilkd_send(client, &head, payload);
}

/* Sends a part of an answer; gilkd_answer() or gilkd_fail() must follow. */
void gilkd_answer_part(struct gilkd_client *client, const void *payload, size_t length)
{
	const uint8_t *bytes = payload;

	while (length) {
		size_t part = length < GILKD_PART ? length : GILKD_PART;

		send_answer(client, GILK_FRAME_MORE, 0, bytes, part);
		bytes += part;
		length -= part;
	}
}

/* Sends the last part of an answer, or the whole answer. */
void gilkd_answer(struct gilkd_client *client, const void *payload, size_t length)
{
	if (length > GILK_WIRE_PAYLOAD_MAX) {
		gilkd_answer_part(client, payload, length);
		length = 0;
	}
	send_answer(client, 0, 0, payload, length);
}

/* Ends a request with one sentence: cause and remedy. @error is a positive errno. */
void gilkd_fail(struct gilkd_client *client, int error, const char *format, ...)
{
	char text[512];
	va_list args;
	size_t i;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	for (i = 0; text[i]; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	send_answer(client, 0, error ? error : EIO, text, i);
}
