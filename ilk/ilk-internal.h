/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-internal.h - shared by the files of the driver
 *
 * Locks, in the order in which they are taken
 *
 *   ilk_mutex	by ilk_lock(): every patch, hook, client, instrument and the arena; never held
 *		while user memory is copied or we wait for a grace period. The kernel's
 *		notifier of modules holds its rwsem when we take it.
 *   arming	a client's, before ilk_mutex: held while ARM waits for its uprobes (ilk-user.c)
 *   kprobe_mutex, cpus_read_lock(), text_mutex
 *		the kernel's, by ilk_kernel_text_lock(): held while text is compared and
 *		written, so that no other patcher can claim a byte in between. jump_label_lock()
 *		(ilk-reserved.c) is never held together with them. Nothing that the kernel
 *		does under any of these calls us, so that ilk_mutex always comes first.
 *   Exceptions	the trap handler reads the site hash under RCU (ilk-trap.c);
 *		ilk_sample() and ilk_param() read ilk_hooks[] without a lock: a hook
 *		is freed only after a grace period; gates are single bytes; the ring
 *		has one reader and per-CPU writers (ilk-ring.c).
 */
#ifndef ILK_INTERNAL_H
#define ILK_INTERNAL_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/hrtimer.h>
#include <linux/workqueue.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/xarray.h>
#include <linux/bitmap.h>

#include "ilk-abi.h"
#include "ilk.h"
#include "ilk-arena.h"
#include "ilk-compat.h"
#include "ilk-text.h"

struct insn;

#define ILK_HOOKS_MAX	65536u
#define ILK_ARENAS_MAX	(1 + ILK_ARENA_MODULES)
#define ILK_ARENA_GRANULES	(ILK_ARENAS_MAX * ILK_ARENA_MODULE_GRANULES)

/* Like the kernel's own, for lists that may be long: each step gives up the CPU if needed. */
#define ilk_each(pos, head, member)						\
	for (pos = list_first_entry(head, typeof(*pos), member);		\
	     !list_entry_is_head(pos, head, member);				\
	     cond_resched(), pos = list_next_entry(pos, member))
#define ilk_each_safe(pos, next, head, member)					\
	for (pos = list_first_entry(head, typeof(*pos), member),		\
	     next = list_next_entry(pos, member);				\
	     !list_entry_is_head(pos, head, member);				\
	     cond_resched(), pos = next, next = list_next_entry(next, member))
#define ilk_each_patch(id, patch)						\
	for (id = 0, patch = xa_find(&ilk_patches, &id, ULONG_MAX, XA_PRESENT); patch; \
	     cond_resched(), patch = xa_find_after(&ilk_patches, &id, ULONG_MAX, XA_PRESENT))

/* ---- ilk-kernel.c: what the kernel does not export ------------------------ */

int ilk_kernel_init(void);
void *ilk_kernel_data(const char *name);
void *ilk_kernel_optional(const char *name);
void ilk_kernel_jump_label_lock(void);
void ilk_kernel_jump_label_unlock(void);
struct module *ilk_kernel_module_get(unsigned long addr);
void ilk_kernel_text_lock(void);
void ilk_kernel_text_unlock(void);
struct atomic_notifier_head *ilk_kernel_die_chain(void);
enum ilk_refusal ilk_kernel_check_site(unsigned long site, u32 len, const u8 *old,
				       struct module **target);
bool ilk_kernel_is_live(unsigned long site, const struct module *mod);
bool ilk_kernel_kprobe_in(unsigned long site, u32 len);
enum ilk_refusal ilk_kernel_check_clone(unsigned long site, u32 len);
u32 ilk_kernel_fault_mask(unsigned long site, u32 len);
enum ilk_refusal ilk_kernel_check_faults(unsigned long site, u32 len,
					 const struct ilk_fault *faults, u32 count);
bool ilk_kernel_is_fixup(unsigned long fixup, int data);
bool ilk_kernel_is_livepatched(unsigned long site);
bool ilk_kernel_knows_livepatch(void);
int ilk_kernel_wake(struct task_struct *task, unsigned int states);
int ilk_kernel_each_symbol(ilk_symbol_fn *fn);
bool ilk_kernel_is_core_text(unsigned long addr);
bool ilk_kernel_function(unsigned long addr, unsigned long *start, unsigned long *size);
int ilk_kernel_decode(struct insn *insn, const u8 *bytes, u32 len);
bool ilk_kernel_copy_unprobed(unsigned long addr, u8 *bytes);

/* ---- ilk-denied.c: functions that no patch may touch ------------------------ */

int ilk_denied_init(void);
void ilk_denied_exit(void);
bool ilk_denied_has(unsigned long site, u32 len);
bool ilk_denied_clone(unsigned long site);

/* ---- ilk-decode.c: boundaries of instructions --------------------------------- */

u32 ilk_decode(unsigned long addr, struct insn *insn);
void ilk_decode_reset(void);
enum ilk_refusal ilk_decode_check(unsigned long site, u32 len, bool filler);
enum ilk_refusal ilk_decode_check_function(unsigned long site);

/* ---- ilk-permit.c: whether code may still enter this kernel ------------------- */

int ilk_permit_init(void);
bool ilk_permit_is_locked_down(void);
enum ilk_refusal ilk_permit_known(void);
enum ilk_refusal ilk_permit_check(void);

/* ---- ilk-reserved.c: bytes reserved by the kernel ------- */

int ilk_reserved_init(void);
void ilk_reserved_exit(void);
enum ilk_refusal ilk_reserved_check(unsigned long site, u32 len, bool core);

/* ---- ilk-arena.c, ilk-orc.c, ilk-extable.c: executable memory and its tables -- */

/**
 * struct ilk_slot - a piece of an arena with the code of one patch
 * @granule: number of its first granule, by ilk_arena_granule()
 * @granules: its length; 0 once freed
 */
struct ilk_slot {
	struct ilk_arena *arena;
	unsigned long addr;
	u32 granule;
	u32 granules;
	bool filled;		/* was written, so must be refilled with int3 when freed */
};

static inline unsigned long ilk_slot_address(const struct ilk_slot *slot)
{
	return slot->addr;
}

static inline u32 ilk_slot_bytes(const struct ilk_slot *slot)
{
	return slot->granules * ILK_GRANULE;
}

int ilk_arena_init(void);
bool ilk_arena_granule(unsigned long address, u32 *granule);
bool ilk_arena_owns(const struct module *mod);
u64 ilk_arena_max_bytes(void);
void ilk_arena_sizes(u64 *bytes, u64 *unused);
u32 ilk_slot_round_up(u32 bytes);
int ilk_slot_alloc(struct ilk_slot *slot, u32 bytes);
void ilk_slot_free(struct ilk_slot *slot);
void ilk_slot_fill(struct ilk_slot *slot, const u8 *code, u32 len);
unsigned long ilk_arena_thunk(unsigned long target);

int ilk_orc_init(struct ilk_arena *arena);
void ilk_orc_fill(const struct ilk_slot *slot, const struct ilk_orc *orc, u32 count);
void ilk_orc_clear(const struct ilk_slot *slot);

int ilk_extable_init(struct ilk_arena *arena);
bool ilk_extable_check(const struct ilk_slot *slot, u32 code_len, const struct ilk_fault *faults,
		       u32 count);
void ilk_extable_fill(const struct ilk_slot *slot, const struct ilk_fault *faults, u32 count);
void ilk_extable_clear(const struct ilk_slot *slot);

/* ---- ilk-trap.c: int3 to patch --------------------------------------------- */

/**
 * struct ilk_site - a probe point, as the trap handler sees it
 * @trap_ip: instruction pointer of its traps, @addr + 1; 0: tombstone for late hits
 */
struct ilk_site {
	unsigned long trap_ip;
	unsigned long slot;
	atomic64_t hits;
	struct ilk_site *next;
	unsigned long addr;
	struct rcu_head rcu;
};

int ilk_trap_init(void);
void ilk_trap_exit(void);
void ilk_site_publish(struct ilk_site *site);
void ilk_site_set_live(struct ilk_site *site, bool live);
void ilk_site_withdraw(struct ilk_site *site);

/* ---- ilk-patch.c, ilk-hook.c, ilk-grace.c ----------------------------------- */

/**
 * struct ilk_client - one open file
 * @node: in ilk_clients from its first RESERVE on; before that there is nothing to undo
 * @zero: run time zero; its time is 0 until the first ARM, and after a DISARM of all
 * @timer: ilk-timer.c, as @work, @again and @events; @events is changed only while @timer is
 *     stopped
 */
struct ilk_client {
	struct list_head node;
	struct list_head patches;
	struct list_head hooks;
	pid_t pid;
	struct ilk_timestamp_pair zero;
	struct ilk_intervals_run *intervals;	/* ilk-intervals.c; NULL: none */
	struct ilk_account *account;	/* ilk-memory.c; NULL: none */
	bool has_users;			/* ilk-user.c; under ilk_mutex; never reset */
	struct mutex arming;		/* ilk-user.c */
	struct hrtimer timer;
	struct work_struct work;
	struct delayed_work retry;
	struct ilk_event *events;
	u32 event_room;
	u32 event_count;
	u32 event_next;
};

/* Whether a task may return into a patch. The driver stays loaded in all states but NONE. */
enum ilk_retire_state {
	ILK_RETIRE_NONE,		/* no */
	ILK_RETIRE_HELD,		/* yes: from PREPARE until a grace period after restore */
	ILK_RETIRE_QUEUED,		/* in ilk-retire.c's list, by grace_node */
	ILK_RETIRE_BLOCKED,		/* likewise, because live code leads into it */
};

/* A task that may return into the arena. */
struct ilk_holder {
	u32 granule;			/* ILK_ANY_GRANULE: unknown, it may return into any */
	pid_t pid;			/* 0: none */
	char comm[TASK_COMM_LEN];
};

#define ILK_ANY_GRANULE	U32_MAX
#define ILK_PATCH_MAGIC	0x4843544150204b4cull	/* "LK PATCH" */

struct ilk_patch {
	u64 magic;			/* marks a live struct in crash dumps; 0 once freed */

	/* constant after RESERVE */
	u32 id;
	struct ilk_slot slot;

	/* the plan, constant from PREPARE to restore */
	u32 tactic;
	bool inner;			/* code only: text.len is 0 */
	bool calibration;			/* calibration stub, called by ilk-measure.c only */
	bool measured;			/* has been measured, and logged; under ilk_mutex */
	struct ilk_user_point_hook *user;	/* called by ilk-user.c only; NULL: not in a program */
	u32 user_holds;			/* references by ilk-user.c; under ilk_mutex */
	struct ilk_watchpoint *watchpoint;	/* ILK_TACTIC_WATCH: whose accesses run it; NULL: none */
	bool returns, changes;		/* ILK_PATCH_RETURNS, ILK_PATCH_CHANGES */
	struct ilk_text text;
	struct ilk_text bounce;		/* len 0: none; in text from ARM to a grace period */
					/* after restore, and keeps the driver loaded then */
	bool guest;			/* its bounce follows the jump of a splice, */
	struct ilk_patch *host;		/* its host; NULL once that is out of text */
	struct list_head guest_node;	/* in the host's guests */
	struct list_head guests;	/* of a splice, when it is a host */
	u32 fault_mask;			/* bytes of the footprint that have a fault fix-up */
	u32 unhooked_offset;			/* offset of code without hooks; of a stub: after its trap */
	struct module *target;		/* never dereferenced; NULL for core text; set by
					 * ilk_patch_set_target() */

	/* state, under ilk_mutex */
	struct ilk_client *client;	/* NULL: released; freed once restored and quiet */
	struct list_head node;		/* in the client's patches or ilk-grace.c's orphans */
	struct list_head hooks;
	struct list_head grace_node;	/* in ilk-grace.c's list or its batch; else empty */
	struct ilk_site *site;		/* from ARM until a grace period after restore */
	enum ilk_retire_state retire;
	struct ilk_holder holder;	/* while it LINGERS: a task seen in it */
	struct ilk_pool *pool;		/* ilk-memory.c: areas that its code may use */
	u32 *leads;			/* granules of other slots that its code leads to */
	u32 lead_count;
	u64 pass;			/* pass of ilk-retire.c that examines it; else 0 */
	u32 state;			/* enum ilk_state */
	u32 refusal;
	bool scheduled;			/* ARM has processed it */
	bool waits_for_host;			/* a guest whose grace period is over, but not its host's */
	bool chosen;			/* by the current transaction; false outside of it */
	u32 replaces;			/* id of the patch that it will replace; ilk-switch.c */
	u32 successor;			/* id of the patch that is prepared to replace it */
	struct list_head arriving;	/* hooks that will move here, by move_node */
	struct list_head switch_node;	/* in the current switch-over */
	struct ilk_site *hop_site;	/* site of its bounce, during a switch-over */
	u64 start_at, stop_at;		/* ns, CLOCK_MONOTONIC; stop 0: never */
	u64 hits_before;
	u64 armed_ns, spliced_ns, restored_ns;
	u64 laid_ns, lifted_ns;
};

struct ilk_hook {
	u32 iid;
	u32 flags;
	struct ilk_client *client;
	pid_t pid;			/* of the process that opened the client's file */
	struct list_head node;		/* in the client's hooks; empty once given up */
	struct list_head patch_node;
	struct list_head move_node;	/* in its next patch's arriving; else empty */
	u32 move_flags;			/* its flags in that patch */
	struct ilk_patch *patch;
	struct ilk_instrument *instrument;
	struct ilk_watchpoint *watchpoint;	/* ilk-watch.c; NULL: no watchpoint */
	u64 start_ns, stop_ns;
	u64 start_at, stop_at;
	u64 params[ILK_PARAMS_MAX];
	u64 __percpu *count;
	u64 __percpu *lost;
	u64 __percpu *missed;
	bool near;
	struct rcu_head rcu;
};

extern struct xarray ilk_patches;	/* all patches, by id */
extern struct mutex ilk_mutex;
void ilk_lock(void);
void ilk_unlock(void);
extern struct list_head ilk_clients;
extern struct workqueue_struct *ilk_wq;
extern struct dentry *ilk_debugfs;	/* the directory ilk/ in debugfs */
extern struct ilk_hook *ilk_hooks[ILK_HOOKS_MAX + 1];
extern u8 ilk_gates[ILK_HOOKS_MAX + 1];

/* A PREPARE after copying in; ilk-stage.c */
struct ilk_staged {
	struct ilk_prepare_patch *patches;
	struct ilk_prepare_hook *hooks;
	u8 *blobs;			/* of all patches: exception entries, ORC entries, code */
	u32 *at;			/* starts of patches' parts in @blobs; [patch_count]: end */
	u32 patch_count, hook_count;
	u32 failed;
};

static inline bool ilk_patch_in_text(const struct ilk_patch *patch)
{
	return patch->text.form != ILK_TEXT_OLD;
}

static inline bool ilk_bounce_in_text(const struct ilk_patch *patch)
{
	return patch->bounce.form != ILK_TEXT_OLD;
}

/* Returns whether its code can be reached from text, or through other code of the client. */
static inline bool ilk_patch_is_live(const struct ilk_patch *patch)
{
	return ilk_patch_in_text(patch) || (patch->inner && patch->state == ILK_STATE_ARMED);
}

/*
 * Returns whether no grace period, task or list needs it any longer, so that its slot may be
 * written.
 */
static inline bool ilk_patch_is_unreferenced(const struct ilk_patch *patch)
{
	return !patch->site && patch->retire == ILK_RETIRE_NONE && !ilk_bounce_in_text(patch) &&
	       list_empty(&patch->grace_node) && !patch->user_holds;
}

/* ---- ilk-state.c: the states of a patch ----------------------------------------- */

void ilk_patch_set_state(struct ilk_patch *patch, u32 state);
void ilk_patches_count(u32 *live, u64 *trapped);
u64 ilk_bugs(void);
void ilk_patch_status(const struct ilk_patch *patch, struct ilk_patch_status *status);
int ilk_refusal_errno(enum ilk_refusal refusal);
enum ilk_refusal ilk_refusal_of_text(int error);

/* ---- ilk-patch.c --------------------------------------------------------------- */

struct ilk_patch *ilk_patch_new(struct ilk_client *client, u32 bytes);
struct ilk_patch *ilk_patch_find(struct ilk_client *client, u32 id);
void ilk_patch_set_target(struct ilk_patch *patch, struct module *target);
bool ilk_target_is_used(const struct module *mod);
void ilk_patch_unclaim(struct ilk_patch *patch);
enum ilk_refusal ilk_patch_check(struct ilk_client *client, struct ilk_prepare_patch *item,
				 const struct ilk_orc *orc, const struct ilk_fault *faults,
				 struct ilk_patch **out);
void ilk_patch_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
int ilk_patches_arm(struct list_head *batch, struct ilk_patch **obstacle);
void ilk_patches_unarm(struct list_head *batch);
void ilk_patches_splice(struct list_head *batch);
u32 ilk_patches_restore(struct list_head *batch);
void ilk_patch_free(struct ilk_patch *patch);

/* ---- ilk-bounce.c: the nearby jump of a short footprint ----------------------- */

enum ilk_refusal ilk_bounce_check(const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, const struct module *target);
enum ilk_refusal ilk_guest_check(const struct ilk_prepare_patch *item,
				 const struct ilk_patch *patch, const struct ilk_patch *host);
void ilk_bounce_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item);
int ilk_bounces_lay(struct list_head *batch, struct ilk_patch **obstacle);
void ilk_bounces_lift(struct list_head *batch, bool armed_in_vain);
void ilk_bounces_drop_module(const struct module *mod);
void ilk_bounce_leave_host(struct ilk_patch *guest);
void ilk_guests_evict(struct ilk_patch *host);
bool ilk_patch_is_lending(const struct ilk_patch *patch);
void ilk_guests_splice(struct list_head *batch);
void ilk_guests_collect_waiting(struct list_head *hosts, struct list_head *batch);
void ilk_hosts_start_lending(struct list_head *batch);
bool ilk_host_is_needed(const struct ilk_patch *patch);

/* ---- ilk-switch.c: replacing a live patch ------------------------------- */

enum ilk_refusal ilk_switch_check(struct ilk_client *client, const struct ilk_prepare_patch *item,
				  const struct ilk_patch *patch, struct module **target);
void ilk_switch_plan(struct ilk_patch *patch, u32 replaces);
void ilk_switch_cancel(struct ilk_patch *patch);
enum ilk_refusal ilk_switch_bind(struct ilk_hook *hook, struct ilk_patch *patch,
				 const struct ilk_prepare_hook *item);
enum ilk_refusal ilk_switch_recheck(const struct ilk_patch *patch, bool *live);
int ilk_switch_start(struct list_head *patches, struct ilk_patch **obstacle);
void ilk_switch_abort(struct list_head *patches);
int ilk_switch_all(struct list_head *patches, struct ilk_patch **obstacle);
void ilk_switch_inherit(struct ilk_patch *patch);

struct ilk_hook *ilk_hook_new(struct ilk_client *client, u32 flags);

/*
 * Returns the hook of an iid, or NULL. Always inline, as it runs at a hit, where nothing may be
 * traced or probed.
 */
static __always_inline struct ilk_hook *ilk_hook_find(u32 iid)
{
	return iid && iid <= ILK_HOOKS_MAX ? READ_ONCE(ilk_hooks[iid]) : NULL;
}

void ilk_hook_free(struct ilk_hook *hook);
enum ilk_refusal ilk_hook_bind(struct ilk_client *client, const struct ilk_prepare_hook *item);
void ilk_hook_unbind(struct ilk_hook *hook);
u32 ilk_hooks_count_live(void);

struct ilk_client *ilk_client_new(void);
void ilk_client_join(struct ilk_client *client);
void ilk_client_close(struct ilk_client *client);
enum ilk_refusal ilk_client_reserve(struct ilk_client *client, struct ilk_reserve_patch *patches,
				    u32 patch_count, struct ilk_reserve_hook *hooks,
				    u32 hook_count);
void ilk_client_unreserve(struct ilk_client *client, const struct ilk_reserve_patch *patches,
			  u32 patch_count, const struct ilk_reserve_hook *hooks, u32 hook_count);
int ilk_client_prepare(struct ilk_client *client, struct ilk_staged *staged);
int ilk_client_arm(struct ilk_client *client, struct ilk_arm *arm);
void ilk_client_disarm(struct ilk_client *client, const u32 *ids, u32 count, bool forget,
		       u32 *restored, u32 *refused);
void ilk_disarm_all_files(bool forget, u32 *restored, u32 *refused);
void ilk_client_tick(struct ilk_client *client);
void ilk_gates_set(struct ilk_patch *patch, bool open);
bool ilk_patch_is_pending(const struct ilk_patch *patch);
void ilk_patches_disarm(struct list_head *batch, u32 *restored);

/* ---- ilk-evict.c: patches that must go -------------------------------------------- */

void ilk_module_going(struct module *mod);
u32 ilk_clones_evict(void);
void ilk_instrument_evict(struct ilk_instrument *instrument);

void ilk_grace_exit(void);
void ilk_grace_queue(struct ilk_patch *patch);
void ilk_grace_add_orphan(struct ilk_patch *patch);

/* ---- ilk-visit.c: waiting for CPUs and tasks ---------------------------------- */

int ilk_visit_init(void);
void ilk_visit_exit(void);
void ilk_visit_all(void);
void ilk_visit_cpu(int cpu, void (*act)(void *data), void *data);
void ilk_visit_tasks(void);

/* ---- ilk-retire.c, ilk-stacks.c, ilk-exits.c: patches that tasks may return into ----- */

void ilk_retire_hold(struct ilk_patch *patch);
void ilk_retire_release(struct ilk_patch *patch);
void ilk_retire_queue(struct ilk_patch *patch);
void ilk_retire_start_pass(void);
void ilk_retire_expedite(void);
void ilk_retire_exit(void);
void ilk_stacks_init(void);
int ilk_retire_find_leads(struct ilk_patch *patch, const u8 *code, u32 len);
void ilk_retire_clear_leads(struct ilk_patch *patch);
void ilk_retire_status(const struct ilk_patch *patch, struct ilk_patch_status *status);

/* ---- ilk-livepatch.c --------------------------------------------------------------- */

enum ilk_refusal ilk_livepatch_check(unsigned long site);
int ilk_livepatch_on_module(struct module *mod, unsigned long event);

void ilk_exits_init(void);
bool ilk_exits_are_known(void);
int ilk_exits_get(int cpu, struct task_struct **tasks, int room);
void ilk_exits_wait(void);

/* ---- ilk-counter.c: per-CPU u64 cells ---------------------------------------- */

u64 __percpu *ilk_counter_alloc(bool *near);
void ilk_counter_free(u64 __percpu *cell, bool near);
u64 ilk_counter_sum(u64 __percpu *cell);
void ilk_counter_exit(void);

/* ---- ilk-clock.c, ilk-measure.c ------------------------------------------------- */

void ilk_clock_read(struct ilk_timestamp_pair *reading);
int ilk_clock_compare(struct ilk_clocks *call, struct ilk_cpu_clock *cpus);
int ilk_measure(struct ilk_client *client, const struct ilk_measure *call,
		struct ilk_measure_result *out);

/* ---- ilk-intervals.c ------------------------------------------------------------- */

int ilk_intervals_set(struct ilk_client *client, const struct ilk_intervals *call, const u8 *on);
void ilk_intervals_start(struct ilk_client *client);
void ilk_intervals_stop(struct ilk_client *client);
void ilk_intervals_free(struct ilk_client *client);
bool ilk_intervals_use_hook(const struct ilk_client *client, u32 iid);
u32 ilk_intervals_get_times(struct ilk_client *client, u64 *at, u32 room);

/* ---- ilk-memory.c ------------------------------------------------------------- */

void ilk_memory_hold(struct ilk_patch *patch);
void ilk_memory_release(struct ilk_patch *patch);
void ilk_memory_leave_pool(struct ilk_client *client);
void ilk_memory_close(struct ilk_client *client);
long ilk_memory_alloc(struct ilk_client *client, void __user *arg);
long ilk_memory_read_areas(struct ilk_client *client, void __user *arg);
int ilk_memory_pin(struct ilk_client *client, struct module *mod);
long ilk_pin(struct ilk_client *client, void __user *arg);

/* ---- ilk-timer.c -------------------------------------------------------------- */

void ilk_timer_init(struct ilk_client *client);
int ilk_timer_reserve(struct ilk_client *client);
void ilk_timer_start(struct ilk_client *client, u64 now);
void ilk_timer_stop(struct ilk_client *client);
void ilk_timer_reset(struct ilk_client *client);
void ilk_timer_retry(struct ilk_client *client);

/* ---- the rings: ilk-ring.h ------------------------------------------------------ */

void ilk_recorder_sync(void);
int ilk_ring_claim(struct ilk_client *client, struct ilk_claim *claim);
int ilk_ring_freeze(struct ilk_client *client);
void ilk_ring_release(struct ilk_client *client);
bool ilk_ring_is_claimed(void);
int ilk_ring_consume(struct ilk_client *client, u64 *tails, u64 *heads, struct ilk_gap *gaps,
		     u32 *state);
ssize_t ilk_ring_read(struct ilk_client *client, char __user *buf, size_t size, bool nonblock);
__poll_t ilk_ring_poll(struct file *file, struct poll_table_struct *wait);
int ilk_ring_mmap(struct ilk_client *client, struct vm_area_struct *vma);
void ilk_ring_info(struct ilk_info *info);
int ilk_ring_init(void);
void ilk_ring_exit(void);

/* ---- ilk-service.c, ilk-instrument.c: functions that hooks call ----------------------------- */

void ilk_service_info(struct ilk_info *info);
struct ilk_instrument *ilk_instrument_get(u32 id);
void ilk_instrument_put(struct ilk_instrument *instrument);
u32 ilk_instruments_list(struct ilk_instrument_desc *descs, u32 capacity);

/* ---- ilk-stage.c: copying in user arrays, with limits ----------------------- */

int ilk_copy_in(void *to, u64 from, size_t bytes);
int ilk_copy_out(u64 to, const void *from, size_t bytes);
void *ilk_copy_array(u64 from, u32 count, size_t size);
int ilk_stage(struct ilk_staged *staged, const struct ilk_prepare *call);
void ilk_unstage(struct ilk_staged *staged);
const struct ilk_fault *ilk_staged_faults(const struct ilk_staged *staged, u32 i);
const struct ilk_orc *ilk_staged_orc(const struct ilk_staged *staged, u32 i);
const u8 *ilk_staged_code(const struct ilk_staged *staged, u32 i);

/* ---- ilk-report.c: reporting changes of text ---------------------------------- */

void ilk_report_init(void);
void ilk_report_patches(const char *done, const struct ilk_patch *patch, u32 count);
/*
 * Logs an act that arms nothing by itself. Rate-limited at each call site, so that none drowns
 * another.
 */
#define ilk_report_act(client, what, ...) \
	pr_info_ratelimited("ilk: " what ", of process %d, by %s (%d)\n", ##__VA_ARGS__, (client)->pid, \
			    current->comm, task_tgid_nr(current))
void ilk_report_poke (unsigned long addr, const u8 *old, const u8 *now, u32 len);
void ilk_report_slot (const struct ilk_slot *slot, bool gone);

/* ---- ilk-ioctl.c ------------------------------------------------------------------- */

long ilk_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#include "ilk-watch-api.h"

#endif /* ILK_INTERNAL_H */
