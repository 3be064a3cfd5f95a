// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-user.c - places BPF hooks in user programs and libraries
 *
 * USER_BIND gives RESERVED patches their instructions in a file. ARM places a uprobe at each of
 * these instructions (gilkd-probe.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf.h"

#define ENOTSUPP	524	/* the kernel's errno for an instruction on which it cannot put a
				 * uprobe */

static bool is_sane(const struct gilk_user_point *point)
{
	static const uint8_t zeros[sizeof(point->old)];

	return point->len && point->len <= GILK_USER_INSN_MAX &&
	       !(point->flags & ~GILK_USER_RETURNS) && !point->error && !point->refusal && !point->pad &&
	       point->offset <= INT64_MAX - GILK_USER_INSN_MAX &&
	       !memcmp(point->old + point->len, zeros, sizeof(zeros) - point->len);
}

static uint32_t get_bind_refusal(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case EILSEQ:
		return GILK_BPF_REFUSED_USER_DIFFERS;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	default:
		return GILK_BPF_REFUSED_USER_KERNEL;
	}
}

/*
 * Frees what a patch stores about its instruction in a user program. Must be called when the uprobe
 * is closed or was never placed.
 */
void gilkd_bpf_user_free(struct gilkd_bpf_patch *patch)
{
	if (!patch->user)
		return;
	if (patch->user->file >= 0)
		close(patch->user->file);
	free(patch->user);
	patch->user = NULL;
}

/*
 * Binds a patch to an instruction of a user program. Returns a refusal, and then changes nothing.
 */
static uint32_t bind_point(struct gilkd_bpf *bpf, int file, const struct gilk_user_point *point)
{
	struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, point->patch);
	struct gilkd_bpf_user *user;
	uint32_t refusal;

	if (!patch || !is_sane(point))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED || patch->user || patch->source || patch->watch)
		return ILK_REFUSAL_STATE;
	user = calloc(1, sizeof(*user));
	if (!user)
		return ILK_REFUSAL_TOO_MANY;
	patch->user = user;
	user->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
	user->probe = (struct gilkd_probe){
		.kind = point->flags & GILK_USER_RETURNS ? GILKD_URETPROBE : GILKD_UPROBE,
		.at = point->offset, .len = point->len,
	};
	memcpy(user->probe.old, point->old, sizeof(user->probe.old));
	refusal = user->file < 0 ? ILK_REFUSAL_TOO_MANY :
		  get_bind_refusal(gilkd_prober_check(bpf->uprober, &user->probe, user->file));
	if (refusal)
		gilkd_bpf_user_free(patch);
	return refusal;
}

/*
 * Binds each patch to its instruction in a user program, or none of them, and answers the request.
 * @file: descriptor of the program or library
 */
void gilkd_bpf_user_bind(struct gilkd_bpf *bpf, int file, struct gilk_user_point *points,
			 uint32_t count)
{
	uint32_t failed = 0, i;
	bool stuck = false;

	bpf->busy = true;
	for (i = 0; i < count; i++) {
		/*
		 * If the process that reads the file does not answer, refuse all further points
		 * without waiting for it again.
		 */
		points[i].refusal = stuck ? GILK_BPF_REFUSED_USER_KERNEL :
					    bind_point(bpf, file, &points[i]);
		stuck |= points[i].refusal == GILK_BPF_REFUSED_USER_KERNEL;
		points[i].error = gilkd_bpf_refusal_errno(points[i].refusal);
		failed += points[i].refusal != ILK_REFUSAL_NONE;
	}
	for (i = 0; failed && i < count; i++)
		if (points[i].refusal == ILK_REFUSAL_NONE)
			gilkd_bpf_user_free(gilkd_bpf_patch(bpf, points[i].patch));
	bpf->busy = false;
	gilkd_answer(bpf->client, points, count * sizeof(*points));
}

/* Places the uprobe of a patch. Returns 0 or an errno. */
int gilkd_bpf_user_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const int probe = gilkd_prober_open(bpf->uprober, &patch->user->probe, patch->user->file,
					    &patch->probe_number);

	if (probe < 0)
		return -probe;
	patch->probe = probe;
	return 0;
}

uint32_t gilkd_bpf_user_refusal(int error)
{
	switch (error) {
	case ENOTSUPP:
	case EOPNOTSUPP:
	case ENOEXEC:
		return GILK_BPF_REFUSED_USER_INSN;
	case EPERM:
	case EACCES:
		return ILK_REFUSAL_LOCKED_DOWN;
	default:
		return get_bind_refusal(error);
	}
}
