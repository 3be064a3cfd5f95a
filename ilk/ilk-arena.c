// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arena.c - a module that provides more memory for code
 *
 * The agent loads it as often as a client needs, and unloads instances that are
 * not in use: ilk pins a module from the first slot that is allocated in it
 * until the last slot is freed. When ilk registers an arena, it renames the module
 * (ilk_arena_0 and so on), so that the same file can be loaded again.
 */
#include "ilk-arena.h"

ILK_ARENA(arena, ILK_ARENA_MODULE_BYTES, 256, 16);

static int __init ilk_arena_init(void)
{
	return ilk_arena_register(&arena);
}

static void __exit ilk_arena_exit(void)
{
	ilk_arena_unregister(&arena);
}

module_init(ilk_arena_init);
module_exit(ilk_arena_exit);
MODULE_DESCRIPTION("Gilk kernel driver: more memory for the code of patches");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");
