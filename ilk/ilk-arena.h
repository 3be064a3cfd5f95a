/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-arena.h - memory that a module provides for code
 *
 * Code must be in the text of a module, within rel32 of all kernel and module
 * text, and its unwind and exception entries in tables of that module. ilk has
 * a small arena of its own; ilk-arena.ko provides more, and is loaded as often
 * as needed.
 */
#ifndef ILK_ARENA_H
#define ILK_ARENA_H

#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/objtool.h>
#include <linux/stringify.h>
#include <asm/extable.h>
#include <asm/orc_types.h>

#include "ilk-abi.h"
#include "ilk-compat.h"

#define ILK_ARENA_MODULE_GRANULES	(ILK_ARENA_MODULE_BYTES / ILK_GRANULE)

/**
 * struct ilk_arena - memory for code, and tables for it, provided by a module
 * @text: memory for code, divided into allocation units (granules) of ILK_GRANULE bytes
 * @granules: number of granules
 * @orc_ip: ILK_ORC_PER_GRANULE entries per granule, plus @orc_own for the
 *     module's own entries
 * @orc: as many entries as in @orc_ip
 * @faults: ILK_FAULTS_PER_GRANULE entries per granule, plus @faults_own for the
 *     module's own entries
 */
struct ilk_arena {
	/* external: set by ILK_ARENA(), constant after registration */
	struct module *owner;
	u8 *text;
	u32 granules;
	int *orc_ip;
	struct orc_entry *orc;
	u32 orc_own;
	struct exception_table_entry *faults;
	u32 faults_own;

	/* internal: used by ilk only; under ilk_mutex */
	u32 first;			/* index of this arena's first granule (allocation unit),
					 * counted over all arenas */
	u32 orc_first, faults_first;	/* index of the first table entry that belongs to a
					 * granule, not to the module's own code */
	u32 taken;			/* number of allocated granules */
	u32 next;			/* granule at which the next search starts */
	u32 too_many;			/* smallest number of granules that could not be
					 * allocated since granules were last freed; U32_MAX:
					 * none */
	bool leaving;
	DECLARE_BITMAP(used, ILK_ARENA_MODULE_GRANULES);
};

/*
 * Defines an arena called @name of @bytes, a number that the assembler can use
 * too. Kprobes are refused in the arena's section, which must be PROGBITS. In the file
 * the section consists of nops of 8 bytes, because objtool keeps a record per
 * instruction; ilk fills it with int3. The symbol does not have the type of a
 * function, because a function would have to end in a return.
 */
#define ILK_ARENA(name, bytes, orc_own_max, faults_own_max)				\
asm(".pushsection .kprobes.text, \"ax\", @progbits\n\t"					\
    ".balign 64\n"									\
    "ilk_arena_section:\n\t"								\
    ANNOTATE_NOENDBR "\n\t"								\
    ".fill " __stringify(bytes) " / 8, 8, 0x841f0f\n\t"	/* nopl 0(%rax,%rax,1) */	\
    ".popsection\n");									\
extern u8 ilk_arena_section[];								\
static int arena_orc_ip[(bytes) / ILK_GRANULE * ILK_ORC_PER_GRANULE + (orc_own_max)];	\
static struct orc_entry arena_orc[ARRAY_SIZE(arena_orc_ip)];				\
static struct exception_table_entry							\
	arena_faults[(bytes) / ILK_GRANULE * ILK_FAULTS_PER_GRANULE + (faults_own_max)];\
static_assert((bytes) <= ILK_ARENA_MODULE_BYTES);					\
static struct ilk_arena name = {							\
	.owner = THIS_MODULE,								\
	.text = ilk_arena_section,							\
	.granules = (bytes) / ILK_GRANULE,						\
	.orc_ip = arena_orc_ip,								\
	.orc = arena_orc,								\
	.orc_own = (orc_own_max),							\
	.faults = arena_faults,								\
	.faults_own = (faults_own_max),							\
}

int ilk_arena_register(struct ilk_arena *arena);
void ilk_arena_unregister(struct ilk_arena *arena);

#endif /* ILK_ARENA_H */
