// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-hook.c - hooks, their ids (iids), and their per-CPU counters (cells)
 *
 * A hook is an iid, three per-CPU cells, a gate byte and, once prepared, a
 * patch and maybe an instrument. It lives as long as its patch may run: a bound
 * hook is freed with its patch, after the grace period, and until then
 * ilk_hooks[iid] stays valid for code inside an instrument.
 */
#include <linux/bitmap.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-crash.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-ring.h"
#include "ilk-time.h"
#include "ilk.h"

struct ilk_hook *ilk_hooks[ILK_HOOKS_MAX + 1];
u8 ilk_gates[ILK_HOOKS_MAX + 1];

static u32 last_iid;
static u32 hooks_live;

u32 ilk_hooks_count_live(void)
{
	return hooks_live;
}

/*
 * Returns the next free hook id (iid) after the last one that was allocated, so that ids are reused
 * late; 0 if there is none.
 */
static u32 find_free_iid(void)
{
	u32 i, iid;

	for (i = 0; i < ILK_HOOKS_MAX; i++) {
		iid = 1 + (last_iid + i) % ILK_HOOKS_MAX;
		if (!ilk_hooks[iid])
			return iid;
	}
	return 0;
}

static int alloc_hook_cells(struct ilk_hook *hook, bool near)
{
	bool far = false;

	hook->near = near;
	hook->count = ilk_counter_alloc(&hook->near);
	hook->lost = ilk_counter_alloc(&far);
	far = false;
	hook->missed = ilk_counter_alloc(&far);
	return hook->count && hook->lost && hook->missed ? 0 : -ENOMEM;
}

static void free_hook_cells(struct ilk_hook *hook)
{
	ilk_counter_free(hook->count, hook->near);
	ilk_counter_free(hook->lost, false);
	ilk_counter_free(hook->missed, false);
}

/* Allocates a hook. Must be called in process context with ilk_mutex held; may sleep. */
struct ilk_hook *ilk_hook_new(struct ilk_client *client, u32 flags)
{
	struct ilk_hook *hook;
	u32 iid = find_free_iid();
	int ret;

	lockdep_assert_held(&ilk_mutex);
	if (!iid)
		return ERR_PTR(-ENOSPC);
	hook = kzalloc(sizeof(*hook), GFP_KERNEL_ACCOUNT);
	if (!hook)
		return ERR_PTR(-ENOMEM);
	ret = alloc_hook_cells(hook, flags & ILK_HOOK_COUNTER_NEAR);
	if (ret) {
		free_hook_cells(hook);
		kfree(hook);
		return ERR_PTR(ret);
	}
	hook->iid = iid;
	hook->client = client;
	hook->pid = client->pid;
	INIT_LIST_HEAD(&hook->patch_node);
	INIT_LIST_HEAD(&hook->move_node);
	list_add_tail(&hook->node, &client->hooks);
	WRITE_ONCE(ilk_gates[iid], 0);
	ilk_crash_forbid(iid);
	smp_store_release(&ilk_hooks[iid], hook);
	last_iid = iid;
	hooks_live++;
	return hook;
}

/*
 * Frees a hook that was never bound to a patch, or whose patch was restored a grace period ago.
 * Must be called with ilk_mutex held.
 */
void ilk_hook_free(struct ilk_hook *hook)
{
	WRITE_ONCE(ilk_hooks[hook->iid], NULL);
	WRITE_ONCE(ilk_gates[hook->iid], 0);
	hooks_live--;
	list_del(&hook->node);
	list_del(&hook->patch_node);
	list_del(&hook->move_node);
	if (hook->instrument)
		ilk_instrument_put(hook->instrument);
	ilk_recorder_sync();
	free_hook_cells(hook);
	kfree_rcu(hook, rcu);
}

/* ---- binding a hook to a patch and an instrument -------------------------- */

void ilk_hook_unbind(struct ilk_hook *hook)
{
	list_del_init(&hook->patch_node);
	list_del_init(&hook->move_node);
	hook->patch = NULL;
	if (hook->instrument)
		ilk_instrument_put(hook->instrument);
	hook->instrument = NULL;
}

static bool is_sane(const struct ilk_prepare_hook *item)
{
	u32 known = ILK_HOOK_COUNTER_NEAR | ILK_HOOK_GATED | ILK_HOOK_SAMPLES;

	return !(item->flags & ~known) && (!item->stop_ns || item->stop_ns > item->start_ns) &&
	       item->start_ns <= S64_MAX / 2 && item->stop_ns <= S64_MAX / 2;
}

/**
 * ilk_hook_bind() - give a hook its patch, instrument and times
 *
 * The patch must have been prepared in the same call, or must not have been armed since it was
 * prepared. A hook that has a patch keeps it until the new one replaces it.
 * Context: Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_hook_bind(struct ilk_client *client, const struct ilk_prepare_hook *item)
{
	struct ilk_patch *patch = ilk_patch_find(client, item->patch);
	struct ilk_hook *hook = ilk_hook_find(item->iid);
	struct ilk_instrument *instrument = NULL;

	if (!hook || hook->client != client || !patch || !is_sane(item) ||
	    ilk_intervals_use_hook(client, item->iid))
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_PREPARED || patch->scheduled)
		return ILK_REFUSAL_STATE;
	if (hook->patch)
		return ilk_switch_bind(hook, patch, item);
	if (item->instrument) {
		instrument = ilk_instrument_get(item->instrument);
		if (!instrument)
			return ILK_REFUSAL_INSTRUMENT;
	}
	hook->patch = patch;
	list_add_tail(&hook->patch_node, &patch->hooks);
	hook->instrument = instrument;
	hook->flags = item->flags;
	hook->start_ns = item->start_ns;
	hook->stop_ns = item->stop_ns;
	memcpy(hook->params, item->params, sizeof(hook->params));
	return ILK_REFUSAL_NONE;
}

/*
 * Per-CPU u64 cells in which the code of hooks counts.
 *
 * The per-CPU offset of a near cell fits %gs:disp32, so counting is one
 * instruction. A few cells are static, from a reserve of 8 KiB that all modules
 * share. More near cells come from the unused rest of the first chunk of the kernel's per-CPU
 * allocator, after the static data of the kernel. They are searched for when needed, and released
 * when none of them is used any longer. Far cells are allocated a page at a time; addressing one
 * costs a register.
 */

#define NEAR_STATIC	24
#define NEAR_CELLS	256
#define SEARCH_CELLS_MAX	2048	/* maximum number of counters (cells) allocated while
					 * searching for near ones, which %gs:disp32 can reach */
#define FAR_CELLS	(PAGE_SIZE / sizeof(u64))

/* A page of far cells, which are per-CPU counters that %gs:disp32 cannot reach. */
struct chunk {
	struct list_head node;
	u64 __percpu *cells;
	u32 used_count;
	DECLARE_BITMAP(used, FAR_CELLS);
};

static DEFINE_PER_CPU(u64[NEAR_STATIC], near_static);
static u64 __percpu *near_cells[NEAR_CELLS];	/* cells that %gs:disp32 can reach; the static
						 * cells come first */
static u32 near_count;
static bool searched;				/* near cells were searched for, and were not
						 * released since then */
static DECLARE_BITMAP(near_used, NEAR_CELLS);
static LIST_HEAD(chunks);

static void clear_cell(u64 __percpu *cell)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(cell, cpu) = 0;
}

static void free_chunk(struct chunk *chunk)
{
	list_del(&chunk->node);
	free_percpu(chunk->cells);
	kfree(chunk);
}

static struct chunk *get_chunk_with_room(void)
{
	struct chunk *chunk;

	list_for_each_entry(chunk, &chunks, node)
		if (chunk->used_count < FAR_CELLS)
			return chunk;

	chunk = kzalloc(sizeof(*chunk), GFP_KERNEL_ACCOUNT);
	if (!chunk)
		return NULL;
	chunk->cells = __alloc_percpu_gfp(FAR_CELLS * sizeof(u64), PAGE_SIZE,
					  GFP_KERNEL_ACCOUNT);
	if (!chunk->cells) {
		kfree(chunk);
		return NULL;
	}
	list_add(&chunk->node, &chunks);
	return chunk;
}

static bool is_near_cell(u64 __percpu *cell)
{
	return (unsigned long)cell == (unsigned long)(s32)(unsigned long)cell;
}

/*
 * Collects near cells, which are per-CPU counters that %gs:disp32 can reach. Uses GFP_NOWAIT, so
 * that the per-CPU allocator adds no memory: only memory that it already has can be near.
 */
static void find_near_cells(void)
{
	u64 __percpu **far = kvmalloc_array(SEARCH_CELLS_MAX, sizeof(*far), GFP_KERNEL);
	u64 __percpu *cell;
	u32 count = 0;

	searched = true;
	while (far && count < SEARCH_CELLS_MAX && near_count < NEAR_CELLS) {
		cell = __alloc_percpu_gfp(sizeof(u64), sizeof(u64), GFP_NOWAIT | __GFP_NOWARN);
		if (!cell)
			break;
		if (is_near_cell(cell))
			near_cells[near_count++] = cell;
		else
			far[count++] = cell;
		cond_resched();
	}
	while (count) {
		free_percpu(far[--count]);
		cond_resched();
	}
	kvfree(far);
}

static void free_near_cells(void)
{
	while (near_count > NEAR_STATIC)
		free_percpu(near_cells[--near_count]);
	searched = false;
}

static u64 __percpu *alloc_near_cell(void)
{
	unsigned long i;

	for (; near_count < NEAR_STATIC; near_count++)
		near_cells[near_count] = (u64 __percpu *)&near_static + near_count;
	i = find_first_zero_bit(near_used, near_count);
	if (i >= near_count && !searched)
		find_near_cells();
	if (i >= near_count)
		return NULL;
	__set_bit(i, near_used);
	return near_cells[i];
}

static void free_near_cell(u64 __percpu *cell)
{
	u32 i = 0;

	while (near_cells[i] != cell)
		i++;
	__clear_bit(i, near_used);
	if (bitmap_empty(near_used, NEAR_CELLS))
		free_near_cells();
}

/**
 * ilk_counter_alloc() - allocate a per-CPU counter (cell), which is zero on every CPU
 * @near: in: prefer a cell that %gs:disp32 can reach; out: the cell is one of these
 *
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
u64 __percpu *ilk_counter_alloc(bool *near)
{
	u64 __percpu *cell = *near ? alloc_near_cell() : NULL;
	struct chunk *chunk;
	unsigned long i;

	lockdep_assert_held(&ilk_mutex);
	*near = cell != NULL;
	if (!cell) {
		chunk = get_chunk_with_room();
		if (!chunk)
			return NULL;
		i = find_first_zero_bit(chunk->used, FAR_CELLS);
		__set_bit(i, chunk->used);
		chunk->used_count++;
		cell = chunk->cells + i;
	}
	clear_cell(cell);
	return cell;
}

void ilk_counter_free(u64 __percpu *cell, bool near)
{
	struct chunk *chunk;

	if (!cell)
		return;
	if (near) {
		free_near_cell(cell);
		return;
	}
	list_for_each_entry(chunk, &chunks, node) {
		if (cell < chunk->cells || cell >= chunk->cells + FAR_CELLS)
			continue;
		__clear_bit(cell - chunk->cells, chunk->used);
		list_move(&chunk->node, &chunks);	/* search this page first next time,
							 * because it probably has the next free
							 * cell */
		if (!--chunk->used_count)
			free_chunk(chunk);
		return;
	}
}

u64 ilk_counter_sum(u64 __percpu *cell)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(cell, cpu));
	return sum;
}

void ilk_counter_exit(void)
{
	struct chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &chunks, node)
		free_chunk(chunk);
	free_near_cells();
}
