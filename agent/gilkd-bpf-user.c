// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-user.c - hooks by BPF in programs and libraries
 *
 * USER_BIND gives RESERVED patches their instructions in a file. The points are checked as the
 * driver checks them (ilk-user.c), and are refused by the same names. ARM puts a uprobe at each
 * (gilkd-uprobe.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf.h"

#define ENOTSUPP	524	/* the kernel's: an instruction on which no uprobe can be */

static bool is_sane(const struct ilk_user_point *point)
{
	static const uint8_t zeros[sizeof(point->old)];

	return point->len && point->len <= ILK_USER_INSN_MAX &&
	       !(point->flags & ~ILK_USER_RETURNS) && !point->error && !point->refusal &&
	       point->offset <= INT64_MAX - ILK_USER_INSN_MAX &&
	       !memcmp(point->old + point->len, zeros, sizeof(zeros) - point->len);
}

static uint32_t get_bind_refusal(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case EILSEQ:
		return ILK_REFUSAL_USER_DIFFERS;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	default:
		return ILK_REFUSAL_USER_KERNEL;
	}
}

/* Gives a patch its instruction. Returns a refusal. */
static uint32_t bind_point(struct gilkd_bpf *bpf, int file, const struct ilk_user_point *point)
{
	struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, point->patch);
	struct gilkd_bpf_user *user;

	if (!patch || !is_sane(point))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED || patch->user)
		return ILK_REFUSAL_STATE;
	user = calloc(1, sizeof(*user));
	if (!user)
		return ILK_REFUSAL_TOO_MANY;
	patch->user = user;
	user->uprobe = (struct gilkd_uprobe){
		.file = fcntl(file, F_DUPFD_CLOEXEC, 0), .offset = point->offset, .len = point->len,
		.returns = point->flags & ILK_USER_RETURNS,
	};
	memcpy(user->uprobe.old, point->old, sizeof(user->uprobe.old));
	if (user->uprobe.file < 0)
		return ILK_REFUSAL_TOO_MANY;
	return get_bind_refusal(gilkd_uprober_check(bpf->uprober, bpf->samples, &user->uprobe));
}

/* Frees the point of a patch whose uprobe has ended. */
void gilkd_bpf_user_free(struct gilkd_bpf_patch *patch)
{
	if (!patch->user)
		return;
	if (patch->user->uprobe.file >= 0)
		close(patch->user->uprobe.file);
	free(patch->user);
	patch->user = NULL;
}

/*
 * Binds all points or none, and answers the request.
 * @file: descriptor of the program or library
 */
void gilkd_bpf_user_bind(struct gilkd_bpf *bpf, int file, struct ilk_user_point *points,
			 uint32_t count)
{
	uint32_t failed = 0, i;

	bpf->busy = true;
	for (i = 0; i < count; i++) {
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, points[i].patch);
		const bool was_bound = patch && patch->user;
		const uint32_t refusal = bind_point(bpf, file, &points[i]);

		/* A patch that had a point keeps it. */
		points[i].fd = was_bound ? 0 : -1;
		points[i].refusal = refusal;
		points[i].error = gilkd_bpf_refusal_errno(refusal);
		failed += refusal != ILK_REFUSAL_NONE;
	}
	for (i = 0; i < count; i++) {
		struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, points[i].patch);

		if (failed && patch && points[i].fd < 0)
			gilkd_bpf_user_free(patch);
		points[i].fd = -1;
	}
	bpf->busy = false;
	gilkd_answer(bpf->client, points, count * sizeof(*points));
}

/* Puts the uprobe of a patch. Returns 0 or an errno. */
int gilkd_bpf_user_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const int probe = gilkd_uprober_open(bpf->uprober, bpf->samples, &patch->user->uprobe,
					     &patch->user->number);

	if (probe < 0)
		return -probe;
	patch->probe = probe;
	return 0;
}

/* Removes the uprobe of a patch, some time later. The descriptor of its event must be closed. */
void gilkd_bpf_user_close(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	if (!patch->user || !patch->user->number)
		return;
	gilkd_uprober_close(bpf->uprober, patch->user->number);
	patch->user->number = 0;
}

uint32_t gilkd_bpf_user_refusal(int error)
{
	switch (error) {
	case ENOTSUPP:
	case EOPNOTSUPP:
	case ENOEXEC:
		return ILK_REFUSAL_USER_INSN;
	case EPERM:
	case EACCES:
		return ILK_REFUSAL_LOCKED_DOWN;
	default:
		return get_bind_refusal(error);
	}
}
