// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-reserved.c - finds bytes of text that the kernel itself writes or looks up
 *
 * The kernel writes the code of a static key or static call when it changes; a trap on a ud2 is
 * looked up by its address. The kernel's own check searches all of its tables each time, some
 * 100,000 entries, without giving up the CPU. The core kernel's tables do not change once it runs,
 * so sorted copies are cached here; tables of modules are searched.
 */
#include <linux/bug.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/static_call.h>

#include "ilk-check.h"
#include "ilk-compat.h"
#include "ilk-kernel.h"
#include "ilk-text.h"
#include "ilk.h"

enum kind {
	KIND_SHORT_JUMP,	/* 2-byte jump of a static key */
	KIND_JUMP,		/* 5-byte jump of a static key */
	KIND_CALL,		/* 5-byte call of a static call */
	KIND_BUG,		/* ud2 */
};

static const struct {
	u32 bytes;
	enum ilk_refusal refusal;
} kinds[] = {
	[KIND_SHORT_JUMP] = { 2, ILK_REFUSAL_JUMP_LABEL },
	[KIND_JUMP] = { 5, ILK_REFUSAL_JUMP_LABEL },
	[KIND_CALL] = { 5, ILK_REFUSAL_STATIC_CALL },
	[KIND_BUG] = { 2, ILK_REFUSAL_BUG },
};

#define BYTES_MAX	5
#define KIND_BITS	2

/*
 * Bytes of the core kernel that the kernel itself writes or looks up: (offset from @base) <<
 * KIND_BITS | kind, ascending.
 */
static u32 *reserved;
static size_t reserved_count;
static unsigned long base;

static unsigned long get_entry_address(u32 entry)
{
	return base + (entry >> KIND_BITS);
}

static enum kind get_entry_kind(u32 entry)
{
	return entry & ((1u << KIND_BITS) - 1);
}

static unsigned long get_call_address(const struct static_call_site *call)
{
	return (unsigned long)&call->addr + call->addr;
}

static unsigned long get_bug_address(const struct bug_entry *bug)
{
#ifdef CONFIG_GENERIC_BUG_RELATIVE_POINTERS
	return (unsigned long)&bug->bug_addr_disp + bug->bug_addr_disp;
#else
	return bug->bug_addr;
#endif
}

/*
 * Returns the kind of a static key's jump: KIND_SHORT_JUMP for a jmp rel8 or a 2-byte nop, else
 * KIND_JUMP. Must be called with jump_label_lock() held, so that no jump is half written.
 */
static enum kind get_jump_kind(const struct jump_entry *jump)
{
	u8 first = 0;

	ilk_text_read(jump_entry_code(jump), &first, 1);
	return first == JMP8 || first == 0x66 ? KIND_SHORT_JUMP : KIND_JUMP;
}

/* ---- reserved bytes of the core kernel -------------------------------------------- */

struct table {
	const char *start, *end;
	unsigned long from, to;
};

static int find_table(struct table *table)
{
	table->from = (unsigned long)ilk_kernel_data(table->start);
	table->to = (unsigned long)ilk_kernel_data(table->end);
	if (table->from && table->to)
		return 0;
	pr_err("ilk: not loaded: the tables of static keys, static calls and bugs are not among this kernel's symbols; it needs CONFIG_KALLSYMS_ALL\n");
	return -ENOENT;
}

static void add_entry(unsigned long address, enum kind kind)
{
	unsigned long offset = address - base;

	if (offset < 1ul << (32 - KIND_BITS))	/* a larger offset is in a section that is not
						 * text, so that it needs no check */
		reserved[reserved_count++] = offset << KIND_BITS | kind;
}

static int by_address(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	cond_resched();
	return x < y ? -1 : x > y;
}

static void collect_entries(const struct table *jumps, const struct table *calls,
			    const struct table *bugs)
{
	const struct static_call_site *call;
	const struct jump_entry *jump;
	const struct bug_entry *bug;

	ilk_kernel_jump_label_lock();
	for (jump = (void *)jumps->from; (unsigned long)jump < jumps->to; jump++, cond_resched())
		if (!jump_entry_is_init(jump))
			add_entry(jump_entry_code(jump), get_jump_kind(jump));
	ilk_kernel_jump_label_unlock();
	for (call = (void *)calls->from; (unsigned long)call < calls->to; call++, cond_resched())
		add_entry(get_call_address(call), KIND_CALL);
	for (bug = (void *)bugs->from; (unsigned long)bug < bugs->to; bug++, cond_resched())
		if (ilk_bug_is_at_trap(bug))
			add_entry(get_bug_address(bug), KIND_BUG);
	sort(reserved, reserved_count, sizeof(*reserved), by_address, NULL);
}

int ilk_reserved_init(void)
{
	struct table jumps = { "__start___jump_table", "__stop___jump_table" };
	struct table calls = { "__start_static_call_sites", "__stop_static_call_sites" };
	struct table bugs = { "__start___bug_table", "__stop___bug_table" };
	size_t room;

	base = (unsigned long)ilk_kernel_data("_stext");
	if (!base || find_table(&jumps) || find_table(&calls) || find_table(&bugs))
		return -ENOENT;
	room = (jumps.to - jumps.from) / sizeof(struct jump_entry) +
	       (calls.to - calls.from) / sizeof(struct static_call_site) +
	       (bugs.to - bugs.from) / sizeof(struct bug_entry);
	reserved = kvmalloc_array(room + 1, sizeof(*reserved), GFP_KERNEL);
	if (!reserved)
		return -ENOMEM;
	collect_entries(&jumps, &calls, &bugs);
	return 0;
}

void ilk_reserved_exit(void)
{
	kvfree(reserved);
}

static enum ilk_refusal check_core(unsigned long site, u32 len)
{
	size_t low = 0, high = reserved_count, middle;
	enum kind kind;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (get_entry_address(reserved[middle]) + BYTES_MAX <= site)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < reserved_count && get_entry_address(reserved[low]) < site + len; low++) {
		kind = get_entry_kind(reserved[low]);
		if (get_entry_address(reserved[low]) + kinds[kind].bytes > site)
			return kinds[kind].refusal;
	}
	return ILK_REFUSAL_NONE;
}

/* ---- reserved bytes of modules ------------------------------------------------------ */

static bool overlaps_entry(unsigned long address, enum kind kind, unsigned long site, u32 len)
{
	return address < site + len && address + kinds[kind].bytes > site;
}

static bool overlaps_jump(const struct module *mod, unsigned long site, u32 len)
{
	const struct jump_entry *jump = mod->jump_entries;
	bool hit = false;
	unsigned int i;

	ilk_kernel_jump_label_lock();
	for (i = 0; i < mod->num_jump_entries && !hit; i++, cond_resched())
		hit = overlaps_entry(jump_entry_code(&jump[i]), KIND_JUMP, site, len) &&
		      overlaps_entry(jump_entry_code(&jump[i]), get_jump_kind(&jump[i]), site, len);
	ilk_kernel_jump_label_unlock();
	return hit;
}

static enum ilk_refusal check_tables_of(const struct module *mod, unsigned long site, u32 len)
{
	unsigned int i;

	if (overlaps_jump(mod, site, len))
		return ILK_REFUSAL_JUMP_LABEL;
	for (i = 0; i < mod->num_static_call_sites; i++, cond_resched())
		if (overlaps_entry(get_call_address(&mod->static_call_sites[i]), KIND_CALL, site, len))
			return ILK_REFUSAL_STATIC_CALL;
	for (i = 0; i < mod->num_bugs; i++, cond_resched())
		if (ilk_bug_is_at_trap(&mod->bug_table[i]) &&
		    overlaps_entry(get_bug_address(&mod->bug_table[i]), KIND_BUG, site, len))
			return ILK_REFUSAL_BUG;
	return ILK_REFUSAL_NONE;
}

static enum ilk_refusal check_module(unsigned long site, u32 len)
{
	struct module *mod = ilk_kernel_module_get(site);
	enum ilk_refusal refusal;

	if (!mod)
		return ILK_REFUSAL_NOT_TEXT;
	refusal = check_tables_of(mod, site, len);
	module_put(mod);
	return refusal;
}

/**
 * ilk_reserved_check() - check whether the kernel itself uses these bytes
 * @site: first byte
 * @len: number of bytes
 * @core: the bytes are text of the core kernel, not of a module
 *
 * Context: Process context, sleeps. Caller holds ilk_mutex.
 */
enum ilk_refusal ilk_reserved_check(unsigned long site, u32 len, bool core)
{
	return core ? check_core(site, len) : check_module(site, len);
}
