// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * echo.c - writes everything that is written to kernel text a second time, to work around QEMU
 *
 * QEMU drops its translations of a byte before it stores the new byte (notdirty_write() in QEMU's
 * accel/tcg/cputlb.c). A CPU that translates in between keeps a translation of the old byte. It
 * then still executes the int3 of a jump label that was changed, and the kernel crashes, with or
 * without hooks. The second write stores the same bytes, which makes QEMU drop such translations.
 * The kernel makes all writes of live text by __text_poke(how, address, bytes, length), with
 * text_mutex held. This module probes the return of that function, where the mutex is still held.
 *
 * The handler of a probe must not sleep, but the kernel's text_poke() may sleep. Therefore this
 * module writes the bytes through a mapping of its own, as in ilk-poke.c.
 *
 * Parameter, under /sys/module/gilk_echo/parameters:
 *
 *   writes    read: number of writes repeated
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pgtable.h>
#include <linux/vmalloc.h>

struct write {
	unsigned long addr;
	size_t len;
};

static unsigned long writes;
static void *window;
static pte_t *window_entry;

static void flush_window(void)
{
	asm volatile("invlpg (%0)" : : "r" (window) : "memory");
}

static void write_again(unsigned long addr, size_t len)
{
	struct page *page = addr >= MODULES_VADDR && addr < MODULES_END ?
		vmalloc_to_page((void *)addr) : pfn_to_page(__pa_symbol(addr) >> PAGE_SHIFT);

	if (!page)
		return;
	set_pte(window_entry, pfn_pte(page_to_pfn(page), PAGE_KERNEL));
	flush_window();
	memcpy(window + offset_in_page(addr), (void *)addr, len);
	barrier();
	set_pte(window_entry, __pte(0));
	flush_window();
}

static int on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct write *write = (struct write *)instance->data;

	write->addr = regs->si;
	write->len = regs->cx;
	return 0;
}

/* Writes the bytes that the kernel has just written to text a second time. One window is enough for
 * all CPUs, because text_mutex is held. */
static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct write *write = (struct write *)instance->data;
	size_t part;

	for (; write->len; write->len -= part, write->addr += part) {
		part = min_t(size_t, write->len, PAGE_SIZE - offset_in_page(write->addr));
		write_again(write->addr, part);
	}
	writes++;
	return 0;
}
NOKPROBE_SYMBOL(flush_window);
NOKPROBE_SYMBOL(write_again);
NOKPROBE_SYMBOL(on_entry);
NOKPROBE_SYMBOL(on_return);

static struct kretprobe probe = {
	.kp.symbol_name = "__text_poke",
	.entry_handler = on_entry,
	.handler = on_return,
	.data_size = sizeof(struct write),
};

/* Maps the zero page for a moment, so that the window has page tables. The page is never
 * written. */
static int __init map_window(void)
{
	struct page *page = ZERO_PAGE(0);
	unsigned int level;

	window = vmap(&page, 1, VM_MAP, PAGE_KERNEL_RO);
	if (!window)
		return -ENOMEM;
	window_entry = lookup_address((unsigned long)window, &level);
	if (!window_entry || level != PG_LEVEL_4K) {
		vunmap(window);
		return -EOPNOTSUPP;
	}
	set_pte(window_entry, __pte(0));
	return 0;
}

static int __init echo_init(void)
{
	int err = map_window();

	if (err)
		return err;
	err = register_kretprobe(&probe);
	if (err)
		vunmap(window);
	return err;
}

static void __exit echo_exit(void)
{
	unregister_kretprobe(&probe);
	vunmap(window);
}

module_init(echo_init);
module_exit(echo_exit);
module_param(writes, ulong, 0444);
MODULE_DESCRIPTION("Gilk: writes text twice, for emulated CPUs");
MODULE_LICENSE("GPL");
