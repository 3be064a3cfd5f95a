// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-watch-memory.c - finds out what may be watched, and reads watched values
 *
 * A debug register does no harm to the watched data, but a debug exception on the path to its own
 * handler restarts that path, on the same stack. The kernel refuses data that every machine reads
 * on that path; this file refuses data that a mitigation reads there on some machines only.
 *
 * The agent reads the kernel's memory by a BPF program, which reads one word: that works on all
 * memory, also of modules, and where /proc/kcore is closed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf-watch.h"
#include "gilkd-kallsyms.h"

#define KERNEL_FROM	0xff00000000000000ull	/* lowest address of the kernel's half */
#define WORD		8u

/*
 * Data that may not be watched: a symbol, an offset from it, and the number of bytes. The data are
 * per-CPU unless @global is set.
 */
static const struct {
	const char *name;
	uint32_t offset, bytes;
	bool global;
} denied[] = {
	/*
	 * Data that are read on entry to the debug exception, before the debug registers are
	 * disabled, or on exit from it, after they are enabled.
	 */
	{ "x86_spec_ctrl_current", 0, 8 }, { "__x86_call_depth", 0, 8 }, { "cpu_dr7", 0, 8 },
	{ "nmi_state", 0, 4 }, { "nmi_cr2", 0, 8 }, { "nmi_dr7", 0, 8 }, { "pcpu_hot", 0, 64 },
	{ "x86_pred_cmd", 0, 8, true },
	/* The stack canary, which the handler reads in its own prologue. */
	{ "fixed_percpu_data", 0x28, 8 }, { "__stack_chk_guard", 0, 8 },
	/* Data that are read while the CPU is on the stack of the debug exception. */
	{ "cpu_current_top_of_stack", 0, 8 },
};

#define DENIED_COUNT	(sizeof(denied) / sizeof(denied[0]))

/*
 * Code that may not be watched: the handler of debug exceptions returns through it, after the debug
 * registers are enabled. Each range is from the first symbol to the second.
 */
static const char * const denied_text[][2] = {
	{ "__indirect_thunk_start", "__indirect_thunk_end" },
	{ "srso_alias_safe_ret", NULL }, { "srso_alias_untrain_ret", NULL }, { "srso_alias_return_thunk", NULL },
	{ "srso_safe_ret", NULL }, { "srso_return_thunk", NULL }, { "retbleed_return_thunk", NULL },
	{ "its_return_thunk", NULL }, { "__x86_return_thunk", NULL },
};

#define TEXT_COUNT	(sizeof(denied_text) / sizeof(denied_text[0]))
#define THUNK_BYTES	64u	/* number of bytes that are denied at a symbol whose end is not
				 * known */

/* Indices of further symbols that are looked up: they follow those of @denied and @denied_text. */
enum { OFFSETS = DENIED_COUNT + 2 * TEXT_COUNT, PREEMPT_COUNT, TEXT_START, TEXT_END, SYMBOLS };

#define HOT_PREEMPT_COUNT	8u	/* offset of preempt_count in struct pcpu_hot */

/**
 * struct gilkd_bpf_watch_kernel - what the agent knows about the kernel's per-CPU memory
 * @reader: the program that reads a word
 * @word: map of the word and of an error number
 * @offsets: per-CPU offset of each possible CPU (the kernel's __per_cpu_offset[])
 * @symbols: what was looked up: denied data, the bounds of denied text, and the rest
 * @preempt_count: offset of the preempt count; 0: unknown
 */
struct gilkd_bpf_watch_kernel {
	int reader;
	struct gilkd_bpf_map word;
	uint64_t *offsets;
	struct gilkd_symbol symbols[SYMBOLS];
	uint64_t preempt_count;
};

/* ---- reading the kernel's memory ---- */

/*
 * Loads the BPF program that reads the word at the address that is its first argument. Returns 0 or
 * an errno.
 */
static int load_reader(struct gilkd_bpf_watch_kernel *kernel)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 3, .src_reg = 1 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 6, .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = kernel->word.fd },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 6 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = WORD },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 0, .off = WORD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	kernel->reader = gilkd_bpf_call_program((struct gilkd_bpf_program_type){ BPF_PROG_TYPE_RAW_TRACEPOINT },
						"gilk_read", insns, sizeof(insns) / sizeof(insns[0]), NULL, 0, 0);
	return kernel->reader < 0 ? -kernel->reader : 0;
}

/* Reads the word that contains @address. Returns false if nothing is mapped there. */
static bool find_word(const struct gilkd_bpf_watch_kernel *kernel, uint64_t address, uint64_t *out)
{
	volatile uint64_t *word = (volatile uint64_t *)kernel->word.at;

	*out = 0;
	address &= ~(uint64_t)(WORD - 1);
	if (gilkd_bpf_call_run(kernel->reader, &address, sizeof(address)) || word[1])
		return false;
	*out = word[0];
	return true;
}

/* Reads the word that contains @address. Returns 0 if nothing is mapped there. */
static uint64_t read_word(const struct gilkd_bpf_watch_kernel *kernel, uint64_t address)
{
	uint64_t word;

	find_word(kernel, address, &word);
	return word;
}

/*
 * Returns whether there is memory in the page of @address. Reads another word of the page, because
 * a watchpoint at @address may count the read.
 */
bool gilkd_bpf_watch_is_mapped(const struct gilkd_bpf *bpf, uint64_t address)
{
	uint64_t word;

	return find_word(bpf->watch_kernel, address ^ WORD, &word);
}

/* ---- facts about the kernel ---- */

static void free_kernel(struct gilkd_bpf_watch_kernel *kernel)
{
	if (kernel->reader >= 0)
		close(kernel->reader);
	gilkd_bpf_map_close(&kernel->word);
	free(kernel->offsets);
	free(kernel);
}

static void name_symbols(struct gilkd_symbol *symbols)
{
	uint32_t i;

	for (i = 0; i < DENIED_COUNT; i++)
		symbols[i].name = denied[i].name;
	for (i = 0; i < 2 * TEXT_COUNT; i++)
		symbols[DENIED_COUNT + i].name = denied_text[i / 2][i % 2];
	symbols[OFFSETS].name = "__per_cpu_offset";
	symbols[PREEMPT_COUNT].name = "__preempt_count";
	symbols[TEXT_START].name = "_stext";
	symbols[TEXT_END].name = "_etext";
}

static void find_preempt_count(struct gilkd_bpf_watch_kernel *kernel)
{
	uint32_t i;

	if (kernel->symbols[PREEMPT_COUNT].found)
		kernel->preempt_count = kernel->symbols[PREEMPT_COUNT].value;
	for (i = 0; i < DENIED_COUNT; i++)
		if (kernel->symbols[i].found && !strcmp(denied[i].name, "pcpu_hot"))
			kernel->preempt_count = kernel->symbols[i].value + HOT_PREEMPT_COUNT;
}

/*
 * Looks up symbols of the kernel, and reads the per-CPU offsets of all possible CPUs. Returns 0 or
 * an errno.
 */
static int learn(struct gilkd_bpf *bpf, struct gilkd_bpf_watch_kernel *kernel)
{
	uint32_t i;
	int error;

	name_symbols(kernel->symbols);
	error = gilkd_kallsyms_find(kernel->symbols, SYMBOLS);
	if (error)
		return error;
	if (!kernel->symbols[OFFSETS].value)	/* the kernel hides addresses */
		return EPERM;
	find_preempt_count(kernel);
	kernel->offsets = calloc(bpf->nr_cpus, sizeof(*kernel->offsets));
	if (!kernel->offsets)
		return ENOMEM;
	for (i = 0; i < bpf->nr_cpus; i++)
		if (!find_word(kernel, kernel->symbols[OFFSETS].value + WORD * i, &kernel->offsets[i]))
			return EPERM;
	return 0;
}

/*
 * Collects the facts about the kernel when they are needed for the first watchpoint. Returns 0 or
 * an errno.
 */
static int get_kernel(struct gilkd_bpf *bpf)
{
	struct gilkd_bpf_watch_kernel *kernel;
	int error;

	if (bpf->watch_kernel)
		return 0;
	kernel = calloc(1, sizeof(*kernel));
	if (!kernel)
		return ENOMEM;
	kernel->reader = kernel->word.fd = -1;
	error = gilkd_bpf_map_create(&kernel->word, "gilk_word", 2 * WORD);
	if (!error)
		error = gilkd_bpf_map_open(&kernel->word);
	if (!error)
		error = load_reader(kernel);
	if (!error)
		error = learn(bpf, kernel);
	if (error) {
		free_kernel(kernel);
		return error;
	}
	bpf->watch_kernel = kernel;
	return 0;
}

void gilkd_bpf_watch_forget(struct gilkd_bpf *bpf)
{
	if (bpf->watch_kernel)
		free_kernel(bpf->watch_kernel);
	bpf->watch_kernel = NULL;
}

/* ---- addresses and values ---- */

/*
 * Returns the memory that a watchpoint's program and the agent share: element 0 is for all CPUs,
 * element 1 + N for CPU N.
 */
struct gilk_bpf_watch *gilkd_bpf_watch_cell(const struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch,
					    uint32_t element)
{
	return (struct gilk_bpf_watch *)bpf->watches.at + (size_t)watch->point.slot * (1 + bpf->nr_cpus) + element;
}

/* Returns the address that a watchpoint watches on @cpu. */
uint64_t gilkd_bpf_watch_address(const struct gilkd_bpf *bpf, const struct gilk_watch_point *point, uint32_t cpu)
{
	if (point->flags & GILK_WATCH_MOVABLE)
		return GILKD_WATCH_NOWHERE;
	if (!(point->flags & GILK_WATCH_PER_CPU))
		return point->address;
	return point->address + bpf->watch_kernel->offsets[point->cpu == GILK_WATCH_EACH_CPU ? cpu : point->cpu];
}

static uint64_t read_value(struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch, uint64_t address)
{
	const uint32_t bits = 8 * watch->point.bytes;
	uint64_t value;

	if (watch->point.access == GILK_WATCH_EXECUTE || address == GILKD_WATCH_NOWHERE)
		return 0;
	value = read_word(bpf->watch_kernel, address) >> 8 * (address % WORD);
	return bits == 64 ? value : value & ((1ull << bits) - 1);
}

/*
 * Sets what the program finds in the memory that it shares with the agent when it first runs on
 * @cpu: the value at @address before the first access, and where the CPU's preempt count is.
 */
void gilkd_bpf_watch_set_last(struct gilkd_bpf *bpf, const struct gilkd_bpf_watch *watch, uint32_t cpu, uint64_t address)
{
	const struct gilkd_bpf_watch_kernel *kernel = bpf->watch_kernel;
	struct gilk_bpf_watch *cell = gilkd_bpf_watch_cell(bpf, watch, 1 + cpu);

	__atomic_store_n(&cell->preempt_count, kernel->preempt_count ? kernel->preempt_count + kernel->offsets[cpu] : 0,
			 __ATOMIC_RELAXED);
	if (!gilkd_bpf_watch_is_own(&watch->point))
		cell = gilkd_bpf_watch_cell(bpf, watch, 0);
	__atomic_store_n(&cell->last, read_value(bpf, watch, address), __ATOMIC_RELAXED);
}

/* ---- checks ---- */

static bool ranges_overlap(uint64_t address, uint32_t bytes, uint64_t other, uint32_t other_bytes)
{
	return address < other + other_bytes && other < address + bytes;
}

static bool is_denied_on(const struct gilkd_bpf_watch_kernel *kernel, uint32_t i, uint64_t base, uint64_t address, uint32_t bytes)
{
	return ranges_overlap(address, bytes, kernel->symbols[i].value + denied[i].offset + base, denied[i].bytes);
}

static bool is_denied(const struct gilkd_bpf *bpf, uint64_t address, uint32_t bytes)
{
	const struct gilkd_bpf_watch_kernel *kernel = bpf->watch_kernel;
	uint32_t cpu, i;

	for (i = 0; i < DENIED_COUNT; i++) {
		if (kernel->symbols[i].found && denied[i].global && is_denied_on(kernel, i, 0, address, bytes))
			return true;
		for (cpu = 0; kernel->symbols[i].found && !denied[i].global && cpu < bpf->nr_cpus; cpu++)
			if (is_denied_on(kernel, i, kernel->offsets[cpu], address, bytes))
				return true;
	}
	return false;
}

static bool is_denied_text(const struct gilkd_bpf_watch_kernel *kernel, uint64_t address)
{
	uint32_t i;

	for (i = 0; i < TEXT_COUNT; i++) {
		const struct gilkd_symbol *from = &kernel->symbols[DENIED_COUNT + 2 * i], *to = from + 1;

		if (from->found && address >= from->value &&
		    address < (to->found ? to->value : from->value + THUNK_BYTES))
			return true;
	}
	return false;
}

/* Returns a refusal if a watchpoint may not watch @address. Must follow a successful gilkd_bpf_watch_check(). */
uint32_t gilkd_bpf_watch_check_address(const struct gilkd_bpf *bpf, const struct gilk_watch_point *point, uint64_t address)
{
	const struct gilkd_bpf_watch_kernel *kernel = bpf->watch_kernel;
	const bool text = address >= kernel->symbols[TEXT_START].value && address < kernel->symbols[TEXT_END].value;

	if (address < KERNEL_FROM || address + point->bytes < address || (text && point->access != GILK_WATCH_EXECUTE))
		return GILK_BPF_REFUSED_WATCH_ADDRESS;
	if (point->access == GILK_WATCH_EXECUTE)
		return is_denied_text(kernel, address) ? GILK_BPF_REFUSED_WATCH_DENIED : ILK_REFUSAL_NONE;
	if (address % point->bytes)
		return GILK_BPF_REFUSED_WATCH_ALIGN;
	return is_denied(bpf, address, point->bytes) ? GILK_BPF_REFUSED_WATCH_DENIED : ILK_REFUSAL_NONE;
}

static bool is_valid_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Returns whether the members of an item do not contradict each other. */
static bool is_item_sane(const struct gilkd_bpf *bpf, const struct gilk_watch_point *point)
{
	const bool per_cpu = point->flags & GILK_WATCH_PER_CPU, moves = point->flags & GILK_WATCH_MOVABLE;

	if (point->slot >= GILK_WATCHES_MAX || point->pad || point->flags & ~(GILK_WATCH_PER_CPU | GILK_WATCH_MOVABLE) ||
	    !point->access || point->access > GILK_WATCH_EXECUTE || point->rate_limit > GILK_WATCH_RATE_MAX ||
	    memchr(point->module, '/', sizeof(point->module)) || point->module[sizeof(point->module) - 1] ||
	    point->module[0] == '.')
		return false;
	if (moves && (per_cpu || point->address))
		return false;
	if (!per_cpu)
		return !point->cpu;
	return point->access != GILK_WATCH_EXECUTE && (point->cpu < bpf->nr_cpus || point->cpu == GILK_WATCH_EACH_CPU);
}

/* Checks an item of WATCH_BIND, but not whether a debug register is free. Returns a refusal. */
uint32_t gilkd_bpf_watch_check(struct gilkd_bpf *bpf, const struct gilk_watch_point *point)
{
	uint32_t refusal = ILK_REFUSAL_NONE, cpu;
	int error;

	if (!is_item_sane(bpf, point))
		return ILK_REFUSAL_BAD_ITEM;
	if (!is_valid_size(point->bytes) || (point->access == GILK_WATCH_EXECUTE && point->bytes != WORD))
		return GILK_BPF_REFUSED_WATCH_ALIGN;
	error = get_kernel(bpf);
	if (error)
		return error == ENOMEM || error == EMFILE ? ILK_REFUSAL_TOO_MANY : ILK_REFUSAL_LOCKED_DOWN;
	if (point->flags & GILK_WATCH_MOVABLE)
		return ILK_REFUSAL_NONE;
	if (!gilkd_bpf_watch_is_own(point))
		return gilkd_bpf_watch_check_address(bpf, point, gilkd_bpf_watch_address(bpf, point, 0));
	for (cpu = 0; cpu < bpf->nr_cpus && !refusal; cpu++)
		refusal = gilkd_bpf_watch_check_address(bpf, point, gilkd_bpf_watch_address(bpf, point, cpu));
	return refusal;
}
