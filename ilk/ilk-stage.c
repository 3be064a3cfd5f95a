// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-stage.c - copies the arguments of a call before any lock is taken
 *
 * Everything is bounded before it is copied, is charged to the caller's memory
 * cgroup, and is freed when the caller is killed. The code and entries of a
 * PREPARE are copied to one buffer. Its size is the sum of the sizes in the items, and
 * the sum is checked: items that share bytes in user memory each get their own copy in
 * the kernel.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-stage.h"
#include "ilk.h"

#define SLOT_GRANULES	(ILK_SLOT_MAX / ILK_GRANULE + 1)

/* Maximum number of bytes copied before the CPU is given up: an array may take megabytes. */
#define COPY_AT_ONCE	65536u

/* Copies from user memory. Returns 0; -EFAULT; -EINTR if the caller is being killed. */
int ilk_copy_in(void *to, u64 from, size_t bytes)
{
	size_t at, n;

	for (at = 0; at < bytes; at += n, cond_resched()) {
		n = min_t(size_t, bytes - at, COPY_AT_ONCE);
		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user((u8 *)to + at, u64_to_user_ptr(from + at), n))
			return -EFAULT;
	}
	return 0;
}

int ilk_copy_out(u64 to, const void *from, size_t bytes)
{
	size_t at, n;

	for (at = 0; at < bytes; at += n, cond_resched()) {
		n = min_t(size_t, bytes - at, COPY_AT_ONCE);
		if (copy_to_user(u64_to_user_ptr(to + at), (const u8 *)from + at, n))
			return -EFAULT;
	}
	return 0;
}

/**
 * ilk_copy_array() - copy at most ILK_BATCH_MAX items; free with kvfree()
 *
 * Return: NULL if @count is 0; ERR_PTR of -EINVAL, -ENOMEM, -EFAULT, -EINTR.
 */
void *ilk_copy_array(u64 from, u32 count, size_t size)
{
	void *copy;
	int ret;

	if (count > ILK_BATCH_MAX)
		return ERR_PTR(-EINVAL);
	if (!count)
		return NULL;
	copy = kvmalloc_array(count, size, GFP_KERNEL_ACCOUNT);
	if (!copy)
		return ERR_PTR(-ENOMEM);
	ret = ilk_copy_in(copy, from, count * size);
	if (ret) {
		kvfree(copy);
		return ERR_PTR(ret);
	}
	return copy;
}

/* ---- copying the arguments of PREPARE -------------------------------------------- */

static size_t get_faults_bytes(const struct ilk_prepare_patch *item)
{
	return item->fault_count * sizeof(struct ilk_fault);
}

static size_t get_orc_bytes(const struct ilk_prepare_patch *item)
{
	return item->orc_count * sizeof(struct ilk_orc);
}

const struct ilk_fault *ilk_staged_faults(const struct ilk_staged *staged, u32 i)
{
	return (const struct ilk_fault *)(staged->blobs + staged->at[i]);
}

const struct ilk_orc *ilk_staged_orc(const struct ilk_staged *staged, u32 i)
{
	return (const struct ilk_orc *)(staged->blobs + staged->at[i] +
					get_faults_bytes(&staged->patches[i]));
}

const u8 *ilk_staged_code(const struct ilk_staged *staged, u32 i)
{
	return (const u8 *)ilk_staged_orc(staged, i) + get_orc_bytes(&staged->patches[i]);
}

static bool is_bounded(const struct ilk_prepare_patch *item)
{
	return item->code_len && item->code_len <= ILK_SLOT_MAX &&
	       item->orc_count <= SLOT_GRANULES * ILK_ORC_PER_GRANULE &&
	       item->fault_count <= SLOT_GRANULES * ILK_FAULTS_PER_GRANULE;
}

/*
 * Assigns an offset in the buffer to the entries and the code of each item. Returns 0; -EINVAL;
 * -E2BIG, with the refusal in the item.
 */
static int lay_out_blobs(struct ilk_staged *staged)
{
	struct ilk_prepare_patch *item;
	u32 i, at = 0;

	for (i = 0; i < staged->patch_count; i++, cond_resched()) {
		item = &staged->patches[i];
		if (!is_bounded(item))
			return -EINVAL;
		staged->at[i] = at;
		at += get_faults_bytes(item) + get_orc_bytes(item) + ALIGN(item->code_len, 8);
		if (at > ILK_PREPARE_BYTES_MAX) {
			item->refusal = ILK_REFUSAL_TOO_LARGE;
			item->error = ilk_refusal_errno(item->refusal);
			staged->failed = 1;
			return item->error;
		}
	}
	staged->at[i] = at;
	return 0;
}

static int copy_blobs(struct ilk_staged *staged)
{
	const struct ilk_prepare_patch *item;
	int ret = 0;
	u32 i;

	for (i = 0; i < staged->patch_count && !ret; i++, cond_resched()) {
		item = &staged->patches[i];
		ret = ilk_copy_in((void *)ilk_staged_faults(staged, i), item->faults,
				  get_faults_bytes(item));
		if (!ret)
			ret = ilk_copy_in((void *)ilk_staged_orc(staged, i), item->orc,
					  get_orc_bytes(item));
		if (!ret)
			ret = ilk_copy_in((void *)ilk_staged_code(staged, i), item->code,
					  item->code_len);
	}
	return ret;
}

/**
 * ilk_stage() - copy the arguments of PREPARE; ilk_unstage() must follow in any case
 *
 * Return: 0; -EINVAL, -EFAULT, -ENOMEM; -EINTR; -E2BIG, with the refusal in the
 *     item.
 */
int ilk_stage(struct ilk_staged *staged, const struct ilk_prepare *call)
{
	int ret;

	staged->patches = ilk_copy_array(call->patches, call->patch_count,
					 sizeof(*staged->patches));
	if (IS_ERR(staged->patches))
		return PTR_ERR(staged->patches);
	staged->hooks = ilk_copy_array(call->hooks, call->hook_count, sizeof(*staged->hooks));
	if (IS_ERR(staged->hooks))
		return PTR_ERR(staged->hooks);
	staged->patch_count = call->patch_count;
	staged->hook_count = call->hook_count;
	staged->at = kvmalloc_array(call->patch_count + 1, sizeof(*staged->at),
				    GFP_KERNEL_ACCOUNT);
	if (!staged->at)
		return -ENOMEM;
	ret = lay_out_blobs(staged);
	if (ret)
		return ret;
	staged->blobs = kvmalloc(staged->at[staged->patch_count] + 1, GFP_KERNEL_ACCOUNT);
	return staged->blobs ? copy_blobs(staged) : -ENOMEM;
}

void ilk_unstage(struct ilk_staged *staged)
{
	kvfree(staged->blobs);
	kvfree(staged->at);
	if (!IS_ERR(staged->patches))
		kvfree(staged->patches);
	if (!IS_ERR(staged->hooks))
		kvfree(staged->hooks);
}
