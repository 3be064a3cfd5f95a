// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-measure.c - measures what the code of a hook costs on this machine
 *
 * A client prepares exactly the code that a hook would run, in a slot of its own
 * (a calibration stub), and code that does nothing. Both are called in turn,
 * several times in a row with interrupts off, between two reads of the time
 * stamp counter. A client that may measure code may run code in the kernel through any hook
 * anyway; in both cases the client is responsible for the code.
 *
 * Samples of that code go to memory that replaces the CPU's ring, so that
 * measuring is possible during a run.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <asm/nospec-branch.h>
#include <asm/tsc.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-hook.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-ring-cpu.h"
#include "ilk-ring-reader.h"
#include "ilk-slot.h"
#include "ilk-text.h"
#include "ilk-time.h"
#include "ilk.h"

static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* Calls the code in a slot, which may change all registers but the stack pointer. */
static noinline void call_slot(unsigned long slot)
{
	asm volatile("push %%rbp\n\t"
		     CALL_NOSPEC
		     "pop %%rbp"
		     : [thunk_target] "+a" (slot), ASM_CALL_CONSTRAINT
		     :
		     : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
		       "r14", "r15", "cc", "memory");
}

static u32 time_calls(unsigned long slot, u32 calls)
{
	u64 begin = rdtsc_ordered();
	u32 i;

	for (i = 0; i < calls; i++)
		call_slot(slot);
	return min_t(u64, rdtsc_ordered() - begin, U32_MAX);
}

static void measure_pair(const struct ilk_measure *call, unsigned long slot, unsigned long base,
			 struct ilk_measure_result *out)
{
	unsigned long flags;

	local_irq_save(flags);
	out->ticks = time_calls(slot, call->calls);
	out->base = time_calls(base, call->calls);
	local_irq_restore(flags);
}

/*
 * Measures code that takes samples. The samples go to @area instead of the CPU's ring, from
 * position @at on, after the samples of the previous series of calls.
 */
static void measure_sampling_pair(const struct ilk_measure *call, const struct ilk_patch *patch, unsigned long base,
				  u8 *area, u64 at, struct ilk_measure_result *out)
{
	unsigned long slot = ilk_slot_address(&patch->slot), flags;
	struct ilk_ring own;

	mutex_lock(&ilk_reader_mutex);
	local_irq_save(flags);
	ilk_ring_divert(&own, area, at, patch);
	out->ticks = time_calls(slot, call->calls);
	ilk_ring_undivert(&own, area, at, patch);
	out->base = time_calls(base, call->calls);
	local_irq_restore(flags);
	mutex_unlock(&ilk_reader_mutex);
}

static bool takes_samples(const struct ilk_patch *patch)
{
	const struct ilk_hook *hook;

	list_for_each_entry(hook, &patch->hooks, patch_node)
		if (hook->flags & ILK_HOOK_SAMPLES)
			return true;
	return false;
}

static int measure_pairs(const struct ilk_measure *call, const struct ilk_patch *patch, const struct ilk_patch *base,
			 u8 *area, struct ilk_measure_result *out)
{
	const u64 each = (u64)call->calls * ILK_RECORD_CELLS(ILK_SAMPLE_MAX) * ILK_CELL;
	u32 i;

	for (i = 0; i < call->count; i++) {
		if (area)
			measure_sampling_pair(call, patch, ilk_slot_address(&base->slot), area, 1 + i * each, &out[i]);
		else
			measure_pair(call, ilk_slot_address(&patch->slot), ilk_slot_address(&base->slot), &out[i]);
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

/* Returns the calibration stub (code to measure) with this id, or NULL. */
static struct ilk_patch *find_stub(struct ilk_client *client, u32 id)
{
	struct ilk_patch *patch = ilk_patch_find(client, id);
	const u8 *code;

	if (!patch || !patch->calibration || patch->state != ILK_STATE_PREPARED)
		return NULL;
	code = (const u8 *)ilk_slot_address(&patch->slot);
	if (memcmp(code, endbr, sizeof(endbr)) || (patch->unhooked_offset && code[sizeof(endbr)] != INT3))
		return NULL;
	return patch;
}

/*
 * If a calibration stub (code to measure) starts with an int3, registers the int3 with the trap
 * handler, so that the handler continues in the stub. Returns the site, which the caller must
 * withdraw; NULL: no trap; or an ERR_PTR.
 */
static struct ilk_site *publish_trap_site(const struct ilk_patch *patch)
{
	struct ilk_site *site;

	if (!patch->unhooked_offset)
		return NULL;
	site = kzalloc(sizeof(*site), GFP_KERNEL_ACCOUNT);
	if (!site)
		return ERR_PTR(-ENOMEM);
	site->addr = ilk_slot_address(&patch->slot) + sizeof(endbr);
	site->slot = ilk_slot_address(&patch->slot) + patch->unhooked_offset;
	ilk_site_publish(site);
	return site;
}

static int measure_locked(struct ilk_client *client, const struct ilk_measure *call,
			  struct ilk_measure_result *out)
{
	struct ilk_patch *patch = find_stub(client, call->patch);
	const struct ilk_patch *base = find_stub(client, call->base);
	struct ilk_site *site;
	u8 *area = NULL;
	int ret = 0;

	if (!patch || !base || base->unhooked_offset)
		return -EINVAL;
	if (ilk_text_is_poisoned())
		return -EUCLEAN;
	ret = ilk_refusal_errno(ilk_permit_check());
	if (ret)
		return ret;
	if (takes_samples(patch)) {
		area = kvzalloc(ILK_RING_SUBSTITUTE_BYTES, GFP_KERNEL_ACCOUNT);
		if (!area)
			return -ENOMEM;
	}
	site = publish_trap_site(patch);
	if (IS_ERR(site)) {
		kvfree(area);
		return PTR_ERR(site);
	}
	/* Log only once: during a run the same code is measured repeatedly. */
	if (!patch->measured)
		ilk_report_act(client, "code of patch %u is called, %u times %u, to measure it", patch->id, call->count, call->calls);
	patch->measured = true;
	ret = measure_pairs(call, patch, base, area, out);
	/* Only this thread has ever run the calibration stub, so no trap of it can be late. */
	if (site) {
		ilk_site_set_live(site, false);
		ilk_site_withdraw(site);
	}
	kvfree(area);
	return ret;
}

/**
 * ilk_measure() - time @call->count series of calls of a calibration stub (code to measure), and of
 * the code to compare it with
 *
 * Context: Process context, may sleep.
 * Return: 0; -EINVAL not a calibration stub; -EINTR; -ENOMEM; or an error if patching is not
 *     permitted.
 */
int ilk_measure(struct ilk_client *client, const struct ilk_measure *call,
		struct ilk_measure_result *out)
{
	int ret;

	ilk_lock();
	ret = measure_locked(client, call, out);
	ilk_unlock();
	return ret;
}
