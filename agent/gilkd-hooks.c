// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-hooks.c - loads and unloads the driver, and prepares, arms and disarms its hooks
 *
 * A payload has a header, then arrays. Offsets in it are converted to pointers here, once they
 * are checked against the size of the payload. If the driver refuses an item, the item contains
 * the refusal, and the request still succeeds. A request fails only with errors that belong to
 * no item.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>

#include "gilkd-batch.h"
#include "gilkd.h"

#define DEVICE_WAIT_MS	2000
#define RESERVE_TRIES	32	/* maximum number of tries of RESERVE: other agents may use or
				 * unload the arena modules that we load */

void gilkd_do_driver_load(struct gilkd *d, uint8_t *payload, size_t length)
{
	static const struct timespec pause = { 0, 10000000 };
	char path[256];
	int waited;

	if (!gilkd_driver_exists()) {
		if (gilkd_module_file("ilk", path, sizeof(path))) {
			struct utsname name;

			uname(&name);
			gilkd_fail(&d->client, ENOENT, "ilk.ko for this kernel (%s) not found; "
						       "install the driver's package, or build "
						       "it and copy it to "
						       "/usr/lib/gilk/modules/%s/.", name.release,
				   name.release);
			return;
		}
		if (!gilkd_load_or_fail(&d->client, path))
			return;
		for (waited = 0; !gilkd_driver_exists() && waited < DEVICE_WAIT_MS; waited += 10)
			nanosleep(&pause, NULL);
	}

	/* Open the driver to detect a wrong version now, and not at the first hook. */
	if (gilkd_driver_open(&d->driver))
		gilkd_answer(&d->client, NULL, 0);
}

void gilkd_do_driver_unload(struct gilkd *d, uint8_t *payload, size_t length)
{
	gilkd_samples_end(&d->samples);
	gilkd_driver_close(&d->driver);
	gilkd_arenas_unload(&d->client.audit);
	if (gilkd_unload_or_fail(&d->client, "ilk"))
		gilkd_answer(&d->client, NULL, 0);
}

/*
 * Performs RESERVE. While the driver's memory for code (arena) is full, loads arena modules and
 * tries again. Returns false, with the request answered, on any failure but a refusal.
 */
static bool reserve_with_arenas(struct gilkd *d, struct ilk_reserve *reserve)
{
	uint32_t grown, tries = 0;
	int error;

	for (;;) {
		reserve->refusal = 0;
		reserve->missing = 0;
		if (!ioctl(d->driver.device, ILK_IOC_RESERVE, reserve))
			return true;
		error = errno;
		if (reserve->refusal != ILK_REFUSAL_ARENA_FULL || tries++ == RESERVE_TRIES)
			break;
		if (!gilkd_arenas_grow(&d->client, reserve->missing, &grown))
			return false;
		if (!grown)
			break;
	}
	if (reserve->refusal)
		return true;

	gilkd_driver_fail(&d->driver, "reserve room for the hooks", error);
	return false;
}

void gilkd_do_reserve(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_reserve reserve = { 0 };
	struct gilkd_batch batch;

	if (!gilkd_batch_parse(&d->client, &batch, payload, length, sizeof(struct ilk_reserve_patch),
			 sizeof(struct ilk_reserve_hook)) ||
	    !gilkd_driver_open(&d->driver))
		return;

	reserve.patch_count = batch.head->patch_count;
	reserve.hook_count = batch.head->hook_count;
	reserve.patches = (uintptr_t)batch.patches;
	reserve.hooks = (uintptr_t)batch.hooks;
	if (!reserve_with_arenas(d, &reserve))
		return;
	d->driver.holds |= !reserve.refusal;
	batch.head->failed = reserve.refusal != 0;
	batch.head->refusal = reserve.refusal;
	gilkd_answer(&d->client, payload, batch.answer);
}

/*
 * Converts the offsets of a PREPARE item in the blob (code and entries of all patches) to pointers.
 * Returns false if they exceed the blob.
 */
static bool set_blob_pointers(struct ilk_prepare_patch *patch, uint8_t *blob, size_t blob_bytes)
{
	if (patch->code > blob_bytes || patch->code_len > blob_bytes - patch->code)
		return false;
	if (patch->orc > blob_bytes ||
	    patch->orc_count > (blob_bytes - patch->orc) / sizeof(struct ilk_orc))
		return false;
	if (patch->faults > blob_bytes ||
	    patch->fault_count > (blob_bytes - patch->faults) / sizeof(struct ilk_fault))
		return false;

	patch->code += (uintptr_t)blob;
	patch->orc += (uintptr_t)blob;
	patch->faults += (uintptr_t)blob;
	return true;
}

void gilkd_do_prepare(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_prepare_patch *patches;
	struct ilk_prepare prepare = { 0 };
	struct gilkd_batch batch;
	uint32_t i;
	int error;

	if (!gilkd_batch_parse(&d->client, &batch, payload, length, sizeof(struct ilk_prepare_patch),
			 sizeof(struct ilk_prepare_hook)))
		return;

	patches = (struct ilk_prepare_patch *)batch.patches;
	for (i = 0; i < batch.head->patch_count; i++) {
		if (!set_blob_pointers(&patches[i], batch.blob, batch.head->blob_bytes)) {
			gilkd_fail(&d->client, EINVAL, "Malformed request: the code of patch "
						       "%u lies outside of the request. "
						       "Client and agent may be of different "
						       "versions.", patches[i].id);
			return;
		}
	}
	if (!gilkd_driver_open(&d->driver))
		return;

	prepare.patch_count = batch.head->patch_count;
	prepare.hook_count = batch.head->hook_count;
	prepare.patches = (uintptr_t)batch.patches;
	prepare.hooks = (uintptr_t)batch.hooks;
	error = ioctl(d->driver.device, ILK_IOC_PREPARE, &prepare) ? errno : 0;
	if (error && !prepare.failed) {
		gilkd_driver_fail(&d->driver, "prepare the hooks", error);
		return;
	}

	batch.head->failed = prepare.failed;
	if (!error && !prepare.failed)
		d->client.audit.prepared += batch.head->patch_count;
	for (i = 0; i < batch.head->patch_count; i++) {
		patches[i].code -= (uintptr_t)batch.blob;
		patches[i].orc -= (uintptr_t)batch.blob;
		patches[i].faults -= (uintptr_t)batch.blob;
	}
	gilkd_answer(&d->client, payload, batch.answer);
}

static void log_armed(struct gilkd_audit *audit)
{
	audit->live += audit->prepared;
	gilkd_audit_log(audit, "armed %u patches of the kernel's text; %u are in place",
			audit->prepared, audit->live);
	audit->prepared = 0;
}

static void log_disarmed(struct gilkd_audit *audit, const struct ilk_disarm *disarm)
{
	audit->live -= disarm->restored < audit->live ? disarm->restored : audit->live;
	if (!audit->prepared && !audit->live && !disarm->restored && !disarm->refused)
		return;
	if ((disarm->what & ~ILK_DISARM_FREE) != ILK_DISARM_LIST)
		audit->prepared = 0;
	gilkd_audit_log(audit, "disarmed: %u patches restored, %u refused because others have "
			       "changed their bytes; %u are in place or being removed",
			disarm->restored, disarm->refused, audit->live);
}

void gilkd_do_arm(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_arm arm = { 0 };
	int error;

	if (!gilkd_driver_open(&d->driver))
		return;
	error = gilkd_driver_ioctl_on_reference(&d->driver, ILK_IOC_ARM, &arm);
	gilkd_opener_release(&d->opener);
	if (error)
		gilkd_audit_log(&d->client.audit, "could not arm %u patches of the kernel's "
						  "text: %s", d->client.audit.prepared,
				arm.refusal ? "the driver refused one" : strerror(error));
	else
		log_armed(&d->client.audit);
	if (error && !arm.refusal) {
		gilkd_driver_fail(&d->driver, "arm the hooks, so none is armed", error);
		return;
	}
	gilkd_answer(&d->client, &arm, sizeof(arm));
}

void gilkd_do_disarm(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_disarm *disarm = (struct ilk_disarm *)payload;

	if (disarm->count > ILK_BATCH_MAX ||
	    length != sizeof(*disarm) + disarm->count * sizeof(uint32_t)) {
		gilkd_fail(&d->client, EINVAL, "Malformed request: its count does not match its "
					       "length. Client and agent may be of different "
					       "versions.");
		return;
	}
	if (!gilkd_driver_open(&d->driver))
		return;

	disarm->patches = (uintptr_t)(payload + sizeof(*disarm));
	if (ioctl(d->driver.device, ILK_IOC_DISARM, disarm)) {
		gilkd_driver_fail(&d->driver, "disarm the hooks", errno);
		return;
	}
	gilkd_opener_release(&d->opener);
	log_disarmed(&d->client.audit, disarm);
	if (disarm->what == (ILK_DISARM_FILE | ILK_DISARM_FREE) && !disarm->refused)
		d->driver.holds = false;
	disarm->patches = 0;
	gilkd_answer(&d->client, disarm, sizeof(*disarm));
}
