/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-batch.h - parses the payloads of RESERVE and PREPARE
 */
#ifndef GILKD_BATCH_H
#define GILKD_BATCH_H

#include "gilkd-client.h"

/**
 * struct gilkd_batch - the parts of a RESERVE or PREPARE payload
 * @answer: size of the answer, which is the payload without the blob (code and entries of patches)
 *
 * All pointers point into the payload, which is suitably aligned.
 */
struct gilkd_batch {
	struct gilk_batch *head;
	uint8_t *patches;
	uint8_t *hooks;
	uint8_t *blob;
	size_t answer;
};

bool gilkd_batch_parse(struct gilkd_client *client, struct gilkd_batch *batch, uint8_t *payload,
		       size_t length,
		       size_t patch_size, size_t hook_size);

#endif /* GILKD_BATCH_H */
