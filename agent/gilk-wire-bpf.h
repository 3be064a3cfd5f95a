/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-wire-bpf.h - hooks by the kernel's own means: BPF programs at kprobes, entries of functions and
 * uprobes
 *
 * Part of gilk-wire.h; never included on its own.
 *
 * After GILK_USE with GILK_WAY_BPF, the requests about hooks, counters, memory, clocks and samples
 * have the same payloads as for the driver, but the agent serves them with BPF maps and programs,
 * which need no module. The patch of a PREPARE then has a GILK_TACTIC_* from below, no footprint
 * and no unwind or fault entries, and its code is an array of struct bpf_insn. All maps, programs
 * and probes belong to descriptors of the agent, so that the kernel removes them if the agent dies.
 *
 *   RESERVE   hands out ids; @slot is 0
 *   USER_BIND gives patches their instructions in a program
 *   EVENT_BIND, WATCH_BIND
 *             give patches their tracepoint or timer, or the data that they watch
 *   PREPARE   loads the programs, which the kernel's verifier checks
 *   ARM       attaches all of them, or none
 *   DISARM    detaches them; the kernel takes uprobes out of processes later
 *
 * The "tsc" of this way is CLOCK_MONOTONIC in ns, so its @tsc_khz is 1,000,000.
 *
 * Maps are arrays of one element, which the agent maps into its own memory. In the code a map is
 * named by a handle: BPF_LD | BPF_IMM | BPF_DW with src_reg BPF_PSEUDO_MAP_VALUE, @imm of the first
 * half a GILK_BPF_HANDLE, and @imm of the second half an offset in the element. The agent replaces
 * the handle by the map's descriptor. A load with src_reg BPF_PSEUDO_MAP_FD names an event counter
 * by its key (GILK_EVENT_KEY()), low half first, which EVENTS must have created. In such a load,
 * src_reg 0 means a plain number; the agent refuses code with any other src_reg.
 *
 *   GILK_BPF_COUNTERS  index: block of hooks. struct gilk_bpf_counter[nr_cpus][hooks of the block]
 *   GILK_BPF_GATES     index 0: u8[hooks_max + 1], by iid: 1 if the hook is on
 *   GILK_BPF_RING      index 0: one ring per CPU, GILK_BPF_RING_STRIDE apart
 *   GILK_BPF_GUARDS    index 0: u64[nr_cpus]: 1 while a program on the CPU changes areas in steps
 *   GILK_BPF_AREA      index: id of an area. u8[bytes], or u8[nr_cpus][bytes] with ILK_AREA_PER_CPU
 *   GILK_BPF_STACK     index 0: struct gilk_bpf_stack[nr_cpus]
 *   GILK_BPF_WATCHES   index 0: struct gilk_bpf_watch[GILK_WATCHES_MAX][1 + nr_cpus], by slot
 *
 * nr_cpus is INFO's: one more than the highest number of a possible CPU.
 */
#ifndef GILK_WIRE_BPF_H
#define GILK_WIRE_BPF_H

#include <stdint.h>

enum gilk_way {
	GILK_WAY_ILK	= 0,	/* hooks by the driver (/dev/ilk) */
	GILK_WAY_BPF	= 1,	/* hooks by the kernel's own probes, with BPF programs */
};

/*
 * Payload of GILK_USE, with which the client chooses how hooks get into the kernel. Fails with
 * EBUSY while hooks or memory are reserved, and with ENOSYS and the reason if the machine does not
 * support @way.
 */
struct gilk_use {
	uint32_t way;		/* enum gilk_way */
	uint32_t pad;
	uint64_t ring_bytes;	/* GILK_WAY_BPF: size of one CPU's ring, a power of two; 0: default.
				 * SAMPLES_START must ask for the same size, or 0 */
};

/*
 * Bit of @features in the answer to INFO: programs can be attached to entries of functions
 * (GILK_TACTIC_FENTRY). Not set on kernels that may preempt tasks anywhere: hits of other tasks are
 * missed while a task is preempted in such a program.
 */
#define GILK_BPF_ENTRIES	(1ull << 0)

/* How a BPF program gets to its probe point: tactics in addition to those of enum ilk_tactic. */
enum gilk_bpf_tactic {
	GILK_TACTIC_KPROBE	= 16,	/* a kprobe at address @site; the program gets struct
					 * pt_regs */
	GILK_TACTIC_UPROBE	= 17,	/* a uprobe at the instruction that USER_BIND names; the
					 * program gets the struct pt_regs of the process. @site
					 * is not used, but STATUS reports it */
	GILK_TACTIC_TRACEPOINT	= 18,	/* a tracepoint, which GILK_EVENT_BIND names; the program
					 * gets the tracepoint's arguments, a u64 each */
	GILK_TACTIC_TIMER	= 19,	/* a timer, which GILK_EVENT_BIND describes; the program
					 * gets struct bpf_perf_event_data, which starts with
					 * struct pt_regs */
	GILK_TACTIC_BREAKPOINT	= 20,	/* a hardware breakpoint, which GILK_WATCH_BIND
					 * describes; the program gets struct
					 * bpf_perf_event_data: the registers after the access,
					 * and in @addr the watched address */
	GILK_TACTIC_FENTRY	= 21,	/* the entry of a function of the kernel itself, not of a
					 * module; @aux is its id in the kernel's BTF. @site is
					 * not used, but STATUS reports it. The program gets the
					 * context of BPF_TRACE_FENTRY, from which
					 * bpf_get_func_arg() reads arguments */
	GILK_BPF_TACTICS_END
};

/*
 * Flag of a patch at the first instruction of a function: the patch may join others with equal
 * code, so that they share one BPF program. The program gets the iid of the patch's only hook from
 * bpf_get_attach_cookie(), and checks the hook's gate, the byte in GILK_BPF_GATES that switches the
 * hook on and off. So the hook must have ILK_HOOK_GATED, unless the program of another hook writes
 * the gate.
 */
#define GILK_PATCH_JOINS	(1u << 16)
/* Returns whether a patch with this tactic is a BPF program. */
static inline int gilk_tactic_is_bpf(uint32_t tactic)
{
	return tactic >= GILK_TACTIC_KPROBE && tactic < GILK_BPF_TACTICS_END;
}

/*
 * Kinds of events. An event is a probe point without an address: its patch is prepared with @site
 * 0. GILK_EVENT_BIND binds one event to each listed patch, which must be RESERVED and have no event
 * yet; if one item is refused, no event is bound. Malformed items get ILK_REFUSAL_BAD_ITEM. Only
 * ARM checks whether the kernel has the tracepoint.
 */
enum gilk_event_kind {
	GILK_EVENT_TRACEPOINT	= 1,	/* tracepoint @name: "sched_switch", without the "sched:" of
					 * its system */
	GILK_EVENT_PROFILE	= 2,	/* timer: @amount hits per second on each CPU that is online
					 * at ARM */
	GILK_EVENT_INTERVAL	= 3,	/* timer: a hit every @amount ns, on one CPU */
};

#define GILK_EVENT_NAME_MAX	64u		/* size of a name, including its final 0 */
#define GILK_EVENT_HZ_MAX	100000u
#define GILK_EVENT_NS_MIN	10000u		/* minimum interval, because perf does not
						 * support faster timers */
#define GILK_EVENT_NS_MAX	86400000000000ull
#define GILK_EVENTS_BIND_MAX	8192u		/* maximum number of events per GILK_EVENT_BIND */

struct gilk_event_point {
	uint32_t patch;
	uint32_t kind;		/* enum gilk_event_kind */
	uint64_t amount;
	char name[GILK_EVENT_NAME_MAX];	/* tracepoint: a C identifier, zero-padded; timer: all
					 * zeros */
	uint32_t refusal;	/* answer */
	int32_t error;
};

#define GILK_BPF_HANDLE(kind, index)	((uint32_t)(kind) << 24 | (index))

enum gilk_bpf_map {
	GILK_BPF_COUNTERS	= 1,
	GILK_BPF_GATES		= 2,
	GILK_BPF_RING		= 3,
	GILK_BPF_AREA		= 4,
	GILK_BPF_GUARDS		= 5,
	GILK_BPF_STACK		= 6,
	GILK_BPF_WATCHES	= 7,
};

#define GILK_BPF_BLOCK		1024u		/* number of hooks whose counters are in block 0,
						 * the first map of counters */
#define GILK_BPF_BLOCKS		7u
#define GILK_BPF_HOOKS_MAX	65535u
#define GILK_BPF_INSNS_MAX	65536u		/* maximum number of instructions of a program */

/*
 * Returns the number of the block (map) that contains the counters of hook @iid. Block 0 has the
 * first GILK_BPF_BLOCK iids, block 1 the next GILK_BPF_BLOCK, and each later block twice as many as
 * the block before it. So the index of a hook in its block is (iid - 1) & (size of the block - 1).
 */
static inline uint32_t gilk_bpf_block(uint32_t iid)
{
	uint32_t block = 0;

	for (iid = (iid - 1) / GILK_BPF_BLOCK; iid; iid /= 2)
		block++;
	return block;
}

/* Returns the number of hooks whose counters are in a block (map of counters). */
static inline uint32_t gilk_bpf_block_size(uint32_t block)
{
	return block ? GILK_BPF_BLOCK << (block - 1) : GILK_BPF_BLOCK;
}

/*
 * Counters of a hook on one CPU. @missed counts hits that were not handled, because the CPU's
 * re-entry guard was 1. The kernel counts other missed hits; the agent adds those to its answer to
 * COUNTERS.
 */
struct gilk_bpf_counter {
	uint64_t count;
	uint64_t lost;
	uint64_t missed;
	uint64_t pad;
};

/*
 * A CPU's ring of samples: this header, then @ring_bytes of cells, then room for the end of a
 * record that starts in the last cell, because records do not wrap. Cells, records, heads and
 * commit words are those of ilk-abi-ring.h. A program may be interrupted by another one on its CPU:
 *
 *   1. h = head; h >= limit: the ring is full. Add 1 to @lost, and to the lost counter of the hook;
 *      done
 *   2. read the clock
 *   3. head = h + 32 * cells by cmpxchg; if head has changed, go back to 1 once, then count the
 *      sample as lost
 *   4. fill the record at cells + (h & (ring_bytes - 32)): tsc, iid, len, payload from byte 24 on
 *   5. commit = h
 *
 * So the times of a CPU's records are in the order of their cells.
 * The agent moves @limit, by compare-and-exchange: a program may set the limits of all CPUs to 0, which
 * freezes the rings until they are claimed again. Heads and limits start at 1 and at
 * 1 + ring_bytes - ILK_RING_MARGIN cells.
 */
struct gilk_bpf_ring {
	uint64_t head;
	uint64_t limit;
	uint64_t lost;
	uint64_t pad[5];
};

#define GILK_BPF_RING_SLACK		192u
#define GILK_BPF_RING_STRIDE(ring_bytes) \
	((uint64_t)(ring_bytes) + sizeof(struct gilk_bpf_ring) + GILK_BPF_RING_SLACK)

/*
 * A CPU's buffer into which a program reads a stack, before it searches an area (memory that hooks
 * keep) for the same stack. @busy is 1 while a program uses the buffer; the agent never uses it.
 * @length and @addresses are the same as in an entry of the area (ilk-abi-services.h).
 */
struct gilk_bpf_stack {
	uint64_t busy;
	uint64_t length;
	uint64_t addresses[ILK_STACK_DEPTH];
};

#define GILK_USER_POINTS_MAX	4096u	/* maximum number of points per GILK_USER_BIND */
#define GILK_USER_INSN_MAX	15u	/* maximum size of an instruction */
/*
 * Places a uretprobe: the probe point is the return of the function that starts at @offset. The
 * stack pointer in the program's struct pt_regs is that after the return, 8 more than at entry.
 */
#define GILK_USER_RETURNS	(1U << 0)

/**
 * struct gilk_user_point - an instruction of a program or library
 * @patch: id of a RESERVED patch
 * @offset: offset of the instruction in the file
 * @len: size of the instruction, and of @old
 * @old: bytes that are expected at @offset, zero-padded
 */
struct gilk_user_point {
	uint32_t patch;
	uint32_t len;
	uint64_t offset;
	uint32_t flags;		/* GILK_USER_* */
	int32_t error;		/* out: 0 or -errno */
	uint32_t refusal;	/* out: enum ilk_refusal or enum gilk_bpf_refusal */
	uint32_t pad;
	uint8_t old[16];
};

/* ---- event counters ---- */

#define GILK_EVENTS_MAX		8u	/* maximum number of event counters per session and per
					 * request */

/*
 * Key of a perf event. The type is HARDWARE, SOFTWARE, HW_CACHE or RAW (enum perf_type_id), the
 * config has up to 56 bits. A key is never 0.
 */
#define GILK_EVENT_KEY(type, config)	(((uint64_t)(type) + 1) << 56 | (uint64_t)(config))
#define GILK_EVENT_TYPE(key)		((uint32_t)((key) >> 56) - 1)
#define GILK_EVENT_CONFIG(key)		((key) & ~(0xffULL << 56))

#define GILK_EVENT_BAD			(~0ULL)	/* value of a counter that could not be read */

#define GILK_EVENTS_PROBE		(1U << 0)	/* only test whether the counters can be
							 * created, and close them again */

/* First part of the payload of GILK_EVENTS, which creates all counters or none. */
struct gilk_events {
	uint32_t flags;		/* GILK_EVENTS_* */
	uint32_t pad;
};

/**
 * struct gilk_event_counter - a counter of a perf event: on all online CPUs, for all tasks
 * @key: GILK_EVENT_KEY()
 * @cpus: out: number of CPUs on which the event is counted now
 * @blind: out: number of online CPUs on which the event is not counted: another user has the
 *	hardware counters, or that CPU lacks such a counter
 * @error: out: 0 or -errno
 * @refusal: out: enum ilk_refusal or enum gilk_bpf_refusal; if set, no CPU counts the event
 *
 * The counter is pinned, so that it counts without a break. It lives until the session's areas are
 * freed.
 */
struct gilk_event_counter {
	uint64_t key;
	uint32_t cpus;
	uint32_t blind;
	int32_t error;
	uint32_t refusal;
};

/* Reasons why the agent refused an item, in addition to those of enum ilk_refusal. */
enum gilk_bpf_refusal {
	GILK_BPF_REFUSED_PROGRAM = 64,	/* -EACCES  the kernel's verifier refused the program */
	GILK_BPF_REFUSED_PROBE	 = 65,	/* -errno the kernel refused to place the kprobe */
	GILK_BPF_REFUSED_EVENT	 = 67,	/* -errno   the kernel does not have the tracepoint, or cannot
					 *	    start the timer */
	GILK_BPF_REFUSED_USER_DIFFERS = 68, /* -EILSEQ  the file has other bytes than expected */
	GILK_BPF_REFUSED_USER_INSN = 69, /* -EOPNOTSUPP the kernel cannot put a uprobe on this
					  *	    instruction */
	GILK_BPF_REFUSED_USER_KERNEL = 70, /* -EIO the kernel refused to place the uprobe */
	GILK_BPF_REFUSED_COUNTER_MISSING = 71, /* -ENODEV no CPU has this counter, nor has the
					        * kernel */
	GILK_BPF_REFUSED_COUNTER_BUSY = 72, /* -EBUSY other users have all suitable hardware
					     * counters */
	GILK_BPF_REFUSED_WATCH_SLOTS = 73, /* -ENOSPC all debug registers of a CPU are in use */
	GILK_BPF_REFUSED_WATCH_ADDRESS = 74, /* -EFAULT the address is not in the kernel */
	GILK_BPF_REFUSED_WATCH_ALIGN = 75, /* -EINVAL size is not 1, 2, 4 or 8, or address is not a
					    *	      multiple of the size */
	GILK_BPF_REFUSED_WATCH_DENIED = 76, /* -EPERM address is noinstr, or used by exceptions */
};

_Static_assert(sizeof(struct gilk_use) == 16, "gilk_use changed size");
_Static_assert(sizeof(struct gilk_user_point) == 48, "gilk_user_point changed size");
_Static_assert(sizeof(struct gilk_event_counter) == 24, "gilk_event_counter changed size");
_Static_assert(sizeof(struct gilk_event_point) == 88, "gilk_event_point changed size");
_Static_assert(sizeof(struct gilk_bpf_counter) == 32, "gilk_bpf_counter changed size");
_Static_assert(sizeof(struct gilk_bpf_ring) == 64, "gilk_bpf_ring changed size");
_Static_assert(sizeof(struct gilk_bpf_stack) == 512, "gilk_bpf_stack changed size");

#endif /* GILK_WIRE_BPF_H */
