// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-arm.c - arms and disarms BPF hooks, and starts and stops them at their times
 *
 *   ARM       1. place a probe at each point, also for patches that start later: if the kernel
 *                refuses a point, ARM fails before any program runs
 *             2. attach the programs of all patches that are due; this is fast. Patches with
 *                GILK_PATCH_JOINS skip step 1, and are always attached in step 2
 *   tick      attaches patches at later start times, and detaches patches at their stop times
 *   DISARM    1. detach all programs
 *             2. remove the kprobes. Uprobes end later: see gilkd-probe.c
 *
 * The gate of a hook with ILK_HOOK_GATED is 1 between its start and its stop, as with the driver.
 * The agent writes it only at ARM, at DISARM and at these two times, so that a value that a program
 * has written to the gate stays until then.
 *
 * Switch-over: a patch that replaces another one is attached before the old one is detached. A hit
 * in between runs both programs, so a hook that moves to the new patch counts it twice.
 */
#include <errno.h>

#include "gilkd-bpf.h"

static bool is_due(uint64_t start_at, uint64_t stop_at, uint64_t now)
{
	return start_at <= now && (!stop_at || stop_at > now);
}

/* ---- gates of hooks ---- */

static void set_gate(struct gilkd_bpf *bpf, uint32_t iid, bool open)
{
	__atomic_store_n(&bpf->gates.at[iid], open, __ATOMIC_RELEASE);
}

/*
 * Opens and closes the gates (bytes that switch hooks on and off) of hooks whose start or stop time
 * has passed since the last tick.
 */
static void flip_gates(struct gilkd_bpf *bpf, uint64_t now)
{
	uint32_t iid;

	for (iid = 1; iid <= bpf->hook_ids; iid++) {
		const struct gilkd_bpf_hook *hook = bpf->hooks[iid - 1];
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);

		if (!patch || !patch->scheduled || !(hook->flags & ILK_HOOK_GATED))
			continue;
		if (hook->start_at > bpf->ticked_ns && hook->start_at <= now)
			set_gate(bpf, iid, true);
		if (hook->stop_at > bpf->ticked_ns && hook->stop_at <= now)
			set_gate(bpf, iid, false);
	}
	bpf->ticked_ns = now;
}

/*
 * Opens or closes the gates (bytes that switch hooks on and off) of the hooks of all patches with
 * @chosen set. If such a patch is about to get a hook from an old patch that uses the hook's gate,
 * the gate stays unchanged.
 */
static void set_gates_of_chosen(struct gilkd_bpf *bpf, bool open, uint64_t now)
{
	uint32_t iid;

	for (iid = 1; iid <= bpf->hook_ids; iid++) {
		const struct gilkd_bpf_hook *hook = bpf->hooks[iid - 1];
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);
		const struct gilkd_bpf_patch *next = gilkd_bpf_patch_next(bpf, hook);
		const bool gated = hook && hook->flags & ILK_HOOK_GATED;

		if ((patch && patch->chosen && gated) || (open && next && next->chosen && !gated))
			set_gate(bpf, iid, open && is_due(hook->start_at, hook->stop_at, now));
	}
}

/* ---- attaching and detaching programs ---- */

/* Makes the program of a patch run at its point. Returns 0 or an errno. */
static int attach_program(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const int error = gilkd_bpf_point_attach(bpf, patch);

	if (error)
		return error;
	if (patch->state != ILK_STATE_ARMED)	/* the patch may be ARMED already, as another
						 * patch shares its link; in this case @armed_ns
						 * is set, too */
		patch->armed_ns = gilkd_bpf_now();
	patch->state = ILK_STATE_ARMED;
	return 0;
}

/*
 * Removes the probes of all patches with @chosen set. Removes kprobes before uprobes: while the
 * kernel removes a uprobe from a process, it holds a mutex (event_mutex) that removing a kprobe
 * takes, too.
 */
static void remove_chosen_probes(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (patch && patch->chosen && (patch->probe >= 0 || patch->multi))
			gilkd_bpf_patch_detach(bpf, patch);
	}
	gilkd_prober_settle(bpf->prober, bpf->uprober);
	gilkd_prober_flush(bpf->uprober);
}

static bool can_detach(const struct gilkd_bpf_patch *patch)
{
	return patch && patch->chosen &&
	       (patch->state == ILK_STATE_ARMED || patch->state == ILK_STATE_PREPARED);
}

/*
 * Detaches all patches with @chosen set that are armed or prepared. Returns the number of patches
 * that were armed.
 */
static uint32_t detach_chosen(struct gilkd_bpf *bpf)
{
	uint32_t detached = 0, i;
	uint64_t now;

	set_gates_of_chosen(bpf, false, 0);
	for (i = 0; i < bpf->patch_ids; i++)
		if (can_detach(bpf->patches[i])) {
			gilkd_bpf_patch_stop(bpf, bpf->patches[i]);
			gilkd_bpf_patch_cancel(bpf, bpf->patches[i]);
		}
	gilkd_prober_settle(bpf->prober, bpf->uprober);
	now = gilkd_bpf_now();
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!can_detach(patch))
			continue;
		detached += patch->state == ILK_STATE_ARMED;
		patch->restored_ns = patch->state == ILK_STATE_ARMED ? now : 0;
		patch->state = ILK_STATE_RESTORED;
		patch->scheduled = false;
	}
	remove_chosen_probes(bpf);
	return detached;
}

static void unchoose_all(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++)
		if (bpf->patches[i])
			bpf->patches[i]->chosen = false;
}

static uint32_t count_armed(const struct gilkd_bpf *bpf)
{
	uint32_t count = 0, i;

	for (i = 0; i < bpf->patch_ids; i++)
		count += bpf->patches[i] && bpf->patches[i]->state == ILK_STATE_ARMED;
	return count;
}

static void log_detached(struct gilkd_bpf *bpf, uint32_t detached)
{
	if (detached)
		gilkd_audit_log(&bpf->client->audit, "detached %u probes; %u are attached",
				detached, count_armed(bpf));
}

/* ---- starts and stops at their times ---- */

static void note_time(uint64_t *next, uint64_t at, uint64_t now)
{
	if (at > now && at < *next)
		*next = at;
}

/*
 * Returns whether it is too late for the start or stop of @patch, so that this must be done at
 * once. @patch may be NULL.
 */
static bool is_overdue(const struct gilkd_bpf_patch *patch, uint64_t now)
{
	if (!patch || !patch->scheduled)
		return false;
	if (patch->state == ILK_STATE_PREPARED)
		return patch->start_at <= now;
	return patch->state == ILK_STATE_ARMED && patch->stop_at && patch->stop_at <= now;
}

/*
 * Sets @next_ns to the next time at which a hook or a patch starts or stops. Sets it to @now if a
 * patch should have started or stopped already, but had to wait because a request was changing
 * patches.
 */
static void find_next_time(struct gilkd_bpf *bpf, uint64_t now)
{
	uint32_t i;

	bpf->next_ns = UINT64_MAX;
	for (i = 0; i < bpf->hook_ids; i++) {
		const struct gilkd_bpf_hook *hook = bpf->hooks[i];
		const struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);

		if (!patch || !patch->scheduled)
			continue;
		note_time(&bpf->next_ns, hook->start_at, now);
		note_time(&bpf->next_ns, hook->stop_at, now);
	}
	for (i = 0; i < bpf->patch_ids; i++)
		if (is_overdue(bpf->patches[i], now))
			bpf->next_ns = now;
}

/* Returns the refusal for an errno from attaching a patch's program to its point. */
static uint32_t get_attach_refusal(const struct gilkd_bpf_patch *patch, int error)
{
	if (patch->shared || patch->source || patch->watch || patch->tactic == GILK_TACTIC_FENTRY)
		return gilkd_bpf_point_refusal(patch, error);
	return error == EMFILE || error == ENOMEM ? ILK_REFUSAL_TOO_MANY : GILK_BPF_REFUSED_PROBE;
}

static void start_due_patches(struct gilkd_bpf *bpf, uint64_t now)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];
		int error;

		if (!patch || patch->state != ILK_STATE_PREPARED || !patch->scheduled ||
		    patch->start_at > now)
			continue;
		error = attach_program(bpf, patch);
		if (!error)
			continue;
		patch->state = ILK_STATE_FAILED;
		patch->refusal = get_attach_refusal(patch, error);
		patch->scheduled = false;
		gilkd_bpf_patch_stop(bpf, patch);
		gilkd_bpf_patch_detach(bpf, patch);
	}
}

static void stop_due_patches(struct gilkd_bpf *bpf, uint64_t now)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch || patch->state != ILK_STATE_ARMED || !patch->stop_at ||
		    patch->stop_at > now)
			continue;
		patch->chosen = true;
		any = true;
	}
	if (!any)
		return;
	log_detached(bpf, detach_chosen(bpf));
	unchoose_all(bpf);
}

/*
 * Starts and stops hooks and patches that are due. While a request changes patches or waits for a
 * probe, only opens and closes gates, the bytes that switch hooks on and off.
 */
void gilkd_bpf_tick(struct gilkd_bpf *bpf)
{
	const bool busy = bpf->busy || bpf->prober->waits || bpf->uprober->waits;
	const uint64_t now = gilkd_bpf_now();

	if (!bpf->live)
		return;
	gilkd_prober_flush(bpf->prober);
	gilkd_prober_flush(bpf->uprober);
	gilkd_bpf_intervals_tick(bpf, now);
	gilkd_bpf_watch_tick(bpf, busy, now);
	if (now < bpf->next_ns)
		return;
	flip_gates(bpf, now);
	if (busy)
		return;
	bpf->busy = true;
	start_due_patches(bpf, now);
	stop_due_patches(bpf, now);
	find_next_time(bpf, now);
	bpf->busy = false;
}

/* Returns the time, in ms, at which gilkd_bpf_tick() must next be called; UINT64_MAX: never. */
uint64_t gilkd_bpf_next_ms(const struct gilkd_bpf *bpf)
{
	const uint64_t times[] = {
		bpf->next_ns == UINT64_MAX ? UINT64_MAX : (bpf->next_ns + 999999) / 1000000,
		gilkd_bpf_watch_next_ms(bpf), gilkd_bpf_intervals_next_ms(bpf),
	};
	uint64_t next = UINT64_MAX;
	uint32_t i;

	for (i = 0; bpf->live && i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i] < next)
			next = times[i];
	return next;
}

/* ---- the ARM request ---- */

/* Returns whether the client has hung up, so that its ARM must be cancelled. */
static bool is_client_gone(const struct gilkd_bpf *bpf)
{
	return bpf->client->broken || gilkd_client_is_hung_up(bpf->client);
}

/*
 * Returns whether @patch can be armed: it replaces no patch, or the patch that it replaces is still
 * scheduled or armed.
 */
static bool is_switch_possible(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch)
{
	const struct gilkd_bpf_patch *old = gilkd_bpf_patch_replaced(bpf, patch);

	return !patch->replaces || (old && old->scheduled);
}

/*
 * Sets @chosen of all patches that are prepared and not yet scheduled, and opens their probe
 * points, to which programs are attached later. Returns the patch that prevents ARM, with its
 * refusal set, or NULL.
 */
static struct gilkd_bpf_patch *open_points(struct gilkd_bpf *bpf)
{
	uint32_t i;
	int error;

	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch || patch->state != ILK_STATE_PREPARED || patch->scheduled)
			continue;
		patch->chosen = true;
		patch->refusal = is_switch_possible(bpf, patch) ?
			ILK_REFUSAL_NONE : ILK_REFUSAL_STATE;
		if (patch->refusal)
			return patch;
		error = gilkd_bpf_point_open(bpf, patch);
		if (error) {
			patch->refusal = gilkd_bpf_point_refusal(patch, error);
			return patch;
		}
		gilkd_samples_tick(bpf->samples);
		if (is_client_gone(bpf)) {
			patch->refusal = ILK_REFUSAL_STATE;
			return patch;
		}
	}
	return NULL;
}

static void set_hook_times(struct gilkd_bpf *bpf, struct gilkd_bpf_hook *hook,
			   struct gilkd_bpf_patch *patch)
{
	hook->start_at = hook->start_ns ? bpf->zero_ns + hook->start_ns : 0;
	hook->stop_at = hook->stop_ns ? bpf->zero_ns + hook->stop_ns : 0;
	if (hook->start_at < patch->start_at)
		patch->start_at = hook->start_at;
	if (!hook->stop_at)
		patch->stop_at = UINT64_MAX;
	else if (hook->stop_at > patch->stop_at)
		patch->stop_at = hook->stop_at;
}

/*
 * Sets the start of each patch with @chosen set to the earliest start of its hooks, and its stop to
 * their latest stop. A patch that replaces an armed patch starts at once.
 */
static void set_times_of_chosen(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++) {
		if (!bpf->patches[i] || !bpf->patches[i]->chosen)
			continue;
		bpf->patches[i]->start_at = UINT64_MAX;
		bpf->patches[i]->stop_at = 0;
	}
	for (i = 0; i < bpf->hook_ids; i++) {
		struct gilkd_bpf_hook *hook = bpf->hooks[i];
		struct gilkd_bpf_patch *patch = gilkd_bpf_patch_of(bpf, hook);
		struct gilkd_bpf_patch *next = gilkd_bpf_patch_next(bpf, hook);

		if (patch && patch->chosen)
			set_hook_times(bpf, hook, patch);
		else if (next && next->chosen)
			set_hook_times(bpf, hook, next);
	}
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i], *old;

		if (!patch || !patch->chosen)
			continue;
		old = gilkd_bpf_patch_replaced(bpf, patch);
		if (patch->start_at == UINT64_MAX || (old && old->state == ILK_STATE_ARMED))
			patch->start_at = 0;
		if (patch->stop_at == UINT64_MAX)
			patch->stop_at = 0;
	}
}

/*
 * Attaches the patches with @chosen set that are due. Returns the patch that cannot be attached, or
 * NULL.
 */
static struct gilkd_bpf_patch *attach_chosen(struct gilkd_bpf *bpf, uint64_t now)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];
		int error;

		/*
		 * Attach patches that share a program now, even if they start later, so that ARM
		 * fails now if the kernel refuses one of them. Their gates, which switch hooks on,
		 * stay closed until their start.
		 */
		if (!patch || !patch->chosen || (patch->start_at > now && !patch->shared))
			continue;
		error = attach_program(bpf, patch);
		gilkd_samples_tick(bpf->samples);
		if (!error && !is_client_gone(bpf))
			continue;
		patch->refusal = error ? get_attach_refusal(patch, error) : ILK_REFUSAL_STATE;
		return patch;
	}
	return NULL;
}

/* Undoes a failed ARM: detaches the patches with @chosen set, which become PREPARED again. */
static void cancel_arm(struct gilkd_bpf *bpf)
{
	uint32_t i;

	set_gates_of_chosen(bpf, false, 0);
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch || !patch->chosen)
			continue;
		gilkd_bpf_patch_detach(bpf, patch);
		patch->state = ILK_STATE_PREPARED;
		patch->armed_ns = 0;
	}
	gilkd_prober_settle(bpf->prober, bpf->uprober);
	gilkd_prober_flush(bpf->uprober);
	unchoose_all(bpf);
}

/*
 * At a switch-over, moves hooks from the old patches to the patches that replace them, and detaches
 * the old patches.
 */
static void hand_over(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->hook_ids; i++) {
		struct gilkd_bpf_hook *hook = bpf->hooks[i];
		const struct gilkd_bpf_patch *next = gilkd_bpf_patch_next(bpf, hook);

		if (!next || !next->chosen)
			continue;
		hook->patch = hook->moves_to;
		hook->moves_to = 0;
		hook->flags = hook->move_flags;
	}
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch || !patch->chosen)
			continue;
		patch->chosen = false;
		patch->scheduled = true;
	}
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];
		const struct gilkd_bpf_patch *next;

		next = patch ? gilkd_bpf_patch(bpf, patch->successor) : NULL;
		if (next)
			patch->chosen = next->scheduled;
	}
	log_detached(bpf, detach_chosen(bpf));
	unchoose_all(bpf);
}

static void answer_refusal(struct gilkd_bpf *bpf, struct ilk_arm *arm,
			   const struct gilkd_bpf_patch *obstacle)
{
	gilkd_audit_log(&bpf->client->audit, "could not attach probes: the kernel refused one");
	arm->failed_patch = obstacle->id;
	arm->refusal = obstacle->refusal;
	gilkd_answer(bpf->client, arm, sizeof(*arm));
}

void gilkd_bpf_do_arm(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	const uint32_t armed = count_armed(bpf);
	const bool first = !bpf->zero_ns;
	struct gilkd_bpf_patch *obstacle;
	struct ilk_arm arm = { 0 };
	uint64_t now;

	bpf->busy = true;
	obstacle = open_points(bpf);
	gilkd_opener_release(bpf->opener);
	now = gilkd_bpf_now();
	if (first)
		bpf->zero_ns = now;
	arm.zero.tsc = arm.zero.mono_ns = bpf->zero_ns;
	if (!obstacle) {
		flip_gates(bpf, now);
		set_times_of_chosen(bpf);
		set_gates_of_chosen(bpf, true, now);
		obstacle = attach_chosen(bpf, now);
	}
	if (obstacle) {
		cancel_arm(bpf);
		if (first)
			bpf->zero_ns = 0;
		bpf->busy = false;
		answer_refusal(bpf, &arm, obstacle);
		return;
	}
	gilkd_audit_log(&bpf->client->audit, "attached %u probes", count_armed(bpf) - armed);
	hand_over(bpf);
	find_next_time(bpf, now);
	if (first)
		gilkd_bpf_intervals_start(bpf);
	bpf->busy = false;
	gilkd_answer(bpf->client, &arm, sizeof(arm));
}

/* ---- the DISARM request ---- */

static void choose_all(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->patch_ids; i++)
		if (bpf->patches[i])
			bpf->patches[i]->chosen = true;
}

/* Sets @chosen of the patches with these ids; ignores ids that do not exist, as the driver does. */
static void choose_listed(struct gilkd_bpf *bpf, const uint32_t *ids, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct gilkd_bpf_patch *patch = gilkd_bpf_patch(bpf, ids[i]);

		if (patch)
			patch->chosen = true;
	}
}

static void free_chosen(struct gilkd_bpf *bpf)
{
	uint32_t i;

	gilkd_bpf_hooks_free_chosen(bpf);
	for (i = 0; i < bpf->patch_ids; i++) {
		struct gilkd_bpf_patch *patch = bpf->patches[i];

		if (!patch || !patch->chosen)
			continue;
		gilkd_bpf_patch_cancel(bpf, patch);
		gilkd_bpf_patch_free(bpf, patch);
	}
}

/* Detaches and frees all patches and hooks, but not the areas (memory that programs keep). */
void gilkd_bpf_detach_all(struct gilkd_bpf *bpf)
{
	bpf->busy = true;
	bpf->zero_ns = 0;
	gilkd_bpf_intervals_stop(bpf);
	choose_all(bpf);
	log_detached(bpf, detach_chosen(bpf));
	free_chosen(bpf);
	gilkd_bpf_hooks_free_unbound(bpf);
	bpf->busy = false;
}

void gilkd_bpf_do_disarm(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct ilk_disarm *disarm = (struct ilk_disarm *)payload;
	const bool list = (disarm->what & ~ILK_DISARM_FREE) == ILK_DISARM_LIST;

	if ((disarm->what & ~ILK_DISARM_FREE) > ILK_DISARM_LIST || disarm->count > ILK_BATCH_MAX ||
	    length != sizeof(*disarm) + disarm->count * sizeof(uint32_t)) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: its count does not match its "
						"length. Client and agent may be of different "
						"versions.");
		return;
	}
	bpf->busy = true;
	if (list)
		choose_listed(bpf, (const uint32_t *)(payload + sizeof(*disarm)), disarm->count);
	else
		choose_all(bpf);
	if (!list) {
		bpf->zero_ns = 0;
		gilkd_bpf_intervals_stop(bpf);
	}
	disarm->restored = detach_chosen(bpf);
	gilkd_opener_release(bpf->opener);
	disarm->refused = 0;
	disarm->patches = 0;
	log_detached(bpf, disarm->restored);
	if (disarm->what & ILK_DISARM_FREE)
		free_chosen(bpf);
	unchoose_all(bpf);
	if (disarm->what & ILK_DISARM_FREE && !list) {
		gilkd_bpf_hooks_free_unbound(bpf);
		gilkd_bpf_areas_free(bpf);
		gilkd_bpf_events_free(bpf);
	}
	find_next_time(bpf, gilkd_bpf_now());
	bpf->busy = false;
	gilkd_answer(bpf->client, disarm, sizeof(*disarm));
}
