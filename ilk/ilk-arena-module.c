// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-arena-module.c - more memory for code: ilk-arena-0.ko and so on are made from it
 *
 * The agent loads as many as a client needs, and unloads those that nobody uses any more:
 * ilk holds a module from the first slot that is handed out of it to the last that is freed.
 */
#include "ilk-arena.h"

ILK_ARENA(arena, ILK_ARENA_MODULE_BYTES, 256, 16);

static int __init ilk_arena_module_init(void)
{
	return ilk_arena_register(&arena);
}

static void __exit ilk_arena_module_exit(void)
{
	ilk_arena_unregister(&arena);
}

module_init(ilk_arena_module_init);
module_exit(ilk_arena_module_exit);
MODULE_DESCRIPTION("Gilk kernel driver: more memory for the code of patches");
MODULE_AUTHOR("The Gilk project");
MODULE_LICENSE("GPL");
