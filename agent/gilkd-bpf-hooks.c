// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-hooks.c - handles RESERVE and PREPARE for BPF hooks, before programs are attached
 *
 * PREPARE first checks all items, then loads all programs, and only then changes a patch or a hook.
 * The refusal of a malformed item is returned in the item. If the kernel does not load a program,
 * the whole request fails, because only its answer has room for the verifier's complaint.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-batch.h"
#include "gilkd-bpf.h"

void gilkd_bpf_do_reserve(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilkd_batch batch;

	if (!gilkd_batch_parse(bpf->client, &batch, payload, length,
			       sizeof(struct ilk_reserve_patch),
			       sizeof(struct ilk_reserve_hook)))
		return;
	batch.head->refusal =
		gilkd_bpf_reserve(bpf, (struct ilk_reserve_patch *)batch.patches,
				  batch.head->patch_count, (struct ilk_reserve_hook *)batch.hooks,
				  batch.head->hook_count);
	batch.head->failed = batch.head->refusal != 0;
	gilkd_answer(bpf->client, payload, batch.answer);
}

/* ---- checks of a PREPARE ---- */

/**
 * struct plan - the parsed payload of a PREPARE request, and the programs loaded for it
 * @programs: descriptors of the programs of @patches; -1: the program is in @shared
 * @shared: shared programs of @patches; NULL: the program is in @programs
 */
struct plan {
	struct gilk_batch *head;
	struct ilk_prepare_patch *patches;
	struct ilk_prepare_hook *hooks;
	const uint8_t *blob;
	int *programs;
	struct gilkd_bpf_shared **shared;
};

static bool is_patch_sane(const struct ilk_prepare_patch *item)
{
	static const uint8_t zeros[ILK_FOOTPRINT_MAX];

	return !item->len && !item->orc_count && !item->fault_count &&
	       !memcmp(item->old, zeros, sizeof(item->old)) &&
	       !memcmp(item->aux_old, zeros, sizeof(item->aux_old));
}

/* Checks whether @item may replace the patch whose id is @item->replaces. Returns a refusal. */
static uint32_t check_replaced(const struct gilkd_bpf *bpf, const struct ilk_prepare_patch *item)
{
	const struct gilkd_bpf_patch *old = gilkd_bpf_patch(bpf, item->replaces);

	if (!old || old->id == item->id || old->tactic != item->tactic ||
	    old->site != item->site || old->source || old->watch || old->shared || item->flags)
		return ILK_REFUSAL_BAD_ITEM;
	if (old->successor || !old->scheduled || old->chosen ||
	    (old->state != ILK_STATE_PREPARED && old->state != ILK_STATE_ARMED))
		return ILK_REFUSAL_STATE;
	return ILK_REFUSAL_NONE;
}

static uint32_t check_patch(struct gilkd_bpf *bpf, const struct plan *plan,
			    const struct ilk_prepare_patch *item)
{
	const struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, item->id);
	uint32_t refusal;

	if (!patch)
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->chosen || (patch->state != ILK_STATE_RESERVED &&
			      patch->state != ILK_STATE_RESTORED))
		return ILK_REFUSAL_STATE;
	if (!is_patch_sane(item))
		return ILK_REFUSAL_BAD_ITEM;
	refusal = gilkd_bpf_point_check(patch, item);
	if (refusal)
		return refusal;
	refusal = item->replaces ? check_replaced(bpf, item) : ILK_REFUSAL_NONE;
	return refusal ? refusal : gilkd_bpf_code_check(bpf, plan->blob + item->code,
							item->code_len);
}

/*
 * Checks all patches of a request. Sets @chosen of each patch that passes, and makes it the
 * successor of the patch that it replaces, as check_hooks() needs this. Returns the number of
 * refused patches.
 */
static uint32_t check_patches(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint64_t sum = 0;
	uint32_t failed = 0, i;

	for (i = 0; i < plan->head->patch_count; i++) {
		struct ilk_prepare_patch *item = &plan->patches[i];
		struct gilkd_bpf_patch *patch, *old;

		sum += item->code_len;
		item->refusal = sum > ILK_PREPARE_BYTES_MAX ?
			ILK_REFUSAL_TOO_LARGE : check_patch(bpf, plan, item);
		item->error = gilkd_bpf_refusal_errno(item->refusal);
		failed += item->refusal != 0;
		if (item->refusal)
			continue;
		patch = gilkd_bpf_patch(bpf, item->id);
		patch->chosen = true;
		patch->replaces = item->replaces;
		old = gilkd_bpf_patch(bpf, item->replaces);
		if (old)
			old->successor = patch->id;
	}
	return failed;
}

static bool is_hook_sane(const struct ilk_prepare_hook *item)
{
	const uint32_t known = ILK_HOOK_COUNTER_NEAR | ILK_HOOK_GATED | ILK_HOOK_SAMPLES;

	return !(item->flags & ~known) && (!item->stop_ns || item->stop_ns > item->start_ns) &&
	       item->start_ns <= INT64_MAX / 2 && item->stop_ns <= INT64_MAX / 2;
}

/*
 * Checks whether @hook may move from the patch that @patch replaces to @patch. Returns a refusal.
 */
static uint32_t check_move(const struct gilkd_bpf *bpf, const struct gilkd_bpf_hook *hook,
			   const struct gilkd_bpf_patch *patch, const struct ilk_prepare_hook *item)
{
	const struct gilkd_bpf_patch *old = gilkd_bpf_patch_replaced(bpf, patch);

	if (!old || hook->patch != old->id || hook->moves_to)
		return ILK_REFUSAL_STATE;
	if (item->start_ns != hook->start_ns || item->stop_ns != hook->stop_ns ||
	    memcmp(item->params, hook->params, sizeof(hook->params)))
		return ILK_REFUSAL_BAD_ITEM;
	return ILK_REFUSAL_NONE;
}

static uint32_t check_hook(const struct gilkd_bpf *bpf, const struct ilk_prepare_hook *item)
{
	const struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, item->iid);
	const struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, item->patch), *now;

	if (!hook || !patch || !is_hook_sane(item))
		return ILK_REFUSAL_BAD_ITEM;
	if (item->instrument)
		return ILK_REFUSAL_INSTRUMENT;
	if (hook->chosen || (!patch->chosen && (patch->state != ILK_STATE_PREPARED ||
						patch->scheduled)))
		return ILK_REFUSAL_STATE;
	now = gilkd_bpf_patch(bpf, hook->patch);
	return now && !now->chosen ? check_move(bpf, hook, patch, item) : ILK_REFUSAL_NONE;
}

static uint32_t check_hooks(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint32_t failed = 0, i;

	for (i = 0; i < plan->head->hook_count; i++) {
		struct ilk_prepare_hook *item = &plan->hooks[i];

		item->refusal = check_hook(bpf, item);
		item->error = gilkd_bpf_refusal_errno(item->refusal);
		failed += item->refusal != 0;
		if (!item->refusal)
			gilkd_bpf_hook(bpf, item->iid)->chosen = true;
	}
	return failed;
}

/* Undoes check_patches() and check_hooks(): unsets what they have set in patches and hooks. */
static void cancel_plan(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->head->patch_count; i++) {
		struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, plan->patches[i].id);

		if (!patch || !patch->chosen)
			continue;
		gilkd_bpf_patch_cancel(bpf, patch);
		patch->chosen = false;
	}
	for (i = 0; i < plan->head->hook_count; i++) {
		struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, plan->hooks[i].iid);

		if (hook)
			hook->chosen = false;
	}
}

/* ---- loading the programs of a PREPARE ---- */

/* Loads the program of item @i. On failure answers the request and returns false. */
static bool load_program(struct gilkd_bpf *bpf, const struct plan *plan, uint32_t i)
{
	const struct ilk_prepare_patch *item = &plan->patches[i];
	const uint8_t *code = plan->blob + item->code;

	if (item->flags & GILK_PATCH_JOINS) {
		plan->programs[i] = -1;
		plan->shared[i] = gilkd_bpf_shared_load(bpf, item, code);
		return plan->shared[i];
	}
	plan->programs[i] = gilkd_bpf_code_load(bpf, item,
						gilkd_bpf_point_program_type(item), code);
	return plan->programs[i] >= 0;
}

static void unload_program(struct gilkd_bpf *bpf, const struct plan *plan, uint32_t i)
{
	if (plan->shared[i])
		gilkd_bpf_shared_put(bpf, plan->shared[i], plan->patches[i].id);
	else
		close(plan->programs[i]);
}

/* Loads all programs or none. On failure answers the request and returns false. */
static bool load_programs(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->head->patch_count; i++) {
		if (!load_program(bpf, plan, i))
			break;
		gilkd_samples_tick(bpf->samples);	/* empty the rings, because loading a
							 * program takes long */
	}
	if (i == plan->head->patch_count)
		return true;
	while (i--)
		unload_program(bpf, plan, i);
	return false;
}

static void bind_hook(struct gilkd_bpf *bpf, const struct ilk_prepare_hook *item)
{
	struct gilkd_bpf_hook *hook = gilkd_bpf_hook(bpf, item->iid);
	struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, item->patch);

	hook->chosen = false;
	if (!patch->first_iid)
		patch->first_iid = item->iid;
	if (gilkd_bpf_patch(bpf, hook->patch)) {
		hook->moves_to = patch->id;
		hook->move_flags = item->flags;
		return;
	}
	hook->patch = patch->id;
	hook->moves_to = 0;
	hook->flags = item->flags;
	hook->start_ns = item->start_ns;
	hook->stop_ns = item->stop_ns;
	memcpy(hook->params, item->params, sizeof(hook->params));
}

static void commit_plan(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint32_t i;

	gilkd_bpf_hooks_unbind_chosen(bpf);
	for (i = 0; i < plan->head->patch_count; i++) {
		struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, plan->patches[i].id);

		patch->program = plan->programs[i];
		patch->shared = plan->shared[i];
		patch->tactic = plan->patches[i].tactic;
		patch->site = plan->patches[i].site;
		patch->state = ILK_STATE_PREPARED;
		patch->refusal = ILK_REFUSAL_NONE;
		patch->scheduled = patch->chosen = false;
		patch->armed_ns = patch->restored_ns = 0;
		patch->first_iid = 0;
	}
	for (i = 0; i < plan->head->hook_count; i++)
		bind_hook(bpf, &plan->hooks[i]);
}

static bool are_codes_inside(struct gilkd_bpf *bpf, const struct plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->head->patch_count; i++) {
		const struct ilk_prepare_patch *item = &plan->patches[i];

		if (item->code <= plan->head->blob_bytes &&
		    item->code_len <= plan->head->blob_bytes - item->code)
			continue;
		gilkd_fail(bpf->client, EINVAL, "Malformed request: the code of patch %u lies "
						"outside of the request. Client and agent may be of "
						"different versions.", item->id);
		return false;
	}
	return true;
}

void gilkd_bpf_do_prepare(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct gilkd_batch batch;
	struct plan plan;

	if (!gilkd_batch_parse(bpf->client, &batch, payload, length,
			       sizeof(struct ilk_prepare_patch),
			       sizeof(struct ilk_prepare_hook)))
		return;
	plan = (struct plan){
		.head = batch.head, .patches = (struct ilk_prepare_patch *)batch.patches,
		.hooks = (struct ilk_prepare_hook *)batch.hooks, .blob = batch.blob,
	};
	if (!are_codes_inside(bpf, &plan))
		return;
	plan.programs = calloc(batch.head->patch_count + 1, sizeof(*plan.programs));
	plan.shared = calloc(batch.head->patch_count + 1, sizeof(*plan.shared));
	if (!plan.programs || !plan.shared) {
		free(plan.programs);
		free(plan.shared);
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return;
	}
	bpf->busy = true;
	batch.head->failed = check_patches(bpf, &plan);
	batch.head->failed += check_hooks(bpf, &plan);
	if (batch.head->failed) {
		cancel_plan(bpf, &plan);
		gilkd_answer(bpf->client, payload, batch.answer);
	} else if (load_programs(bpf, &plan)) {
		commit_plan(bpf, &plan);
		gilkd_answer(bpf->client, payload, batch.answer);
	} else {
		cancel_plan(bpf, &plan);
	}
	bpf->busy = false;
	free(plan.programs);
	free(plan.shared);
}
