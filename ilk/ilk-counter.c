// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-counter.c - per-CPU u64 cells that emitted code counts in
 *
 * Near cells are static: their per-CPU offset fits %gs:disp32, so counting is
 * one instruction. All modules share a reserve of 8 KiB for such data, hence
 * few of them. Far cells come from chunks of a page; reaching one costs a
 * register.
 */
#include <linux/bitmap.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "ilk-internal.h"

#define NEAR_CELLS	256
#define FAR_CELLS	(PAGE_SIZE / sizeof(u64))

struct chunk {
	struct list_head node;
	u64 __percpu *cells;
	u32 used_count;
	DECLARE_BITMAP(used, FAR_CELLS);
};

static DEFINE_PER_CPU(u64[NEAR_CELLS], near_cells);
static DECLARE_BITMAP(near_used, NEAR_CELLS);
static LIST_HEAD(chunks);

static void clear_cell(u64 __percpu *cell)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(cell, cpu) = 0;
}

static struct chunk *chunk_with_room(void)
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

static u64 __percpu *near_alloc(void)
{
	unsigned long i = find_first_zero_bit(near_used, NEAR_CELLS);

	if (i >= NEAR_CELLS)
		return NULL;
	__set_bit(i, near_used);
	return (u64 __percpu *)&near_cells + i;
}

/**
 * ilk_counter_alloc() - a cell, zero on every CPU
 * @near: in: wants a near one; out: got one
 * Context: Process context, may sleep. Caller holds ilk_mutex.
 */
u64 __percpu *ilk_counter_alloc(bool *near)
{
	u64 __percpu *cell = *near ? near_alloc() : NULL;
	struct chunk *chunk;
	unsigned long i;

	lockdep_assert_held(&ilk_mutex);
	*near = cell != NULL;
	if (!cell) {
		chunk = chunk_with_room();
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
		__clear_bit(cell - (u64 __percpu *)&near_cells, near_used);
		return;
	}
	list_for_each_entry(chunk, &chunks, node) {
		if (cell < chunk->cells || cell >= chunk->cells + FAR_CELLS)
			continue;
		__clear_bit(cell - chunk->cells, chunk->used);
		chunk->used_count--;
		list_move(&chunk->node, &chunks);	/* its neighbours follow, as a rule */
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

	list_for_each_entry_safe(chunk, next, &chunks, node) {
		free_percpu(chunk->cells);
		kfree(chunk);
	}
}
