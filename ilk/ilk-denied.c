// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-denied.c - functions that no patch may touch, by any tactic
 *
 * All tactics start with a trap. An int3 is not allowed:
 * - on the path from an int3 to our handler and back: each trap would cause another trap before it
 *   is handled, until the stack is full;
 * - in code that other tools attach to that path (the function tracer, and the probes
 *   of a trace event: perf's and BPF's), before or after the guard with which each of them
 *   stops its own recursion. Inside the guards, a trap nests only as often as there are guards;
 * - inside a guard, in a loop that restarts when another writer was faster: the
 *   trap causes one more write in each round;
 * - where a CPU that comes up, or wakes, does not have an IDT yet.
 *
 * No list of names is right for all kernels. So these paths are followed when
 * the driver is loaded, from their starting points, call by call, through the
 * kernel's own text; the probes of a trace event on the path are read from the table of that
 * event. Names only define where to start and where to stop (ilk-denied-rules.h).
 */
#include <linux/debugfs.h>
#include <linux/kallsyms.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/xarray.h>
#include <asm/insn.h>

#include "ilk-check.h"
#include "ilk-compat.h"
#include "ilk-denied-rules.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-text.h"
#include "ilk.h"

/* Sections that are never hooked; not every kernel has all of them. */
static const struct {
	const char *start, *end;
	bool needed;
} sections[] = {
	{ "__noinstr_text_start", "__noinstr_text_end", true },
	{ "__entry_text_start", "__entry_text_end", true },
	{ "__irqentry_text_start", "__irqentry_text_end", true },
	{ "__cpuidle_text_start", "__cpuidle_text_end" },
	{ "__kprobes_text_start", "__kprobes_text_end" },
	{ "__static_call_text_start", "__static_call_text_end" },
	{ "__indirect_thunk_start", "__indirect_thunk_end" },
};

struct denied {
	unsigned long start, end;	/* @end is exclusive */
	u32 flags;
};

static struct denied areas[ARRAY_SIZE(sections)];
static unsigned int area_count;
static struct denied *functions;		/* functions with DENY or NO_CLONE; ascending
						 * and disjoint */
static unsigned int function_count;

/*
 * Flags of each function known so far, keyed by address; used while paths are followed.
 */
static DEFINE_XARRAY(known);
#define PENDING	XA_MARK_0

/* ---- rules by the names of functions ------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct rule *)a)->name, ((const struct rule *)b)->name);
}

static struct rule *find_rule(const char *name, size_t length)
{
	size_t low = 0, high = ARRAY_SIZE(rules), middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strncmp(name, rules[middle].name, length) ?: -(int)!!rules[middle].name[length];
		if (!order)
			return &rules[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static u32 get_known_flags(unsigned long start)
{
	return xa_to_value(xa_load(&known, start) ?: xa_mk_value(0));
}

static int add_flags(unsigned long start, u32 flags)
{
	return xa_err(xa_store(&known, start, xa_mk_value(get_known_flags(start) | flags), GFP_KERNEL));
}

/*
 * Finds the rule of a symbol: "bpf_trace_run" also applies to "bpf_trace_run7", "x" to
 * "x.isra.0.cold".
 */
static ILK_SYMBOL_FN(on_symbol)
{
	size_t length = strcspn(name, ".");
	struct rule *rule;

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9' &&
	       !strncmp(name, "bpf_trace_run", 13))
		length--;
	rule = find_rule(name, length);
	if (!rule || !ilk_kernel_is_core_text(addr))
		return 0;
	rule->found = true;
	return add_flags(addr, (rule->flags & ~NEEDED) | (strstr(name + length, ".cold") ? COLD : 0));
}

/* ---- following calls from function to function ----------------------------------------- */

/*
 * Denies a function that a path leads to, and queues it to be followed unless
 * the path ends there.
 */
static int deny_function(unsigned long addr)
{
	unsigned long start, size;
	u32 flags;
	int ret;

	if (!ilk_kernel_is_core_text(addr) || !ilk_kernel_function(addr, &start, &size))
		return 0;
	flags = get_known_flags(start);
	if (flags & OUT || (flags & DENY && flags & (FOLLOWED | LAST)))
		return 0;
	ret = add_flags(start, DENY);
	if (!ret && !(flags & LAST))
		xa_set_mark(&known, start, PENDING);
	return ret;
}

/* One instruction, with its control flow. */
struct step {
	u32 at;
	u32 length;
	unsigned long target;	/* target of a direct call or jump; else 0 */
	bool call;
	bool falls;		/* execution may continue at the next instruction */
	bool filler;
	bool marked;
};

static bool is_lidt(const struct insn *insn)
{
	return insn->opcode.bytes[0] == 0x0f && insn->opcode.bytes[1] == 0x01 &&
	       X86_MODRM_REG(insn->modrm.value) == 3 && X86_MODRM_MOD(insn->modrm.value) != 3;
}

/*
 * Returns whether @insn is a WARN with text: the kernel puts such a trap in place of a static
 * call, and continues after it (7.1).
 */
static bool is_warn(const struct insn *insn)
{
	return insn->opcode.bytes[1] == 0xb9 && insn->prefixes.bytes[0] == 0x67 && X86_REX_W(insn->rex_prefix.value);
}

static void classify_insn(struct step *step, struct insn *insn, unsigned long at)
{
	u8 op = insn->opcode.bytes[0], second = insn->opcode.bytes[1];
	bool jump = op == JMP32 || op == JMP8;
	bool branch = (op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0 || (op == 0x0f && (second & 0xf0) == 0x80);

	step->length = insn->length;
	step->call = op == 0xe8;
	step->filler = op == INT3 || op == 0x90 || (op == 0x0f && second == 0x1f);
	step->falls = !jump && op != INT3 && op != 0xc3 && op != 0xc2 &&
		      !(op == 0x0f && (second == 0x0b || (second == 0xb9 && !is_warn(insn)))) &&
		      !(op == 0xff && X86_MODRM_REG(insn->modrm.value) >= 4 &&
			X86_MODRM_REG(insn->modrm.value) <= 5);
	step->target = step->call || jump || branch ?
		       at + insn->length + insn->immediate.value : 0;
	step->marked = is_lidt(insn);
}

/*
 * Returns all instructions of the function at @start, which the caller must kvfree(); NULL: no
 * memory.
 */
static struct step *read_function(unsigned long start, unsigned long size, u32 *count)
{
	struct step *steps = kvcalloc(size, sizeof(*steps), GFP_KERNEL);
	struct insn insn;
	u32 at = 0, n = 0;

	for (*count = 0; steps && at < size && ilk_decode(start + at, &insn); at += insn.length) {
		steps[n].at = at;
		classify_insn(&steps[n++], &insn, start + at);
	}
	*count = n;
	return steps;
}

static int follow_calls(unsigned long start)
{
	unsigned long size, ignored;
	struct step *steps;
	bool falls = true;
	int ret;
	u32 n, i;

	if (!ilk_kernel_function(start, &ignored, &size))
		return 0;
	ret = add_flags(start, FOLLOWED);
	steps = read_function(start, size, &n);
	if (!steps)
		return -ENOMEM;
	for (i = 0; i < n && !ret; i++) {
		if (steps[i].target && steps[i].target - start >= size)
			ret = deny_function(steps[i].target);
		/*
		 * Find out whether execution continues after the last instruction before the
		 * padding, that is, into the next function. A call at a function's end does not
		 * return.
		 */
		if (!steps[i].filler)
			falls = steps[i].falls && !steps[i].call;
	}
	if (!ret && falls)
		ret = deny_function(start + size);
	kvfree(steps);
	cond_resched();
	return ret;
}

static int follow_pending(void)
{
	unsigned long start;
	void *entry;
	int ret = 0;

	while (!ret && xa_marked(&known, PENDING)) {
		xa_for_each_marked(&known, start, entry, PENDING) {
			xa_clear_mark(&known, start, PENDING);
			ret = follow_calls(start);
			if (ret)
				break;
		}
	}
	return ret;
}

/* ---- functions that run on a CPU without an IDT ------------------------------------ */

static u32 find_step(const struct step *steps, u32 n, u32 at)
{
	u32 low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (steps[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Marks all instructions from which execution may reach an instruction that is already marked. */
static void mark_predecessors(struct step *steps, u32 n, unsigned long start, unsigned long size)
{
	bool more = true, leads;
	u32 i, to;

	while (more) {
		more = false;
		for (i = n; i-- > 0; ) {
			if (steps[i].marked)
				continue;
			leads = steps[i].falls && i + 1 < n && steps[i + 1].marked;
			if (!leads && steps[i].target - start < size) {
				to = find_step(steps, n, steps[i].target - start);
				leads = to < n && steps[to].marked;
			}
			steps[i].marked = leads;
			more |= leads;
		}
	}
}

static int deny_before_idt(unsigned long start)
{
	unsigned long size, ignored, callee;
	struct step *steps;
	bool found = false;
	int ret;
	u32 n, i;

	if (!ilk_kernel_function(start, &ignored, &size))
		return 0;
	ret = add_flags(start, DENY | FOLLOWED);
	steps = read_function(start, size, &n);
	if (!steps)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		callee = 0;
		if (steps[i].target && steps[i].target - start >= size)
			ilk_kernel_function(steps[i].target, &callee, &ignored);
		steps[i].marked |= callee && get_known_flags(callee) & LIDT;
		found |= steps[i].marked;
	}
	mark_predecessors(steps, n, start, size);
	for (i = 0; i < n && !ret; i++) {
		if (!steps[i].marked || !steps[i].target || steps[i].target - start < size ||
		    !ilk_kernel_function(steps[i].target, &callee, &ignored))
			continue;
		if (!(get_known_flags(callee) & LIDT))
			ret = deny_function(callee);
		else if (!(get_known_flags(callee) & FOLLOWED))
			ret = deny_before_idt(callee);
	}
	kvfree(steps);
	if (!ret && !found) {
		pr_err("ilk: not loaded: %pS is not seen to load an IDT, as it does in Linux 6.1 to 7.3\n",
		       (void *)start);
		ret = -EOPNOTSUPP;
	}
	return ret;
}

/*
 * Denies the cold part of a function that loads an IDT, as the cold part may run before the IDT is
 * loaded. If the cold part jumps back to the function, also denies the functions that the cold part
 * calls: they run without an IDT. If it never jumps back, it only makes a call that does not
 * return.
 */
static int deny_cold_before_idt(unsigned long start)
{
	unsigned long size, ignored;
	struct step *steps;
	bool back = false;
	int ret;
	u32 n, i;

	if (!ilk_kernel_function(start, &ignored, &size))
		return 0;
	ret = add_flags(start, DENY | FOLLOWED);
	steps = read_function(start, size, &n);
	if (!steps)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		back |= steps[i].target && steps[i].target - start >= size && !steps[i].call;
	for (i = 0; i < n && back && !ret; i++)
		if (steps[i].call && steps[i].target - start >= size)
			ret = deny_function(steps[i].target);
	kvfree(steps);
	return ret;
}

/* ---- functions that are probes of trace events ---------------------------- */

/*
 * Denies all functions that may be called as probes of the trace event @name.
 */
static int deny_event(const char *name)
{
	const struct trace_event_call *event;
	const struct bpf_raw_event_map *map;
	char symbol[KSYM_NAME_LEN];
	int ret = 0;

	snprintf(symbol, sizeof(symbol), "event_%s", name);
	event = ilk_kernel_data(symbol);
	if (event && event->class) {
		ret = deny_function((unsigned long)event->class->probe);
#ifdef CONFIG_PERF_EVENTS
		ret = ret ?: deny_function((unsigned long)event->class->perf_probe);
#endif
	}
	snprintf(symbol, sizeof(symbol), "__bpf_trace_tp_map_%s", name);
	map = ilk_kernel_data(symbol);
	if (!ret && map)
		ret = deny_function((unsigned long)map->bpf_func);
	snprintf(symbol, sizeof(symbol), "__traceiter_%s", name);
	return ret ?: deny_function((unsigned long)ilk_kernel_data(symbol));
}

static unsigned long get_call_site(const struct static_call_site *call)
{
	return (unsigned long)&call->addr + call->addr;
}

static unsigned long get_call_key(const struct static_call_site *call)
{
	return ((unsigned long)&call->key + call->key) & ~(unsigned long)STATIC_CALL_SITE_FLAGS;
}

/*
 * Denies the probes of the trace events that lie on denied paths. Finds an event by its static
 * call, whose key has the event's name.
 */
static int deny_events(void)
{
	static const char prefix[] = "__SCK__tp_func_";
	const struct static_call_site *call = ilk_kernel_data("__start_static_call_sites");
	const struct static_call_site *end = ilk_kernel_data("__stop_static_call_sites");
	char name[KSYM_SYMBOL_LEN];
	unsigned long start, size;
	int ret = 0;

	for (; call < end && !ret; call++, cond_resched()) {
		if (!ilk_kernel_function(get_call_site(call), &start, &size) ||
		    !(get_known_flags(start) & FOLLOWED))
			continue;
		sprint_symbol_no_offset(name, get_call_key(call));
		if (!strncmp(name, prefix, strlen(prefix)))
			ret = deny_event(name + strlen(prefix));
	}
	return ret;
}

/* ---- init and exit ------------------------------------------------------------------------ */

static int start_paths(void)
{
	unsigned long start;
	void *entry;
	int ret = 0;

	xa_for_each(&known, start, entry) {
		u32 flags = xa_to_value(entry);

		if (flags & FOLLOW)
			ret = deny_function(start);
		else if (flags & NO_IDT)
			ret = flags & COLD ? deny_cold_before_idt(start) : deny_before_idt(start);
		if (ret)
			break;
	}
	return ret;
}

/*
 * Follows all paths, and denies the functions on them. Repeats until nothing new is found, because
 * a probe of one event may lead to another event.
 */
static int follow_paths(void)
{
	int ret;

	do {
		ret = follow_pending() ?: deny_events();
	} while (!ret && xa_marked(&known, PENDING));
	return ret;
}

static int store_functions(void)
{
	unsigned long start, size, ignored;
	unsigned int room = 0;
	void *entry;

	xa_for_each(&known, start, entry)
		room++;
	functions = kvcalloc(room + 1, sizeof(*functions), GFP_KERNEL);
	if (!functions)
		return -ENOMEM;
	xa_for_each(&known, start, entry) {		/* ascending */
		if (!(xa_to_value(entry) & (DENY | NO_CLONE)) ||
		    !ilk_kernel_function(start, &ignored, &size))
			continue;
		functions[function_count].start = start;
		functions[function_count].end = start + size;
		functions[function_count++].flags = xa_to_value(entry);
	}
	return 0;
}

static int fail_missing_name(const char *name)
{
	pr_err("ilk: not loaded: this kernel has no \"%s\", where ways that must not trap begin in Linux 6.1 to 7.3; a newer Gilk may know it\n",
	       name);
	return -EOPNOTSUPP;
}

static int check_names(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].flags & NEEDED && !rules[i].found)
			return fail_missing_name(rules[i].name);
	return 0;
}

static int store_sections(void)
{
	unsigned long start, end;
	int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		start = (unsigned long)ilk_kernel_data(sections[i].start);
		end = (unsigned long)ilk_kernel_data(sections[i].end);
		if (!start || end <= start) {
			if (sections[i].needed)
				return fail_missing_name(sections[i].start);
			continue;
		}
		areas[area_count].start = start;
		areas[area_count++].end = end;
	}
	return 0;
}

/*
 * Prints the denied functions in the format of kprobes/blacklist, for tools that parse that file.
 */
static int denied_show(struct seq_file *file, void *unused)
{
	unsigned int i;

	for (i = 0; i < function_count; i++)
		if (functions[i].flags & DENY)
			seq_printf(file, "0x%px-0x%px\t%ps\n", (void *)functions[i].start,
				   (void *)functions[i].end, (void *)functions[i].start);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(denied);

int ilk_denied_init(void)
{
	int ret = store_sections();

	sort(rules, ARRAY_SIZE(rules), sizeof(*rules), by_name, NULL);
	ret = ret ?: ilk_kernel_each_symbol(on_symbol) ?: check_names() ?: start_paths() ?: follow_paths() ?:
	      store_functions();
	xa_destroy(&known);
	if (!ret)
		debugfs_create_file("denied", 0400, ilk_debugfs, NULL, &denied_fops);
	return ret;
}

void ilk_denied_exit(void)
{
	kvfree(functions);
}

static bool has_denied(unsigned long site, u32 len, u32 flags)
{
	unsigned int low = 0, high = function_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (functions[middle].end <= site)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < function_count && functions[low].start < site + len; low++)
		if (functions[low].flags & flags)
			return true;
	return false;
}

/* Returns whether the range contains a byte that must never be written. */
bool ilk_denied_has(unsigned long site, u32 len)
{
	unsigned int i;

	for (i = 0; i < area_count; i++)
		if (site < areas[i].end && site + len > areas[i].start)
			return true;
	return has_denied(site, len, DENY);
}

bool ilk_denied_clone(unsigned long site)
{
	return has_denied(site, 1, NO_CLONE);
}
