/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ilk-stacks.h - search of all stacks, for ilk-grace.c and ilk-retire.c */
#ifndef ILK_STACKS_H
#define ILK_STACKS_H

#include "ilk-internal.h"

#define ILK_HOLDERS_MAX	64
#define ILK_WORDS_MAX	256

/**
 * struct ilk_search - a search of all stacks for words that lead into the arena
 * @watched: granules to search for; new tasks can enter them only through
 *     others of them
 * @occupied: out: those of them that some task may return into
 * @reached: private to the caller
 * @places: in kernel text, ascending; NULL: none
 * @met: out: which of @places some task will continue at
 * @place_count: number of @places
 * @own_frame: frame of the worker that searches; its stack is read from there
 * @nudge: wake sleeping tasks that may return into them
 * @holder_count: out: number of @holders
 * @holders: out: the first tasks found, each with a granule of its own
 */
struct ilk_search {
	DECLARE_BITMAP(watched, ILK_ARENA_GRANULES);
	DECLARE_BITMAP(occupied, ILK_ARENA_GRANULES);
	DECLARE_BITMAP(reached, ILK_ARENA_GRANULES);
	const unsigned long *places;
	unsigned long *occupied_places;
	u32 place_count;
	unsigned long own_frame;
	bool wake_sleepers;
	u32 holder_count;
	struct ilk_holder holders[ILK_HOLDERS_MAX];
	/* private to ilk-stacks.c */
	bool hit, suspect;		/* set by the current task, by its stack */
	struct task_struct **batch;	/* references to examine next */
	int batch_room;
	struct task_struct **busy;
	u32 busy_count, busy_room;
	unsigned long words[ILK_WORDS_MAX];
};

bool ilk_stacks_search(struct ilk_search *search);

#endif
