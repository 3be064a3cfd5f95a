// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-bounce.c - tests bounces, which are 2-byte jumps to a 5-byte jump; the 5-byte jump
 * is in the padding in front of the target, or in filler bytes after another patch's jump
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define HITS 20000

/*
 * Returns the address of the five bytes in front of the function if they are padding, 0 otherwise.
 */
uint64_t find_padding(uint8_t *old)
{
	static const uint8_t filler[] = { 0x90, 0xcc, 0x66, 0x2e, 0x0f, 0x1f, 0x00, 0x40, 0x44,
					  0x80, 0x84 };
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint64_t start = target_point.site - 5;
	uint8_t before[4];
	int i;

	if (!kernel_read(start - 4, before, 4) && !memcmp(before, endbr, 4))
		start -= 4;
	if (kernel_read(start - ILK_BOUNCE_BYTES, old, ILK_BOUNCE_BYTES))
		return 0;
	for (i = 0; i < ILK_BOUNCE_BYTES; i++)
		if (!memchr(filler, old[i], sizeof(filler)))
			return 0;
	return start - ILK_BOUNCE_BYTES;
}

static void plan_bounce(struct hooked *hooked, uint64_t padding, const uint8_t *old)
{
	hooked_plan(hooked, ILK_TACTIC_BOUNCE);
	hooked->patch.aux = padding;
	memcpy(hooked->patch.aux_old, old, ILK_BOUNCE_BYTES);
}

static void expect_arm_refusal(int fd, struct hooked *hooked, uint32_t refusal, const char *what)
{
	bool refused = ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1);

	check(refused && hooked->patch.refusal == refusal, "refused: %s (refusal %u, wanted %u)",
	      what, hooked->patch.refusal, refusal);
}

static void check_refusals(int fd, struct hooked *hooked, uint64_t padding, const uint8_t *old)
{
	uint8_t code[ILK_BOUNCE_BYTES];

	plan_bounce(hooked, padding, old);
	hooked->patch.aux_old[0] = old[0] == 0x90 ? 0xcc : 0x90;
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_TEXT_DIFFERS, "padding with other bytes");
	if (kernel_read(hooked->patch.site + hooked->patch.len, code, sizeof(code)))
		die("the target cannot be read");
	plan_bounce(hooked, hooked->patch.site + hooked->patch.len, code);
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_NOT_BOUNDARY, "a bounce over code");
	plan_bounce(hooked, padding - 256, old);
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_RANGE, "a bounce out of reach");
	plan_bounce(hooked, hooked->patch.site + hooked->patch.len - 1, old);
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_BAD_ITEM, "a bounce within its site");
	plan_bounce(hooked, padding, old);
	hooked->patch.aux_old[7] = 1;
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_BAD_ITEM, "bytes behind those of the bounce");
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->patch.aux = padding;
	expect_arm_refusal(fd, hooked, ILK_REFUSAL_BAD_ITEM, "a splice with a bounce");
}

static void check_live(int fd, struct hooked *hooked, uint64_t padding, const uint8_t *old)
{
	struct ilk_patch_status status;
	uint8_t now[ILK_BOUNCE_BYTES];
	uint64_t before;

	plan_bounce(hooked, padding, old);
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE of a bounce");
	must(ilk_arm(fd, NULL), "ARM of a bounce");
	ilk_settle(fd);
	status = patch_status(fd, 0);
	check(status.state == ILK_STATE_ARMED && status.new_[0] == 0xeb &&
	      status.aux == padding && status.aux_new[0] == 0xe9 && status.aux_laid_mono_ns,
	      "a bounce is armed and journalled");
	before = ilk_counter(fd, hooked->cells.iid).count;
	hit(HITS);
	check(ilk_counter(fd, hooked->cells.iid).count - before == 2 * HITS &&
	      !patch_status(fd, 0).trap_hits, "a bounce counts exactly, without traps");
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM of a bounce");
	ilk_settle(fd);
	check(!kernel_read(padding, now, sizeof(now)) && !memcmp(now, old, sizeof(now)) &&
	      patch_status(fd, 0).aux_restored_mono_ns, "padding is back after the grace period");
}

/* ---- bounces whose jump is next to the jump of a splice --------------------------------- */

/* Returns the length of a nop as emitted by assemblers, or 0 if @bytes are not a nop. */
static uint32_t nop_length(const uint8_t *bytes)
{
	uint32_t n = 0;
	uint8_t modrm;

	while (bytes[n] == 0x66 || bytes[n] == 0x2e)
		n++;
	if (bytes[n] == 0x90)
		return n + 1;
	if (bytes[n] != 0x0f || bytes[n + 1] != 0x1f)
		return 0;
	modrm = bytes[n + 2];
	return n + 3 + ((modrm & 7) == 4) + (modrm >> 6 == 1 ? 1 : modrm >> 6 == 2 ? 4 : 0);
}

/* Finds 11 to 16 bytes of nops directly in front of @end that are never executed, as space for a
 * jump. */
static bool find_ground(uint64_t end, struct point *ground)
{
	uint8_t bytes[32] = { 0 };
	uint32_t len, at, n;

	memset(ground, 0, sizeof(*ground));
	for (len = 16; len >= 11; len--) {
		if (kernel_read(end - len, bytes, len))
			return false;
		for (at = 0; at < len && (n = nop_length(bytes + at)); at += n)
			;
		if (at != len)
			continue;
		ground->len = len;
		ground->site = end - len;
		memcpy(ground->old, bytes, len);
		return true;
	}
	return false;
}

static void plan_guest(struct hooked *guest, const struct point *ground, uint32_t at)
{
	hooked_plan(guest, ILK_TACTIC_BOUNCE);
	guest->patch.aux = ground->site + at;
	memset(guest->patch.aux_old, 0xcc, ILK_BOUNCE_BYTES);
}

static int prepare_both(int fd, struct hooked *host, struct hooked *guest)
{
	struct ilk_prepare_patch patches[] = { host->patch, guest->patch };
	struct ilk_prepare_hook hooks[] = { host->hook, guest->hook };
	int ret = ilk_prepare(fd, patches, 2, hooks, 2);

	guest->patch.refusal = patches[1].refusal;
	return ret;
}

static void disarm_one(int fd, uint32_t id, struct ilk_disarm *result)
{
	*result = (struct ilk_disarm){
		.what = ILK_DISARM_LIST, .count = 1, .patches = (uintptr_t)&id,
	};
	must(ioctl(fd, ILK_IOC_DISARM, result), "DISARM of one");
}

static void guest_refusals(int fd, struct hooked *host, struct hooked *guest,
			   const struct point *ground)
{
	hooked_plan(host, ILK_TACTIC_SPLICE);
	plan_guest(guest, ground, 4);
	check(prepare_both(fd, host, guest) && guest->patch.refusal == ILK_REFUSAL_BAD_ITEM,
	      "refused: a bounce over its host's jump");
	plan_guest(guest, ground, 5);
	memcpy(guest->patch.aux_old, ground->old + 5, ILK_BOUNCE_BYTES);
	check(prepare_both(fd, host, guest) && guest->patch.refusal == ILK_REFUSAL_BAD_ITEM,
	      "refused: a bounce that does not expect its host's filler");
	hooked_plan(host, ILK_TACTIC_TRAP);
	plan_guest(guest, ground, 5);
	check(prepare_both(fd, host, guest) && guest->patch.refusal == ILK_REFUSAL_BAD_ITEM,
	      "refused: a bounce behind a trap");
}

static void hit_exactly(int fd, const struct hooked *guest, const char *when)
{
	uint64_t before = ilk_counter(fd, guest->cells.iid).count;

	hit(HITS);
	check(ilk_counter(fd, guest->cells.iid).count - before == 2 * HITS,
	      "a bounce behind a splice counts exactly, %s", when);
}

static void guest_life(int fd, struct hooked *host, struct hooked *guest,
		       const struct point *ground, bool host_first)
{
	struct ilk_patch_status status;
	struct ilk_disarm result;
	uint8_t now[11];

	hooked_plan(host, ILK_TACTIC_SPLICE);
	plan_guest(guest, ground, 6);
	must(prepare_both(fd, host, guest), "PREPARE of host and guest");
	must(ilk_arm(fd, NULL), "ARM of host and guest");
	hit_exactly(fd, guest, "from the first moment");
	ilk_settle(fd);
	status = patch_status(fd, guest->patch.id);
	check(status.state == ILK_STATE_ARMED && status.aux == ground->site + 6 &&
	      status.aux_laid_mono_ns && status.aux_old[0] == 0xcc,
	      "guest is armed and journalled");
	check(!kernel_read(ground->site, now, 11) && now[0] == 0xe9 && now[5] == 0xcc &&
	      !memcmp(now + 6, status.aux_new, ILK_BOUNCE_BYTES), "both jumps are there");
	hit_exactly(fd, guest, "armed");
	check(patch_status(fd, guest->patch.id).trap_hits == status.trap_hits, "without traps");
	if (host_first) {
		disarm_one(fd, host->patch.id, &result);
		check(!result.refused && !result.restored &&
		      patch_status(fd, host->patch.id).state == ILK_STATE_LENDING &&
		      ilk_pending(fd), "a host disarmed before its guest is lent");
		check(!kernel_read(ground->site, now, 11) && now[0] == 0xcc && now[6] == 0xe9,
		      "and traps, its guest's jump in place");
		hit_exactly(fd, guest, "its host lent");
		disarm_one(fd, guest->patch.id, &result);
	} else {
		must(ilk_disarm(fd, ILK_DISARM_FILE, &result), "DISARM of both");
	}
	check(result.restored == 1 && !result.refused, "the guest's site is restored at once");
	ilk_settle(fd);
	status = patch_status(fd, host->patch.id);
	check(status.state == ILK_STATE_RESTORED && status.restored_mono_ns >=
	      patch_status(fd, guest->patch.id).aux_restored_mono_ns && text_compare(true),
	      "host and text are restored after the guest");
}

static void test_guest(void)
{
	uint64_t end = target_point.site - 5;
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct hooked host, guest;
	struct point ground;
	uint8_t before[4];
	int fd;

	if (!kernel_read(end - 4, before, 4) && !memcmp(before, endbr, 4))
		end -= 4;
	if (!find_ground(end, &ground)) {
		printf("# not enough padding before the target\n");
		return;
	}
	fd = ilk_open(NULL);
	hook_counter(fd, &host, &ground, true, ILK_TACTIC_SPLICE);
	hook_counter(fd, &guest, &target_point, true, ILK_TACTIC_BOUNCE);
	guest_refusals(fd, &host, &guest, &ground);
	guest_life(fd, &host, &guest, &ground, true);
	guest_life(fd, &host, &guest, &ground, false);

	hooked_plan(&host, ILK_TACTIC_SPLICE);
	plan_guest(&guest, &ground, 6);
	must(prepare_both(fd, &host, &guest), "PREPARE again");
	must(ilk_arm(fd, NULL), "ARM again");
	ilk_settle(fd);
	close(fd);
	check(text_is_restored(), "text is restored after the death of a client with host and guest");
}

void test_bounce(void)
{
	uint8_t old[ILK_BOUNCE_BYTES];
	uint64_t padding = find_padding(old);
	struct hooked hooked, other;
	int fd, fd2;

	test_guest();
	if (!padding) {
		printf("# no padding before the target\n");
		return;
	}
	fd = ilk_open(NULL);
	fd2 = ilk_open(NULL);
	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_BOUNCE);
	check_refusals(fd, &hooked, padding, old);
	check_live(fd, &hooked, padding, old);
	check_live(fd, &hooked, padding, old);

	plan_bounce(&hooked, padding, old);
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE again");
	hook_counter(fd2, &other, &target_point, true, ILK_TACTIC_BOUNCE);
	plan_bounce(&other, padding, old);
	expect_arm_refusal(fd2, &other, ILK_REFUSAL_OVERLAP, "padding of another's bounce");
	must(ilk_arm(fd, NULL), "ARM again");
	close(fd);
	check(text_is_restored(), "text is restored after the death of a client with a bounce");
	close(fd2);
}
