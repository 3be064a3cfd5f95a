/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-retire.h - waits until no thread can be in a patch, or return into it
 *
 * ilk-grace.c waits for running threads, ilk-retire.c for threads that may return, by searching all
 * stacks. Their lists are under ilk_mutex; a pass of ilk-retire.c searches without this lock.
 */
#ifndef ILK_RETIRE_H
#define ILK_RETIRE_H

#include <linux/bitmap.h>
#include <linux/types.h>

#include "ilk-patch.h"
#include "ilk-slot.h"

struct ilk_patch_status;

/* ---- ilk-grace.c: grace periods of patches ---- */

void ilk_grace_exit(void);
void ilk_grace_queue(struct ilk_patch *patch);
void ilk_grace_add_orphan(struct ilk_patch *patch);

/* ---- ilk-retire.c: patches that tasks may return into ---- */

void ilk_retire_hold(struct ilk_patch *patch);
void ilk_retire_release(struct ilk_patch *patch);
void ilk_retire_queue(struct ilk_patch *patch);
void ilk_retire_start_pass(void);
void ilk_retire_expedite(void);
void ilk_retire_exit(void);
int ilk_retire_find_leads(struct ilk_patch *patch, const u8 *code, u32 len);
void ilk_retire_clear_leads(struct ilk_patch *patch);
void ilk_retire_status(const struct ilk_patch *patch, struct ilk_patch_status *status);

/* ---- ilk-visit.c: waiting for CPUs and tasks ---- */

int ilk_visit_init(void);
void ilk_visit_exit(void);
void ilk_visit_all(void);
void ilk_visit_cpu(int cpu, void (*act)(void *data), void *data);
void ilk_visit_tasks(void);

/* ---- ilk-exits.c: tasks that exit ---- */

void ilk_exits_init(void);
bool ilk_exits_are_known(void);
int ilk_exits_get(int cpu, struct task_struct **tasks, int room);
void ilk_exits_wait(void);

/* ---- ilk-stacks.c: search of all stacks ---- */

#define ILK_HOLDERS_MAX	64
#define ILK_WORDS_MAX	256

/**
 * struct ilk_search - a search of all stacks for words that lead into the arena
 * @watched: granules (units of arena memory) to search for; tasks can newly enter them only through
 *     other watched granules
 * @occupied: out: watched granules that some task may return into
 * @reached: private to the caller
 * @places: addresses in kernel text, ascending; NULL: none
 * @occupied_places: out: bit mask of @places at which some task will continue
 * @place_count: number of @places
 * @own_frame: frame of the worker that searches; the worker's stack is searched from this frame
 *     on
 * @wake_sleepers: in: also wake sleeping tasks that may return into @watched
 * @holder_count: out: number of @holders
 * @holders: out: the first tasks found, each with another granule
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
	bool hit, suspect;		/* hit: the current task may return into @watched;
					 * suspect: its stack contains an address in @watched,
					 * which may be stale */
	struct task_struct **batch;	/* references to the tasks to examine next */
	int batch_room;
	struct task_struct **busy;
	u32 busy_count, busy_room;
	unsigned long words[ILK_WORDS_MAX];
};

void ilk_stacks_init(void);
bool ilk_stacks_search(struct ilk_search *search);

#endif /* ILK_RETIRE_H */
