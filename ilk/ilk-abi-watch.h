/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-watch.h - watchpoints: hooks on data, which use debug registers
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_WATCH_H
#define ILK_ABI_WATCH_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * A watchpoint is a hook without a patch: RESERVE gives it an iid, WATCH an
 * address, and ARM, DISARM and close() apply to it too. From WATCH until it is
 * released (ILK_DISARM_FILE with FREE, close()) it holds a debug register on each
 * CPU that it works on, so that ARM cannot fail for lack of one. Each access is
 * counted and makes one sample, a struct ilk_watch_sample.
 *
 * With @patch, an access runs that patch's code instead: the patch is PREPARED,
 * with ILK_TACTIC_WATCH and ILK_PATCH_CALLED, and the watchpoint's iid is its
 * only hook. The code is a function, (const struct pt_regs *, const struct
 * ilk_watch_access_info *), called in the kernel's handler of debug exceptions, in
 * NMI context; it does its own counting and sampling. The patch is armed and
 * disarmed like any other, and the gates and times of the patch and of the watchpoint apply.
 *
 * A watchpoint with ILK_WATCH_MOVABLE holds its registers, but watches nothing
 * until a hook's code passes an address to ILK_SERVICE_WATCH. The address must
 * be one that WATCH would accept. A task of the driver moves the registers.
 *
 * CPUs that come online later are covered too. Accesses by the kernel's
 * handlers of NMIs and of debug exceptions are not seen, as the kernel disables the registers
 * there. Accesses by a device, or through another mapping of the same memory, are not seen
 * either.
 */
#define ILK_WATCHES_MAX		4	/* number of debug registers per CPU */

enum ilk_watch_access {
	ILK_WATCH_WRITE		= 1,
	ILK_WATCH_ACCESS	= 2,	/* reads and writes: x86 lacks read-only watchpoints */
	ILK_WATCH_EXECUTE	= 3,	/* execution of an instruction; text is unchanged */
};

#define ILK_WATCH_PER_CPU	(1U << 0)	/* @address is a per-CPU offset; see @cpu */
#define ILK_WATCH_GATE_CLOSED		(1U << 1)	/* the gate is closed at first */
#define ILK_WATCH_MOVABLE		(1U << 2)	/* @address is 0; hooks set it later */

#define ILK_WATCH_EACH_CPU		0xffffffffU	/* value of @cpu: each CPU watches its
							 * own copy */

/*
 * Maximum number of accesses that a CPU handles per ILK_WATCH_WINDOW_US. After the last of
 * these accesses the watchpoint pauses on that CPU until the window is over. Otherwise an
 * address that is accessed all the time would take all of the CPU's time. By default, the limit
 * is ILK_WATCH_BUDGET
 * accesses, or a quarter of the CPU's time if that is less. A pause counts as one missed hit of
 * the hook, however many accesses were missed.
 */
#define ILK_WATCH_WINDOW_US	10000
#define ILK_WATCH_BUDGET	1000
#define ILK_WATCH_BUDGET_MAX	100000

struct ilk_watch {
	__u32 iid;
	__u32 access;		/* enum ilk_watch_access */
	__u64 address;		/* a multiple of @bytes; for EXECUTE, start of an instruction */
	__u32 bytes;		/* size of the data: 1, 2, 4 or 8; for EXECUTE always 8 */
	__u32 flags;		/* ILK_WATCH_* */
	__u32 cpu;		/* with ILK_WATCH_PER_CPU: CPU of the copy, or
				 * ILK_WATCH_EACH_CPU; else 0 */
	__u32 budget;		/* accesses per window, up to ILK_WATCH_BUDGET_MAX; 0:
				 * ILK_WATCH_BUDGET */
	__u32 gate;		/* iid of a hook of this file whose gate must be open, too; 0:
				 * none */
	__u32 patch;		/* id of the patch to run at each access; 0: each access makes a
				 * sample */
	__u64 start_ns;		/* start and stop time, as in struct ilk_prepare_hook */
	__u64 stop_ns;
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal */
};

/* Argument of WATCH, which sets all watchpoints or none. */
struct ilk_watch_set {
	__u32 count;		/* 1..ILK_WATCHES_MAX */
	__u32 failed;		/* out: number of items with an error */
	__u64 watches;		/* struct ilk_watch[count] */
};

enum ilk_watch_state {
	ILK_WATCH_READY		= 0,
	ILK_WATCH_LIVE		= 1,
	ILK_WATCH_STOPPED	= 2,	/* the watchpoint reached its stop time, or was disarmed */
	ILK_WATCH_GONE		= 3,	/* the module with the variable was unloaded */
};

struct ilk_watch_status {
	__u32 iid;		/* in: iid of a watchpoint of this file */
	__u32 state;		/* enum ilk_watch_state */
	__u64 address;		/* watched address, or with ILK_WATCH_EACH_CPU the address of
				 * CPU 0's copy; 0: none */
	__u32 cpus;		/* number of CPUs with a register for this watchpoint */
	__u32 blind;		/* number of online CPUs on which other users held all
				 * registers, so that none was left for this watchpoint */
	__u64 pauses;
	__u64 paused_ns;	/* total length of pauses, summed over all CPUs */
	__u64 value;		/* value at the last access, zero-extended; 0: none yet */
	__u64 moves;		/* number of moves, including moves to no address */
	__u64 moves_refused;
	__u64 move_ns;		/* duration of the last move: from the service call until all
				 * CPUs were moved */
	__u64 move_ns_max;
	__u64 refused_address;	/* address of the last refused move */
	__u32 move_refusal;	/* enum ilk_refusal: why the last refused move was refused */
	__u32 pad;
};

struct ilk_watch_query {
	__u32 count;		/* 1..ILK_WATCHES_MAX */
	__u32 pad;
	__u64 watches;		/* struct ilk_watch_status[count] */
};

/* Context of the code that made the access. */
enum ilk_watch_context {
	ILK_CONTEXT_TASK	= 0,
	ILK_CONTEXT_SOFTIRQ	= 1,
	ILK_CONTEXT_HARDIRQ	= 2,
};

/**
 * struct ilk_watch_sample - what an access writes to the ring
 * @ip: address of the next instruction, as the exception follows the access; with
 *     ILK_WATCH_EXECUTE, address of the instruction itself. A repeating instruction (rep movs)
 *     reports each step, with its own address as @ip
 * @value: current value, zero-extended; 0 with ILK_WATCH_EXECUTE
 * @before: @value of the previous access, on any CPU; for the first access, the
 *     value at ARM or when the watchpoint moved there
 * @address: watched address
 */
struct ilk_watch_sample {
	__u64 ip;
	__u64 value;
	__u64 before;
	__u64 address;
	__u32 pid;		/* process ID; 0: an idle task */
	__u32 context;		/* enum ilk_watch_context */
	char comm[16];		/* name of the thread, NUL-padded */
};

/*
 * Passed to the code of a watchpoint together with the registers. The members have the
 * same meaning as in struct ilk_watch_sample.
 */
struct ilk_watch_access_info {
	__u64 value;
	__u64 before;
	__u64 address;
	__u64 ip;
};

ILK_ASSERT_SIZE(struct ilk_watch_access_info, 32);
ILK_ASSERT_SIZE(struct ilk_watch, 64);
ILK_ASSERT_OFFSET(struct ilk_watch, start_ns, 40);
ILK_ASSERT_SIZE(struct ilk_watch_set, 16);
ILK_ASSERT_SIZE(struct ilk_watch_status, 96);
ILK_ASSERT_SIZE(struct ilk_watch_query, 16);
ILK_ASSERT_SIZE(struct ilk_watch_sample, 56);

#endif /* ILK_ABI_WATCH_H */
