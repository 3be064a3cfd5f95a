// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-pin.c - pins modules that have functions called by emitted code
 *
 * Such code makes a real call, and so is retired only once no task can return
 * into it (ilk-retire.c). Until then its patch holds the pool of its file, and
 * the pool holds the module (ilk-memory.c): when the module may be unloaded, no task
 * is in one of its functions through a patch.
 */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "ilk-arm.h"
#include "ilk-check.h"
#include "ilk-kernel.h"
#include "ilk-memory.h"
#include "ilk-report.h"
#include "ilk.h"

#define ARENA_MODULE	"ilk_arena_"

static bool is_own_module(const struct module *mod)
{
	return mod == THIS_MODULE || !strncmp(mod->name, ARENA_MODULE, strlen(ARENA_MODULE));
}

/* Sets @mod, with a reference, unless the pin is refused. */
static enum ilk_refusal find_owner(const struct ilk_pin *call, struct module **mod)
{
	enum ilk_refusal refusal = ILK_REFUSAL_NONE;

	*mod = ilk_kernel_module_get(call->address);
	if (!*mod)
		return ILK_REFUSAL_PIN_GONE;
	if (strcmp((*mod)->name, call->module) || (*mod)->state != MODULE_STATE_LIVE)
		refusal = ILK_REFUSAL_PIN_GONE;
	else if (is_own_module(*mod))
		refusal = ILK_REFUSAL_PIN_OWN;
	if (refusal)
		module_put(*mod);
	return refusal;
}

long ilk_pin(struct ilk_client *client, void __user *arg)
{
	struct module *mod = NULL;
	struct ilk_pin call;
	long ret;

	if (copy_from_user(&call, arg, sizeof(call)))
		return -EFAULT;
	if (call.pad || call.refusal || call.module[ILK_MODULE_NAME - 1])
		return -EINVAL;
	call.refusal = ilk_permit_check();
	if (!call.refusal)
		call.refusal = find_owner(&call, &mod);
	ret = ilk_refusal_errno(call.refusal);
	if (mod && !ret) {
		ret = ilk_memory_pin(client, mod);
		if (ret)
			module_put(mod);
		else
			ilk_report_act(client, "code may call module %s", call.module);
	}
	return copy_to_user(arg, &call, sizeof(call)) ? -EFAULT : ret;
}
