// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-switch.c - replaces hooks while they are being hit, next to a hook that stays armed
 *
 * Two threads call the target without a pause. One hook stays armed from start to end. Next to it
 * there is always exactly one other hook, which each switch-over replaces. The permanent hook must
 * count every call, and the counts of the other hooks must add up to the same number. If a hit is
 * missed, or runs two slots, these numbers differ.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ilk-selftest.h"

#define THREADS	2
#define ROUNDS	200		/* maximum number of rounds */

static volatile bool stop_calling;
static struct { volatile uint64_t n; char apart[56]; } calls[THREADS];

static void *call_target(void *arg)
{
	uint64_t i = (uintptr_t)arg;

	while (!stop_calling) {
		syscall(target_number, 0, 0);
		calls[i].n++;
	}
	return NULL;
}

static uint64_t all_calls(void)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < THREADS; i++)
		sum += calls[i].n;
	return sum;
}

static void start_calling(pthread_t *threads)
{
	uintptr_t i;

	stop_calling = false;
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, call_target, (void *)i);
}

static void end_calling(pthread_t *threads)
{
	int i;

	stop_calling = true;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* ---- a patch with two counters ------------------------------------------------------ */

/* How to hook the target: the tactic, and the jump of a bounce. */
struct place {
	uint32_t tactic;
	uint64_t aux;
	uint8_t aux_old[ILK_BOUNCE_BYTES];
};

/* Plans the patch of one round. It has two hooks: @stays, which is part of every round's patch, and
 * the hook of @hooked, which is part of this round's patch only. */
static void plan_round(int fd, const struct place *place, const struct ilk_reserve_hook *stays,
		       struct hooked *hooked, uint32_t replaces)
{
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = target_point;
	hooked->slot.bytes = 160;
	hooked->cells.flags = ILK_HOOK_COUNTER_NEAR;
	must(ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1), "RESERVE");
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, stays->counter);
	code_count(&hooked->code, hooked->cells.counter);
	code_finish(&hooked->code, &target_point);
	hooked_plan(hooked, place->tactic);
	hooked->patch.replaces = replaces;
	hooked->patch.aux = place->aux;
	memcpy(hooked->patch.aux_old, place->aux_old, ILK_BOUNCE_BYTES);
}

static int prepare_round(int fd, struct hooked *hooked, const struct ilk_reserve_hook *stays)
{
	struct ilk_prepare_hook hooks[2] = { hooked->hook, hooked->hook };

	hooks[1].iid = stays->iid;
	return ilk_prepare(fd, &hooked->patch, 1, hooks, 2);
}

static void free_patch(int fd, uint32_t id)
{
	struct ilk_disarm call = {
		.what = ILK_DISARM_LIST | ILK_DISARM_FREE, .count = 1, .patches = (uintptr_t)&id,
	};

	must(ioctl(fd, ILK_IOC_DISARM, &call), "FREE of a replaced patch");
}

/* ---- replacing hooks while they are being hit ------------------------------------------ */

/* Counts of all rounds. Each round arms a patch with a hook of its own. Arrays are indexed by the
 * number of the round. */
struct tally {
	uint32_t iids[ROUNDS];	/* hook id (iid) of the round's own hook */
	uint32_t ids[ROUNDS];	/* id of the patch */
	uint32_t from, to;	/* range of rounds whose counts are not in @sum yet */
	/* number of calls when the patch was about to be armed, and when the next one was armed */
	uint64_t begun[ROUNDS], ended[ROUNDS];
	uint64_t sum;		/* sum of the counts of the rounds' own hooks */
	uint32_t too_many;	/* number of hooks that counted more calls than there were */
};

/* Adds the counts of the rounds before @to to the sum. These counts are final, because no thread is
 * left in the slots of these rounds. */
static void sum_up(int fd, struct tally *tally, uint32_t to)
{
	uint64_t count;

	for (; tally->from < to; tally->from++) {
		count = ilk_counter(fd, tally->iids[tally->from]).count;
		tally->sum += count;
		tally->too_many += count > tally->ended[tally->from] -
					   tally->begun[tally->from] + THREADS;
		free_patch(fd, tally->ids[tally->from]);
	}
}

static void run_round(int fd, const struct place *place, const struct ilk_reserve_hook *stays,
		      struct tally *tally, uint32_t replaces)
{
	struct hooked hooked;
	uint32_t i = tally->to;

	plan_round(fd, place, stays, &hooked, replaces);
	must(prepare_round(fd, &hooked, stays), "PREPARE of a switch-over");
	tally->iids[i] = hooked.cells.iid;
	tally->ids[i] = hooked.slot.id;
	tally->begun[i] = all_calls();
	must(ilk_arm(fd, NULL), "ARM of a switch-over");
	if (i)
		tally->ended[i - 1] = all_calls();
	tally->to++;
}

/*
 * Replaces hooks repeatedly. The first patch is armed before the first call. With @settle,
 * switch-overs start after the jump is written, otherwise while the patch is still a trap.
 */
static void switch_repeatedly(const struct place *place, const char *name, uint32_t rounds, bool settle)
{
	static struct tally tally;
	struct ilk_reserve_hook stays = { .flags = ILK_HOOK_COUNTER_NEAR };
	struct ilk_patch_status status = { 0 };
	pthread_t threads[THREADS];
	int fd = ilk_open(NULL);
	uint64_t end, kept;
	uint32_t i;

	memset(&tally, 0, sizeof(tally));
	for (i = 0; i < THREADS; i++)
		calls[i].n = 0;
	must(ilk_reserve(fd, NULL, 0, &stays, 1), "RESERVE");
	run_round(fd, place, &stays, &tally, 0);
	if (settle)
		ilk_settle(fd);
	start_calling(threads);
	for (i = 1; i < rounds; i++) {
		end = now_ns() + random() % 1000000;
		while (now_ns() < end)
			;
		run_round(fd, place, &stays, &tally, tally.ids[i - 1]);
		if (i != rounds / 2)
			continue;
		ilk_settle(fd);
		sum_up(fd, &tally, i);
	}
	end_calling(threads);
	tally.ended[rounds - 1] = all_calls();
	ilk_settle(fd);
	status = patch_status(fd, tally.ids[rounds - 1]);
	check(status.state == ILK_STATE_ARMED && status.armed_mono_ns,
	      "%s: the last of %u patches is armed", name, rounds);
	kept = ilk_counter(fd, stays.iid).count;
	check(kept == all_calls(), "%s: the hook that stays counts every call (%lu of %lu)", name,
	      kept, all_calls());
	must(ilk_disarm(fd, ILK_DISARM_FILE, NULL), "DISARM");
	ilk_settle(fd);
	sum_up(fd, &tally, rounds);
	check(tally.sum == all_calls(), "%s: the others count every call together (%lu of %lu)",
	      name, tally.sum, all_calls());
	check(!tally.too_many, "%s: none of them counts calls outside of its time (%u)", name,
	      tally.too_many);
	close(fd);
	check(text_is_restored(), "%s: text is restored", name);
}

/* ---- tests of refused and withdrawn changes ----------------------------------------- */

static void expect_arm_refusal(int fd, struct hooked *hooked, const struct ilk_reserve_hook *stays,
			       uint32_t refusal, const char *what)
{
	bool refused = prepare_round(fd, hooked, stays);

	check(refused && hooked->patch.refusal == refusal, "refused: %s (refusal %u, wanted %u)",
	      what, hooked->patch.refusal, refusal);
}

static void check_refusals(int fd, const struct place *place, const struct ilk_reserve_hook *stays,
			   uint32_t live)
{
	struct ilk_arm arm = { 0 };
	struct hooked hooked, other;

	plan_round(fd, place, stays, &hooked, live);
	plan_round(fd, place, stays, &other, live);
	hooked.patch.replaces = hooked.slot.id;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_BAD_ITEM, "a patch in its own place");
	hooked.patch.replaces = UINT32_MAX;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_BAD_ITEM, "the place of one there is not");
	hooked.patch.replaces = 0;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_OVERLAP, "the place of another one without a word");
	hooked.patch.replaces = live;
	hooked.patch.len--;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_BAD_ITEM, "a place of another length");
	hooked.patch.len++;
	hooked.patch.old[1] ^= 1;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_BAD_ITEM, "a place with other bytes");
	hooked.patch.old[1] ^= 1;
	hooked.patch.tactic = ILK_TACTIC_TRAP;
	expect_arm_refusal(fd, &hooked, stays, ILK_REFUSAL_BAD_ITEM, "a place by another tactic");
	hooked.patch.tactic = place->tactic;

	must(prepare_round(fd, &hooked, stays), "PREPARE");
	expect_arm_refusal(fd, &other, stays, ILK_REFUSAL_STATE, "the place of one that has a successor");
	free_patch(fd, hooked.slot.id);
	must(prepare_round(fd, &other, stays), "PREPARE once the successor is gone");
	free_patch(fd, live);
	check(ilk_arm(fd, &arm) == -EBUSY && arm.failed_patch == other.slot.id &&
	      arm.refusal == ILK_REFUSAL_STATE, "ARM refused: the patch to be replaced is gone");
	check(text_compare(true), "which changes no text");
}

/* Tests that nothing changes if a switch-over is prepared and then released. */
static void give_up(int fd, const struct place *place, const struct ilk_reserve_hook *stays,
		    uint32_t live)
{
	uint64_t before = ilk_counter(fd, stays->iid).count;
	struct hooked hooked;

	plan_round(fd, place, stays, &hooked, live);
	must(prepare_round(fd, &hooked, stays), "PREPARE");
	free_patch(fd, hooked.slot.id);
	must(ilk_arm(fd, NULL), "ARM of nothing");
	hit(100);
	check(ilk_counter(fd, stays->iid).count - before == 200 &&
	      patch_status(fd, live).state == ILK_STATE_ARMED, "a switch-over given up changes nothing");
}

/* Tests that the start and stop of a hook that is added later are relative to time zero, the time
 * of the first ARM. */
static void add_later(int fd, const struct place *place, const struct ilk_reserve_hook *stays,
		      const struct ilk_arm *first, struct hooked *hooked, uint32_t live)
{
	uint64_t zero = first->zero.mono_ns, early;
	struct ilk_arm arm;
	struct ilk_info info;

	must(ioctl(fd, ILK_IOC_INFO, &info), "INFO");
	plan_round(fd, place, stays, hooked, live);
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, stays->counter);
	code_gate(&hooked->code, info.gates + hooked->cells.iid,
		  code_count_bytes(hooked->cells.counter));
	code_count(&hooked->code, hooked->cells.counter);
	code_finish(&hooked->code, &target_point);
	hooked->patch.code_len = hooked->code.len;
	hooked->hook.flags = ILK_HOOK_GATED;
	hooked->hook.start_ns = now_ns() - zero + 2000000000;
	must(ilk_prepare(fd, &hooked->patch, 1, (struct ilk_prepare_hook[]){
			{ .iid = stays->iid, .patch = hooked->slot.id }, hooked->hook }, 2),
	     "PREPARE of a hook that starts later");
	must(ilk_arm(fd, &arm), "ARM of a hook that starts later");
	check(arm.zero.mono_ns == zero && arm.zero.tsc == first->zero.tsc,
	      "a second ARM keeps the first one's time zero");
	hit(50);
	early = ilk_counter(fd, hooked->cells.iid).count;
	while (now_ns() < zero + hooked->hook.start_ns + 50000000)
		usleep(10000);
	hit(50);
	check(!early && ilk_counter(fd, hooked->cells.iid).count == 100 &&
	      ilk_counter(fd, stays->iid).count == 200,
	      "a hook added to a live patch starts when it is due (%lu, then %llu, beside %llu)",
	      early, ilk_counter(fd, hooked->cells.iid).count,
	      ilk_counter(fd, stays->iid).count);
}

static void test_calm(const struct place *place)
{
	struct ilk_reserve_hook stays = { .flags = ILK_HOOK_COUNTER_NEAR };
	struct hooked first, second;
	int fd = ilk_open(NULL);
	struct ilk_arm arm;

	must(ilk_reserve(fd, NULL, 0, &stays, 1), "RESERVE");
	plan_round(fd, place, &stays, &first, 0);
	must(prepare_round(fd, &first, &stays), "PREPARE");
	must(ilk_arm(fd, &arm), "ARM");
	ilk_settle(fd);
	add_later(fd, place, &stays, &arm, &second, first.slot.id);
	check(patch_status(fd, first.slot.id).state == ILK_STATE_RESTORED &&
	      patch_status(fd, second.slot.id).state == ILK_STATE_ARMED,
	      "the old patch is restored, the new one armed");
	give_up(fd, place, &stays, second.slot.id);
	check_refusals(fd, place, &stays, second.slot.id);
	close(fd);
	check(text_is_restored(), "text is restored after the refusals");
}

/* Returns the number of rounds for a tactic: @rounds times @each, at most ROUNDS. */
static uint32_t get_round_share(int rounds, uint32_t each)
{
	return rounds * each < ROUNDS ? rounds * each : ROUNDS;
}

void test_switch(int rounds)
{
	struct place place = { .tactic = ILK_TACTIC_SPLICE };

	test_calm(&place);
	switch_repeatedly(&place, "splice", get_round_share(rounds, 15), true);
	switch_repeatedly(&place, "splice, from a trap", 10, false);
	place.tactic = ILK_TACTIC_TRAP;
	switch_repeatedly(&place, "trap", get_round_share(rounds, 3), true);
	place.tactic = ILK_TACTIC_BOUNCE;
	place.aux = find_padding(place.aux_old);
	if (!place.aux)
		return;
	switch_repeatedly(&place, "bounce", get_round_share(rounds, 5), true);
	switch_repeatedly(&place, "bounce, from a trap", 10, false);
}
