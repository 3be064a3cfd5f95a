// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-lookup.c - finds the session's patches and hooks by their ids
 */
#include <errno.h>

#include "gilkd-bpf.h"

/* Returns the patch with this id, or NULL. */
struct gilkd_bpf_patch *gilkd_bpf_patch(const struct gilkd_bpf *bpf, uint32_t id)
{
	return id && id <= bpf->patch_ids ? bpf->patches[id - 1] : NULL;
}

/* Returns the hook with this id, or NULL. */
struct gilkd_bpf_hook *gilkd_bpf_hook(const struct gilkd_bpf *bpf, uint32_t iid)
{
	return iid && iid <= bpf->hook_ids ? bpf->hooks[iid - 1] : NULL;
}

/* Returns the patch of @hook, or NULL. @hook may be NULL. */
struct gilkd_bpf_patch *gilkd_bpf_patch_of(const struct gilkd_bpf *bpf,
					   const struct gilkd_bpf_hook *hook)
{
	return hook ? gilkd_bpf_patch(bpf, hook->patch) : NULL;
}

/* Returns the patch to which @hook will move, or NULL. @hook may be NULL. */
struct gilkd_bpf_patch *gilkd_bpf_patch_next(const struct gilkd_bpf *bpf,
					     const struct gilkd_bpf_hook *hook)
{
	return hook ? gilkd_bpf_patch(bpf, hook->moves_to) : NULL;
}

int32_t gilkd_bpf_refusal_errno(uint32_t refusal)
{
	switch (refusal) {
	case ILK_REFUSAL_NONE:
		return 0;
	case ILK_REFUSAL_STATE:
	case GILK_BPF_REFUSED_COUNTER_BUSY:
		return -EBUSY;
	case ILK_REFUSAL_UNSUPPORTED:
		return -EOPNOTSUPP;
	case ILK_REFUSAL_INSTRUMENT:
		return -ENOENT;
	case GILK_BPF_REFUSED_COUNTER_MISSING:
		return -ENODEV;
	case ILK_REFUSAL_TOO_LARGE:
		return -E2BIG;
	case GILK_BPF_REFUSED_USER_DIFFERS:
		return -EILSEQ;
	case GILK_BPF_REFUSED_USER_KERNEL:
		return -EIO;
	case GILK_BPF_REFUSED_WATCH_ADDRESS:
		return -EFAULT;
	case GILK_BPF_REFUSED_WATCH_DENIED:
	case ILK_REFUSAL_LOCKED_DOWN:
		return -EPERM;
	case GILK_BPF_REFUSED_WATCH_SLOTS:
	case ILK_REFUSAL_TOO_MANY:
		return -ENOSPC;
	default:
		return -EINVAL;
	}
}
