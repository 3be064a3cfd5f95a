// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-user.c - hooks in programs and libraries, by the kernel's uprobes
 *
 * A point is a consumer of an uprobe, which belongs to a patch that has code and no footprint. The states of that
 * patch say whether a hit counts: so a hook is off as soon as its patch is RESTORED, and the uprobe may follow.
 *
 * Registering takes locks of every process that maps the file, and taking out waits for handlers on their way: both
 * are done without ilk_mutex, under user_mutex, which is taken before it. A patch is not freed before its uprobe is
 * out: whoever gives patches up comes by here first.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uprobes.h>

#include "ilk-call.h"
#include "ilk-user.h"

/**
 * struct ilk_user_hook - what a patch has of a program
 * @file: keeps @inode
 * @uprobe: of the kernel, while it is @registered
 * @node: in a batch at hand, under user_mutex
 */
struct ilk_user_hook {
	struct uprobe_consumer consumer;
	struct ilk_uprobe uprobe;
	struct ilk_patch *patch;
	struct file *file;
	struct inode *inode;
	struct list_head node;
	u64 offset;
	u32 len;
	u32 flags;
	bool registered;		/* under user_mutex */
	bool follows;			/* its code may fault; constant from PREPARE on */
	u8 old[sizeof_field(struct ilk_user_point, old)];
};

static DEFINE_MUTEX(user_mutex);

/* ---- a hit ------------------------------------------------------------------------ */

/* Context: the process's; may sleep, but the code does not. */
static void on_hit(const struct ilk_user_hook *user, struct pt_regs *regs)
{
	if (READ_ONCE(user->patch->state) == ILK_STATE_ARMED)
		ilk_call(&user->patch->slot, regs, NULL, user->follows);
}

static ILK_UPROBE_HANDLER(on_begin, consumer, regs)
{
	on_hit(container_of(consumer, struct ilk_user_hook, consumer), regs);
	return 0;
}

/* The return address was taken off the stack by then. */
static ILK_UPROBE_RETURN(on_return, consumer, regs)
{
	regs->sp -= sizeof(long);
	on_hit(container_of(consumer, struct ilk_user_hook, consumer), regs);
	regs->sp += sizeof(long);
	return 0;
}

/* ---- binding ---------------------------------------------------------------------- */

/* Context: any that may sleep; its uprobe is out. */
void ilk_user_free(struct ilk_user_hook *user)
{
	if (!user)
		return;
	WARN_ON_ONCE(user->registered);
	fput(user->file);
	kfree(user);
}

/* The bytes of now; -EILSEQ: others. */
static int look(const struct ilk_user_hook *user)
{
	u8 now[sizeof(user->old)];
	loff_t at = user->offset;
	ssize_t got;

	got = kernel_read(user->file, now, user->len, &at);
	if (got < 0)
		return got == -EINTR ? got : -EILSEQ;
	return got == user->len && !memcmp(now, user->old, user->len) ? 0 : -EILSEQ;
}

/* Of files of procfs, say, kernel_read() would write into the log that they cannot be. */
static bool can_be_read(const struct file *file)
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

static enum ilk_refusal open_point(const struct ilk_user_point *point, struct ilk_user_hook **out)
{
	struct ilk_user_hook *user;
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
		user->consumer.handler = on_begin;
	if (!can_be_read(file) || !S_ISREG(user->inode->i_mode))
		return ILK_REFUSAL_USER_FILE;
	return look(user) ? ILK_REFUSAL_USER_DIFFERS : ILK_REFUSAL_NONE;
}

static enum ilk_refusal attach(struct ilk_client *client, u32 id, struct ilk_user_hook *user)
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

/* Context: PREPARE, ilk_mutex. */
void ilk_user_plan(struct ilk_patch *patch, const struct ilk_prepare_patch *item)
{
	if (patch->user)
		patch->user->follows = item->fault_count;
}

static void refuse(struct ilk_user *call, struct ilk_user_point *point, enum ilk_refusal refusal)
{
	point->refusal = refusal;
	point->error = ilk_refusal_errno(refusal);
	call->failed += refusal != ILK_REFUSAL_NONE;
}

static void bind_locked(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points,
			struct ilk_user_hook **users)
{
	u32 i;

	for (i = 0; i < call->count; i++, cond_resched())
		refuse(call, &points[i], attach(client, points[i].patch, users[i]));
	for (i = 0; call->failed && i < call->count; i++, cond_resched())
		if (!points[i].refusal)
			users[i]->patch->user = NULL;
}

/* Return: 0; -EINTR; or the first error of a point, and none is bound. */
static long bind_points(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points,
			struct ilk_user_hook **users)
{
	u32 i;

	for (i = 0; i < call->count; i++, cond_resched()) {
		if (fatal_signal_pending(current))
			return -EINTR;
		refuse(call, &points[i], open_point(&points[i], &users[i]));
	}
	ilk_lock();
	if (ilk_text_poisoned()) {
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

static long bind_call(struct ilk_client *client, struct ilk_user *call, struct ilk_user_point *points)
{
	struct ilk_user_hook **users = kvcalloc(call->count, sizeof(*users), GFP_KERNEL_ACCOUNT);
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

/* ILK_IOC_USER */
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
	ret = bind_call(client, &call, points);
	if (ilk_copy_out(call.points, points, call.count * sizeof(*points)) ||
	    copy_to_user(arg, &call, sizeof(call)))
		ret = ret ?: -EFAULT;	/* what is bound is freed with its patch */
	kvfree(points);
	return ret;
}

/* ---- into processes, and out ------------------------------------------------------ */

static enum ilk_refusal refusal_of(int error)
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

/* Those of @client that ARM is to put in, by node. */
static void collect_new(struct ilk_client *client, struct list_head *batch)
{
	struct ilk_patch *patch;

	ilk_lock();
	ilk_each(patch, &client->patches, node)
		if (patch->user && patch->state == ILK_STATE_PREPARED && !patch->scheduled &&
		    !patch->user->registered)
			list_add_tail(&patch->user->node, batch);
	ilk_unlock();
}

/* Those whose hits count no more, and will not. */
static void collect_ended(struct list_head *batch)
{
	struct ilk_patch *patch;
	unsigned long id;

	ilk_lock();
	ilk_each_patch(id, patch)
		if (patch->user && patch->user->registered && patch->state != ILK_STATE_PREPARED &&
		    patch->state != ILK_STATE_ARMED)
			list_add_tail(&patch->user->node, batch);
	ilk_unlock();
}

/* No handler of them runs any more when this returns; the list is empty then. */
static void take_out(struct list_head *batch)
{
	struct ilk_user_hook *user, *next;

	lockdep_assert_held(&user_mutex);
	if (list_empty(batch))
		return;
	list_for_each_entry(user, batch, node) {
		if (user->registered)
			ilk_uprobe_unregister(user->inode, user->offset, &user->consumer, &user->uprobe);
		cond_resched();
	}
	ilk_uprobe_unregister_sync();
	list_for_each_entry_safe(user, next, batch, node) {
		user->registered = false;
		list_del_init(&user->node);
	}
}

static int put_in(struct ilk_user_hook *user, struct ilk_arm *arm)
{
	int ret = fatal_signal_pending(current) ? -EINTR : look(user);

	arm->failed_patch = user->patch->id;
	if (ret == -EINTR)
		return ret;
	arm->refusal = ILK_REFUSAL_USER_DIFFERS;
	if (ret)
		return ret;
	ret = ilk_uprobe_register(user->inode, user->offset, &user->consumer, &user->uprobe);
	arm->refusal = refusal_of(ret);
	user->registered = !ret;
	cond_resched();
	return ret ? ilk_refusal_errno(arm->refusal) : 0;
}

/**
 * ilk_user_arm() - ARM of a file that has points in programs
 * Their uprobes are in all processes before anything is armed; hits count from then on. All of it or nothing.
 * Context: Process context, without ilk_mutex.
 */
int ilk_user_arm(struct ilk_client *client, struct ilk_arm *arm)
{
	struct ilk_user_hook *user, *next;
	LIST_HEAD(batch);
	int ret = 0;

	memset(arm, 0, sizeof(*arm));
	mutex_lock(&user_mutex);
	collect_new(client, &batch);
	list_for_each_entry(user, &batch, node) {
		ret = put_in(user, arm);
		if (ret)
			break;
	}
	if (!ret)
		ret = ilk_client_arm(client, arm);
	if (ret)
		take_out(&batch);
	list_for_each_entry_safe(user, next, &batch, node)
		list_del_init(&user->node);
	mutex_unlock(&user_mutex);
	return ret;
}

/* What has ended leaves the processes. Context: Process context, without ilk_mutex. */
void ilk_user_sweep(void)
{
	LIST_HEAD(batch);

	mutex_lock(&user_mutex);
	collect_ended(&batch);
	take_out(&batch);
	mutex_unlock(&user_mutex);
}

/* As ilk_client_disarm(): hooks are off first, then their uprobes, and then they may be given up. */
void ilk_user_disarm(struct ilk_client *client, const u32 *ids, u32 count, bool forget, u32 *restored,
		     u32 *refused)
{
	LIST_HEAD(batch);

	mutex_lock(&user_mutex);
	ilk_client_disarm(client, ids, count, false, restored, refused);
	collect_ended(&batch);
	take_out(&batch);
	if (forget) {
		*refused = 0;
		ilk_client_disarm(client, ids, count, true, restored, refused);
	}
	mutex_unlock(&user_mutex);
}

void ilk_user_disarm_everyone(bool forget, u32 *restored, u32 *refused)
{
	LIST_HEAD(batch);

	mutex_lock(&user_mutex);
	ilk_disarm_everyone(false, restored, refused);
	collect_ended(&batch);
	take_out(&batch);
	if (forget) {
		*refused = 0;
		ilk_disarm_everyone(true, restored, refused);
	}
	mutex_unlock(&user_mutex);
}

void ilk_user_status(const struct ilk_patch *patch, struct ilk_patch_status *status)
{
	const struct ilk_user_hook *user = patch->user;

	status->len = user->len;
	memcpy(status->old, user->old, user->len);
	memcpy(status->new_, user->old, user->len);
	status->new_[0] = INT3;
}
