/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-wire-watch.h - watchpoints: hooks on data, which use debug registers
 *
 * Part of gilk-wire.h; never included on its own.
 *
 * A watchpoint is a patch with GILK_TACTIC_BREAKPOINT and one hook. Its program runs after each access, in
 * the kernel's handler of debug exceptions. From ARM until it is disarmed it holds a debug register on
 * each CPU that it works on.
 *
 * A watchpoint with GILK_WATCH_MOVABLE holds its registers, but watches nothing until a program writes an
 * address to struct gilk_bpf_watch. The agent then moves the registers, unless it or the kernel refuses
 * the address.
 *
 * Accesses by the kernel's handlers of NMIs and of debug exceptions are not seen, as the kernel disables the
 * registers there. Accesses by a device, or through another mapping of the same memory, are not seen
 * either. The kernel does not run the program while another BPF program runs on the CPU: such accesses
 * are counted as missed.
 */
#ifndef GILK_WIRE_WATCH_H
#define GILK_WIRE_WATCH_H

#include <stdint.h>

#define GILK_WATCHES_MAX	4	/* number of debug registers per CPU */

enum gilk_watch_access {
	GILK_WATCH_WRITE	= 1,
	GILK_WATCH_ACCESS	= 2,	/* reads and writes: x86 lacks watchpoints for reads only */
	GILK_WATCH_EXECUTE	= 3,	/* execution of the instruction at @address, whose bytes
					 * are unchanged */
};

#define GILK_WATCH_PER_CPU	(1u << 0)	/* @address is the offset of a per-CPU variable;
						 * @cpu says whose copy */
#define GILK_WATCH_MOVABLE	(1u << 1)	/* @address is 0: the watchpoint watches nothing
						 * until its program sets an address */

#define GILK_WATCH_EACH_CPU	0xffffffffu	/* value of @cpu: each CPU watches its own copy
						 * of the variable */

#define GILK_WATCH_RATE_MAX	10000000u	/* maximum of @rate_limit */
#define GILK_WATCH_RATE		100000u		/* default of @rate_limit */

/**
 * struct gilk_watch_point - the data that a patch watches
 * @patch: id of a RESERVED patch, whose program runs at each access
 * @slot: number of the watchpoint, less than GILK_WATCHES_MAX; no other watchpoint of the session has it
 * @address: a multiple of @bytes; for EXECUTE, start of an instruction
 * @access: enum gilk_watch_access
 * @bytes: size of the data: 1, 2, 4 or 8; for EXECUTE always 8
 * @flags: GILK_WATCH_*
 * @cpu: with GILK_WATCH_PER_CPU: CPU of the copy, or GILK_WATCH_EACH_CPU; else 0
 * @rate_limit: accesses per second and CPU, up to GILK_WATCH_RATE_MAX. A CPU with more accesses pauses.
 *     0: GILK_WATCH_RATE, or a quarter of the CPU's time if that is less
 * @module: name of the module that has the data, zero-padded: the watchpoint ends when the module is
 *     unloaded. All zeros: none
 *
 * The payload of GILK_WATCH_BIND is an array of these. If one item is refused, no patch is bound.
 * CPUs that come online later are watched too, after up to GILK_WATCH_ONLINE_MS ms.
 */
struct gilk_watch_point {
	uint32_t patch;
	uint32_t slot;
	uint64_t address;
	uint32_t access;
	uint32_t bytes;
	uint32_t flags;
	uint32_t cpu;
	uint32_t rate_limit;
	uint32_t refusal;	/* out: enum ilk_refusal or enum gilk_bpf_refusal */
	int32_t error;		/* out: 0 or -errno */
	uint32_t pad;
	char module[GILK_EVENT_NAME_MAX];
};

#define GILK_WATCH_ONLINE_MS	100u

/**
 * struct gilk_bpf_watch - data of a watchpoint, in memory that its program and the agent share
 *
 * The first element belongs to all CPUs, each later element to one CPU.
 * @last: value at the last access: in the CPU's element with GILK_WATCH_EACH_CPU, else in the first.
 *     The agent sets it when the watchpoint starts and when it moves
 * @runs: CPU's element: number of accesses at which the program ran, including those while the hook
 *     was switched off
 * @spent_ns: CPU's element: time that the program took
 * @preempt_count: CPU's element: address of the CPU's preempt count; 0: unknown
 * @wanted, @asked_ns: first element: address that a program wants to watch, and the time at which it
 *     asked
 * @asked: first element: number of times that programs asked
 */
struct gilk_bpf_watch {
	uint64_t last;
	uint64_t runs;
	uint64_t spent_ns;
	uint64_t preempt_count;
	uint64_t wanted;
	uint64_t asked_ns;
	uint64_t asked;
	uint64_t pad;
};

enum gilk_watch_state {
	GILK_WATCH_READY	= 0,
	GILK_WATCH_LIVE		= 1,
	GILK_WATCH_STOPPED	= 2,	/* the watchpoint reached its stop time, or was disarmed */
	GILK_WATCH_GONE		= 3,	/* the module with the variable was unloaded */
};

struct gilk_watch_status {
	uint32_t iid;		/* in: iid of the watchpoint's hook */
	uint32_t state;		/* enum gilk_watch_state */
	uint64_t address;	/* the watched address; with GILK_WATCH_EACH_CPU, the address of
				 * CPU 0's copy; 0: nothing is watched */
	uint32_t cpus;		/* number of CPUs that have a debug register for this watchpoint */
	uint32_t blind;		/* number of online CPUs without a debug register for this
				 * watchpoint, because other users had all of them */
	uint64_t pauses;
	uint64_t paused_ns;	/* total length of pauses, summed over all CPUs */
	uint64_t value;		/* value at the last access, zero-extended; before the first one,
				 * the value at the start */
	uint64_t moves;		/* number of times that the watched address was changed, also to
				 * no address */
	uint64_t moves_refused;
	uint64_t move_ns;	/* duration of the last change of the watched address: from the
				 * program's request until all CPUs watched the new address */
	uint64_t move_ns_max;
	uint64_t refused_address;	/* address that a program last wanted to watch and that
					 * was refused */
	uint32_t move_refusal;	/* enum gilk_bpf_refusal: why that address was refused */
	uint32_t pad;
};

/* Context of the code that made the access. */
enum gilk_watch_context {
	GILK_CONTEXT_TASK	= 0,
	GILK_CONTEXT_SOFTIRQ	= 1,
	GILK_CONTEXT_HARDIRQ	= 2,
};

/**
 * struct gilk_watch_sample - sample of a watchpoint, if the user has not written a program for it
 * @ip: address of the next instruction, as the exception follows the access; with
 *     GILK_WATCH_EXECUTE, address of the instruction itself. A repeating instruction (rep movs)
 *     reports each step, with its own address as @ip
 * @value: current value, zero-extended; 0 with GILK_WATCH_EXECUTE
 * @before: @value of the previous access, on any CPU; for the first access, the
 *     value when the watchpoint started or moved there
 * @address: watched address
 */
struct gilk_watch_sample {
	uint64_t ip;
	uint64_t value;
	uint64_t before;
	uint64_t address;
	uint32_t pid;		/* process ID; 0: an idle task */
	uint32_t context;	/* enum gilk_watch_context */
	char comm[16];		/* name of the thread, NUL-padded */
};

_Static_assert(sizeof(struct gilk_watch_point) == 112, "gilk_watch_point changed size");
_Static_assert(sizeof(struct gilk_bpf_watch) == 64, "gilk_bpf_watch changed size");
_Static_assert(sizeof(struct gilk_watch_status) == 96, "gilk_watch_status changed size");
_Static_assert(sizeof(struct gilk_watch_sample) == 56, "gilk_watch_sample changed size");

#endif /* GILK_WIRE_WATCH_H */
