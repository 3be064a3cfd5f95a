/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-watch.h - hooks on data: the processor's debug registers
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_WATCH_H
#define ILK_ABI_WATCH_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * A watch is a hook without a patch: its iid comes from RESERVE, WATCH gives it an address, and ARM, DISARM and close()
 * are its too. From WATCH until it is given up (DISARM_OWN with FREE, close()) it has a debug register of each CPU that it
 * works on, so that ARM does not fail for it. Each access is counted and makes one sample, of struct ilk_watch_sample.
 *
 * With @patch an access runs that patch's code instead: it is PREPARED, of ILK_TACTIC_WATCH and with ILK_PATCH_CALLED, and
 * the watch's iid is its one hook. Its code is a function, (const struct pt_regs *, const struct ilk_watch_facts *), that is
 * called in the kernel's handler of debug exceptions, where the context is that of an NMI; it counts and samples what
 * it wants to. It is armed and disarmed as all patches are, and what it does stands under the gate and the times of both.
 *
 * A watch with ILK_WATCH_MOVES has its registers, and looks at nothing until code of a hook tells it where, by
 * ILK_SERVICE_WATCH. That address has to be one that WATCH would take. Registers are moved by a task of the driver.
 *
 * Accesses are seen on CPUs that come later, too. Not seen are those of the kernel's handlers of NMIs and of debug
 * exceptions, for the kernel switches the registers off meanwhile; and those that are not made by instructions
 * at that address, such as a device's or by way of another mapping.
 */
#define ILK_WATCHES_MAX		4	/* registers of a CPU, which others may have some of */

enum ilk_watch_access {
	ILK_WATCH_WRITE		= 1,
	ILK_WATCH_ACCESS	= 2,	/* reads too: the processor cannot tell one from the other */
	ILK_WATCH_EXECUTE	= 3,	/* of an instruction, before it runs; text stays as it is */
};

#define ILK_WATCH_PER_CPU	(1U << 0)	/* @address is a per-CPU offset, of the copy of @cpu */
#define ILK_WATCH_HELD		(1U << 1)	/* its gate is closed at ARM, and others' to open and close */
#define ILK_WATCH_MOVES		(1U << 2)	/* @address is 0: code of hooks tells it; not with PER_CPU */

#define ILK_WATCH_OWN		0xffffffffU	/* for @cpu: each CPU watches its own copy */

/*
 * Accesses that a CPU takes in ILK_WATCH_WINDOW_US. With the one that uses it up, the watch pauses on that CPU until the
 * window is over: an address that is in each path of the kernel would else leave no time for anything. Who says none gets
 * ILK_WATCH_BUDGET, and no more than takes a quarter of the time. A pause is one in the hook's counter of dropped hits,
 * whatever it missed.
 */
#define ILK_WATCH_WINDOW_US	10000
#define ILK_WATCH_BUDGET	1000
#define ILK_WATCH_BUDGET_MAX	100000

struct ilk_watch {
	__u32 iid;
	__u32 access;		/* enum ilk_watch_access */
	__u64 address;		/* a multiple of @bytes; of an instruction: where it begins */
	__u32 bytes;		/* 1, 2, 4 or 8; of an instruction: 8, whatever it has */
	__u32 flags;		/* ILK_WATCH_* */
	__u32 cpu;		/* with ILK_WATCH_PER_CPU: whose copy, or ILK_WATCH_OWN; else 0 */
	__u32 budget;		/* 1 to ILK_WATCH_BUDGET_MAX; 0: ILK_WATCH_BUDGET */
	__u32 gate;		/* iid of a hook of this file whose gate has to be open as well; 0: none */
	__u32 patch;		/* whose code an access runs; 0: it makes a sample */
	__u64 start_ns;		/* as in struct ilk_prepare_hook */
	__u64 stop_ns;
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal */
};

/* All or none. */
struct ilk_watch_set {
	__u32 count;		/* 1..ILK_WATCHES_MAX */
	__u32 failed;		/* out: of items that have an error */
	__u64 watches;		/* struct ilk_watch[count] */
};

enum ilk_watch_state {
	ILK_WATCH_READY		= 0,
	ILK_WATCH_LIVE		= 1,
	ILK_WATCH_STOPPED	= 2,	/* when it was time, or by a DISARM */
	ILK_WATCH_GONE		= 3,	/* the module that had the variable was unloaded */
};

struct ilk_watch_status {
	__u32 iid;		/* in: of a watch of this file */
	__u32 state;		/* enum ilk_watch_state */
	__u64 address;		/* of its copy; with ILK_WATCH_OWN of that of CPU 0; with ILK_WATCH_MOVES: at the moment, or 0 */
	__u32 cpus;		/* that it has a register of */
	__u32 blind;		/* online without one: another user's took all of them as the CPU came */
	__u64 pauses;
	__u64 paused_ns;	/* of all CPUs together */
	__u64 value;		/* at the last access, of 8 bytes; 0 if there was none */
	__u64 moves;		/* to an address, or to none */
	__u64 moves_refused;
	__u64 move_ns;		/* that the last took, from the hook's call until all CPUs looked there */
	__u64 move_ns_most;
	__u64 refused_address;	/* the last one */
	__u32 move_refusal;	/* enum ilk_refusal: of that */
	__u32 pad;
};

struct ilk_watch_tell {
	__u32 count;		/* 1..ILK_WATCHES_MAX */
	__u32 pad;
	__u64 watches;		/* struct ilk_watch_status[count] */
};

/* Where a thread of execution is at a hit. */
enum ilk_watch_context {
	ILK_CONTEXT_TASK	= 0,
	ILK_CONTEXT_SOFTIRQ	= 1,
	ILK_CONTEXT_HARDIRQ	= 2,
};

/**
 * struct ilk_watch_sample - what an access leaves in the ring
 * @ip: of the next instruction, as an access is told behind it; of an ILK_WATCH_EXECUTE of the instruction itself.
 *	One that repeats itself (rep movs) is told of at each step, and is still the next one then
 * @value: what is there now, with zeros above; of an ILK_WATCH_EXECUTE 0
 * @before: @value of the access before this one, of whatever CPU; of the first, what was there at ARM, or as it came there
 * @address: of what is watched
 */
struct ilk_watch_sample {
	__u64 ip;
	__u64 value;
	__u64 before;
	__u64 address;
	__u32 pid;		/* of the process; 0: an idle task */
	__u32 context;		/* enum ilk_watch_context */
	char comm[16];		/* of the thread, NUL-padded */
};

/* What the code of a watch is told beside the registers; as above. */
struct ilk_watch_facts {
	__u64 value;
	__u64 before;
	__u64 address;
	__u64 ip;
};

ILK_ASSERT_SIZE(struct ilk_watch_facts, 32);
ILK_ASSERT_SIZE(struct ilk_watch, 64);
ILK_ASSERT_OFFSET(struct ilk_watch, start_ns, 40);
ILK_ASSERT_SIZE(struct ilk_watch_set, 16);
ILK_ASSERT_SIZE(struct ilk_watch_status, 96);
ILK_ASSERT_SIZE(struct ilk_watch_tell, 16);
ILK_ASSERT_SIZE(struct ilk_watch_sample, 56);

#endif /* ILK_ABI_WATCH_H */
