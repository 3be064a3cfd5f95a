// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-ioctl.c - the calls of /dev/ilk
 *
 * Trusts nothing: everything is bounded and copied in before a lock is taken
 * (ilk-stage.c), every reserved field must be zero, and results are copied out
 * after the lock is released. Patching requires CAP_SYS_MODULE, to which it is
 * equivalent; reading samples and counters requires CAP_PERFMON.
 */
#include <linux/bug.h>
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/orc_types.h>
#include <asm/tsc.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-crash.h"
#include "ilk-hook.h"
#include "ilk-memory.h"
#include "ilk-patch.h"
#include "ilk-ring.h"
#include "ilk-slot.h"
#include "ilk-stage.h"
#include "ilk-text.h"
#include "ilk-time.h"
#include "ilk.h"

/*
 * Maximum number of patches that can exist: each takes at least one allocation unit (granule) of an
 * arena. The driver's own arena, counted as one module, is smaller.
 */
#define STATUS_MAX	((ILK_ARENA_MODULES + 1) * (ILK_ARENA_MODULE_BYTES / ILK_GRANULE))
#define COUNTERS_AT_ONCE	262144u	/* maximum number of bytes of counters copied at once */
#define CONTEXT_MASK	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)

static int copy_array_out(u64 to, const void *from, u32 count, size_t size)
{
	return ilk_copy_out(to, from, count * size);
}

static long do_info(void __user *arg)
{
	struct ilk_info info = {
		.abi = ILK_ABI_VERSION,
		.size = sizeof(info),
		.nr_cpus = nr_cpu_ids,
		.hooks_max = ILK_HOOKS_MAX,
		.features = ILK_FEATURE_ORC | ILK_FEATURE_EXTABLE,
		.arena_max = ilk_arena_max_bytes(),
		.tsc_khz = tsc_khz,
		.gates = (unsigned long)ilk_gates,
		.gs_preempt_count = (s32)ilk_preempt_count_offset(),
		.context_mask = CONTEXT_MASK,
		.poisoned = ilk_text_is_poisoned(),
		.rules = ilk_permit_known() ? ILK_RULE_LOCKED_DOWN : 0,
		.orc_sp = ORC_REG_SP,
		.orc_bp = ORC_REG_BP,
		.orc_bp_indirect = ORC_REG_BP_INDIRECT,
		.bug_size = sizeof(struct bug_entry),
		.gs_current_task = (s32)ilk_current_task_offset(),
		.gs_cpu_number = (s32)ilk_cpu_number_offset(),
		.task_pid = offsetof(struct task_struct, pid),
		.task_tgid = offsetof(struct task_struct, tgid),
		.task_comm = offsetof(struct task_struct, comm),
		.reschedule = ilk_reschedule(),
		.preempt_bytes = ILK_PREEMPT_BYTES,
	};

	ilk_ring_info(&info);
	ilk_service_info(&info);
	ilk_lock();
	info.hooks_live = ilk_hooks_count_live();
	ilk_arena_sizes(&info.arena_bytes, &info.arena_free);
	ilk_patches_count(&info.patches_live, &info.traps_live);
	info.bugs = ilk_bugs();
	ilk_unlock();

	ilk_clock_read(&info.clock);
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

/*
 * Returns the number of bytes by which the arenas (memory for code) must grow to hold all patches;
 * 1 if there is enough memory, but it is fragmented.
 */
static u32 count_missing_bytes(const struct ilk_reserve_patch *patches, u32 count)
{
	u64 bytes, unused, sum = 0;
	u32 i;

	for (i = 0; i < count; i++, cond_resched())
		sum += ilk_slot_round_up(patches[i].bytes);
	ilk_lock();
	ilk_arena_sizes(&bytes, &unused);
	ilk_unlock();
	return sum > unused ? min_t(u64, sum - unused, U32_MAX) : 1;
}

static int reserve_arrays(struct ilk_client *client, struct ilk_reserve *call,
			  struct ilk_reserve_patch *patches, struct ilk_reserve_hook *hooks)
{
	call->refusal = ilk_client_reserve(client, patches, call->patch_count, hooks,
					   call->hook_count);
	if (call->refusal == ILK_REFUSAL_ARENA_FULL)
		call->missing = count_missing_bytes(patches, call->patch_count);
	if (call->refusal)
		return ilk_refusal_errno(call->refusal);
	if (!copy_array_out(call->patches, patches, call->patch_count, sizeof(*patches)) &&
	    !copy_array_out(call->hooks, hooks, call->hook_count, sizeof(*hooks)))
		return 0;
	/* The client did not get the results of RESERVE: release what was reserved. */
	ilk_client_unreserve(client, patches, call->patch_count, hooks, call->hook_count);
	return -EFAULT;
}

static long do_reserve(struct ilk_client *client, void __user *arg)
{
	struct ilk_reserve_patch *patches;
	struct ilk_reserve_hook *hooks;
	struct ilk_reserve call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.missing)
		return -EINVAL;
	patches = ilk_copy_array(call.patches, call.patch_count, sizeof(*patches));
	if (IS_ERR(patches))
		return PTR_ERR(patches);
	hooks = ilk_copy_array(call.hooks, call.hook_count, sizeof(*hooks));
	if (IS_ERR(hooks)) {
		ret = PTR_ERR(hooks);
		goto out_free_patches;
	}
	ret = reserve_arrays(client, &call, patches, hooks);
	if (copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	kvfree(hooks);
out_free_patches:
	kvfree(patches);
	return ret;
}

static long do_prepare(struct ilk_client *client, void __user *arg)
{
	struct ilk_staged staged = { };
	struct ilk_prepare call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.pad)
		return -EINVAL;
	ret = ilk_stage(&staged, &call);
	if (!ret)
		ret = ilk_client_prepare(client, &staged);
	else if (!staged.failed)
		goto out_unstage;
	call.failed = staged.failed;
	if (copy_array_out(call.patches, staged.patches, staged.patch_count,
			   sizeof(*staged.patches)) ||
	    copy_array_out(call.hooks, staged.hooks, staged.hook_count, sizeof(*staged.hooks)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
out_unstage:
	ilk_unstage(&staged);
	return ret;
}

static long do_arm(struct ilk_client *client, void __user *arg)
{
	struct ilk_arm call;
	long ret = ilk_client_arm(client, &call);

	return copy_to_user(arg, &call, sizeof(call)) ? -EFAULT : ret;
}

static long do_disarm(struct ilk_client *client, void __user *arg)
{
	struct ilk_disarm call;
	bool forget;
	u32 *ids;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	forget = call.what & ILK_DISARM_FREE;
	call.restored = 0;
	call.refused = 0;
	switch (call.what & ~ILK_DISARM_FREE) {
	case ILK_DISARM_FILE:
		ilk_client_disarm(client, NULL, 0, forget, &call.restored, &call.refused);
		break;
	case ILK_DISARM_ALL_FILES:
		ilk_disarm_all_files(forget, &call.restored, &call.refused);
		break;
	case ILK_DISARM_LIST:
		ids = ilk_copy_array(call.patches, call.count, sizeof(*ids));
		if (IS_ERR(ids))
			return PTR_ERR(ids);
		if (ids)
			ilk_client_disarm(client, ids, call.count, forget, &call.restored, &call.refused);
		kvfree(ids);
		break;
	default:
		return -EINVAL;
	}
	return copy_to_user(arg, &call, sizeof(call)) ? -EFAULT : 0;
}

/* Fills in the status of up to @room patches; @call gets the totals. */
static void collect_status(struct ilk_client *client, struct ilk_status *call,
			   struct ilk_patch_status *out, u32 room)
{
	struct ilk_patch *patch;
	unsigned long id;

	call->count = 0;
	call->pending = 0;
	ilk_lock();
	ilk_each_patch(id, patch) {
		if (!(call->flags & ILK_STATUS_ALL_FILES) && patch->client != client)
			continue;
		call->pending += ilk_patch_is_pending(patch);
		if (patch->calibration)
			continue;
		if (call->count < room)
			ilk_patch_status(patch, &out[call->count]);
		call->count++;
	}
	ilk_unlock();
}

static long do_status(struct ilk_client *client, void __user *arg)
{
	struct ilk_patch_status *out = NULL;
	struct ilk_status call;
	u32 room;
	long ret = 0;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.flags & ~ILK_STATUS_ALL_FILES || call.capacity > STATUS_MAX)
		return -EINVAL;
	room = call.capacity;
	if (room) {
		out = kvmalloc_array(room, sizeof(*out), GFP_KERNEL_ACCOUNT);
		if (!out)
			return -ENOMEM;
	}
	collect_status(client, &call, out, room);
	if (copy_array_out(call.patches, out, min(room, call.count), sizeof(*out)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	kvfree(out);
	return ret;
}

static void read_counter(const struct ilk_hook *hook, struct ilk_counter *out)
{
	out->count = ilk_counter_sum(hook->count);
	out->lost = ilk_counter_sum(hook->lost);
	out->missed = ilk_counter_sum(hook->missed);
}

static void read_per_cpu(const struct ilk_hook *hook, struct ilk_counter *out)
{
	int cpu;

	memset(out, 0, nr_cpu_ids * sizeof(*out));
	for_each_possible_cpu(cpu) {
		out[cpu].count = READ_ONCE(*per_cpu_ptr(hook->count, cpu));
		out[cpu].lost = READ_ONCE(*per_cpu_ptr(hook->lost, cpu));
		out[cpu].missed = READ_ONCE(*per_cpu_ptr(hook->missed, cpu));
	}
}

/* Reads the counters of @count hooks. Returns 0; -ENOENT if an iid is unknown. */
static int read_counters(const u32 *iids, u32 count, bool per_cpu, struct ilk_counter *out)
{
	struct ilk_hook *hook;
	int ret = 0;
	u32 i;

	ilk_lock();
	for (i = 0; i < count; i++) {
		cond_resched();
		hook = ilk_hook_find(iids[i]);
		if (!hook) {
			ret = -ENOENT;
			break;
		}
		if (per_cpu)
			read_per_cpu(hook, &out[(size_t)i * nr_cpu_ids]);
		else
			read_counter(hook, &out[i]);
	}
	ilk_unlock();
	return ret;
}

/*
 * Reads the counters of @iids and copies them to the client, through a buffer of one or more rows.
 * A row has the counters of one iid: one per CPU with ILK_COUNTERS_PER_CPU, else their sum.
 */
static long write_counters(const struct ilk_counters *call, const u32 *iids)
{
	bool per_cpu = call->flags & ILK_COUNTERS_PER_CPU;
	size_t row = (per_cpu ? nr_cpu_ids : 1) * sizeof(struct ilk_counter);
	u32 rows = max_t(u32, COUNTERS_AT_ONCE / row, 1), at, n;
	struct ilk_counter *out = kvmalloc_array(rows, row, GFP_KERNEL_ACCOUNT);
	long ret = out ? 0 : -ENOMEM;

	for (at = 0; at < call->count && !ret; at += n) {
		n = min(call->count - at, rows);
		ret = fatal_signal_pending(current) ? -EINTR :
		      read_counters(iids + at, n, per_cpu, out);
		if (!ret)
			ret = ilk_copy_out(call->out + (u64)at * row, out, n * row);
	}
	kvfree(out);
	return ret;
}

static long do_counters(void __user *arg)
{
	struct ilk_counters call;
	u32 *iids;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.flags & ~ILK_COUNTERS_PER_CPU)
		return -EINVAL;
	iids = ilk_copy_array(call.iids, call.count, sizeof(*iids));
	if (IS_ERR_OR_NULL(iids))
		return PTR_ERR_OR_ZERO(iids);
	ret = write_counters(&call, iids);
	kvfree(iids);
	return ret;
}

#define INSTRUMENTS_MAX	256u

static long do_instruments(void __user *arg)
{
	struct ilk_instrument_desc *descs;
	struct ilk_instruments call;
	u32 room;
	long ret = 0;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	room = min(call.capacity, INSTRUMENTS_MAX);
	descs = kvcalloc(room + 1, sizeof(*descs), GFP_KERNEL_ACCOUNT);
	if (!descs)
		return -ENOMEM;
	call.count = ilk_instruments_list(descs, room);
	if (copy_array_out(call.descs, descs, min(room, call.count), sizeof(*descs)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	kvfree(descs);
	return ret;
}

static long consume_rings(struct ilk_client *client, struct ilk_consume *call, u64 *tails)
{
	struct ilk_gap *gaps = kvcalloc(call->count, sizeof(*gaps), GFP_KERNEL_ACCOUNT);
	u64 *heads = kvcalloc(call->count, sizeof(*heads), GFP_KERNEL_ACCOUNT);
	long ret = -ENOMEM;

	if (heads && gaps)
		ret = ilk_ring_consume(client, tails, heads, gaps, &call->state);
	if (ret != -EACCES && ret != -ENOMEM &&
	    (copy_array_out(call->tails, tails, call->count, sizeof(*tails)) ||
	     copy_array_out(call->heads, heads, call->count, sizeof(*heads)) ||
	     (call->gaps && copy_array_out(call->gaps, gaps, call->count, sizeof(*gaps)))))
		ret = -EFAULT;
	kvfree(heads);
	kvfree(gaps);
	return ret;
}

static long do_consume(struct ilk_client *client, void __user *arg)
{
	struct ilk_consume call;
	u64 *tails;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.count != nr_cpu_ids || call.state)
		return -EINVAL;
	tails = ilk_copy_array(call.tails, call.count, sizeof(*tails));
	if (IS_ERR(tails))
		return PTR_ERR(tails);
	ret = consume_rings(client, &call, tails);
	kvfree(tails);
	if (!ret && copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	return ret;
}

static long do_claim(struct ilk_client *client, void __user *arg)
{
	struct ilk_claim call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	ret = ilk_ring_claim(client, &call);
	if (!ret && copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	return ret;
}

static long do_clocks(void __user *arg)
{
	struct ilk_cpu_clock *cpus = NULL;
	struct ilk_clocks call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.count && call.count != nr_cpu_ids)
		return -EINVAL;
	if (call.count) {
		cpus = kvcalloc(call.count, sizeof(*cpus), GFP_KERNEL_ACCOUNT);
		if (!cpus)
			return -ENOMEM;
	}
	ret = ilk_clock_compare(&call, cpus);
	if (!ret && (copy_array_out(call.cpus, cpus, call.count, sizeof(*cpus)) ||
		     copy_to_user(arg, &call, sizeof(call))))
		ret = -EFAULT;
	kvfree(cpus);
	return ret;
}

static long do_measure(struct ilk_client *client, void __user *arg)
{
	struct ilk_measure_result *out;
	struct ilk_measure call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.calls || call.calls > ILK_MEASURE_CALLS_MAX || !call.count ||
	    call.count > ILK_MEASURE_COUNT_MAX)
		return -EINVAL;
	out = kvcalloc(call.count, sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out)
		return -ENOMEM;
	ret = ilk_measure(client, &call, out);
	if (!ret && copy_array_out(call.out, out, call.count, sizeof(*out)))
		ret = -EFAULT;
	kvfree(out);
	return ret;
}

static long do_intervals(struct ilk_client *client, void __user *arg)
{
	struct ilk_intervals call;
	u8 *on = NULL;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.count > ILK_INTERVALS_MAX)
		return -EINVAL;
	if (call.count) {
		on = ilk_copy_array(call.on, call.count, sizeof(*on));
		if (IS_ERR(on))
			return PTR_ERR(on);
	}
	ret = ilk_intervals_set(client, &call, on);
	kvfree(on);
	return ret;
}

static long do_interval_times(struct ilk_client *client, void __user *arg)
{
	struct ilk_interval_times call;
	u64 *at;
	long ret = 0;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.capacity > ILK_INTERVALS_MAX + 1)
		return -EINVAL;
	at = kvcalloc(call.capacity + 1, sizeof(*at), GFP_KERNEL_ACCOUNT);
	if (!at)
		return -ENOMEM;
	call.count = ilk_intervals_get_times(client, at, call.capacity);
	if (copy_array_out(call.at, at, min(call.count, call.capacity), sizeof(*at)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = -EFAULT;
	kvfree(at);
	return ret;
}

static bool is_ioctl_allowed(unsigned int cmd)
{
	switch (cmd) {
	case ILK_IOC_INFO:
	case ILK_IOC_INSTRUMENTS:
	case ILK_IOC_COUNTERS:
	case ILK_IOC_MEMORY_READ:
	case ILK_IOC_RING_CLAIM:
	case ILK_IOC_CONSUME:
	case ILK_IOC_RING_FREEZE:
	case ILK_IOC_RING_RELEASE:
		return perfmon_capable() || capable(CAP_SYS_MODULE);
	default:
		return capable(CAP_SYS_MODULE);
	}
}

long ilk_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ilk_client *client = file->private_data;
	void __user *user = (void __user *)arg;

	if (!is_ioctl_allowed(cmd))
		return -EPERM;
	switch (cmd) {
	case ILK_IOC_INFO:
		return do_info(user);
	case ILK_IOC_RESERVE:
		return do_reserve(client, user);
	case ILK_IOC_PREPARE:
		return do_prepare(client, user);
	case ILK_IOC_ARM:
		return do_arm(client, user);
	case ILK_IOC_DISARM:
		return do_disarm(client, user);
	case ILK_IOC_STATUS:
		return do_status(client, user);
	case ILK_IOC_COUNTERS:
		return do_counters(user);
	case ILK_IOC_INSTRUMENTS:
		return do_instruments(user);
	case ILK_IOC_RING_CLAIM:
		return do_claim(client, user);
	case ILK_IOC_CONSUME:
		return do_consume(client, user);
	case ILK_IOC_CLOCKS:
		return do_clocks(user);
	case ILK_IOC_INTERVALS:
		return do_intervals(client, user);
	case ILK_IOC_INTERVAL_TIMES:
		return do_interval_times(client, user);
	case ILK_IOC_MEASURE:
		return do_measure(client, user);
	case ILK_IOC_MEMORY:
		return ilk_memory_alloc(client, user);
	case ILK_IOC_MEMORY_READ:
		return ilk_memory_read_areas(client, user);
	case ILK_IOC_PIN:
		return ilk_pin(client, user);
	case ILK_IOC_CRASH:
		return ilk_crash_allow(client, user);
	case ILK_IOC_RING_FREEZE:
		return ilk_ring_freeze(client);
	case ILK_IOC_RING_RELEASE:
		ilk_ring_release(client);
		return 0;
	default:
		return -ENOTTY;
	}
}
