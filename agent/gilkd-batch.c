// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-batch.c - parses the payloads of RESERVE and PREPARE
 */
#include <errno.h>

#include "gilkd-batch.h"

/*
 * Finds the parts of a payload of RESERVE or PREPARE. Returns false, with the request answered, if
 * the payload is malformed.
 */
bool gilkd_batch_parse(struct gilkd_client *client, struct gilkd_batch *batch, uint8_t *payload,
		       size_t length,
		       size_t patch_size, size_t hook_size)
{
	struct gilk_batch *head = (struct gilk_batch *)payload;
	size_t patches, hooks;

	if (head->patch_count > ILK_BATCH_MAX || head->hook_count > ILK_BATCH_MAX)
		goto out_malformed;

	patches = head->patch_count * patch_size;
	hooks = head->hook_count * hook_size;
	if (length != sizeof(*head) + patches + hooks + head->blob_bytes)
		goto out_malformed;

	batch->head = head;
	batch->patches = payload + sizeof(*head);
	batch->hooks = batch->patches + patches;
	batch->blob = batch->hooks + hooks;
	batch->answer = sizeof(*head) + patches + hooks;
	head->failed = 0;
	head->refusal = 0;
	return true;

out_malformed:
	gilkd_fail(client, EINVAL, "Malformed request: its counts do not match its length. Client "
				   "and agent may be of different versions.");
	return false;
}
