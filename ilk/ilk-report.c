// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-report.c - reports changes of text to other tools
 *
 *   debugfs ilk/patches	list of all patches, like kprobes/list
 *   kernel log			one line for each batch that is armed or restored
 *   perf			PERF_RECORD_TEXT_POKE for each write, KSYMBOL for each slot, so
 *				that decoders of hardware traces see the changed text; if this
 *				kernel has these events and there is a listener
 *   crash dumps		ilk_crash_notes: offsets of the fields of struct ilk_patch. The
 *				patches themselves are found by their magic number, without
 *				page tables: tests/python/gilkdump.py does so
 */
#include <linux/capability.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/user_namespace.h>

#include "ilk-arm.h"
#include "ilk-client.h"
#include "ilk-driver.h"
#include "ilk-kernel.h"
#include "ilk-patch.h"
#include "ilk-report.h"
#include "ilk-slot.h"
#include "ilk.h"

/* ---- the list of patches in debugfs ---------------------------------------------- */

static const char * const tactics[] = {
	[ILK_TACTIC_NONE] = "none", [ILK_TACTIC_SPLICE] = "splice", [ILK_TACTIC_BOUNCE] = "bounce",
	[ILK_TACTIC_CLONE] = "clone", [ILK_TACTIC_TRAP] = "trap",
};
static const char * const states[] = {
	[ILK_STATE_RESERVED] = "reserved", [ILK_STATE_PREPARED] = "prepared", [ILK_STATE_TRAPPED] = "trapped",
	[ILK_STATE_ARMED] = "armed", [ILK_STATE_RESTORED] = "restored", [ILK_STATE_RETIRED] = "retired",
	[ILK_STATE_FAILED] = "failed", [ILK_STATE_GONE] = "gone", [ILK_STATE_LENDING] = "lending",
};

/*
 * Returns the name of an enum value. The table may have gaps, or lack the latest values.
 */
static const char *get_number_name(const char * const *names, u32 count, u32 number)
{
	return number < count && names[number] ? names[number] : "unknown";
}

static void *list_start(struct seq_file *seq, loff_t *pos)
{
	unsigned long id = *pos;

	ilk_lock();
	return xa_find(&ilk_patches, &id, ULONG_MAX, XA_PRESENT);
}

static void *list_next(struct seq_file *seq, void *at, loff_t *pos)
{
	unsigned long id = ((struct ilk_patch *)at)->id;
	struct ilk_patch *next = xa_find_after(&ilk_patches, &id, ULONG_MAX, XA_PRESENT);

	*pos = next ? next->id : U32_MAX + 1ll;
	return next;
}

static void list_stop(struct seq_file *seq, void *at)
{
	ilk_unlock();
}

static const char *get_wait_text(const struct ilk_patch *patch)
{
	if (patch->retire >= ILK_RETIRE_QUEUED)
		return " [kept]";
	return ilk_patch_is_pending(patch) ? " [pending]" : "";
}

/*
 * Prints a line of the file ilk/patches: a patch's id, tactic, state, site, symbol+offset, size of
 * the footprint, slot and pid, then flags.
 */
static int list_show(struct seq_file *seq, void *at)
{
	struct ilk_patch *patch = at;
	bool open = file_ns_capable(seq->file, &init_user_ns, CAP_SYSLOG);
	void *site = patch->state == ILK_STATE_GONE ? NULL : (void *)patch->text.addr;
	unsigned long slot = ilk_slot_address(&patch->slot);

	seq_printf(seq, "%u %s %s %px ", patch->id, get_number_name(tactics, ARRAY_SIZE(tactics), patch->tactic),
		   get_number_name(states, ARRAY_SIZE(states), patch->state), open ? site : NULL);
	if (site)
		seq_printf(seq, "%pS", site);
	else
		seq_puts(seq, "-");
	seq_printf(seq, " %u %px %d%s%s\n", patch->text.len, open ? (void *)slot : NULL,
		   patch->client ? patch->client->pid : 0, get_wait_text(patch),
		   ilk_patch_in_text(patch) ? " [in text]" : "");
	return 0;
}

static const struct seq_operations list_sops = {
	.start = list_start,
	.next = list_next,
	.stop = list_stop,
	.show = list_show,
};

DEFINE_SEQ_ATTRIBUTE(list);

/* ---- messages in the kernel log ----------------------------------------------------- */

/**
 * ilk_report_patches() - log one line for a batch
 * @done: what was done: "armed", "restored"
 * @patch: one patch of the batch
 * @count: number of patches in the batch
 */
void ilk_report_patches(const char *done, const struct ilk_patch *patch, u32 count)
{
	if (count)
		pr_info_ratelimited("ilk: patches %s: %u, of process %d, by %s (%d)\n", done, count,
				    patch->client ? patch->client->pid : 0, current->comm,
				    task_tgid_nr(current));
}

/* ---- events for perf ------------------------------------------------------------------ */

static void (*text_poke_event)(const void *addr, const void *old, size_t old_len,
			       const void *now, size_t len);
static void (*ksymbol_event)(u16 type, u64 addr, u32 len, bool unregister, const char *name);

/*
 * Reports to perf that @len bytes at @addr were changed from @old to @now. Must be called in
 * process context, after the change.
 */
void ilk_report_poke(unsigned long addr, const u8 *old, const u8 *now, u32 len)
{
	if (text_poke_event && memcmp(old, now, len))
		text_poke_event((void *)addr, old, len, now, len);
}

/*
 * Reports that the slot contains code from now on, or, with @gone, no longer
 * contains code.
 */
void ilk_report_slot(const struct ilk_slot *slot, bool gone)
{
	if (ksymbol_event)
		ksymbol_event(PERF_RECORD_KSYMBOL_TYPE_OOL, ilk_slot_address(slot),
			      ilk_slot_bytes(slot), gone, "ilk_slot");
}

/* ---- notes for tools that read crash dumps ---------------------------------------------- */

#define IN_PATCH(member)	offsetof(struct ilk_patch, member)

/*
 * Describes struct ilk_patch to tools that read crash dumps; version 2. All values are
 * little-endian. A patch starts with @patch_magic, which is cleared once the patch is freed. The
 * footprint and the bounce of a patch each have: address (8 bytes), length (4), form (4: 0 old
 * bytes, 1 int3, 2 jump, 3 jump with int3 on its first byte), old bytes and jump (32 each).
 */
struct ilk_crash_notes {
	char magic[16];
	u32 version;
	u32 patch_bytes;
	u64 patch_magic;
	u64 self;			/* address of this struct; 0 in the module's file */
	u32 id, state, tactic;		/* offsets of 4-byte fields in a patch */
	u32 slot;			/* offset of the code address (8 bytes) in a patch */
	u32 text, bounce;		/* offsets of footprint and bounce in a patch */
	u32 addr, len, form, old, jump;	/* offsets of fields in footprint and bounce */
} ilk_crash_notes = {
	.magic = "ILK-CRASH-NOTES",
	.version = 2,
	.patch_bytes = sizeof(struct ilk_patch),
	.patch_magic = ILK_PATCH_MAGIC,
	.id = IN_PATCH(id),
	.state = IN_PATCH(state),
	.tactic = IN_PATCH(tactic),
	.slot = IN_PATCH(slot.addr),
	.text = IN_PATCH(text),
	.bounce = IN_PATCH(bounce),
	.addr = offsetof(struct ilk_text, addr),
	.len = offsetof(struct ilk_text, len),
	.form = offsetof(struct ilk_text, form),
	.old = offsetof(struct ilk_text, old),
	.jump = offsetof(struct ilk_text, jump),
};

/* ---- init --------------------------------------------------------------------------------- */

/*
 * Looks up perf's functions, and creates the file in debugfs. Ignores failures, as the driver also
 * works without reports.
 */
void ilk_report_init(void)
{
	WRITE_ONCE(ilk_crash_notes.self, (unsigned long)&ilk_crash_notes);
	text_poke_event = ilk_kernel_optional("perf_event_text_poke");
	ksymbol_event = ilk_kernel_optional("perf_event_ksymbol");
	debugfs_create_file("patches", 0400, ilk_debugfs, NULL, &list_fops);
}
