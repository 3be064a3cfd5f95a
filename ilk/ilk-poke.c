// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-poke.c - writes executable memory through one page of address space
 *
 * Kernel text, module text and the arena are mapped read-only. A write maps the
 * page that it changes at the window, on this CPU only and only during the write,
 * as the kernel's own text_poke() does with an address space of its own:
 *
 *   preemption off; the window's entry is set; invlpg; the bytes; the entry is cleared;
 *   invlpg; preemption on
 *
 * Between two writes none of our mappings makes text writable. Nothing is
 * allocated once the driver is loaded: an undo cannot fail for lack of memory.
 *
 * Only this CPU uses the window, so only its TLB matters. Another CPU may have
 * cached an entry by speculation: the first invlpg drops that entry before that
 * CPU writes.
 */
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "ilk-driver.h"
#include "ilk-report.h"
#include "ilk-text.h"
#include "ilk.h"

static void *window;
static pte_t *window_entry;

static struct page *get_text_page(unsigned long addr)
{
	if (addr >= MODULES_VADDR && addr < MODULES_END)
		return vmalloc_to_page((void *)addr);
	return pfn_to_page(__pa_symbol(addr) >> PAGE_SHIFT);
}

static void flush_window(void)
{
	asm volatile("invlpg (%0)" : : "r" (window) : "memory");
}

static void write_in_page(unsigned long addr, const u8 *bytes, u32 len)
{
	struct page *page = get_text_page(addr);
	u8 *at = (u8 *)window + offset_in_page(addr);

	if (!page)
		return;
	preempt_disable();
	set_pte(window_entry, pfn_pte(page_to_pfn(page), PAGE_KERNEL));
	flush_window();
	if (len == 1)
		WRITE_ONCE(*at, bytes ? *bytes : INT3);
	else if (bytes)
		memcpy(at, bytes, len);
	else
		memset(at, INT3, len);
	barrier();
	set_pte(window_entry, __pte(0));
	flush_window();
	preempt_enable();
}

/**
 * ilk_poke() - write executable memory
 * @addr: address in kernel text, in text of a module that cannot be unloaded now,
 *     or in the arena
 * @bytes: bytes to write; NULL: int3 throughout
 * @len: number of bytes; a single byte is written atomically; if there are more, another CPU
 *     may see only some of them written
 *
 * Writers of live text check that the bytes were written (ilk-text.c). No CPU is
 * synchronised here.
 *
 * Context: Process context. Caller holds ilk_mutex, as there is one window.
 */
void ilk_poke(unsigned long addr, const u8 *bytes, u32 len)
{
	static u8 before[PAGE_SIZE];
	u32 part;

	lockdep_assert_held(&ilk_mutex);
	for (; len; len -= part, addr += part, bytes = bytes ? bytes + part : NULL) {
		part = min_t(u32, len, PAGE_SIZE - offset_in_page(addr));
		if (bytes && copy_from_kernel_nofault(before, (void *)addr, part))
			return;
		write_in_page(addr, bytes, part);
		if (bytes)
			ilk_report_poke(addr, before, bytes, part);
	}
}

/**
 * ilk_poke_init() - allocate the page tables of the window, the address through which text is
 * written
 *
 * They stay allocated as long as the window does. The page that the window maps at first is
 * never written. Context: module init, before anything is written.
 */
int ilk_poke_init(void)
{
	struct page *page = ZERO_PAGE(0);
	unsigned int level;

	window = vmap(&page, 1, VM_MAP, PAGE_KERNEL_RO);
	if (!window)
		return -ENOMEM;
	window_entry = lookup_address((unsigned long)window, &level);
	if (!window_entry || level != PG_LEVEL_4K) {
		pr_err("ilk: not loaded: the kernel maps a single page in a way the driver does not know; please report this kernel\n");
		vunmap(window);
		return -EOPNOTSUPP;
	}
	set_pte(window_entry, __pte(0));
	return 0;
}

void ilk_poke_exit(void)
{
	vunmap(window);
}
