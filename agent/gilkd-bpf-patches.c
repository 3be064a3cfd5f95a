// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-patches.c - creates, ends and frees the session's patches and hooks
 *
 * Ids start at 1, are consecutive and never reused, so each table only grows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

/* ---- allocating patches and hooks ---- */

/* Enlarges a table of @used pointers by @count NULL pointers. Returns false if memory is short. */
static bool grow_table(void **table, uint32_t used, uint32_t count)
{
	void *grown = realloc(*table, ((size_t)used + count) * sizeof(void *));

	if (!grown)
		return false;
	*table = grown;
	memset((void **)grown + used, 0, count * sizeof(void *));
	return true;
}

/*
 * Creates the maps that are missing for the counters of all hooks up to @iid. Returns false on
 * failure.
 */
static bool create_counters(struct gilkd_bpf *bpf, uint32_t iid)
{
	uint32_t block;

	for (block = 0; block <= gilk_bpf_block(iid); block++) {
		const uint64_t bytes = (uint64_t)bpf->nr_cpus * gilk_bpf_block_size(block) *
				       sizeof(struct gilk_bpf_counter);
		struct gilkd_bpf_map *map = &bpf->counters[block];

		if (map->fd >= 0)
			continue;
		if (gilkd_bpf_map_create(map, "gilk_counters", bytes) || gilkd_bpf_map_open(map)) {
			gilkd_bpf_map_close(map);
			return false;
		}
	}
	return true;
}

static bool is_reservation_sane(const struct ilk_reserve_patch *patches, uint32_t patch_count,
				const struct ilk_reserve_hook *hooks, uint32_t hook_count)
{
	uint32_t i;

	for (i = 0; i < patch_count; i++)
		if (!patches[i].bytes ||
		    patches[i].bytes > GILK_BPF_INSNS_MAX * sizeof(struct bpf_insn))
			return false;
	for (i = 0; i < hook_count; i++)
		if (hooks[i].flags & ~ILK_HOOK_COUNTER_NEAR)
			return false;
	return true;
}

static bool create_patch(struct gilkd_bpf *bpf, struct ilk_reserve_patch *item)
{
	struct gilkd_bpf_patch *patch = calloc(1, sizeof(*patch));

	if (!patch)
		return false;
	patch->program = patch->probe = patch->link = -1;
	bpf->patches[bpf->patch_ids] = patch;
	bpf->patch_count++;
	patch->id = item->id = ++bpf->patch_ids;
	item->slot = 0;
	return true;
}

static bool create_hook(struct gilkd_bpf *bpf, struct ilk_reserve_hook *item)
{
	struct gilkd_bpf_hook *hook = calloc(1, sizeof(*hook));

	if (!hook)
		return false;
	bpf->hooks[bpf->hook_ids] = hook;
	bpf->hook_count++;
	item->iid = ++bpf->hook_ids;
	item->counter = item->lost = item->missed = 0;
	return true;
}

static void free_hook(struct gilkd_bpf *bpf, uint32_t iid)
{
	free(bpf->hooks[iid - 1]->overwritten);
	free(bpf->hooks[iid - 1]);
	bpf->hooks[iid - 1] = NULL;
	bpf->hook_count--;
	bpf->gates.at[iid] = 0;
}

/* Creates all patches and hooks and fills in their ids, or creates none. Returns a refusal. */
uint32_t gilkd_bpf_reserve(struct gilkd_bpf *bpf, struct ilk_reserve_patch *patches,
			   uint32_t patch_count,
			   struct ilk_reserve_hook *hooks, uint32_t hook_count)
{
	const uint32_t patch_ids = bpf->patch_ids, hook_ids = bpf->hook_ids;
	uint32_t i;

	if (!is_reservation_sane(patches, patch_count, hooks, hook_count))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch_count > GILKD_BPF_PATCHES_MAX - patch_ids ||
	    hook_count > GILK_BPF_HOOKS_MAX - hook_ids)
		return ILK_REFUSAL_TOO_MANY;
	if ((patch_count && !grow_table((void **)&bpf->patches, patch_ids, patch_count)) ||
	    (hook_count && (!grow_table((void **)&bpf->hooks, hook_ids, hook_count) ||
			    !create_counters(bpf, hook_ids + hook_count))))
		return ILK_REFUSAL_TOO_MANY;
	for (i = 0; i < patch_count; i++)
		if (!create_patch(bpf, &patches[i]))
			goto out_free;
	for (i = 0; i < hook_count; i++)
		if (!create_hook(bpf, &hooks[i]))
			goto out_free;
	return ILK_REFUSAL_NONE;

out_free:
	for (i = bpf->hook_ids; i > hook_ids; i--)
		free_hook(bpf, i);
	for (i = bpf->patch_ids; i > patch_ids; i--)
		gilkd_bpf_patch_free(bpf, bpf->patches[i - 1]);
	bpf->patch_ids = patch_ids;
	bpf->hook_ids = hook_ids;
	return ILK_REFUSAL_TOO_MANY;
}

/* ---- a patch's program: its missed hits, and its end ---- */

/*
 * The start of the kernel's struct bpf_link_info for a kprobe, which headers before Linux 6.7 lack.
 */
struct link_info {
	uint32_t type, id, prog_id, pad;
	uint32_t perf_type, perf_pad;
	uint64_t func_name;
	uint32_t name_len, offset;
	uint64_t addr, missed;
};

#define PERF_EVENT_KPROBE	3	/* BPF_PERF_EVENT_KPROBE */

/*
 * Returns the number of hits for which the kernel did not run the patch's program. Since Linux 6.7
 * the kernel counts, for programs at kprobes, hits that come while another BPF program of that kind
 * runs on the CPU (recursion_misses), and hits that come while another kprobe is handled on the
 * CPU. Earlier kernels report 0. Neither count is per CPU. The second one is not atomic, and may
 * lose increments that several CPUs make at once.
 */
uint64_t gilkd_bpf_patch_missed(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch)
{
	struct bpf_prog_info program = { 0 };
	struct link_info link = { 0 };
	uint64_t missed = gilkd_bpf_watch_missed(bpf, patch);

	if (patch->program >= 0 && !gilkd_bpf_call_info(patch->program, &program, sizeof(program)))
		missed += program.recursion_misses;
	if (patch->link >= 0 && !gilkd_bpf_call_info(patch->link, &link, sizeof(link)) &&
	    link.perf_type == PERF_EVENT_KPROBE)
		missed += link.missed;
	return missed;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void end_links(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	close_fd(&patch->link);
	gilkd_prober_close(bpf->prober, patch->link_number);
	patch->link_number = 0;
	if (patch->multi)
		gilkd_bpf_multi_put(patch->multi);
	patch->multi = NULL;
}

/*
 * Ends the link and the program of a patch. Hits after the next gilkd_prober_settle() do not run
 * the program. Adds the program's missed hits to those of the patch's first hook.
 */
void gilkd_bpf_patch_stop(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, patch->first_iid);

	gilkd_bpf_watch_stop(bpf, patch);
	if (hook)
		hook->missed += gilkd_bpf_patch_missed(bpf, patch);
	gilkd_bpf_watch_settle(bpf, patch);
	if (hook && patch->shared)
		hook->missed += gilkd_bpf_shared_missed(patch);
	if (hook && patch->multi)		/* as long as other patches hold the link, it
						 * still runs the program at this site: close the
						 * gate, which switches off the hook */
		bpf->gates.at[patch->first_iid] = 0;
	end_links(bpf, patch);
	gilkd_bpf_source_stop(patch);
	close_fd(&patch->program);
	if (patch->shared)
		gilkd_bpf_shared_put(bpf, patch->shared, patch->id);
	patch->shared = NULL;
}

/* Ends the link of a patch and removes its probe, but keeps its program loaded. */
void gilkd_bpf_patch_detach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	end_links(bpf, patch);
	gilkd_bpf_source_stop(patch);
	gilkd_bpf_watch_stop(bpf, patch);
	close_fd(&patch->probe);
	gilkd_prober_close(patch->user ? bpf->uprober : bpf->prober, patch->probe_number);
	patch->probe_number = 0;
}

/* ---- switch-over from one patch to another ---- */

/*
 * Returns the patch that @patch will replace, or NULL if that patch was disarmed or freed in the
 * meantime.
 */
struct gilkd_bpf_patch *gilkd_bpf_patch_replaced(const struct gilkd_bpf *bpf,
						 const struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_patch *old = gilkd_bpf_patch(bpf, patch->replaces);

	return old && old->successor == patch->id ? old : NULL;
}

/* Cancels what was planned with other patches: @patch replaces no patch and is not replaced. */
void gilkd_bpf_patch_cancel(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_patch *old = gilkd_bpf_patch_replaced(bpf, patch);

	if (old)
		old->successor = 0;
	patch->replaces = patch->successor = 0;
}

/* ---- freeing patches and hooks ------- */

/*
 * Unbinds the hooks of all patches with @chosen set, and cancels planned moves of hooks from other
 * patches to these patches.
 */
void gilkd_bpf_hooks_unbind_chosen(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->hook_ids; i++) {
		struct gilkd_bpf_hook *hook = bpf->hooks[i];
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);
		const struct gilkd_bpf_patch *next = gilkd_bpf_patch_next(bpf, hook);

		if (patch && patch->chosen)
			hook->patch = hook->moves_to = 0;
		else if (next && next->chosen)
			hook->moves_to = 0;
	}
}

/* Frees the hooks of all patches with @chosen set. */
void gilkd_bpf_hooks_free_chosen(struct gilkd_bpf *bpf)
{
	uint32_t iid;

	for (iid = 1; iid <= bpf->hook_ids; iid++) {
		const struct gilkd_bpf_hook *hook = bpf->hooks[iid - 1];
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);

		if (patch && patch->chosen)
			free_hook(bpf, iid);
	}
	gilkd_bpf_hooks_unbind_chosen(bpf);
}

/* Frees a patch, but not its hooks. */
void gilkd_bpf_patch_free(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	gilkd_bpf_patch_stop(bpf, patch);
	gilkd_bpf_patch_detach(bpf, patch);
	gilkd_bpf_user_free(patch);
	gilkd_bpf_source_free(patch);
	gilkd_bpf_watch_free(bpf, patch);
	bpf->patches[patch->id - 1] = NULL;
	bpf->patch_count--;
	free(patch);
}

/* Frees all hooks that are not bound to a patch. */
void gilkd_bpf_hooks_free_unbound(struct gilkd_bpf *bpf)
{
	uint32_t iid;

	for (iid = 1; iid <= bpf->hook_ids; iid++)
		if (bpf->hooks[iid - 1] && !gilkd_bpf_patch(bpf, bpf->hooks[iid - 1]->patch))
			free_hook(bpf, iid);
}
