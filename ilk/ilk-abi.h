/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi.h - the contract of /dev/ilk
 *
 * This file is the only boundary between code in kernel style and code in GLib style. Fields have
 * fixed widths, padding is explicit, sizes and offsets are asserted; pointers travel as __u64.
 * ilk/, agent/ and core/ include this file, and it includes only its own parts: ilk-abi-ring.h
 * (samples and their rings), ilk-abi-time.h (clocks and costs), ilk-abi-memory.h (memory of emitted
 * code, and modules that it calls), ilk-abi-services.h (functions that emitted code may call),
 * ilk-abi-crash.h (deliberate crashes).
 *
 * Life of a hook as seen by a client:
 *
 *   RESERVE   allocates arena slots and hook ids (iids), so that the client can
 *             emit code for the address at which it will run
 *   PREPARE   copies and checks code, ORC entries, site and expected bytes;
 *             nothing in the kernel's text changes; all or nothing
 *   ARM       sets run time zero if this is the first ARM since the file was
 *             opened or since a DISARM of the whole file. Hooks whose start time
 *             has passed work when this returns (as traps first); a timer starts the others.
 *             Jumps replace traps asynchronously, after one grace period for the batch
 *   DISARM    sites are restored when this returns. The rest is removed a grace period later
 *             (see @pending): bounces and slots, because a thread may be in them, and splices
 *             whose footprint contains bounces
 *   close()   disarms and frees all patches and hooks of this file
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
#include "ilk-abi-crash.h"

#define ILK_ABI_VERSION		18
#define ILK_DEVICE_NAME		"ilk"

#define ILK_FOOTPRINT_MAX	32	/* maximum size of the text that a patch owns at its site */
#define ILK_BOUNCE_BYTES	5	/* size of a bounce, which is a jump near the site */
#define ILK_GRANULE		32	/* unit in which arena memory (memory for the code of
					 * hooks) is allocated, in bytes */
#define ILK_ORC_PER_GRANULE	4	/* maximum number of ORC entries per granule of a slot */
#define ILK_FAULTS_PER_GRANULE	1	/* maximum number of exception-table entries per granule
					 * of a slot */
#define ILK_SLOT_MAX		65536	/* maximum size of code: enough for a clone of a large
					 * function */
/*
 * Code size of one arena module, as a number that the assembler can use too: four slots of maximum
 * size. The size is not larger because the kernel clears a module's memory without giving up
 * the CPU.
 */
#define ILK_ARENA_MODULE_BYTES	262272
#define ILK_ARENA_MODULES	32	/* maximum number of instances of ilk-arena.ko */
#define ILK_BATCH_MAX		65536	/* maximum number of items in an array argument */
#define ILK_PREPARE_BYTES_MAX	33554432	/* maximum size of code and entries per PREPARE */
#define ILK_PARAMS_MAX		4
#define ILK_FIELDS_MAX		12

/*
 * How a hit gets from the site, which is the probed instruction, to the patch's code. The tactic
 * determines the bytes that the driver writes at the site.
 */
enum ilk_tactic {
	ILK_TACTIC_NONE		= 0,
	ILK_TACTIC_SPLICE	= 1,	/* e9 rel32 (jmp) to the slot, which has the code; then
					 * cc (int3) */
	ILK_TACTIC_BOUNCE	= 2,	/* eb rel8 (short jmp) to a nearby e9 rel32, which jumps
					 * to the slot; then cc (int3) */
	ILK_TACTIC_CLONE	= 3,	/* jump to a copy of the function; with ILK_PATCH_INNER
					 * without the jump, as only other copies call this
					 * copy */
	ILK_TACTIC_TRAP		= 4,	/* cc (int3) on the first byte; other bytes unchanged */
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
 * An ILK_PATCH_INNER goes from PREPARED straight to ARMED. A patch with ILK_PATCH_RETURNS is
 * RETIRED only when no task can return into its slot any longer.
 *
 *   GONE: the module with the site was unloaded while the patch was armed
 *   LENDING: a disarmed splice whose footprint still has bounces of other patches: its hooks
 *         are off, and its text is restored a grace period after the sites of these patches
 */
enum ilk_state {
	ILK_STATE_RESERVED	= 0,
	ILK_STATE_PREPARED	= 1,
	ILK_STATE_TRAPPED	= 2,	/* an int3 is in place; the jump is not written yet */
	ILK_STATE_ARMED		= 3,	/* the site has its final bytes: a jump, or the int3 of
					 * ILK_TACTIC_TRAP */
	ILK_STATE_RESTORED	= 4,	/* the site has its old bytes; its entry for the trap
					 * handler and its bounce stay for a grace period */
	ILK_STATE_RETIRED	= 5,	/* slot freed */
	ILK_STATE_FAILED	= 6,	/* the patch could not be armed; see @refusal */
	ILK_STATE_GONE		= 7,	/* the module with the site was unloaded */
	ILK_STATE_LENDING		= 8,	/* disarmed, but bounces (jumps) of other patches
						 * remain in the footprint */
};

/*
 * Reason why the driver refused an item. The driver returns the reason in the item, together with
 * a negative errno. core/base/gilk-refusal.c has a message for each reason; keep both in step.
 */
enum ilk_refusal {
	ILK_REFUSAL_NONE	= 0,
	ILK_REFUSAL_TEXT_DIFFERS	= 1,	/* -EILSEQ  bytes differ from the expected bytes */
	ILK_REFUSAL_NOT_TEXT	= 2,	/* -EFAULT  site is not text of the kernel or a live
					 * module */
	ILK_REFUSAL_DENIED	= 3,	/* -EPERM   no trap is allowed at the site: noinstr, entry
					 * or blacklisted code, or code on the path to the
					 * driver's trap handler */
	ILK_REFUSAL_JUMP_LABEL	= 4,	/* -EBUSY   the kernel itself patches bytes of the item */
	ILK_REFUSAL_STATIC_CALL	= 5,	/* -EBUSY */
	ILK_REFUSAL_FTRACE	= 6,	/* -EBUSY */
	ILK_REFUSAL_KPROBE	= 7,	/* -EBUSY   a kprobe sits in the footprint */
	ILK_REFUSAL_EXTABLE	= 8,	/* -EOPNOTSUPP instruction has a fault fix-up */
	ILK_REFUSAL_BUG		= 9,	/* -EOPNOTSUPP instruction is the ud2 of a BUG or WARN */
	ILK_REFUSAL_OVERLAP	= 10,	/* -EEXIST  another hook owns bytes of the item */
	ILK_REFUSAL_RANGE	= 11,	/* -ERANGE  slot is out of reach of the jump */
	ILK_REFUSAL_INSTRUMENT	= 12,	/* -ENOENT  no such instrument */
	ILK_REFUSAL_BAD_ITEM	= 13,	/* -EINVAL  malformed item */
	ILK_REFUSAL_ARENA_FULL	= 14,	/* -ENOSPC  arena is full: load more arena modules */
	ILK_REFUSAL_TOO_MANY	= 15,	/* -ENOSPC  hook table or counters full */
	ILK_REFUSAL_STATE	= 16,	/* -EBUSY   item is not in the required state */
	ILK_REFUSAL_POISONED	= 17,	/* -EUCLEAN text did not read back as written: from then on
					 * the driver only restores text */
	ILK_REFUSAL_MODULE_GONE	= 18,	/* -ENODEV the module with the site was unloaded */
	ILK_REFUSAL_UNSUPPORTED	= 19,	/* -EOPNOTSUPP driver or kernel does not support the item */
	ILK_REFUSAL_LOCKED_DOWN	= 20,	/* -EPERM   kernel accepts no new code, see ilk-permit.c */
	ILK_REFUSAL_NOT_BOUNDARY	= 21,	/* -EINVAL  bytes are neither whole instructions
						 * nor padding */
	ILK_REFUSAL_SMP_LOCK	= 22,	/* -EBUSY   footprint has a lock prefix that the kernel
					 * may write back */
	ILK_REFUSAL_LIVEPATCH	= 23,	/* -EBUSY   a livepatch replaces the function, or is
					 * being loaded */
	ILK_REFUSAL_TOO_LARGE	= 25,	/* -E2BIG   data of PREPARE exceeds ILK_PREPARE_BYTES_MAX */
	ILK_REFUSAL_PIN_GONE	= 30,	/* -ENOENT  address is not code of the module, or the
					 * module is unloading */
	ILK_REFUSAL_PIN_OWN	= 31,	/* -EPERM   emitted code must not call the driver */
	ILK_REFUSAL_CRASH_NO_KERNEL = 40, /* -ENOENT no crash kernel is loaded */
};

/* ---- INFO: properties of driver and kernel ------------------------------- */

#define ILK_FEATURE_ORC		(1ULL << 0)	/* slots carry ORC entries */
#define ILK_FEATURE_EXTABLE	(1ULL << 1)	/* slots carry exception entries */

#define ILK_RULE_LOCKED_DOWN	(1ULL << 0)	/* no new code is accepted; all code can still
						 * be removed */

/**
 * struct ilk_info - what a client must know to emit code for this kernel
 * @gs_*: per-CPU offsets, for use as %gs:disp32 absolute operands
 * @arena_max: size of the arena once all arena modules are loaded, in bytes
 * @arena_bytes: current size of the arena: the driver's own and the loaded arena modules
 * @arena_free: size of the part of @arena_bytes that is not allocated
 * @ring_bytes: size of one CPU's ring, a power of two; if the rings are not claimed, the default
 *     size
 * @ring_max: largest ring size that a claim may request
 * @gates: address of a byte array indexed by iid: 0 closed, 1 open
 * @context_mask: bits of the preempt count that distinguish task, softirq, hardirq and NMI (for the
 *     re-entry guard); bit 0 is clear
 * @clock: read during this call
 * @bugs: number of inconsistencies that the driver found in its own states; please report any
 * @rules: ILK_RULE_*
 * @orc_*: ORC_REG_SP and others, from the headers that the driver was built with (the numbers
 *     differ between kernels): the bases that unwind entries of a PREPARE may use
 * @bug_size: size of struct bug_entry, from the same headers
 * @gs_current_task: the struct task_struct * of the CPU's current task; 0: not known
 * @gs_cpu_number: u32: the number of this CPU; 0: not known
 * @task_*: offsets of pid, tgid and comm in struct task_struct, from the same headers
 * @services: addresses of services, indexed by enum ilk_service; 0: missing
 * @reschedule: address to call when the preempt count has become 0; preserves all registers but the
 *     flags. 0: the kernel is not preemptible now
 * @preempt_bytes: size of the preempt count including its highest bit, which is set while no
 *     reschedule is due: 4 or 8
 */
struct ilk_info {
	__u32 abi;
	__u32 size;
	__u32 nr_cpus;
	__u32 hooks_live;
	__u32 patches_live;
	__u32 hooks_max;
	__u64 features;
	__u64 arena_max;
	__u64 arena_bytes;
	__u64 arena_free;
	__u64 ring_bytes;
	__u64 tsc_khz;
	struct ilk_timestamp_pair clock;
	__u64 gates;
	__s32 gs_preempt_count;
	__s32 gs_ring_head;	/* per-CPU u64: head of the ring; see ilk-abi-ring.h */
	__s32 gs_ring_limit;	/* per-CPU u64: no cell may be reserved at this head or above */
	__s32 gs_ring_base;	/* per-CPU u64: address of cell 0 */
	__s32 gs_ring_mask;	/* per-CPU u64: mask that turns a position into its offset from
				 * cell 0 */
	__s32 gs_ring_lost;	/* per-CPU u64: number of samples of all hooks lost on a full
				 * ring */
	__s32 gs_guard;		/* per-CPU u64: preempt count of the context in which hook code
				 * runs; 1: no hook code runs */
	__u32 context_mask;
	__u32 poisoned;
	__u32 reader_claimed;
	__u64 traps_live;
	__u64 bugs;
	__u64 rules;
	__u64 ring_max;
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

/* ---- RESERVE: slots, ids and counters ------------------------------------ */

struct ilk_reserve_patch {
	__u32 bytes;		/* in: upper bound of the code's size, 1..ILK_SLOT_MAX */
	__u32 id;		/* out: patch id, never reused while the driver is loaded */
	__u64 slot;		/* out: address at which the code will run */
};

#define ILK_HOOK_COUNTER_NEAR	(1U << 0)	/* the hook prefers a counter that %gs:disp32
						 * can reach */

struct ilk_reserve_hook {
	__u32 flags;		/* in: ILK_HOOK_COUNTER_NEAR, which is only a preference, or 0 */
	__u32 iid;		/* out: id of the hook, 1..hooks_max */
	__u64 counter;		/* out: per-CPU offset of the u64 hit counter */
	__u64 lost;		/* out: per-CPU offset of the u64 lost-sample counter */
	__u64 missed;		/* out: per-CPU offset of the u64 counter of missed hits */
};

/*
 * Argument of RESERVE, which allocates all slots (memory for code) or none; no slot spans two
 * arenas. If RESERVE is refused as ARENA_FULL, the arena must grow by at least @missing bytes: the
 * client may load arena modules and try again. A module stays loaded until all slots in it are
 * freed, at least one grace period after their release.
 */
struct ilk_reserve {
	__u32 patch_count;
	__u32 hook_count;
	__u64 patches;		/* struct ilk_reserve_patch[] */
	__u64 hooks;		/* struct ilk_reserve_hook[] */
	__u32 refusal;		/* out */
	__u32 missing;		/* in: 0; out: with ARENA_FULL the missing bytes, else 0 */
};

/* ---- PREPARE: code, hooks and footprints --------------------------------- */

/**
 * struct ilk_orc - one ORC entry of a slot, in the running kernel's own format
 * @offset: offset from the slot's start, ascending within a patch
 * @entry: the six bytes of the kernel's struct orc_entry. They describe the frame of a called
 *     function, based on one of the registers that INFO lists
 */
struct ilk_orc {
	__u16 offset;
	__u8 entry[6];
};

/**
 * struct ilk_fault - one exception-table entry of a slot
 * @offset: offset, from the slot's start, of the instruction that may fault; ascending
 * @data: same as in the kernel's own entry for the original instruction (type, flags, register)
 * @fixup: address at which execution continues: in the same slot, or at the fix-up of the
 *     original instruction
 */
struct ilk_fault {
	__u32 offset;
	__s32 data;
	__u64 fixup;
};

/*
 * Flag of a patch whose code calls functions that return to it. The slot is freed only when, after
 * the grace period, no task's stack leads into the slot or into code with a jump or call to the
 * slot. Clones always have this flag.
 */
#define ILK_PATCH_RETURNS	(1U << 0)
/*
 * Flag of a patch that is a clone (a copy of a function) and is called only by other clones of this
 * client: it has no footprint, and @len is 0.
 */
#define ILK_PATCH_INNER		(1U << 1)
/*
 * Flag of a patch that is a calibration stub, which only MEASURE calls (ilk-abi-time.h). The patch
 * has no other flag, no tactic and no footprint.
 */
#define ILK_PATCH_CALIBRATION	(1U << 2)
/*
 * Flag of a patch whose code may change what the kernel does: like a clone, the patch is refused
 * where a livepatch is active, and disarmed when a livepatch is loaded.
 */
#define ILK_PATCH_CHANGES	(1U << 3)

/*
 * Switch-over: a patch may replace a live or scheduled patch of the same client that has the same
 * tactic, site, len, old bytes and aux: ARM redirects the footprint from the old slot to the new
 * one, and each hit runs exactly one of the two. The old patch becomes RESTORED, although its
 * footprint stays in text and belongs to the new patch, and is retired after a grace period as
 * usual. ARM does all of this or nothing.
 *
 * To keep a hook of the old patch, the client binds it to the new patch in the same PREPARE, with
 * the same instrument, times and params; it keeps its iid, cells and gate, and moves at ARM. Hooks
 * that are not bound to the new patch end with the old patch. If the old patch is live, the new one
 * works at once: the new patch's hooks that start later must be gated.
 */

struct ilk_prepare_patch {
	__u32 id;
	__u32 tactic;		/* enum ilk_tactic */
	__u64 site;
	__u64 code;		/* u8[code_len] */
	__u64 orc;		/* struct ilk_orc[orc_count]; the first one, if any, is for offset
				 * 0 */
	__u32 code_len;
	__u32 orc_count;
	__u32 len;		/* size of the footprint, 1..ILK_FOOTPRINT_MAX */
	__s32 error;		/* out: 0 or -errno */
	__u32 refusal;		/* out: enum ilk_refusal */
	__u32 flags;		/* ILK_PATCH_* */
	__u8 old[ILK_FOOTPRINT_MAX];
	/*
	 * For a bounce: address of its second jump, which is in filler bytes that are never
	 * executed, or after the jump of a splice that this client prepared earlier. For a splice:
	 * offset in the slot of the code that calls no hooks; hits run that code while the patch is
	 * LENDING. 0: hits run the normal code.
	 */
	__u64 aux;
	__u8 aux_old[8];	/* for a bounce: expected bytes at @aux, zero-padded (cc after a
				 * splice); else 0 */
	__u64 faults;		/* struct ilk_fault[fault_count] */
	__u32 fault_count;
	__u32 replaces;		/* id of the live patch that this one replaces; 0: none */
};

#define ILK_HOOK_GATED		(1U << 1)	/* the hook's gate (a byte that its code checks)
						 * starts and stops the hook */
#define ILK_HOOK_SAMPLES	(1U << 2)	/* the hook writes samples to the rings */

struct ilk_prepare_hook {
	__u32 iid;
	__u32 patch;		/* id of the patch that calls or contains the hook */
	__u32 instrument;	/* id of the instrument that the patch calls; 0: the code of the
				 * hook is in the patch */
	__u32 flags;
	__u64 start_ns;		/* start time: ns after run time zero, which the first ARM sets */
	__u64 stop_ns;		/* stop time: ns after run time zero; 0: the hook stops only when
				 * it is disarmed */
	__u64 params[ILK_PARAMS_MAX];
	__s32 error;		/* out */
	__u32 refusal;		/* out */
};

/*
 * Argument of PREPARE. Before PREPARE copies any data, it sums the sizes of all data to which items
 * refer. The item with which the sum exceeds ILK_PREPARE_BYTES_MAX is refused as TOO_LARGE, even if
 * items share their bytes. A fatal signal ends the copying with -EINTR, and nothing is prepared.
 */
struct ilk_prepare {
	__u32 patch_count;
	__u32 hook_count;
	__u64 patches;
	__u64 hooks;
	__u32 failed;		/* out: number of items with an error */
	__u32 pad;
};

/* ---- ARM and DISARM: changes of text -------------------------------------- */

struct ilk_arm {
	struct ilk_timestamp_pair zero;	/* out: clock and TSC at run time zero, which may be
					 * long ago */
	__u32 failed_patch;	/* out: id of the patch because of which nothing was armed; 0:
				 * none */
	__u32 refusal;		/* out */
};

#define ILK_DISARM_FILE		0U	/* all patches of this file */
#define ILK_DISARM_ALL_FILES	1U	/* all patches of all files */
#define ILK_DISARM_LIST		2U	/* the patches of this file whose ids are given */
#define ILK_DISARM_FREE		(1U << 8)	/* also release ids and slots of the patches */

struct ilk_disarm {
	__u32 what;
	__u32 count;
	__u64 patches;		/* with ILK_DISARM_LIST: __u32[count], ids of patches */
	__u32 restored;		/* out: number of patches that this call restored */
	__u32 refused;		/* out: number of patches not restored because other patchers
				 * changed their bytes */
};

/* ---- STATUS of patches, COUNTERS of hooks --------------------------------- */

#define ILK_STATUS_ALL_FILES	1U

/* Event that the driver awaits before it replaces a trap by a jump, or frees a slot. */
enum ilk_wait {
	ILK_WAIT_NONE		= 0,
	ILK_WAIT_GRACE		= 1,	/* the end of a grace period: then no thread runs in the
					 * footprint or slot */
	ILK_WAIT_STACKS		= 2,	/* the end of a search of all stacks for tasks that may
					 * return into the slot, or into code that leads to the
					 * slot */
	ILK_WAIT_TASK		= 3,	/* the task @wait_pid, which may still return into the
					 * slot */
	ILK_WAIT_LIVE		= 4,	/* the disarm of other code that jumps to the slot or
					 * calls it */
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
	__u64 armed_mono_ns;	/* time at which the site was changed for this patch; 0: never */
	__u64 spliced_mono_ns;	/* time at which the patch reached ILK_STATE_ARMED; 0: never */
	__u64 restored_mono_ns;
	__u8 old[ILK_FOOTPRINT_MAX];
	__u8 new_[ILK_FOOTPRINT_MAX];
	__u64 aux;		/* for a bounce: address of its second jump; else 0 */
	__u8 aux_old[8];	/* for a bounce: original bytes at @aux, zero-padded; else 0 */
	__u8 aux_new[8];
	__u64 aux_laid_mono_ns;		/* 0: never */
	__u64 aux_restored_mono_ns;	/* time at which the bounce was restored; 0: not yet */
	__u32 wait;		/* enum ilk_wait */
	__u32 wait_pid;		/* ILK_WAIT_TASK: id of the thread; else 0 */
	char wait_comm[16];	/* NUL-padded */
};

struct ilk_status {
	__u32 flags;		/* ILK_STATUS_ALL_FILES */
	__u32 capacity;		/* in: number of items that @patches can hold; 0: get only the
				 * count */
	__u64 patches;		/* struct ilk_patch_status[] */
	__u32 count;		/* out: number of all patches, which may exceed @capacity */
	__u32 pending;		/* out: number of patches that wait for anything but
				 * ILK_WAIT_LIVE (enum ilk_wait) */
};

struct ilk_counter {
	__u64 count;
	__u64 lost;
	__u64 missed;
};

#define ILK_COUNTERS_PER_CPU	1U	/* @out has one row per iid, with one item per CPU */

/*
 * Argument of COUNTERS, which returns -ENOENT for an iid without a hook; after an error @out may be
 * partly written.
 */

struct ilk_counters {
	__u32 count;
	__u32 flags;
	__u64 iids;		/* __u32[count], ids of hooks */
	__u64 out;		/* struct ilk_counter[count]; [count * nr_cpus] with
				 * ILK_COUNTERS_PER_CPU */
};

/* ---- descriptions of instruments ------------------------------------------ */

enum ilk_field_type {
	ILK_FIELD_U64		= 0,
	ILK_FIELD_S64		= 1,
	ILK_FIELD_U32		= 2,
	ILK_FIELD_S32		= 3,
	ILK_FIELD_HEX64		= 4,
	ILK_FIELD_TEXT		= 5,	/* @size bytes of text, NUL-padded */
};

/* Meaning of a number in a sample, for display. */
enum ilk_meaning {
	ILK_MEANING_NONE	= 0,
	ILK_MEANING_SYMBOL	= 1,	/* a kernel address */
	ILK_MEANING_STACK	= 2,	/* number of a stack trace that is stored in an area */
	ILK_MEANING_ERRNO	= 3,	/* an errno if negative and small */
	ILK_MEANING_ENUM	= 4,	/* an enum value; instruments never use this, because only
					 * the client has the names of the values */
};

struct ilk_field {
	char name[24];		/* name of the field's column: [a-z_][a-z0-9_]* */
	char unit[16];		/* unit of the value, such as "ns" or "B"; "": none */
	char help[64];
	__u16 type;
	__u16 offset;		/* offset in the payload */
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

#define ILK_INSTRUMENT_REGS	(1U << 0)	/* the function reads @regs: the patch must save
						 * all registers */
/*
 * The function may be called anywhere, with arbitrary contents of struct ilk_regs, to measure its
 * cost: it dereferences no register, and makes exactly one sample per call.
 */
#define ILK_INSTRUMENT_TIMED	(1U << 1)

struct ilk_instrument_desc {
	__u32 id;		/* never 0 */
	__u32 version;
	__u32 flags;
	__u32 sample_bytes;	/* payload size of the instrument's samples; 0: no samples */
	__u64 fn;		/* address that the patch calls */
	__u32 users;		/* number of hooks that refer to the instrument */
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

/* ---- ioctl numbers ---------------------------------------------------------------- */

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
#define ILK_IOC_INTERVALS		_IOW('k', 0x0e, struct ilk_intervals)
#define ILK_IOC_INTERVAL_TIMES	_IOWR('k', 0x0f, struct ilk_interval_times)
#define ILK_IOC_MEMORY		_IOWR('k', 0x10, struct ilk_memory)
#define ILK_IOC_MEMORY_READ	_IOW('k', 0x11, struct ilk_memory_read)
#define ILK_IOC_PIN		_IOWR('k', 0x16, struct ilk_pin)
#define ILK_IOC_CRASH		_IOWR('k', 0x1b, struct ilk_crash)

ILK_ASSERT_SIZE(struct ilk_info, 256);
ILK_ASSERT_OFFSET(struct ilk_info, reschedule, 240);
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
