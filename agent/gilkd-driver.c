// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-driver.c - requests that become ioctls of /dev/ilk
 *
 * Arrays travel flattened after a header; here offsets become pointers, after each has been checked
 * against the payload it points into. A refusal is not an error of the request: it is returned in
 * its item, and only errors that the driver cannot report in an item become a sentence.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gilkd.h"

#define DEVICE_PATH	"/dev/" ILK_DEVICE_NAME
#define RESERVE_TRIES	32	/* another agent may use or unload first what we load */

bool gilkd_driver_exists(void)
{
	return !access(DEVICE_PATH, F_OK);
}

static void fail_open(struct gilkd *d, int error)
{
	if (error == ENOENT || error == ENODEV || error == ENXIO)
		gilkd_fail(d, ENODEV, "The driver ilk is not loaded; load it with \"gilk doctor "
			   "--load\", or with modprobe ilk as root.");
	else if (error == EACCES || error == EPERM)
		gilkd_fail(d, error, "No permission to open %s: %s; run the agent as root.",
			   DEVICE_PATH, strerror(error));
	else
		gilkd_fail(d, error, "Cannot open %s: %s; unload and reload the driver.",
			   DEVICE_PATH, strerror(error));
}

/* Returns a descriptor, or -1 with errno. */
int gilkd_driver_open_file(void)
{
	return open(DEVICE_PATH, O_RDWR | O_CLOEXEC);
}

/* Opens the device for this session unless it is open. Answers the request if it fails. */
bool gilkd_driver_open(struct gilkd *d)
{
	struct ilk_info info = { 0 };

	if (d->device >= 0)
		return true;

	d->device = gilkd_driver_open_file();
	if (d->device < 0) {
		fail_open(d, errno);
		return false;
	}
	if (ioctl(d->device, ILK_IOC_INFO, &info) || info.abi != ILK_ABI_VERSION) {
		gilkd_fail(d, EPROTO, "The loaded driver has ABI %u, this agent needs %u; unload "
				      "ilk and load the one that was installed with this release.",
			   info.abi, ILK_ABI_VERSION);
		gilkd_driver_close(d);
		return false;
	}

	return true;
}

void gilkd_driver_close(struct gilkd *d)
{
	if (d->device >= 0)
		close(d->device);
	d->device = -1;
}

/* Answers the request: the driver could not do @what. */
void gilkd_driver_fail(struct gilkd *d, const char *what, int error)
{
	gilkd_fail(d, error, "The driver could not %s: %s; the target's kernel log (dmesg) may say "
		   "more.", what, strerror(error));
}

bool gilkd_driver_info(struct gilkd *d, struct ilk_info *info)
{
	int error;

	if (!gilkd_driver_open(d))
		return false;
	error = gilkd_reference_ioctl(d, ILK_IOC_INFO, info);
	if (error) {
		gilkd_driver_fail(d, "describe itself", error);
		return false;
	}

	return true;
}

void gilkd_do_driver_info(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_info info = { 0 };

	if (gilkd_driver_info(d, &info))
		gilkd_answer(d, &info, sizeof(info));
}

void gilkd_do_instruments(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_instruments list = { .capacity = 32 };

	if (!gilkd_driver_open(d))
		return;

	for (;;) {
		struct ilk_instrument_desc *descs = calloc(list.capacity, sizeof(*descs));
		int error;

		list.descs = (uintptr_t)descs;
		list.count = 0;
		error = !descs ? ENOMEM : ioctl(d->device, ILK_IOC_INSTRUMENTS, &list) ? errno : 0;
		if (error && !(error == ENOSPC && list.count > list.capacity)) {
			gilkd_driver_fail(d, "list its instruments", error);
			free(descs);
			return;
		}
		if (list.count <= list.capacity) {
			gilkd_answer(d, descs, list.count * sizeof(*descs));
			free(descs);
			return;
		}
		free(descs);
		list.capacity = list.count + 8;
	}
}

/**
 * struct batch - the parts of a RESERVE or PREPARE payload
 *
 * All point into the payload, which is suitably aligned.
 */
struct batch {
	struct gilk_batch *head;
	uint8_t *patches;
	uint8_t *hooks;
	uint8_t *blob;
	size_t answer;		/* bytes of the payload without the blob */
};

static bool parse_batch(struct gilkd *d, struct batch *batch, uint8_t *payload, size_t length,
			size_t patch_size, size_t hook_size)
{
	struct gilk_batch *head = (struct gilk_batch *)payload;
	size_t patches, hooks;

	if (head->patch_count > ILK_BATCH_MAX || head->hook_count > ILK_BATCH_MAX)
		goto out_malformed;

	patches = head->patch_count * patch_size;
	hooks = head->hook_count * hook_size;
	if (length != sizeof(*head) + patches + hooks + head->blob_bytes)
		goto out_malformed;

	batch->head = head;
	batch->patches = payload + sizeof(*head);
	batch->hooks = batch->patches + patches;
	batch->blob = batch->hooks + hooks;
	batch->answer = sizeof(*head) + patches + hooks;
	head->failed = 0;
	head->refusal = 0;
	return true;

out_malformed:
	gilkd_fail(d, EINVAL, "Malformed request: its counts do not match its length. Client and "
			      "agent may be of different versions.");
	return false;
}

/*
 * Does RESERVE, and again for as long as arena modules can be loaded. Returns false, with the
 * request answered, on any failure but a refusal.
 */
static bool reserve_with_arenas(struct gilkd *d, struct ilk_reserve *reserve)
{
	uint32_t grown, tries = 0;
	int error;

	for (;;) {
		reserve->refusal = 0;
		reserve->missing = 0;
		if (!ioctl(d->device, ILK_IOC_RESERVE, reserve))
			return true;
		error = errno;
		if (reserve->refusal != ILK_REFUSAL_ARENA_FULL || tries++ == RESERVE_TRIES)
			break;
		if (!gilkd_arenas_grow(d, reserve->missing, &grown))
			return false;
		if (!grown)
			break;
	}
	if (reserve->refusal)
		return true;

	gilkd_driver_fail(d, "reserve room for the hooks", error);
	return false;
}

void gilkd_do_reserve(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_reserve reserve = { 0 };
	struct batch batch;

	if (!parse_batch(d, &batch, payload, length, sizeof(struct ilk_reserve_patch),
			 sizeof(struct ilk_reserve_hook)) ||
	    !gilkd_driver_open(d))
		return;

	reserve.patch_count = batch.head->patch_count;
	reserve.hook_count = batch.head->hook_count;
	reserve.patches = (uintptr_t)batch.patches;
	reserve.hooks = (uintptr_t)batch.hooks;
	if (!reserve_with_arenas(d, &reserve))
		return;
	batch.head->failed = reserve.refusal != 0;
	batch.head->refusal = reserve.refusal;
	gilkd_answer(d, payload, batch.answer);
}

/* Converts the offsets of one item to pointers. Returns false if they exceed the blob. */
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
	struct batch batch;
	uint32_t i;
	int error;

	if (!parse_batch(d, &batch, payload, length, sizeof(struct ilk_prepare_patch),
			 sizeof(struct ilk_prepare_hook)))
		return;

	patches = (struct ilk_prepare_patch *)batch.patches;
	for (i = 0; i < batch.head->patch_count; i++) {
		if (!set_blob_pointers(&patches[i], batch.blob, batch.head->blob_bytes)) {
			gilkd_fail(d, EINVAL, "Malformed request: the code of patch %u lies "
					      "outside of it. Client and agent may be of different "
					      "versions.", patches[i].id);
			return;
		}
	}
	if (!gilkd_driver_open(d))
		return;

	prepare.patch_count = batch.head->patch_count;
	prepare.hook_count = batch.head->hook_count;
	prepare.patches = (uintptr_t)batch.patches;
	prepare.hooks = (uintptr_t)batch.hooks;
	error = ioctl(d->device, ILK_IOC_PREPARE, &prepare) ? errno : 0;
	if (error && !prepare.failed) {
		gilkd_driver_fail(d, "prepare the hooks", error);
		return;
	}

	batch.head->failed = prepare.failed;
	if (!error && !prepare.failed)
		d->audit.prepared += batch.head->patch_count;
	for (i = 0; i < batch.head->patch_count; i++) {
		patches[i].code -= (uintptr_t)batch.blob;
		patches[i].orc -= (uintptr_t)batch.blob;
		patches[i].faults -= (uintptr_t)batch.blob;
	}
	gilkd_answer(d, payload, batch.answer);
}

static void log_armed(struct gilkd_audit *audit)
{
	audit->live += audit->prepared;
	gilkd_audit_log(audit, "armed %u patches of the kernel's text; %u are in place", audit->prepared,
			audit->live);
	audit->prepared = 0;
}

static void log_disarmed(struct gilkd_audit *audit, const struct ilk_disarm *disarm)
{
	audit->live -= disarm->restored < audit->live ? disarm->restored : audit->live;
	if (!audit->prepared && !audit->live && !disarm->restored && !disarm->refused)
		return;
	if ((disarm->what & ~ILK_DISARM_FREE) != ILK_DISARM_LIST)
		audit->prepared = 0;
	gilkd_audit_log(audit, "disarmed: %u patches restored, %u refused because others have changed "
			"their bytes; %u are in place or being removed",
			disarm->restored, disarm->refused, audit->live);
}

void gilkd_do_arm(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_arm arm = { 0 };
	int error;

	if (!gilkd_driver_open(d))
		return;
	error = gilkd_reference_ioctl(d, ILK_IOC_ARM, &arm);
	gilkd_opener_release(&d->opener);
	if (error)
		gilkd_audit_log(&d->audit, "could not arm %u patches of the kernel's text: %s", d->audit.prepared,
				arm.refusal ? "the driver refused one" : strerror(error));
	else
		log_armed(&d->audit);
	if (error && !arm.refusal) {
		gilkd_driver_fail(d, "arm the hooks; none is armed", error);
		return;
	}
	gilkd_answer(d, &arm, sizeof(arm));
}

void gilkd_do_disarm(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_disarm *disarm = (struct ilk_disarm *)payload;

	if (disarm->count > ILK_BATCH_MAX ||
	    length != sizeof(*disarm) + disarm->count * sizeof(uint32_t)) {
		gilkd_fail(d, EINVAL, "Malformed request: its count does not match its length. "
				      "Client and agent may be of different versions.");
		return;
	}
	if (!gilkd_driver_open(d))
		return;

	disarm->patches = (uintptr_t)(payload + sizeof(*disarm));
	if (ioctl(d->device, ILK_IOC_DISARM, disarm)) {
		gilkd_driver_fail(d, "disarm the hooks", errno);
		return;
	}
	gilkd_opener_release(&d->opener);
	log_disarmed(&d->audit, disarm);
	disarm->patches = 0;
	gilkd_answer(d, disarm, sizeof(*disarm));
}

void gilkd_do_status(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_status status;
	uint32_t flags;

	memcpy(&status, payload, sizeof(status));
	flags = status.flags;
	if (!gilkd_driver_open(d))
		return;

	for (status.capacity = 64;; status.capacity = status.count + 64) {
		struct ilk_patch_status *patches = calloc(status.capacity, sizeof(*patches));
		int error;

		status.flags = flags;
		status.patches = (uintptr_t)patches;
		status.count = 0;
		error = !patches ? ENOMEM : ioctl(d->device, ILK_IOC_STATUS, &status) ? errno : 0;
		if (error && !(error == ENOSPC && status.count > status.capacity)) {
			gilkd_driver_fail(d, "report what is armed", error);
			free(patches);
			return;
		}
		if (status.count <= status.capacity) {
			status.patches = 0;
			gilkd_answer_part(d, &status, sizeof(status));
			gilkd_answer(d, patches, status.count * sizeof(*patches));
			free(patches);
			return;
		}
		free(patches);
	}
}

void gilkd_do_counters(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct ilk_counters counters = { 0 };
	struct ilk_info info = { 0 };
	uint32_t flags;
	size_t bytes;
	void *out;

	memcpy(&flags, payload, sizeof(flags));
	counters.flags = flags;
	counters.count = (length - sizeof(flags)) / sizeof(uint32_t);
	if ((length - sizeof(flags)) % sizeof(uint32_t) || counters.count > ILK_BATCH_MAX) {
		gilkd_fail(d, EINVAL, "The request asks for more counters than fit into one "
				      "answer; ask for fewer at once.");
		return;
	}
	if (!gilkd_driver_info(d, &info))
		return;

	bytes = counters.count * sizeof(struct ilk_counter);
	if (flags & ILK_COUNTERS_PER_CPU)
		bytes *= info.nr_cpus;
	if (bytes > GILK_WIRE_COUNTERS_MAX) {
		gilkd_fail(d, E2BIG, "The request asks for more counters than fit into one answer; "
				     "ask for fewer at once.");
		return;
	}
	out = calloc(1, bytes + 1);
	counters.iids = (uintptr_t)(payload + sizeof(flags));
	counters.out = (uintptr_t)out;
	if (!out || (bytes && ioctl(d->device, ILK_IOC_COUNTERS, &counters)))
		gilkd_driver_fail(d, "read the counters", out ? errno : ENOMEM);
	else
		gilkd_answer(d, out, bytes);
	free(out);
}
