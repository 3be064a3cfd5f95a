/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-stacks.h - a look through all stacks, which ilk-grace.c and ilk-retire.c ask for
 */
#ifndef ILK_STACKS_H
#define ILK_STACKS_H

#include "ilk-internal.h"

#define ILK_HOLDERS_MAX	64
#define ILK_WORDS_MAX	256

/**
 * struct ilk_search - a look through all stacks for what leads into the arena
 * @watched: granules that no new task can come into but by way of others of them
 * @own_frame: of the worker that asks; its stack is read from there
 * @places: in kernel text, ascending, @place_count of them: NULL none
 * @nudge: wake those that are found asleep in between
 * @occupied: out: which of them some task may return into
 * @met: out: which of @places some task will go on at
 * @holders: out: the first tasks found, each with a granule of its own
 * @reached: the asker's
 */
struct ilk_search {
	DECLARE_BITMAP(watched, ILK_ARENA_GRANULES);
	DECLARE_BITMAP(occupied, ILK_ARENA_GRANULES);
	DECLARE_BITMAP(reached, ILK_ARENA_GRANULES);
	const unsigned long *places;
	unsigned long *met;
	u32 place_count;
	unsigned long own_frame;
	bool nudge;
	u32 holder_count;
	struct ilk_holder holders[ILK_HOLDERS_MAX];
	/* ilk-stacks.c's own */
	bool hit, suspect;		/* by the task at hand, by its stack */
	struct task_struct **batch;	/* references to look at next */
	int batch_room;
	struct task_struct **busy;
	u32 busy_count, busy_room;
	unsigned long words[ILK_WORDS_MAX];
};

bool ilk_stacks_search(struct ilk_search *search);

#endif
