// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-counter.c - per-CPU u64 cells in which emitted code counts
 *
 * The per-CPU offset of a near cell fits %gs:disp32, so counting is one
 * instruction. A few cells are static, from a reserve of 8 KiB that all modules
 * share. More near cells come from the unused rest of the per-CPU allocator's first chunk,
 * after the static data of the kernel. They are searched for when needed, and released when none of
 * them is used any longer. Far cells come from chunks of a page; addressing one costs a register.
 */
#include <linux/bitmap.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk.h"

#define NEAR_STATIC	24
#define NEAR_CELLS	256
#define SEARCH_CELLS_MAX	2048	/* maximum number of cells allocated in a search for near
					 * cells */
#define FAR_CELLS	(PAGE_SIZE / sizeof(u64))

struct chunk {
	struct list_head node;
	u64 __percpu *cells;
	u32 used_count;
	DECLARE_BITMAP(used, FAR_CELLS);
};

static DEFINE_PER_CPU(u64[NEAR_STATIC], near_static);
static u64 __percpu *near_cells[NEAR_CELLS];	/* the static cells come first */
static u32 near_count;
static bool searched;				/* a search was made since near cells were last
						 * released */
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
 * Collects near cells. Uses GFP_NOWAIT, which creates no chunk: only cells of existing chunks
 * can be near.
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
 * ilk_counter_alloc() - allocate a cell, zero on every CPU
 * @near: in: prefer a near cell; out: the cell is near
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
		list_move(&chunk->node, &chunks);	/* cells of the same chunk are usually
							 * freed next */
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
