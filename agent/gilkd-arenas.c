// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-arenas.c - loads and unloads the driver's arena modules
 *
 * ilk alone has room for small sets of hooks. When a RESERVE finds no room, ilk-arena.ko is loaded,
 * as often as needed; ilk renames the instances to ilk_arena_0 and so on. ilk pins the instances
 * that are in use. After a session the agent unloads all other instances, whichever agent loaded
 * them: the instances of a session become unused only a grace period or more after the session's
 * end, and an agent that was killed leaves its instances loaded. Another agent may use the room
 * that this agent has just added, so RESERVE is tried several times.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-modules.h"

#define TRY_EVERY_MS	100
#define TRY_FOR_MS	5000

static bool is_arena_loaded(uint32_t n)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/ilk_arena_%u", n);
	return !access(path, F_OK);
}

/* Loads an arena module, which provides memory for code. Answers the request if this fails. */
static bool load_arena(struct gilkd_client *client)
{
	char path[256];
	int error;

	if (gilkd_module_file("ilk-arena", path, sizeof(path))) {
		gilkd_fail(client, ENOENT, "The driver has no room left for the code of these "
					   "hooks, and ilk-arena.ko, which adds room, is missing "
					   "for this kernel; install it beside ilk.ko, or plan "
					   "fewer hooks at once.");
		return false;
	}
	error = gilkd_module_load(&client->audit, path);
	/* EBUSY: another agent is loading an arena, which adds room too. */
	if (!error || error == EEXIST || error == EBUSY)
		return true;
	gilkd_fail_load(client, path, error);
	return false;
}

/**
 * gilkd_arenas_grow() - load arena modules with room for @missing bytes of code
 * @grown: set to the number of modules added; fewer than needed, or 0, once all ILK_ARENA_MODULES
 *     are loaded
 *
 * Returns false, with the request answered, if loading a module fails.
 */
bool gilkd_arenas_grow(struct gilkd_client *client, uint32_t missing, uint32_t *grown)
{
	uint32_t wanted = missing / ILK_ARENA_MODULE_BYTES + 1, n;

	*grown = 0;
	for (n = 0; n < ILK_ARENA_MODULES && *grown < wanted; n++) {
		if (is_arena_loaded(n))
			continue;
		if (!load_arena(client))
			return false;
		++*grown;
	}

	return true;
}

/*
 * Returns the total size, in bytes, of the arena modules (memory for code) that are not loaded but
 * may be.
 */
uint64_t gilkd_arenas_count_unloaded(void)
{
	char path[256];
	uint64_t bytes = 0;
	uint32_t n;

	if (gilkd_module_file("ilk-arena", path, sizeof(path)))
		return 0;
	for (n = 0; n < ILK_ARENA_MODULES; n++)
		if (!is_arena_loaded(n))
			bytes += ILK_ARENA_MODULE_BYTES;

	return bytes;
}

/*
 * Unloads all unused arena modules (memory for code). Returns whether any arena module is still
 * loaded.
 */
bool gilkd_arenas_unload(struct gilkd_audit *audit)
{
	char name[32];
	bool left = false;
	uint32_t n;

	for (n = 0; n < ILK_ARENA_MODULES; n++) {
		if (!is_arena_loaded(n))
			continue;
		snprintf(name, sizeof(name), "ilk_arena_%u", n);
		left |= gilkd_module_unload(audit, name) != 0;
	}

	return left;
}

/* Makes gilkd_arenas_tick() unload unused arena modules from now on, until a time limit. */
void gilkd_arenas_release(struct gilkd_arenas *arenas)
{
	arenas->next_ms = gilkd_now_ms();
	arenas->until_ms = arenas->next_ms + TRY_FOR_MS;
}

/* Returns when gilkd_arenas_tick() must next be called; UINT64_MAX: never. */
uint64_t gilkd_arenas_next_ms(const struct gilkd_arenas *arenas)
{
	return arenas->until_ms ? arenas->next_ms : UINT64_MAX;
}

void gilkd_arenas_tick(struct gilkd_arenas *arenas, struct gilkd_audit *audit)
{
	uint64_t now = gilkd_now_ms();

	if (!arenas->until_ms || now < arenas->next_ms)
		return;
	if (!gilkd_arenas_unload(audit) || now >= arenas->until_ms)
		arenas->until_ms = 0;
	arenas->next_ms = now + TRY_EVERY_MS;
}

/*
 * Calls gilkd_arenas_tick() until it has nothing left to do. Must be called before the agent
 * exits.
 */
void gilkd_arenas_end(struct gilkd_arenas *arenas, struct gilkd_audit *audit)
{
	static const struct timespec pause = { 0, TRY_EVERY_MS * 1000000l };

	for (;;) {
		gilkd_arenas_tick(arenas, audit);
		if (!arenas->until_ms)
			break;
		nanosleep(&pause, NULL);
	}
}
