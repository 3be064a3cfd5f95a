// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-memory.c - memory that emitted code keeps between hits
 *
 * Areas are allocated to a file, and all of its areas form a pool. The driver does not
 * determine which areas a patch's code uses. So each prepared patch holds a reference to the
 * whole pool until the patch is freed or prepared again; both happen when no thread can be in
 * its code any longer (ilk-grace.c, ilk-retire.c). The file holds the pool until it has given
 * up all of its patches. A worker frees the pool after the last reference is dropped: freeing
 * may take long, and patches are freed under ilk_mutex.
 *
 * The memory of a file is limited, and memory that the file has given up counts
 * until it is freed.
 *
 * The pool also pins modules with functions that are called by the code (ilk-module.c).
 */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-memory.h"
#include "ilk-patch.h"
#include "ilk-stage.h"
#include "ilk-text.h"
#include "ilk.h"

#define READ_AT_ONCE	65536u	/* bytes */

struct area {
	union {
		u64 *one;
		u64 __percpu *each;
	};
	u32 bytes;
	bool per_cpu;
};

/* The areas (memory for data of hooks) that one MEMORY call has allocated. */
struct grant {
	struct list_head node;		/* linked in the grants of the pool */
	u64 cost;			/* size in bytes, summed over CPUs */
	u32 first;			/* id of the first area; the other areas have the ids
					 * after it */
	u32 count;
	struct area areas[];
};

/**
 * struct ilk_account - the memory of one file
 * @users: number of users: the file, and each of its pools that is not freed
 * @pool: the current pool; NULL: nothing was allocated since the file gave up all
 *     its patches
 * @areas: number of areas in all pools, including areas that are being allocated
 * @bytes: size of these areas
 * @pins: number of pinned modules in all pools
 */
struct ilk_account {
	refcount_t users;
	struct ilk_pool *pool;		/* under ilk_mutex, as are all members below */
	u32 areas;
	u32 last_id;
	u32 pins;
	u64 bytes;
};

struct pin {
	struct list_head node;		/* linked in the pins of the pool */
	struct module *mod;
};

/**
 * struct ilk_pool - areas (memory for data of hooks) that are freed together
 * @users: number of users: the file, each patch whose code may use it, each reader
 * @areas: areas, keyed by id
 */
struct ilk_pool {
	refcount_t users;
	struct ilk_account *account;
	struct list_head grants;	/* under ilk_mutex, as are all members below */
	struct list_head pins;
	struct xarray areas;
	struct work_struct work;
};

/* ---- pools of areas, and accounts of files ---------------------------------------- */

static void account_put(struct ilk_account *account)
{
	if (refcount_dec_and_test(&account->users))
		kfree(account);
}

static void uncharge_areas(struct ilk_account *account, const struct grant *grant)
{
	ilk_lock();
	account->areas -= grant->count;
	account->bytes -= grant->cost;
	ilk_unlock();
}

static void free_areas(struct grant *grant)
{
	u32 i;

	for (i = 0; i < grant->count; i++, cond_resched()) {
		if (grant->areas[i].per_cpu)
			free_percpu(grant->areas[i].each);
		else
			kvfree(grant->areas[i].one);
	}
}

static void unpin_modules(struct ilk_pool *pool)
{
	struct pin *pin, *next;

	list_for_each_entry_safe(pin, next, &pool->pins, node) {
		module_put(pin->mod);
		ilk_lock();
		pool->account->pins--;
		ilk_unlock();
		kfree(pin);
	}
}

/* Frees a pool, all areas of which are unused, and which can no longer be found. */
static void free_pool_fn(struct work_struct *work)
{
	struct ilk_pool *pool = container_of(work, struct ilk_pool, work);
	struct grant *grant, *next;

	xa_destroy(&pool->areas);
	unpin_modules(pool);
	list_for_each_entry_safe(grant, next, &pool->grants, node) {
		free_areas(grant);
		uncharge_areas(pool->account, grant);
		kvfree(grant);
	}
	account_put(pool->account);
	kfree(pool);
}

/*
 * Drops a reference to a pool (memory for data of hooks). May be called with or without ilk_mutex.
 * The work that frees a pool finishes before its queue is destroyed, at the driver's exit.
 */
static void pool_put(struct ilk_pool *pool)
{
	if (pool && refcount_dec_and_test(&pool->users))
		queue_work(ilk_wq, &pool->work);
}

/*
 * Returns the pool to which the file's new areas are added; creates it if needed. NULL: memory is
 * short. Must be called with ilk_mutex held.
 */
static struct ilk_pool *get_pool(struct ilk_account *account)
{
	struct ilk_pool *pool = account->pool;

	lockdep_assert_held(&ilk_mutex);
	if (pool)
		return pool;
	pool = kzalloc(sizeof(*pool), GFP_KERNEL_ACCOUNT);
	if (!pool)
		return NULL;
	refcount_set(&pool->users, 1);
	INIT_LIST_HEAD(&pool->grants);
	INIT_LIST_HEAD(&pool->pins);
	xa_init_flags(&pool->areas, XA_FLAGS_ACCOUNT);
	INIT_WORK(&pool->work, free_pool_fn);
	refcount_inc(&account->users);
	pool->account = account;
	account->pool = pool;
	return pool;
}

static struct ilk_account *get_account(struct ilk_client *client)
{
	lockdep_assert_held(&ilk_mutex);
	if (!client->account) {
		client->account = kzalloc(sizeof(*client->account), GFP_KERNEL_ACCOUNT);
		if (client->account)
			refcount_set(&client->account->users, 1);
	}
	return client->account;
}

/* ---- pins of modules -------------------------------------------------------------- */

static int add_pin_locked(struct ilk_client *client, struct pin *pin)
{
	struct ilk_account *account = get_account(client);
	struct ilk_pool *pool;
	struct pin *other;

	if (!account)
		return -ENOMEM;
	pool = get_pool(account);
	if (!pool)
		return -ENOMEM;
	list_for_each_entry(other, &pool->pins, node)
		if (other->mod == pin->mod)
			return -EALREADY;
	if (account->pins == ILK_PINS_MAX)
		return -E2BIG;
	account->pins++;
	list_add_tail(&pin->node, &pool->pins);
	return 0;
}

/**
 * ilk_memory_pin() - keep @mod loaded as long as the current pool of the file exists
 * @client: the file
 * @mod: takes over the caller's reference, unless this fails
 *
 * Return: 0; -ENOMEM, -E2BIG
 */
int ilk_memory_pin(struct ilk_client *client, struct module *mod)
{
	struct pin *pin = kzalloc(sizeof(*pin), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!pin)
		return -ENOMEM;
	pin->mod = mod;
	ilk_lock();
	ret = add_pin_locked(client, pin);
	ilk_unlock();
	if (ret)
		kfree(pin);
	if (ret != -EALREADY)
		return ret;
	module_put(mod);
	return 0;
}

/* ---- references of patches and files to a pool ---------------------------------------- */

/**
 * ilk_memory_hold() - let a patch's new code use all areas (memory for data) of its client
 * @patch: patch with no thread in its old code
 *
 * Context: ilk_mutex held.
 */
void ilk_memory_hold(struct ilk_patch *patch)
{
	struct ilk_account *account = patch->client->account;
	struct ilk_pool *pool = account ? account->pool : NULL;

	lockdep_assert_held(&ilk_mutex);
	if (pool)
		refcount_inc(&pool->users);
	pool_put(patch->pool);
	patch->pool = pool;
}

/*
 * Drops a patch's reference to the pool of areas that its code may use. Must be called with
 * ilk_mutex held, when no thread can be in that code.
 */
void ilk_memory_release(struct ilk_patch *patch)
{
	pool_put(patch->pool);
	patch->pool = NULL;
}

/*
 * Ends the current pool of areas of a file without patches: areas that are allocated later
 * belong to a new pool. Must be called with ilk_mutex held.
 */
void ilk_memory_leave_pool(struct ilk_client *client)
{
	lockdep_assert_held(&ilk_mutex);
	if (!client->account)
		return;
	pool_put(client->account->pool);
	client->account->pool = NULL;
}

/* Gives up the areas (memory for data of hooks) of a file that is closed. */
void ilk_memory_close(struct ilk_client *client)
{
	if (!client->account)
		return;
	ilk_lock();
	ilk_memory_leave_pool(client);
	ilk_unlock();
	account_put(client->account);
}

/* ---- the MEMORY call -------------------------------------------------------------- */

/*
 * Computes the size of areas, summed over all possible CPUs. Returns 0,
 * -EINVAL, -E2BIG.
 */
static int compute_cost(const struct ilk_area *areas, u32 count, u64 *cost)
{
	u32 i, each;

	*cost = 0;
	for (i = 0; i < count; i++, cond_resched()) {
		each = areas[i].flags & ILK_AREA_PER_CPU;
		if (areas[i].pad || areas[i].flags & ~ILK_AREA_PER_CPU || !areas[i].bytes ||
		    areas[i].bytes % sizeof(u64))
			return -EINVAL;
		if (areas[i].bytes > (each ? ILK_AREA_CPU_BYTES_MAX : ILK_AREA_BYTES_MAX))
			return -E2BIG;
		*cost += (u64)areas[i].bytes * (each ? num_possible_cpus() : 1);
	}
	return *cost > ILK_POOL_BYTES_MAX ? -E2BIG : 0;
}

static int charge_areas_locked(struct ilk_client *client, struct grant *grant)
{
	struct ilk_account *account = get_account(client);

	if (!account)
		return -ENOMEM;
	if (account->areas + grant->count > ILK_AREAS_MAX ||
	    account->bytes + grant->cost > ILK_POOL_BYTES_MAX)
		return -E2BIG;
	if (account->last_id > U32_MAX - grant->count)
		return -EOVERFLOW;
	grant->first = account->last_id + 1;
	account->last_id += grant->count;
	account->areas += grant->count;
	account->bytes += grant->cost;
	return 0;
}

/*
 * Checks limits and permissions, and counts areas towards the limits of the file before they are
 * allocated.
 */
static int charge_areas(struct ilk_client *client, struct grant *grant)
{
	int ret;

	ilk_lock();
	ret = ilk_text_is_poisoned() ? -EUCLEAN : ilk_refusal_errno(ilk_permit_check());
	if (!ret)
		ret = charge_areas_locked(client, grant);
	ilk_unlock();
	return ret;
}

/*
 * Allocates a zeroed area; the kernel does not log a failure.
 */
static bool alloc_area(struct area *area, u32 bytes, bool per_cpu)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;

	area->bytes = bytes;
	area->per_cpu = per_cpu;
	if (per_cpu)
		area->each = __alloc_percpu_gfp(bytes, sizeof(u64), gfp);
	else
		area->one = kvzalloc(bytes, gfp);
	return per_cpu ? area->each != NULL : area->one != NULL;
}

static int alloc_areas(struct grant *grant, struct ilk_area *areas)
{
	struct area *area;
	u32 i;

	for (i = 0; i < grant->count; i++, cond_resched()) {
		area = &grant->areas[i];
		if (fatal_signal_pending(current))
			return -EINTR;
		if (!alloc_area(area, areas[i].bytes, areas[i].flags & ILK_AREA_PER_CPU))
			return -ENOMEM;
		areas[i].id = grant->first + i;
		areas[i].at = area->per_cpu ? (unsigned long)area->each : (unsigned long)area->one;
	}
	return 0;
}

static int attach_grant_locked(struct ilk_account *account, struct grant *grant)
{
	struct ilk_pool *pool = get_pool(account);
	int ret = 0;
	u32 i;

	if (!pool)
		return -ENOMEM;
	for (i = 0; i < grant->count && !ret; i++, cond_resched())
		ret = xa_err(xa_store(&pool->areas, grant->first + i, &grant->areas[i],
				      GFP_KERNEL_ACCOUNT));
	if (!ret)
		list_add_tail(&grant->node, &pool->grants);
	while (ret && i--)
		xa_erase(&pool->areas, grant->first + i);
	return ret;
}

static int attach_grant(struct ilk_account *account, struct grant *grant)
{
	int ret;

	ilk_lock();
	ret = attach_grant_locked(account, grant);
	ilk_unlock();
	return ret;
}

/*
 * Allocates the areas of one MEMORY call. Copies the result to the client before the areas are
 * attached to the pool, so that a failed copy can be undone simply by freeing them.
 */
static long alloc_grant(struct ilk_client *client, const struct ilk_memory *call, struct ilk_area *areas)
{
	struct grant *grant;
	u64 cost;
	long ret;

	ret = compute_cost(areas, call->count, &cost);
	if (ret)
		return ret;
	grant = kvzalloc(struct_size(grant, areas, call->count), GFP_KERNEL_ACCOUNT);
	if (!grant)
		return -ENOMEM;
	grant->count = call->count;
	grant->cost = cost;
	ret = charge_areas(client, grant);
	if (ret)
		goto out_free_grant;
	ret = alloc_areas(grant, areas);
	if (!ret)
		ret = ilk_copy_out(call->areas, areas, call->count * sizeof(*areas));
	if (!ret)
		ret = attach_grant(client->account, grant);
	if (!ret)
		return 0;
	free_areas(grant);
	uncharge_areas(client->account, grant);
out_free_grant:
	kvfree(grant);
	return ret;
}

long ilk_memory_alloc(struct ilk_client *client, void __user *arg)
{
	struct ilk_memory call;
	struct ilk_area *areas;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.pad || !call.count)
		return -EINVAL;
	areas = ilk_copy_array(call.areas, call.count, sizeof(*areas));
	if (IS_ERR(areas))
		return PTR_ERR(areas);
	ret = alloc_grant(client, &call, areas);
	kvfree(areas);
	return ret;
}

/* ---- the MEMORY_READ call --------------------------------------------------------- */

/*
 * Returns the address of the first word that MEMORY_READ requests from an area; NULL if the
 * requested range is invalid.
 */
static const u64 *get_words(const struct area *area, const struct ilk_memory_read *call)
{
	const u64 *words;

	if (call->offset % sizeof(u64) || call->bytes % sizeof(u64) ||
	    call->offset > area->bytes || call->bytes > area->bytes - call->offset)
		return NULL;
	if (area->per_cpu ? call->cpu >= nr_cpu_ids || !cpu_possible(call->cpu) : call->cpu)
		return NULL;
	words = area->per_cpu ? per_cpu_ptr(area->each, call->cpu) : area->one;
	return words + call->offset / sizeof(u64);
}

/*
 * Finds the words that MEMORY_READ requests: sets @words, and @pool to the pool that contains them.
 * Returns 0, with a reference to @pool; -ENOENT, -EINVAL.
 */
static int find_words(struct ilk_client *client, const struct ilk_memory_read *call,
		      struct ilk_pool **pool, const u64 **words)
{
	struct area *area = NULL;

	*words = NULL;
	ilk_lock();
	*pool = client->account ? client->account->pool : NULL;
	if (*pool)
		area = xa_load(&(*pool)->areas, call->id);
	if (area)
		*words = get_words(area, call);
	if (*words)
		refcount_inc(&(*pool)->users);
	ilk_unlock();
	if (!area)
		return -ENOENT;
	return *words ? 0 : -EINVAL;
}

static long copy_words(const struct ilk_memory_read *call, const u64 *words)
{
	u32 room = min(call->bytes, READ_AT_ONCE), at, n, i;
	u64 *copy;
	long ret = 0;

	if (!room)
		return 0;
	copy = kvmalloc(room, GFP_KERNEL_ACCOUNT);
	if (!copy)
		return -ENOMEM;
	for (at = 0; at < call->bytes && !ret; at += n) {
		n = min(call->bytes - at, room);
		for (i = 0; i < n / sizeof(u64); i++)
			copy[i] = READ_ONCE(words[at / sizeof(u64) + i]);
		ret = fatal_signal_pending(current) ? -EINTR : ilk_copy_out(call->out + at, copy, n);
	}
	kvfree(copy);
	return ret;
}

long ilk_memory_read_areas(struct ilk_client *client, void __user *arg)
{
	struct ilk_memory_read call;
	struct ilk_pool *pool;
	const u64 *words;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	ret = find_words(client, &call, &pool, &words);
	if (ret)
		return ret;
	ret = copy_words(&call, words);
	pool_put(pool);
	return ret;
}
