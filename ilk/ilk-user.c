// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-user.c - hooks in programs and libraries, which use the kernel's uprobes
 *
 * A point is a consumer of a uprobe, and belongs to a patch that has code and
 * no footprint. The state of that patch decides whether a hit counts: so a hook
 * is off as soon as its patch is RESTORED, and the uprobe can be removed later.
 *
 * Registering takes locks of every process that maps the file, and any process
 * can delay that without limit. Unregistering takes these locks, too, and also waits for running
 * handlers. If the calling task is killed, both stop half-way and leave int3 in processes. So one
 * worker, which cannot be killed, does both, without any lock of ours. Each uprobe has a wanted
 * state, and the worker runs until all uprobes are in their wanted states. ARM waits for the
 * worker, and can be killed; DISARM and close() do not wait. A patch stays allocated until its
 * uprobe is removed.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/module.h>
#include <linux/uprobes.h>
#include <linux/wait.h>

#include "ilk-arm.h"
#include "ilk-call.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-compat.h"
#include "ilk-driver.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-stage.h"
#include "ilk-text.h"
#include "ilk-user.h"
#include "ilk.h"

/**
 * struct ilk_user_point_hook - a patch's point in a program
 * @file: reference to the file, which keeps @inode
 * @uprobe: the kernel's uprobe, while @registered
 * @node: linked in the worker's list, or in its current batch; under ilk_mutex
 * @wanted: the uprobe should be registered; under ilk_mutex
 * @settled: the wanted state was reached, or cannot be reached for the reason in @error; under
 *     ilk_mutex
 * @kept: the worker holds a reference to the patch; under ilk_mutex
 * @was_wanted: copy of @wanted that the worker acts on; used by the worker only
 * @registered: the uprobe is registered; used by the worker only
 */
struct ilk_user_point_hook {
	struct uprobe_consumer consumer;
	struct ilk_uprobe uprobe;
	struct ilk_patch *patch;
	struct file *file;
	struct inode *inode;
	struct list_head node;
	u64 offset;
	u32 len;
	u32 flags;
	int error;
	bool wanted, settled, kept;
	bool was_wanted, registered;
	bool follows;			/* the code may fault; constant from PREPARE on */
	u8 old[sizeof_field(struct ilk_user_point, old)];
};

#define REGISTER_TIMEOUT	(10 * HZ)	/* maximum time that ARM waits for the worker */

static void work_fn(struct work_struct *work);

static LIST_HEAD(pending_hooks);
static DECLARE_WORK(work, work_fn);
static DECLARE_WAIT_QUEUE_HEAD(waiters);
static unsigned int rounds;		/* incremented when a hook is settled, or is no longer
					 * wanted */

/* ---- a hit ------------------------------------------------------------------------ */

/* Handles a hit, in the context of the process; may sleep, but the hook's code does not. */
static void on_hit(const struct ilk_user_point_hook *user, struct pt_regs *regs)
{
	if (READ_ONCE(user->patch->state) == ILK_STATE_ARMED)
		ilk_call(&user->patch->slot, regs, NULL, user->follows);
}

static ILK_UPROBE_HANDLER(on_entry, consumer, regs)
{
	on_hit(container_of(consumer, struct ilk_user_point_hook, consumer), regs);
	return 0;
}

/* The function has popped its return address: the hook's code gets @sp as it was before that. */
static ILK_UPROBE_RETURN(on_return, consumer, regs)
{
	regs->sp -= sizeof(long);
	on_hit(container_of(consumer, struct ilk_user_point_hook, consumer), regs);
	regs->sp += sizeof(long);
	return 0;
}

/* ---- binding ---------------------------------------------------------------------- */

/* Frees a hook whose uprobe has been removed. May sleep. */
void ilk_user_free(struct ilk_user_point_hook *user)
{
	if (!user)
		return;
	WARN_ON_ONCE(user->registered);
	fput(user->file);
	kfree(user);
}

/* Compares the expected bytes with the file; returns -EILSEQ if they differ. */
static int check_file_bytes(const struct ilk_user_point_hook *user)
{
	u8 now[sizeof(user->old)];
	loff_t at = user->offset;
	ssize_t got;

	got = kernel_read(user->file, now, user->len, &at);
	if (got < 0)
		return got == -EINTR ? got : -EILSEQ;
	return got == user->len && !memcmp(now, user->old, user->len) ? 0 : -EILSEQ;
}

/*
 * Returns whether kernel_read() can read the file: for files of procfs, for example,
 * it would fail with a warning in the log.
 */
static bool is_readable(const struct file *file)
{
	return file->f_mode & FMODE_READ && S_ISREG(file_inode(file)->i_mode) && file->f_op->read_iter &&
	       !file->f_op->read;
}

static bool is_sane(const struct ilk_user_point *point)
{
	return point->len && point->len <= ILK_USER_INSN_MAX && !(point->flags & ~ILK_USER_RETURNS) &&
	       !point->error && !point->refusal && point->offset <= S64_MAX - ILK_USER_INSN_MAX &&
	       !memchr_inv(point->old + point->len, 0, sizeof(point->old) - point->len);
}

static enum ilk_refusal open_point(const struct ilk_user_point *point, struct ilk_user_point_hook **out)
{
	struct ilk_user_point_hook *user;
	struct file *file;

	if (!is_sane(point))
		return ILK_REFUSAL_BAD_ITEM;
	file = fget(point->fd);
	if (!file)
		return ILK_REFUSAL_USER_FILE;
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user) {
		fput(file);
		return ILK_REFUSAL_TOO_MANY;
	}
	*out = user;
	user->file = file;
	user->inode = d_real_inode(file->f_path.dentry);
	user->offset = point->offset;
	user->len = point->len;
	user->flags = point->flags;
	memcpy(user->old, point->old, sizeof(user->old));
	INIT_LIST_HEAD(&user->node);
	if (point->flags & ILK_USER_RETURNS)
		user->consumer.ret_handler = on_return;
	else
		user->consumer.handler = on_entry;
	if (!is_readable(file) || !S_ISREG(user->inode->i_mode))
		return ILK_REFUSAL_USER_FILE;
	return check_file_bytes(user) ? ILK_REFUSAL_USER_DIFFERS : ILK_REFUSAL_NONE;
}

static enum ilk_refusal attach_point(struct ilk_client *client, u32 id, struct ilk_user_point_hook *user)
{
	struct ilk_patch *patch = ilk_patch_find(client, id);

	if (!patch)
		return ILK_REFUSAL_BAD_ITEM;
	if (patch->state != ILK_STATE_RESERVED || patch->user)
		return ILK_REFUSAL_STATE;
	user->patch = patch;
	patch->user = user;
	client->has_users = true;
	return ILK_REFUSAL_NONE;
}

/* Must be called during PREPARE with ilk_mutex held. */
void ilk_user_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item)
{
	if (patch->user)
		patch->user->follows = item->fault_count;
}

static void refuse_point(struct ilk_user *call, struct ilk_user_point *point, enum ilk_refusal refusal)
{
	point->refusal = refusal;
	point->error = ilk_refusal_errno(refusal);
	call->failed += refusal != ILK_REFUSAL_NONE;
}

static void bind_locked(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points,
			struct ilk_user_point_hook **users)
{
	u32 i;

	for (i = 0; i < call->count; i++, cond_resched())
		refuse_point(call, &points[i], attach_point(client, points[i].patch, users[i]));
	for (i = 0; call->failed && i < call->count; i++, cond_resched())
		if (!points[i].refusal)
			users[i]->patch->user = NULL;
}

/* Binds all points or none. Returns 0; -EINTR; or the first error of a point. */
static long bind_points(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points,
			struct ilk_user_point_hook **users)
{
	u32 i;

	for (i = 0; i < call->count; i++, cond_resched()) {
		if (fatal_signal_pending(current))
			return -EINTR;
		refuse_point(call, &points[i], open_point(&points[i], &users[i]));
	}
	ilk_lock();
	if (ilk_text_is_poisoned()) {
		ilk_unlock();
		return -EUCLEAN;
	}
	if (!call->failed)
		bind_locked(client, call, points, users);
	ilk_unlock();
	for (i = 0; i < call->count; i++)
		if (points[i].error)
			return points[i].error;
	return 0;
}

static long bind_copied_points(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points)
{
	struct ilk_user_point_hook **users = kvcalloc(call->count, sizeof(*users), GFP_KERNEL_ACCOUNT);
	long ret = -ENOMEM;
	u32 i;

	if (!users)
		return ret;
	ret = bind_points(client, call, points, users);
	for (i = 0; ret && i < call->count; i++, cond_resched())
		ilk_user_free(users[i]);
	kvfree(users);
	return ret;
}

long ilk_user_bind(struct ilk_client *client, void __user *arg)
{
	struct ilk_user_point *points;
	struct ilk_user call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (!call.count || call.count > ILK_USER_POINTS_MAX || call.failed)
		return -EINVAL;
	points = ilk_copy_array(call.points, call.count, sizeof(*points));
	if (IS_ERR(points))
		return PTR_ERR(points);
	ret = bind_copied_points(client, &call, points);
	if (!ret)
		ilk_report_act(client, "points in programs: %u", call.count);
	if (ilk_copy_out(call.points, points, call.count * sizeof(*points)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = ret ?: -EFAULT;	/* bound points are freed with their patches */
	kvfree(points);
	return ret;
}

/* ---- registering and unregistering ------------------------------------------------------ */

static enum ilk_refusal refusal_from_errno(int error)
{
	switch (error) {
	case 0:
		return ILK_REFUSAL_NONE;
	case -EOPNOTSUPP:
	case -ENOTSUPP:
	case -ENOEXEC:
		return ILK_REFUSAL_USER_INSN;
	default:
		return ILK_REFUSAL_USER_KERNEL;
	}
}

/*
 * Keeps the patch allocated and the driver loaded until the matching drop_hold(). Must be called
 * with ilk_mutex held.
 */
static void hold_patch(struct ilk_user_point_hook *user)
{
	lockdep_assert_held(&ilk_mutex);
	user->patch->user_holds++;
	__module_get(THIS_MODULE);
}

static void drop_hold(struct ilk_user_point_hook *user)
{
	struct ilk_patch *patch = user->patch;

	lockdep_assert_held(&ilk_mutex);
	patch->user_holds--;
	if (!patch->client && ilk_patch_is_unreferenced(patch))
		ilk_patch_free(patch);
	module_put(THIS_MODULE);
}

/*
 * Makes the worker register or unregister the uprobe. Must be called with ilk_mutex
 * held.
 */
static void set_wanted(struct ilk_user_point_hook *user, bool wanted)
{
	lockdep_assert_held(&ilk_mutex);
	if (!user->kept)
		hold_patch(user);
	user->kept = true;
	user->wanted = wanted;
	user->settled = false;
	user->error = 0;
	if (list_empty(&user->node))
		list_add_tail(&user->node, &pending_hooks);
	queue_work(ilk_wq, &work);
}

/*
 * Unregisters a uprobe whose hits no longer count. Must be called with
 * ilk_mutex held.
 */
void ilk_user_unregister(struct ilk_patch *patch)
{
	if (!patch->user || !patch->user->wanted)
		return;
	set_wanted(patch->user, false);
	WRITE_ONCE(rounds, rounds + 1);		/* ends an ARM that waits for the registration */
	wake_up_all(&waiters);
}

/* Registers or unregisters a uprobe. Runs in the worker, without any lock. */
static void apply_wanted(struct ilk_user_point_hook *user)
{
	user->was_wanted = READ_ONCE(user->wanted);
	if (user->was_wanted == user->registered)
		return;
	if (user->was_wanted) {
		user->error = ilk_uprobe_register(user->inode, user->offset, &user->consumer, &user->uprobe);
		user->registered = !user->error;
		return;
	}
	ilk_uprobe_unregister(user->inode, user->offset, &user->consumer, &user->uprobe);
	user->registered = false;
}

/*
 * Marks a hook as settled, or queues it again if its wanted state has changed. Must be called
 * with ilk_mutex held, when no handler of an unregistered uprobe can run.
 */
static void finish_change(struct ilk_user_point_hook *user)
{
	list_del_init(&user->node);
	if (user->wanted != user->was_wanted) {
		list_add_tail(&user->node, &pending_hooks);
		return;
	}
	user->settled = true;
	user->wanted = user->registered;
	if (user->registered)
		return;
	user->kept = false;
	drop_hold(user);
}

static void work_fn(struct work_struct *unused)
{
	struct ilk_user_point_hook *user, *next;
	LIST_HEAD(batch);

	for (;;) {
		ilk_lock();
		list_splice_init(&pending_hooks, &batch);
		ilk_unlock();
		if (list_empty(&batch))
			return;
		ilk_each(user, &batch, node)
			apply_wanted(user);
		ilk_uprobe_unregister_sync();
		ilk_lock();
		ilk_each_safe(user, next, &batch, node)
			finish_change(user);
		WRITE_ONCE(rounds, rounds + 1);
		ilk_unlock();
		wake_up_all(&waiters);
	}
}

/* Returns whether ARM must register the patch's uprobe. Must be called with ilk_mutex held. */
static bool must_register(const struct ilk_patch *patch)
{
	return patch->user && patch->state == ILK_STATE_PREPARED && !patch->scheduled;
}

/*
 * Holds patches of @client whose uprobe must be registered. Stores at most @room of their hooks in
 * @users, and returns the number stored.
 */
static u32 hold_new(struct ilk_client *client, struct ilk_user_point_hook **users, u32 room)
{
	struct ilk_patch *patch;
	u32 count = 0;

	ilk_lock();
	ilk_each(patch, &client->patches, node) {
		if (!must_register(patch) || patch->user->wanted)
			continue;
		if (count < room) {
			hold_patch(patch->user);
			users[count] = patch->user;
		}
		count++;
	}
	ilk_unlock();
	return min(count, room);
}

static u32 count_new(struct ilk_client *client)
{
	struct ilk_patch *patch;
	u32 count = 0;

	ilk_lock();
	ilk_each(patch, &client->patches, node)
		count += must_register(patch);
	ilk_unlock();
	return count;
}

/*
 * Checks the files in the calling task: if a file system does not answer, that task can be
 * killed.
 */
static int check_all_files(struct ilk_user_point_hook **users, u32 count, struct ilk_arm *arm)
{
	int ret;
	u32 i;

	for (i = 0; i < count; i++, cond_resched()) {
		ret = fatal_signal_pending(current) ? -EINTR : check_file_bytes(users[i]);
		if (!ret)
			continue;
		arm->failed_patch = users[i]->patch->id;
		arm->refusal = ret == -EINTR ? ILK_REFUSAL_NONE : ILK_REFUSAL_USER_DIFFERS;
		return ret;
	}
	return 0;
}

/*
 * Returns how many uprobes are not registered yet; or the error of a uprobe that could not be
 * registered.
 */
static int count_missing(struct ilk_user_point_hook **users, u32 count, struct ilk_arm *arm)
{
	int missing = 0, ret = 0;
	u32 i;

	ilk_lock();
	for (i = 0; i < count && !ret; i++, cond_resched()) {
		if (users[i]->patch->state != ILK_STATE_PREPARED)
			continue;
		missing += !users[i]->settled;
		if (users[i]->settled && !users[i]->error)
			continue;
		arm->failed_patch = users[i]->patch->id;
		if (!users[i]->settled)
			continue;
		arm->refusal = refusal_from_errno(users[i]->error);
		ret = ilk_refusal_errno(arm->refusal);
	}
	ilk_unlock();
	return ret ?: missing;
}

static void set_all_wanted(struct ilk_user_point_hook **users, u32 count)
{
	u32 i;

	ilk_lock();
	for (i = 0; i < count; i++, cond_resched())
		if (users[i]->patch->state == ILK_STATE_PREPARED)
			set_wanted(users[i], true);
	ilk_unlock();
}

/*
 * Registers all uprobes, and returns 0. Gives up after REGISTER_TIMEOUT: a process
 * may hold the lock of its memory for ever, and the caller of ARM has other clients
 * to serve.
 */
static int register_all(struct ilk_user_point_hook **users, u32 count, struct ilk_arm *arm)
{
	long left = REGISTER_TIMEOUT;
	unsigned int seen;
	int missing;

	set_all_wanted(users, count);
	for (;;) {
		seen = READ_ONCE(rounds);
		missing = count_missing(users, count, arm);
		if (missing <= 0)
			return missing;
		left = wait_event_killable_timeout(waiters, READ_ONCE(rounds) != seen, left);
		if (left < 0)
			return -EINTR;
		if (left)
			continue;
		arm->refusal = ILK_REFUSAL_USER_KERNEL;
		return ilk_refusal_errno(arm->refusal);
	}
}

static void drop_all_holds(struct ilk_user_point_hook **users, u32 count, bool failed)
{
	u32 i;

	ilk_lock();
	for (i = 0; i < count; i++, cond_resched()) {
		if (failed)
			ilk_user_unregister(users[i]->patch);
		drop_hold(users[i]);
	}
	ilk_unlock();
}

static int arm_registered(struct ilk_client *client, struct ilk_arm *arm)
{
	u32 count, room = count_new(client);
	struct ilk_user_point_hook **users = kvcalloc(room + 1, sizeof(*users), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!users)
		return -ENOMEM;
	count = hold_new(client, users, room);
	ret = check_all_files(users, count, arm) ?: register_all(users, count, arm) ?: ilk_client_arm(client, arm);
	drop_all_holds(users, count, ret);
	kvfree(users);
	return ret;
}

/**
 * ilk_user_arm() - perform ARM for a file that has points in programs
 *
 * First registers the uprobes of these points in all processes, then arms the patches; hits count
 * once the patches are armed. Arms all patches or none. Context: Process context, without
 * ilk_mutex.
 */
int ilk_user_arm(struct ilk_client *client, struct ilk_arm *arm)
{
	int ret;

	memset(arm, 0, sizeof(*arm));
	arm->refusal = ilk_permit_check();
	if (arm->refusal)
		return ilk_refusal_errno(arm->refusal);
	if (mutex_lock_killable(&client->arming))
		return -EINTR;
	ret = arm_registered(client, arm);
	mutex_unlock(&client->arming);
	return ret;
}

/*
 * Must be called at module exit, after all hooks were disarmed. Waits only after a forced unload.
 */
void ilk_user_exit(void)
{
	flush_work(&work);
}

void ilk_user_status(const struct ilk_patch *patch, struct ilk_patch_status *status)
{
	const struct ilk_user_point_hook *user = patch->user;

	status->len = user->len;
	memcpy(status->old, user->old, user->len);
	memcpy(status->new_, user->old, user->len);
	status->new_[0] = INT3;
}
