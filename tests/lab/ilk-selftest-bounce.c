// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-bounce.c - a jump by way of the padding before the target
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define HITS 20000

/* The five bytes before the function, if they are padding; 0 if not. */
static uint64_t find_padding(uint8_t *old)
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

static void expect(int fd, struct hooked *hooked, uint32_t refusal, const char *what)
{
	bool refused = ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1);

	check(refused && hooked->patch.refusal == refusal, "refused: %s (refusal %u, wanted %u)",
	      what, hooked->patch.refusal, refusal);
}

static void refuse(int fd, struct hooked *hooked, uint64_t padding, const uint8_t *old)
{
	plan_bounce(hooked, padding, old);
	hooked->patch.aux_old[0] = old[0] == 0x90 ? 0xcc : 0x90;
	expect(fd, hooked, ILK_REFUSAL_TEXT_DIFFERS, "padding with other bytes");
	plan_bounce(hooked, padding, old);
	hooked->patch.aux_old[1] = 0xc3;
	expect(fd, hooked, ILK_REFUSAL_BAD_ITEM, "a bounce over code");
	plan_bounce(hooked, padding - 256, old);
	expect(fd, hooked, ILK_REFUSAL_RANGE, "a bounce out of reach");
	plan_bounce(hooked, hooked->patch.site + hooked->patch.len - 1, old);
	expect(fd, hooked, ILK_REFUSAL_BAD_ITEM, "a bounce within its site");
	plan_bounce(hooked, padding, old);
	hooked->patch.aux_old[7] = 1;
	expect(fd, hooked, ILK_REFUSAL_BAD_ITEM, "bytes behind those of the bounce");
	hooked_plan(hooked, ILK_TACTIC_SPLICE);
	hooked->patch.aux = padding;
	expect(fd, hooked, ILK_REFUSAL_BAD_ITEM, "a splice with a bounce");
}

static struct ilk_patch_status status_of(int fd)
{
	struct ilk_patch_status status = { 0 };
	struct ilk_status call = { .capacity = 1, .patches = (uintptr_t)&status };

	must(ioctl(fd, ILK_IOC_STATUS, &call), "STATUS");
	return status;
}

static void live(int fd, struct hooked *hooked, uint64_t padding, const uint8_t *old)
{
	struct ilk_patch_status status;
	uint8_t now[ILK_BOUNCE_BYTES];
	uint64_t before;

	plan_bounce(hooked, padding, old);
	must(ilk_prepare(fd, &hooked->patch, 1, &hooked->hook, 1), "PREPARE of a bounce");
	must(ilk_arm(fd, NULL), "ARM of a bounce");
	ilk_settle(fd);
	status = status_of(fd);
	check(status.state == ILK_STATE_ARMED && status.new_[0] == 0xeb &&
	      status.aux == padding && status.aux_new[0] == 0xe9 && status.aux_laid_mono_ns,
	      "a bounce is armed and journalled");
	before = ilk_counter(fd, hooked->cells.iid).count;
	hit(HITS);
	check(ilk_counter(fd, hooked->cells.iid).count - before == 2 * HITS &&
	      !status_of(fd).trap_hits, "a bounce counts exactly, without traps");
	must(ilk_disarm(fd, ILK_DISARM_OWN, NULL), "DISARM of a bounce");
	ilk_settle(fd);
	check(!kernel_read(padding, now, sizeof(now)) && !memcmp(now, old, sizeof(now)) &&
	      status_of(fd).aux_restored_mono_ns, "padding is back after the grace period");
}

void test_bounce(void)
{
	uint8_t old[ILK_BOUNCE_BYTES];
	uint64_t padding = find_padding(old);
	struct hooked hooked, other;
	int fd, fd2;

	if (!padding) {
		printf("# no padding before the target\n");
		return;
	}
	fd = ilk_open(NULL);
	fd2 = ilk_open(NULL);
	hook_counter(fd, &hooked, &target_point, true, ILK_TACTIC_BOUNCE);
	refuse(fd, &hooked, padding, old);
	live(fd, &hooked, padding, old);
	live(fd, &hooked, padding, old);

	plan_bounce(&hooked, padding, old);
	must(ilk_prepare(fd, &hooked.patch, 1, &hooked.hook, 1), "PREPARE again");
	hook_counter(fd2, &other, &target_point, true, ILK_TACTIC_BOUNCE);
	plan_bounce(&other, padding, old);
	expect(fd2, &other, ILK_REFUSAL_OVERLAP, "padding of another's bounce");
	must(ilk_arm(fd, NULL), "ARM again");
	close(fd);
	check(text_is_restored(), "text is restored after the death of a client with a bounce");
	close(fd2);
}
