/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi.h - the contract of /dev/ilk
 *
 * The one boundary between kernel style and GLib style code. Fixed-width
 * fields, explicit padding, sizes and offsets asserted; pointers travel as
 * __u64. Included by ilk/, agent/ and core/; includes nothing of ours but its parts:
 * ilk-abi-ring.h of samples and their rings, ilk-abi-time.h of time, ilk-abi-memory.h of what
 * code keeps between hits, ilk-abi-services.h of what it may call, ilk-abi-change.h of what it calls in
 * place of the kernel's, ilk-abi-watch.h of hooks on data, ilk-abi-user.h of hooks in programs,
 * ilk-abi-event.h of counters of events and of crashes.
 *
 * Life of a hook as seen from here:
 *
 *   RESERVE   arena slots and hook ids (iids) are handed out, so that the
 *             client can emit code for the address it will run at
 *   PREPARE   code, ORC entries, site and expected bytes go in, are checked,
 *             nothing in the kernel's text changes; all or nothing
 *   ARM       run time zero, unless it has been already: it is that of the first
 *             ARM since the file was opened or a DISARM of all of it. Hooks whose
 *             start is over work when this returns (as traps first); the others
 *             follow by timer; jumps replace traps asynchronously after one grace
 *             period for the batch
 *   DISARM    sites are restored when this returns; bounces, which a thread may
 *             stand on, splices that such bounces lie in, and slots follow after
 *             a grace period (see pending)
 *   close()   disarms and frees whatever this file still holds
 */
#ifndef ILK_ABI_H
#define ILK_ABI_H

#include <linux/types.h>
#include <linux/ioctl.h>

#include "ilk-abi-assert.h"
#include "ilk-abi-ring.h"
#include "ilk-abi-time.h"
#include "ilk-abi-memory.h"
#include "ilk-abi-services.h"
#include "ilk-abi-user.h"
#include "ilk-abi-watch.h"
#include "ilk-abi-change.h"
#include "ilk-abi-event.h"

#define ILK_ABI_VERSION		14
#define ILK_DEVICE_NAME		"ilk"

#define ILK_FOOTPRINT_MAX	32	/* bytes of text one patch may own at its site */
#define ILK_BOUNCE_BYTES	5	/* and elsewhere, for its bounce */
#define ILK_GRANULE		32	/* arena is handed out in multiples of this */
#define ILK_ORC_PER_GRANULE	4	/* ORC entries a slot may have per granule */
#define ILK_FAULTS_PER_GRANULE	1	/* exception-table entries, likewise */
#define ILK_SLOT_MAX		65536	/* bytes of code in one slot: a clone of a large function */
/*
 * What an arena module brings, a number for the assembler too: four of the largest slots. The
 * kernel clears a module's memory in one go, which holds the CPU for as long.
 */
#define ILK_ARENA_MODULE_BYTES	262272
#define ILK_ARENA_MODULES	32	/* how often ilk-arena.ko can be loaded */
#define ILK_BATCH_MAX		65536	/* items in one array argument */
#define ILK_PREPARE_BYTES_MAX	33554432	/* code and entries of one PREPARE, with 8 a patch */
#define ILK_PARAMS_MAX		4
#define ILK_FIELDS_MAX		12

/* How a site is reached; the driver builds the bytes it writes from this. */
enum ilk_tactic {
	ILK_TACTIC_NONE		= 0,
	ILK_TACTIC_SPLICE	= 1,	/* e9 rel32 to the slot, cc filler */
	ILK_TACTIC_BOUNCE	= 2,	/* eb rel8 to a nearby e9 rel32 to the slot, cc filler */
	ILK_TACTIC_CLONE	= 3,	/* as a splice, to a copy of the whole function; or ILK_PATCH_INNER */
	ILK_TACTIC_TRAP		= 4,	/* cc on the first byte, the rest stays */
	ILK_TACTIC_USER		= 8,	/* an uprobe of the kernel; see ilk-abi-user.h */
	ILK_TACTIC_WATCH	= 9,	/* a debug register; see ilk-abi-watch.h */
};

/*
 * State of a patch:
 *
 *   RESERVED -PREPARE-> PREPARED -ARM/timer-> TRAPPED -grace period-> ARMED
 *                           |                    |  (TRAP stays ARMED=trap) |
 *                           |                    +------DISARM/timer-------+
 *                        FAILED                                 |
 *   RETIRED <-grace period, slot freed- RESTORED <--------------+
 *
 * An ILK_PATCH_INNER goes from PREPARED to ARMED at once. With ILK_PATCH_RETURNS the
 * way to RETIRED is longer: until no task can return into its slot.
 *
 *   GONE: the module that held the site was unloaded while armed
 *   LENT: between ARMED and RESTORED, where bounces lie behind the jump of a splice:
 *         its hooks are off, its text follows a grace period after theirs
 */
enum ilk_state {
	ILK_STATE_RESERVED	= 0,
	ILK_STATE_PREPARED	= 1,
	ILK_STATE_TRAPPED	= 2,	/* works, by int3, jump not yet written */
	ILK_STATE_ARMED		= 3,	/* works by its final tactic */
	ILK_STATE_RESTORED	= 4,	/* the site is as before; tombstone and bounce kept */
	ILK_STATE_RETIRED	= 5,	/* slot freed */
	ILK_STATE_FAILED	= 6,	/* could not be armed, see refusal */
	ILK_STATE_GONE		= 7,	/* target module unloaded */
	ILK_STATE_LENT		= 8,	/* disarmed, but bounces lie in its footprint */
};

/*
 * Why the driver would not. Returned beside a negative errno in each item.
 * core/base/gilk-refusal.c has the sentence for each; keep both in step.
 */
enum ilk_refusal {
	ILK_REFUSAL_NONE	= 0,
	ILK_REFUSAL_TEXT_DIFFERS	= 1,	/* -EILSEQ  bytes are not as planned */
	ILK_REFUSAL_NOT_TEXT	= 2,	/* -EFAULT  not kernel or live module text */
	ILK_REFUSAL_DENIED	= 3,	/* -EPERM   noinstr, entry, blacklist, our own path */
	ILK_REFUSAL_JUMP_LABEL	= 4,	/* -EBUSY   the kernel patches these bytes */
	ILK_REFUSAL_STATIC_CALL	= 5,	/* -EBUSY */
	ILK_REFUSAL_FTRACE	= 6,	/* -EBUSY */
	ILK_REFUSAL_KPROBE	= 7,	/* -EBUSY   a kprobe sits in the footprint */
	ILK_REFUSAL_EXTABLE	= 8,	/* -EOPNOTSUPP instruction has a fault fix-up */
	ILK_REFUSAL_BUG		= 9,	/* -EOPNOTSUPP ud2 of the bug table */
	ILK_REFUSAL_OVERLAP	= 10,	/* -EEXIST  another hook owns bytes of it */
	ILK_REFUSAL_RANGE	= 11,	/* -ERANGE  slot out of reach */
	ILK_REFUSAL_INSTRUMENT	= 12,	/* -ENOENT  no such instrument */
	ILK_REFUSAL_BAD_ITEM	= 13,	/* -EINVAL  malformed item */
	ILK_REFUSAL_ARENA_FULL	= 14,	/* -ENOSPC  more arena modules may help */
	ILK_REFUSAL_TOO_MANY	= 15,	/* -ENOSPC  hook table or counters full */
	ILK_REFUSAL_STATE	= 16,	/* -EBUSY   item is not in the state asked for */
	ILK_REFUSAL_POISONED	= 17,	/* -EUCLEAN driver refuses all but restore */
	ILK_REFUSAL_MODULE_GONE	= 18,	/* -ENODEV  target module went away */
	ILK_REFUSAL_UNSUPPORTED	= 19,	/* -EOPNOTSUPP tactic not in this driver, or not on this kernel */
	ILK_REFUSAL_LOCKED_DOWN	= 20,	/* -EPERM   a rule for loading modules forbids it, see ilk-permit.c */
	ILK_REFUSAL_NOT_BOUNDARY	= 21,	/* -EINVAL  not whole instructions, or padding */
	ILK_REFUSAL_SMP_LOCK	= 22,	/* -EBUSY   a lock prefix that the kernel may write back */
	ILK_REFUSAL_LIVEPATCH	= 23,	/* -EBUSY   a clone where livepatch is, or is about to be */
	ILK_REFUSAL_TOO_LARGE	= 25,	/* -E2BIG   more than ILK_PREPARE_BYTES_MAX in one PREPARE */
	ILK_REFUSAL_WATCH_SLOTS	= 26,	/* -ENOSPC  no debug register is left on some CPU */
	ILK_REFUSAL_WATCH_ADDRESS = 27,	/* -EFAULT  not the kernel's data, or for execution not its text */
	ILK_REFUSAL_WATCH_ALIGN	= 28,	/* -EINVAL  not of 1, 2, 4 or 8 bytes, or not a multiple of these */
	ILK_REFUSAL_WATCH_DENIED = 29,	/* -EPERM   on the way of an exception, noinstr, or ours */
	ILK_REFUSAL_PIN_GONE	= 30,	/* -ENOENT  no such module has code there, or it is about to go */
	ILK_REFUSAL_PIN_OWN	= 31,	/* -EPERM   code of the driver is not to be called by what it patches */
	ILK_REFUSAL_USER_FILE	= 34,	/* -EBADF   no file that can be run and read */
	ILK_REFUSAL_USER_DIFFERS	= 35,	/* -EILSEQ  the file has other bytes there */
	ILK_REFUSAL_USER_INSN	= 36,	/* -EOPNOTSUPP the kernel has no uprobes on such an instruction */
	ILK_REFUSAL_USER_KERNEL	= 37,	/* -EIO     the kernel would not put its uprobe there */
	ILK_REFUSAL_EVENT_MISSING = 38,	/* -ENODEV  no CPU of the machine, or this kernel, has such a counter */
	ILK_REFUSAL_EVENT_BUSY	= 39,	/* -EBUSY   others have all of the machine's counters for it */
	ILK_REFUSAL_CRASH_NO_KERNEL = 40, /* -ENOENT no crash kernel is loaded */
};

/* ---- INFO ---------------------------------------------------------------- */

#define ILK_FEATURE_ORC		(1ULL << 0)	/* slots carry ORC entries */
#define ILK_FEATURE_EXTABLE	(1ULL << 1)	/* slots carry exception entries */

#define ILK_RULE_LOCKED_DOWN	(1ULL << 0)	/* no code comes in any more, all can be taken back */

/**
 * struct ilk_info - what a client must know to emit code for this kernel
 * @gs_*: per-CPU offsets, to be used as %gs:disp32 absolute operands
 * @arena_most: what @arena_bytes grows to once all arena modules are loaded
 * @arena_bytes: there is for code now, in the driver and the arena modules that are loaded
 * @arena_free: what of these is not handed out
 * @ring_bytes: data bytes of one CPU's ring, a power of two: of those there are, or of those
 *              that a claim gets which wishes for nothing
 * @ring_most: the most that a claim may wish for
 * @gates: address of a byte array indexed by iid: 0 closed, 1 open
 * @context_mask: bits of the preempt count that tell task, softirq, hardirq
 *                and NMI apart (for the re-entry guard); bit 0 is clear
 * @clock: as of now
 * @bugs: defects the driver has found in its own states; 0, or please report it
 * @rules: ILK_RULE_*
 * @orc_*: ORC_REG_SP and others of the headers that the driver was built with, whose numbers are not the
 *         same in all kernels: what unwind entries of a PREPARE may be based on
 * @bug_size: bytes of a struct bug_entry, likewise
 * @gs_current_task: the struct task_struct * of the CPU's current task; 0: not known
 * @gs_cpu_number: u32: the CPU's own number; 0: not known
 * @task_*: bytes from the begin of a struct task_struct to its pid, tgid, comm, by these headers
 * @services: by enum ilk_service: an address, or 0
 * @reschedule: what is called, with all registers as they are but the flags, when the preempt count has become 0;
 *              0: the kernel is not preemptible now
 * @preempt_bytes: of the preempt count with the bit that says that no reschedule is due, its highest: 4 or 8
 */
struct ilk_info {
	__u32 abi;
	__u32 size;
	__u32 nr_cpus;
	__u32 hooks_live;
	__u32 patches_live;
	__u32 hooks_max;
	__u64 features;
	__u64 arena_most;
	__u64 arena_bytes;
	__u64 arena_free;
	__u64 ring_bytes;
	__u64 tsc_khz;
	struct ilk_clock_reading clock;
	__u64 gates;
	__s32 gs_preempt_count;
	__s32 gs_ring_head;	/* u64: position of the next cell + 1, see below */
	__s32 gs_ring_limit;	/* u64: first head that may not be reserved */
	__s32 gs_ring_base;	/* u64: address of cell 0 */
	__s32 gs_ring_mask;	/* u64: to be anded to a position: its offset from cell 0 */
	__s32 gs_ring_lost;	/* u64: samples of any hook that found no room */
	__s32 gs_guard;		/* u64: context word of the instrument running, 1 none */
	__u32 context_mask;
	__u32 poisoned;
	__u32 reader_claimed;
	__u64 traps_live;
	__u64 bugs;
	__u64 rules;
	__u64 ring_most;
	__u8 orc_sp;
	__u8 orc_bp;
	__u8 orc_bp_indirect;
	__u8 bug_size;
	__s32 gs_current_task;
	__s32 gs_cpu_number;
	__u32 task_pid;
	__u32 task_tgid;
	__u32 task_comm;
	__u64 services[ILK_SERVICES];
	__u64 reschedule;
	__u32 preempt_bytes;
	__u32 reserved;
};

/* ---- RESERVE ------------------------------------------------------------- */

struct ilk_reserve_patch {
	__u32 bytes;		/* in: upper bound of code, 1..ILK_SLOT_MAX */
	__u32 id;		/* out: patch id, never reused within a driver's life */
	__u64 slot;		/* out: address the code will run at */
};

#define ILK_HOOK_COUNTER_NEAR	(1U << 0)	/* wants a counter within %gs:disp32 */

struct ilk_reserve_hook {
	__u32 flags;		/* in: ILK_HOOK_COUNTER_NEAR is a wish, not a demand */
	__u32 iid;		/* out: 1..hooks_max */
	__u64 counter;		/* out: per-CPU offset of the u64 hit counter */
	__u64 lost;		/* out: per-CPU offset of the u64 lost-sample counter */
	__u64 dropped;		/* out: per-CPU offset of the u64 re-entry counter */
};

/*
 * Of the slots of a RESERVE all are handed out or none, each in one arena. If that is
 * refused as ARENA_FULL, @missing says how many bytes of arena there would have to be
 * more, at least: whoever loads them as modules may ask again. A module stays until all
 * slots in it are freed, which is a grace period after they were given up or longer.
 */
struct ilk_reserve {
	__u32 patch_count;
	__u32 hook_count;
	__u64 patches;		/* struct ilk_reserve_patch[] */
	__u64 hooks;		/* struct ilk_reserve_hook[] */
	__u32 refusal;		/* out */
	__u32 missing;		/* in: 0; out: with ARENA_FULL, else 0 */
};

/* ---- PREPARE ------------------------------------------------------------- */

/**
 * struct ilk_orc - one ORC entry of a slot, in the running kernel's own format
 * @offset: from the slot's start, ascending within a patch
 * @entry: the six bytes of the kernel's struct orc_entry, of a called function's frame whose base is one of
 *         those that INFO names
 */
struct ilk_orc {
	__u16 offset;
	__u8 entry[6];
};

/**
 * struct ilk_fault - one exception-table entry of a slot
 * @offset: of the instruction that may fault, from the slot's start, ascending
 * @data: as in the kernel's own entry for the original instruction (type, flags, register)
 * @fixup: where it goes on: in the same slot, or the original's own fix-up
 */
struct ilk_fault {
	__u32 offset;
	__s32 data;
	__u64 fixup;
};

/*
 * The code holds return addresses: it calls, and is returned to. Its slot is freed only
 * when, behind the grace period, no task's stack leads into it, nor into code that has
 * a jump or call to it. Clones always have it.
 */
#define ILK_PATCH_RETURNS	(1U << 0)
/* A clone that only other clones of this client call: no footprint, @len is 0. */
#define ILK_PATCH_INNER		(1U << 1)
/* Code that nothing but MEASURE calls, see ilk-abi-time.h: alone, with no tactic and no footprint. */
#define ILK_PATCH_GROUND	(1U << 2)
/* Its code may change what the kernel does: it keeps off what livepatch has, and makes way for it, as clones do. */
#define ILK_PATCH_CHANGES	(1U << 3)
/*
 * A function that is called with registers: by uprobes (ilk-abi-user.h), or at the accesses that a watch sees
 * (ilk-abi-watch.h). Alone, of ILK_TACTIC_USER or ILK_TACTIC_WATCH, and with no footprint.
 */
#define ILK_PATCH_CALLED	(1U << 8)

/*
 * Switch-over. A patch may take the place of a live or scheduled one of the same client
 * that has the same tactic, site, len, old bytes and aux: ARM leads the footprint from
 * the old slot to the new one, and each pass runs exactly one of the two. The old patch
 * is RESTORED then, though its footprint stays in text as the new one's, and is retired
 * after a grace period as always. ARM takes all of it or none.
 *
 * A hook of the old patch that is to live on is bound to the new one in the same
 * PREPARE, with the same instrument, times and params; its iid, cells and gate stay.
 * It moves at ARM. Hooks that are not bound anew end with the old patch. Under a live
 * old patch the new one works at once: hooks of it that are to start later are gated.
 */

struct ilk_prepare_patch {
	__u32 id;
	__u32 tactic;		/* enum ilk_tactic */
	__u64 site;
	__u64 code;		/* u8[code_len] */
	__u64 orc;		/* struct ilk_orc[orc_count]; covers offset 0 when count > 0 */
	__u32 code_len;
	__u32 orc_count;
	__u32 len;		/* footprint bytes, 1..ILK_FOOTPRINT_MAX */
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal */
	__u32 flags;		/* ILK_PATCH_* */
	__u8 old[ILK_FOOTPRINT_MAX];
	/*
	 * bounce: where its jump lies, in padding that nothing runs, or behind the jump of
	 * a splice of this client that was prepared before it. splice: offset in the slot
	 * of its code without hooks, for when it is LENT; 0: hits take the code as it is
	 */
	__u64 aux;
	__u8 aux_old[8];	/* bounce: the ILK_BOUNCE_BYTES there, then 0; else all 0 */
				/* behind a splice: cc, its filler */
	__u64 faults;		/* struct ilk_fault[fault_count] */
	__u32 fault_count;
	__u32 replaces;		/* id of the live patch whose place it takes; 0: none */
};

#define ILK_HOOK_GATED		(1U << 1)	/* started and stopped by its gate byte */
#define ILK_HOOK_SAMPLES	(1U << 2)	/* writes to the rings */

struct ilk_prepare_hook {
	__u32 iid;
	__u32 patch;		/* id of the patch that calls or contains it */
	__u32 instrument;	/* id, 0 = inline */
	__u32 flags;
	__u64 start_ns;		/* from run time zero */
	__u64 stop_ns;		/* from run time zero; 0 = when disarmed */
	__u64 params[ILK_PARAMS_MAX];
	__s32 error;		/* out */
	__u32 refusal;		/* out */
};

/*
 * What the items refer to is summed before any of it is copied: the item that would go
 * beyond ILK_PREPARE_BYTES_MAX is refused as TOO_LARGE, even if items share their bytes.
 * A fatal signal ends the copying: -EINTR, nothing is prepared.
 */
struct ilk_prepare {
	__u32 patch_count;
	__u32 hook_count;
	__u64 patches;
	__u64 hooks;
	__u32 failed;		/* out: number of items with an error */
	__u32 pad;
};

/* ---- ARM, DISARM ---------------------------------------------------------- */

struct ilk_arm {
	struct ilk_clock_reading zero;	/* out: at run time zero, which may be long ago */
	__u32 failed_patch;	/* out: patch id that stood in the way, 0 none */
	__u32 refusal;		/* out */
};

#define ILK_DISARM_OWN		0U	/* all of this file */
#define ILK_DISARM_EVERYONE	1U	/* every hook of every file */
#define ILK_DISARM_LIST		2U	/* the given patch ids of this file */
#define ILK_DISARM_FREE		(1U << 8)	/* also forget them: ids and slots are given up */

struct ilk_disarm {
	__u32 what;
	__u32 count;
	__u64 patches;		/* __u32[count] for ILK_DISARM_LIST */
	__u32 restored;		/* out: patches whose text was put back now */
	__u32 refused;		/* out: patches whose bytes were not ours any more */
};

/* ---- STATUS, COUNTERS ----------------------------------------------------- */

#define ILK_STATUS_EVERYONE	1U

/* What keeps a patch from the end of its way: a jump in place of its trap, or its slot freed. */
enum ilk_wait {
	ILK_WAIT_NONE		= 0,
	ILK_WAIT_GRACE		= 1,	/* threads that run, or may have been preempted, in it */
	ILK_WAIT_STACKS		= 2,	/* tasks that sleep: being looked for, or in what leads to it */
	ILK_WAIT_TASK		= 3,	/* this one, at least, may return into it */
	ILK_WAIT_LIVE		= 4,	/* live code leads to it */
};

struct ilk_patch_status {
	__u32 id;
	__u32 state;		/* enum ilk_state */
	__u32 tactic;
	__u32 refusal;
	__u64 site;
	__u64 slot;
	__u32 len;
	__u32 owner_pid;
	__u64 trap_hits;
	__u64 armed_mono_ns;	/* first byte written; 0 never */
	__u64 spliced_mono_ns;	/* final form reached; 0 never */
	__u64 restored_mono_ns;
	__u8 old[ILK_FOOTPRINT_MAX];
	__u8 new_[ILK_FOOTPRINT_MAX];
	__u64 aux;		/* bounce: its address; else 0 */
	__u8 aux_old[8];	/* the ILK_BOUNCE_BYTES before and after, then 0 */
	__u8 aux_new[8];
	__u64 aux_laid_mono_ns;		/* 0 never */
	__u64 aux_restored_mono_ns;	/* a grace period after the site; 0 not yet */
	__u32 wait;		/* enum ilk_wait */
	__u32 wait_pid;		/* ILK_WAIT_TASK: of the thread; else 0 */
	char wait_comm[16];	/* NUL-padded */
};

struct ilk_status {
	__u32 flags;		/* ILK_STATUS_EVERYONE */
	__u32 capacity;		/* in: room in @patches; 0 asks for the count only */
	__u64 patches;		/* struct ilk_patch_status[] */
	__u32 count;		/* out: how many there are */
	__u32 pending;		/* out: patches still waiting for a grace period, a timer or */
				/* tasks that may return into them; not for others' disarm */
};

struct ilk_counter {
	__u64 count;
	__u64 lost;
	__u64 dropped;
};

#define ILK_COUNTERS_PER_CPU	1U	/* out[] is [iid index][cpu] */

/* On an error, -ENOENT for an iid that is nobody's, a part of @out may be written. */

struct ilk_counters {
	__u32 count;
	__u32 flags;
	__u64 iids;		/* __u32[count] */
	__u64 out;		/* struct ilk_counter[count] or [count * nr_cpus] */
};

/* ---- Instruments ---------------------------------------------------------- */

enum ilk_field_type {
	ILK_FIELD_U64		= 0,
	ILK_FIELD_S64		= 1,
	ILK_FIELD_U32		= 2,
	ILK_FIELD_S32		= 3,
	ILK_FIELD_HEX64		= 4,
	ILK_FIELD_TEXT		= 5,	/* NUL-padded bytes of @size */
};

/* What a number of a sample is, for whoever shows it. */
enum ilk_meaning {
	ILK_MEANING_NONE	= 0,
	ILK_MEANING_SYMBOL	= 1,	/* an address of the kernel's */
	ILK_MEANING_STACK	= 2,	/* a stack's id */
	ILK_MEANING_ERRNO	= 3,	/* an error if it is negative, and small */
	ILK_MEANING_ENUM	= 4,	/* of no instrument that is a module: the client has the names */
};

struct ilk_field {
	char name[24];		/* [a-z_][a-z0-9_]*, a column name */
	char unit[16];		/* "ns", "B", "" */
	char help[64];
	__u16 type;
	__u16 offset;		/* in the payload */
	__u16 size;
	__u16 meaning;		/* enum ilk_meaning */
};

struct ilk_param {
	char name[24];
	char unit[16];
	char help[64];
	__u64 min;
	__u64 max;
	__u64 preset;
};

#define ILK_INSTRUMENT_REGS	(1U << 0)	/* reads struct ilk_regs: save all of it */
/*
 * Its function may be called anywhere, with whatever is in struct ilk_regs, to be timed: it follows
 * no pointer that it finds there, and makes one sample of each call.
 */
#define ILK_INSTRUMENT_TIMED	(1U << 1)

struct ilk_instrument_desc {
	__u32 id;		/* never 0 */
	__u32 version;
	__u32 flags;
	__u32 sample_bytes;	/* payload of its samples, 0 = none */
	__u64 fn;		/* address the patch calls */
	__u32 users;		/* hooks that refer to it */
	__u16 field_count;
	__u16 param_count;
	char name[32];
	char help[96];
	struct ilk_field fields[ILK_FIELDS_MAX];
	struct ilk_param params[ILK_PARAMS_MAX];
};

struct ilk_instruments {
	__u32 capacity;
	__u32 count;		/* out */
	__u64 descs;		/* struct ilk_instrument_desc[] */
};

/* ---- calls ---------------------------------------------------------------- */

#define ILK_IOC_INFO		_IOR('k', 0x00, struct ilk_info)
#define ILK_IOC_RESERVE		_IOWR('k', 0x01, struct ilk_reserve)
#define ILK_IOC_PREPARE		_IOWR('k', 0x02, struct ilk_prepare)
#define ILK_IOC_ARM		_IOWR('k', 0x03, struct ilk_arm)
#define ILK_IOC_DISARM		_IOWR('k', 0x04, struct ilk_disarm)
#define ILK_IOC_STATUS		_IOWR('k', 0x05, struct ilk_status)
#define ILK_IOC_COUNTERS	_IOWR('k', 0x06, struct ilk_counters)
#define ILK_IOC_INSTRUMENTS	_IOWR('k', 0x07, struct ilk_instruments)
#define ILK_IOC_RING_CLAIM	_IOWR('k', 0x08, struct ilk_claim)
#define ILK_IOC_CONSUME		_IOWR('k', 0x09, struct ilk_consume)
#define ILK_IOC_RING_FREEZE	_IO('k', 0x0a)
#define ILK_IOC_CLOCKS		_IOWR('k', 0x0b, struct ilk_clocks)
#define ILK_IOC_RING_RELEASE	_IO('k', 0x0c)
#define ILK_IOC_MEASURE		_IOWR('k', 0x0d, struct ilk_measure)
#define ILK_IOC_BLOCKS		_IOW('k', 0x0e, struct ilk_blocks)
#define ILK_IOC_BLOCKS_TOLD	_IOWR('k', 0x0f, struct ilk_blocks_told)
#define ILK_IOC_MEMORY		_IOWR('k', 0x10, struct ilk_memory)
#define ILK_IOC_MEMORY_READ	_IOW('k', 0x11, struct ilk_memory_read)
#define ILK_IOC_WATCH		_IOWR('k', 0x14, struct ilk_watch_set)
#define ILK_IOC_WATCH_TELL	_IOWR('k', 0x15, struct ilk_watch_tell)
#define ILK_IOC_USER		_IOWR('k', 0x18, struct ilk_user)
#define ILK_IOC_PIN		_IOWR('k', 0x16, struct ilk_pin)
#define ILK_IOC_EVENTS		_IOWR('k', 0x1a, struct ilk_events)
#define ILK_IOC_CRASH		_IOWR('k', 0x1b, struct ilk_crash)

ILK_ASSERT_SIZE(struct ilk_info, 264);
ILK_ASSERT_OFFSET(struct ilk_info, reschedule, 248);
ILK_ASSERT_OFFSET(struct ilk_info, services, 200);
ILK_ASSERT_OFFSET(struct ilk_info, gates, 96);
ILK_ASSERT_OFFSET(struct ilk_info, gs_preempt_count, 104);
ILK_ASSERT_SIZE(struct ilk_reserve_patch, 16);
ILK_ASSERT_SIZE(struct ilk_reserve_hook, 32);
ILK_ASSERT_SIZE(struct ilk_reserve, 32);
ILK_ASSERT_SIZE(struct ilk_orc, 8);
ILK_ASSERT_SIZE(struct ilk_fault, 16);
ILK_ASSERT_SIZE(struct ilk_prepare_patch, 120);
ILK_ASSERT_OFFSET(struct ilk_prepare_patch, old, 56);
ILK_ASSERT_OFFSET(struct ilk_prepare_patch, aux, 88);
ILK_ASSERT_OFFSET(struct ilk_prepare_patch, replaces, 116);
ILK_ASSERT_SIZE(struct ilk_prepare_hook, 72);
ILK_ASSERT_SIZE(struct ilk_prepare, 32);
ILK_ASSERT_SIZE(struct ilk_arm, 32);
ILK_ASSERT_SIZE(struct ilk_disarm, 24);
ILK_ASSERT_SIZE(struct ilk_patch_status, 200);
ILK_ASSERT_OFFSET(struct ilk_patch_status, wait, 176);
ILK_ASSERT_OFFSET(struct ilk_patch_status, aux, 136);
ILK_ASSERT_SIZE(struct ilk_status, 24);
ILK_ASSERT_SIZE(struct ilk_counter, 24);
ILK_ASSERT_SIZE(struct ilk_counters, 24);
ILK_ASSERT_SIZE(struct ilk_field, 112);
ILK_ASSERT_SIZE(struct ilk_param, 128);
ILK_ASSERT_SIZE(struct ilk_instrument_desc, 2016);
ILK_ASSERT_SIZE(struct ilk_instruments, 16);

#endif /* ILK_ABI_H */
