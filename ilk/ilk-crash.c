// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-crash.c - lets the code of a hook crash the kernel
 *
 * If a crash kernel is loaded, it then saves a dump, which includes the contents of the rings. To
 * find them, read ilk_rings of ilk.ko, and head, limit, base and mask of each CPU's ring.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/kexec.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-driver.h"
#include "ilk-crash.h"
#include "ilk-hook.h"
#include "ilk-report.h"
#include "ilk.h"

static DECLARE_BITMAP(allowed, ILK_HOOKS_MAX + 1);	/* ids (iids) of hooks that may crash the
							 * kernel; under ilk_mutex */

/* ---- the service that crashes the kernel at a hit --------------------------------- */

void ilk_service_crash(u32 iid, u64 a, u64 b, u64 c, u64 d, u64 e)
{
	const u64 words[ILK_CRASH_WORDS + 1] = { a, b, c, d, e };
	char message[sizeof("gilk: ") + sizeof(words)];
	struct pt_regs regs = { };

	if (iid > ILK_HOOKS_MAX || !test_bit(iid, allowed))
		return;
	snprintf(message, sizeof(message), "gilk: %.*s", (int)(ILK_CRASH_WORDS * sizeof(u64)), (const char *)words);
	if (!in_nmi())
		panic("%s", message);
	/*
	 * If another CPU is already in panic(), nmi_panic() stops this CPU and saves these
	 * registers for the dump.
	 */
	perf_fetch_caller_regs(&regs);
	nmi_panic(&regs, message);
}
NOKPROBE_SYMBOL(ilk_service_crash);

/* ---- the CRASH call --------------------------------------------------------------- */

static bool has_crash_kernel(void)
{
#ifdef CONFIG_CRASH_DUMP
	return kexec_crash_loaded();
#else
	return false;
#endif
}

/*
 * Withdraws the permission of hook id @iid to crash the kernel, when a new hook gets this id. Must
 * be called with ilk_mutex held.
 */
void ilk_crash_forbid(u32 iid)
{
	clear_bit(iid, allowed);
}

static enum ilk_refusal allow_crash_locked(struct ilk_client *client, const struct ilk_crash *call)
{
	struct ilk_hook *hook = ilk_hook_find(call->iid);
	enum ilk_refusal refusal = ilk_permit_check();

	if (!(call->flags & ILK_CRASH_TRY) && (!hook || hook->client != client))
		return ILK_REFUSAL_BAD_ITEM;
	if (!refusal && !(call->flags & ILK_CRASH_NO_DUMP) && !has_crash_kernel())
		refusal = ILK_REFUSAL_CRASH_NO_KERNEL;
	if (!refusal && !(call->flags & ILK_CRASH_TRY))
		set_bit(call->iid, allowed);
	if (!refusal && !(call->flags & ILK_CRASH_TRY))
		ilk_report_act(client, "hook %u may crash the kernel", call->iid);
	return refusal;
}

long ilk_crash_allow(struct ilk_client *client, void __user *arg)
{
	struct ilk_crash call;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.flags & ~(ILK_CRASH_TRY | ILK_CRASH_NO_DUMP) || call.refusal || call.pad ||
	    (call.flags & ILK_CRASH_TRY && call.iid))
		return -EINVAL;
	ilk_lock();
	call.refusal = allow_crash_locked(client, &call);
	ilk_unlock();
	if (copy_to_user(arg, &call, sizeof(call)))
		return -EFAULT;
	return ilk_refusal_errno(call.refusal);
}
