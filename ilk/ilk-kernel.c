// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-kernel.c - access to functions and data of the kernel that are not exported
 *
 * All symbols that are not exported are resolved here, at load; if one is
 * missing the driver does not load, and logs its name. kallsyms_lookup_name()
 * itself is found by a disabled kprobe, which never touches text.
 *
 * With IBT a function whose ENDBR was sealed must not be called through a
 * pointer. Each function found is therefore called through a thunk in the
 * arena: an ENDBR of our own, then a direct jump.
 */
#include <linux/cpu.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/extable.h>
#include <asm/insn.h>

#include "ilk-check.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-slot.h"
#include "ilk.h"

#define PAUSE_MAX	(HZ / 20 + 1L)	/* maximum pause before trying a kprobes lock again */

static struct {
	unsigned long (*kallsyms_lookup_name)(const char *name);
	int (*kallsyms_lookup_size_offset)(unsigned long addr, unsigned long *size,
					   unsigned long *offset);
	int (*core_kernel_text)(unsigned long addr);
	struct module *(*module_text_address)(unsigned long addr);
	bool (*within_kprobe_blacklist)(unsigned long addr);
	void (*jump_label_lock)(void);
	void (*jump_label_unlock)(void);
	int (*ftrace_text_reserved)(const void *start, const void *last);
	const struct exception_table_entry *(*search_exception_tables)(unsigned long addr);
	struct kprobe *(*get_kprobe)(void *addr);
	void *(*klp_find_ops)(void *function);
	struct mutex *klp_mutex;
	int (*wake_up_state)(struct task_struct *task, unsigned int states);
	unsigned long (*recover_probed_instruction)(u8 *buf, unsigned long addr);
	int (*insn_decode)(struct insn *insn, const void *bytes, int len, enum insn_mode mode);
	int (*kallsyms_on_each_symbol)(ilk_symbol_fn *fn, void *data);
	struct mutex *text_mutex, *kprobe_mutex;
	struct atomic_notifier_head *die_chain;
	const struct exception_table_entry *extable, *extable_end;
} kernel;

static const struct {
	const char *name;
	void *slot;
} functions[] = {
	{ "kallsyms_lookup_size_offset", &kernel.kallsyms_lookup_size_offset },
	{ "core_kernel_text", &kernel.core_kernel_text },
	{ "__module_text_address", &kernel.module_text_address },
	{ "within_kprobe_blacklist", &kernel.within_kprobe_blacklist },
	{ "jump_label_lock", &kernel.jump_label_lock },
	{ "jump_label_unlock", &kernel.jump_label_unlock },
	{ "ftrace_text_reserved", &kernel.ftrace_text_reserved },
	{ "search_exception_tables", &kernel.search_exception_tables },
	{ "get_kprobe", &kernel.get_kprobe },
	{ "wake_up_state", &kernel.wake_up_state },
	{ "recover_probed_instruction", &kernel.recover_probed_instruction },
	{ "insn_decode", &kernel.insn_decode },
	{ "kallsyms_on_each_symbol", &kernel.kallsyms_on_each_symbol },
};

static unsigned long find_lookup_name(void)
{
	struct kprobe probe = {
		.symbol_name = "kallsyms_lookup_name",
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long address;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return address;
}

static int resolve_symbol(const char *name, void *slot)
{
	unsigned long address = kernel.kallsyms_lookup_name(name);
	unsigned long thunk;

	if (!address) {
		pr_err("ilk: not loaded: this kernel has no symbol \"%s\", which the driver needs; it wants Linux 6.1 to 7.3 with CONFIG_KALLSYMS_ALL, and a newer Gilk may know others\n",
		       name);
		return -ENOENT;
	}
	thunk = ilk_arena_thunk(address);
	if (!thunk)
		return -ENOMEM;
	*(unsigned long *)slot = thunk;
	return 0;
}

/*
 * Returns the address of an optional kernel variable; NULL if this kernel lacks it.
 */
void *ilk_kernel_data(const char *name)
{
	return (void *)kernel.kallsyms_lookup_name(name);
}

/*
 * Returns a thunk (a jump in the arena through which a pointer can call any function) of an
 * optional kernel function; NULL if this kernel lacks the function, or if the arena is full.
 */
void *ilk_kernel_optional(const char *name)
{
	unsigned long address = kernel.kallsyms_lookup_name(name);

	return address ? (void *)ilk_arena_thunk(address) : NULL;
}

static void *find_data(const char *name)
{
	void *address = ilk_kernel_data(name);

	if (!address)
		pr_err("ilk: not loaded: this kernel has no symbol \"%s\"; it needs CONFIG_KALLSYMS_ALL\n",
		       name);
	return address;
}

int ilk_kernel_init(void)
{
	unsigned long address = find_lookup_name();
	int i, ret;

	if (!address) {
		pr_err("ilk: not loaded: kallsyms_lookup_name could not be found with a kprobe; the kernel needs CONFIG_KPROBES and CONFIG_KALLSYMS\n");
		return -ENOENT;
	}
	address = ilk_arena_thunk(address);
	if (!address)
		return -ENOMEM;
	kernel.kallsyms_lookup_name = (void *)address;

	for (i = 0; i < ARRAY_SIZE(functions); i++, cond_resched()) {
		ret = resolve_symbol(functions[i].name, functions[i].slot);
		if (ret)
			return ret;
	}
	kernel.text_mutex = find_data("text_mutex");
	kernel.kprobe_mutex = find_data("kprobe_mutex");
	kernel.die_chain = find_data("die_chain");
	kernel.extable = find_data("__start___ex_table");
	kernel.extable_end = find_data("__stop___ex_table");
	if (!kernel.text_mutex || !kernel.kprobe_mutex || !kernel.die_chain || !kernel.extable ||
	    !kernel.extable_end)
		return -ENOENT;
	kernel.klp_mutex = ilk_kernel_data("klp_mutex");
	address = kernel.kallsyms_lookup_name("klp_find_ops");
	kernel.klp_find_ops = address ? (void *)ilk_arena_thunk(address) : NULL;
	if (!ilk_kernel_knows_livepatch())
		pr_warn("ilk: what livepatch replaces cannot be seen on this kernel: clones will be refused\n");
	return 0;
}

/* Returns whether the driver can determine which functions are replaced by livepatches. */
bool ilk_kernel_knows_livepatch(void)
{
	return !IS_ENABLED(CONFIG_LIVEPATCH) || (kernel.klp_mutex && kernel.klp_find_ops);
}

/*
 * Returns whether a livepatch replaces the function at @site, or the driver cannot determine this
 * now. Must be called in process context.
 */
bool ilk_kernel_is_livepatched(unsigned long site)
{
	unsigned long size, offset;
	bool found;

	if (!IS_ENABLED(CONFIG_LIVEPATCH))
		return false;
	if (!kernel.kallsyms_lookup_size_offset(site, &size, &offset) ||
	    !mutex_trylock(kernel.klp_mutex))
		return true;
	found = kernel.klp_find_ops((void *)(site - offset));
	mutex_unlock(kernel.klp_mutex);
	return found;
}

void ilk_kernel_jump_label_lock(void)
{
	kernel.jump_label_lock();
}

void ilk_kernel_jump_label_unlock(void)
{
	kernel.jump_label_unlock();
}

/* Wakes a task that sleeps in one of @states. Returns whether the task was woken. */
int ilk_kernel_wake(struct task_struct *task, unsigned int states)
{
	return kernel.wake_up_state(task, states);
}

/*
 * Keeps other code from writing kernel text, and from registering or arming a
 * kprobe, until ilk_kernel_text_unlock(). Takes the locks in the order of kprobes
 * itself.
 *
 * The kprobe optimiser holds all three locks through an RCU-tasks grace period, so this waits
 * as long as a kernel thread is busy: ARM, DISARM, close() and the worker that starts due patches
 * then wait in TASK_IDLE, as do waiters for ilk_mutex. Gates are still flipped in time
 * (ilk-timer.c), and open() takes no lock.
 *
 * Must be called in process context with ilk_mutex held; may sleep.
 */
void ilk_kernel_text_lock(void)
{
	long pause = 1;

	lockdep_assert_held(&ilk_mutex);
	while (!mutex_trylock(kernel.kprobe_mutex)) {
		schedule_timeout_idle(pause);
		pause = min(2 * pause, PAUSE_MAX);
	}
	cpus_read_lock();
	mutex_lock(kernel.text_mutex);
}

void ilk_kernel_text_unlock(void)
{
	mutex_unlock(kernel.text_mutex);
	cpus_read_unlock();
	mutex_unlock(kernel.kprobe_mutex);
}

struct atomic_notifier_head *ilk_kernel_die_chain(void)
{
	return kernel.die_chain;
}

/*
 * Calls @fn for each symbol of the core kernel, including symbols that share a name.
 */
int ilk_kernel_each_symbol(ilk_symbol_fn *fn)
{
	return kernel.kallsyms_on_each_symbol(fn, NULL);
}

bool ilk_kernel_is_core_text(unsigned long addr)
{
	return kernel.core_kernel_text(addr);
}

/*
 * Finds the start of the symbol around @addr, and the distance to the next symbol.
 */
bool ilk_kernel_function(unsigned long addr, unsigned long *start, unsigned long *size)
{
	unsigned long offset;

	if (!kernel.kallsyms_lookup_size_offset(addr, size, &offset))
		return false;
	*start = addr - offset;
	return true;
}

/* Decodes the instruction at the start of @bytes. Returns 0 if the bytes are an instruction. */
int ilk_kernel_decode(struct insn *insn, const u8 *bytes, u32 len)
{
	return kernel.insn_decode(insn, bytes, len, INSN_MODE_KERN);
}

/*
 * Copies the MAX_INSN_SIZE bytes that were at @addr before kprobes wrote there.
 */
bool ilk_kernel_copy_unprobed(unsigned long addr, u8 *bytes)
{
	u8 room[MAX_INSN_SIZE];
	unsigned long found;

	preempt_disable();
	found = kernel.recover_probed_instruction(room, addr);
	preempt_enable();
	if (found == (unsigned long)room)
		memcpy(bytes, room, sizeof(room));
	return found;
}

/*
 * Returns the module with @addr in its text, or NULL; it cannot be unloaded
 * until module_put().
 */
struct module *ilk_kernel_module_get(unsigned long addr)
{
	struct module *mod;

	preempt_disable();
	mod = kernel.module_text_address(addr);
	if (mod && !try_module_get(mod))
		mod = NULL;
	preempt_enable();
	return mod;
}

/*
 * Returns whether the whole range is text of the core kernel or of one live module, excluding
 * init text.
 */
static bool is_text(unsigned long site, u32 len, struct module **target)
{
	unsigned long last = site + len - 1;
	struct module *mod;
	bool ok;

	*target = NULL;
	if (kernel.core_kernel_text(site))
		return kernel.core_kernel_text(last);

	preempt_disable();
	mod = kernel.module_text_address(site);
	ok = mod && mod == kernel.module_text_address(last) && mod->state == MODULE_STATE_LIVE &&
	     !within_module_init(site, mod) && !within_module_init(last, mod);
	preempt_enable();
	if (ok)
		*target = mod;
	return ok;
}

/*
 * Returns whether the site is still in this module, and the module is not being unloaded.
 */
bool ilk_kernel_is_live(unsigned long site, const struct module *mod)
{
	bool live;

	preempt_disable();
	live = kernel.module_text_address(site) == mod && mod->state == MODULE_STATE_LIVE;
	preempt_enable();
	return live;
}

/*
 * Cached results of within_kprobe_blacklist() for functions of the core kernel, because a call of
 * it is slow: for a name with a suffix ("x.isra.0") it may search all symbols. The results stay
 * valid because the core kernel's blacklist no longer grows.
 * @start 0: an empty item.
 */
static struct {
	unsigned long start;
	bool denied;
} verdicts[1024];

static bool is_blacklisted(unsigned long function, unsigned long site, bool core)
{
	unsigned int i = hash_long(function, ilog2(ARRAY_SIZE(verdicts)));

	lockdep_assert_held(&ilk_mutex);
	if (!core)
		return kernel.within_kprobe_blacklist(site);
	if (verdicts[i].start != function) {
		verdicts[i].denied = kernel.within_kprobe_blacklist(site);
		verdicts[i].start = function;
	}
	return verdicts[i].denied;
}

static bool has_endbr(const u8 *old, u32 len)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u32 i;

	for (i = 0; i + sizeof(endbr) <= len; i++)
		if (!memcmp(old + i, endbr, sizeof(endbr)))
			return true;
	return false;
}

static bool is_denied(unsigned long site, u32 len, const u8 *old, const struct module *target)
{
	unsigned long size, offset;

	if (ilk_arena_owns(target) || ilk_denied_has(site, len))
		return true;
	/*
	 * The bytes must be in one function: callers of the next function jump to its first
	 * byte.
	 */
	if (!kernel.kallsyms_lookup_size_offset(site, &size, &offset) || offset + len > size)
		return true;
	/* An ENDBR must not be overwritten: it is the target of indirect branches. */
	return is_blacklisted(site - offset, site, !target) || has_endbr(old, len);
}

/**
 * ilk_kernel_kprobe_in() - check whether a kprobe owns one of these bytes
 *
 * A kprobe up to 4 bytes before the site counts: it may be optimised to a 5-byte
 * jump. A kprobe that is unregistered counts until its bytes are out of text.
 * Context: Process context. The answer is final only under ilk_kernel_text_lock();
 *     without this lock, it can be used to refuse early.
 */
bool ilk_kernel_kprobe_in(unsigned long site, u32 len)
{
	unsigned long addr;
	bool found = false;

	preempt_disable();
	for (addr = site - 4; addr < site + len && !found; addr++)
		found = kernel.get_kprobe((void *)addr) != NULL;
	preempt_enable();
	return found;
}

/**
 * ilk_kernel_check_site() - check whether a patch may own these bytes
 * @site: first byte
 * @len: number of bytes
 * @old: bytes that the client expects at the site; searched for an ENDBR
 * @target: set to the module the site is in, NULL for the core kernel
 *
 * Context: Process context, may sleep.
 * Return: the refusal, or ILK_REFUSAL_NONE.
 */
enum ilk_refusal ilk_kernel_check_site(unsigned long site, u32 len, const u8 *old,
				       struct module **target)
{
	enum ilk_refusal refusal;

	if (site + len < site || !is_text(site, len, target))
		return ILK_REFUSAL_NOT_TEXT;
	if (is_denied(site, len, old, *target))
		return ILK_REFUSAL_DENIED;
	if (ilk_kernel_kprobe_in(site, len))
		return ILK_REFUSAL_KPROBE;
	refusal = ilk_reserved_check(site, len, !*target);
	if (refusal)
		return refusal;
	return kernel.ftrace_text_reserved((void *)site, (void *)(site + len - 1)) ?
	       ILK_REFUSAL_FTRACE : ILK_REFUSAL_NONE;
}

/**
 * ilk_kernel_check_clone() - check whether the function at @site may be cloned
 * @site: address in the function
 * @len: size of the footprint, which passed ilk_kernel_check_site(); 0: no footprint; @site is then
 * the function's address
 */
enum ilk_refusal ilk_kernel_check_clone(unsigned long site, u32 len)
{
	struct module *target;

	if (!is_text(site, 1, &target))
		return ILK_REFUSAL_NOT_TEXT;
	if (!len && (ilk_arena_owns(target) || ilk_denied_has(site, 1)))
		return ILK_REFUSAL_DENIED;
	if (target && is_livepatch_module(target))
		return ILK_REFUSAL_LIVEPATCH;
	return ilk_denied_clone(site) ? ILK_REFUSAL_DENIED : ILK_REFUSAL_NONE;
}

/* ---- fix-ups in the kernel's exception tables ----------------------------------- */

/*
 * Returns a bit mask of the bytes in a footprint at which an instruction has a fix-up in the
 * kernel's exception tables.
 */
u32 ilk_kernel_fault_mask(unsigned long site, u32 len)
{
	u32 i, mask = 0;

	for (i = 0; i < len; i++)
		if (kernel.search_exception_tables(site + i))
			mask |= 1U << i;
	return mask;
}

/**
 * ilk_kernel_check_faults() - check that all faults of a footprint are handled
 * @site: address of the footprint
 * @len: size of the footprint
 * @faults: @count entries of the patch; each entry that the kernel has for the footprint must
 *     match one of them
 * @count: number of entries
 */
enum ilk_refusal ilk_kernel_check_faults(unsigned long site, u32 len,
					 const struct ilk_fault *faults, u32 count)
{
	const struct exception_table_entry *entry;
	u32 i, k;

	for (i = 0; i < len; i++) {
		entry = kernel.search_exception_tables(site + i);
		if (!entry)
			continue;
		for (k = 0; k < count && faults[k].data != entry->data; k++)
			;
		if (k == count)
			return ILK_REFUSAL_EXTABLE;
	}
	return ILK_REFUSAL_NONE;
}

static bool has_fixup(const struct exception_table_entry *entry,
		      const struct exception_table_entry *end, unsigned long fixup, int data)
{
	for (; entry < end; entry++)
		if ((unsigned long)&entry->fixup + entry->fixup == fixup && entry->data == data)
			return true;
	return false;
}

/* Returns whether an exception-table entry of the kernel or of a live module has the fix-up @fixup
 * and the @data. */
bool ilk_kernel_is_fixup(unsigned long fixup, int data)
{
	const struct module *mod;
	bool found = false;

	if (kernel.core_kernel_text(fixup))
		return has_fixup(kernel.extable, kernel.extable_end, fixup, data);
	preempt_disable();
	mod = kernel.module_text_address(fixup);
	if (mod && !ilk_arena_owns(mod) && mod->state == MODULE_STATE_LIVE)
		found = has_fixup(mod->extable, mod->extable + mod->num_exentries, fixup, data);
	preempt_enable();
	return found;
}
