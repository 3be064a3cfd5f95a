// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-points.c - opens probe points and attaches programs to them, by one set of functions
 * for each tactic (kind of probe point)
 *
 * ARM first opens all points, so that the kernel can refuse one before any program runs, and then
 * attaches the programs. Tracepoints and entries of functions are only attached, so their tactics have
 * no @place.
 */
#include <errno.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

/**
 * struct tactic - functions that open points of one kind, and attach programs to them
 * @program_type: enum bpf_prog_type
 * @attach_type: enum bpf_attach_type for which programs are loaded; 0: any
 * @is_address: points are addresses of the kernel's text
 * @is_user: points are instructions of user programs, from USER_BIND
 * @is_watch: points are data, from WATCH_BIND. If none of these is set, points are events, from
 *     EVENT_BIND
 * @place: sets @probe of a patch, or opens the timers of its @source or the breakpoints of its
 *     @watch; returns 0 or an errno
 * @attach: attaches the program, and sets @link of the patch unless the point is a timer or data;
 *     returns 0 or an errno
 * @refuse: returns the refusal for an errno of @place or @attach
 */
struct tactic {
	uint32_t program_type, attach_type;
	bool is_address, is_user, is_watch;
	int (*place)(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
	int (*attach)(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch);
	uint32_t (*refuse)(int error);
};

/* ---- points of each tactic ---- */

static int open_kprobe(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	return gilkd_prober_open_kprobe(bpf->prober, patch->site, &patch->probe, &patch->probe_number);
}

/*
 * Returns the refusal for an errno that may come from any kind of probe point; for all other
 * errnos, returns @other.
 */
static uint32_t get_common_refusal(int error, uint32_t other)
{
	switch (error) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return ILK_REFUSAL_TOO_MANY;
	case EPERM:
		return ILK_REFUSAL_LOCKED_DOWN;
	default:
		return other;
	}
}

static uint32_t get_kprobe_refusal(int error)
{
	switch (error) {
	case EILSEQ:
		return ILK_REFUSAL_NOT_BOUNDARY;
	case EINVAL:
		return ILK_REFUSAL_DENIED;
	case EBUSY:
		return ILK_REFUSAL_KPROBE;
	case ENOENT:		/* no kernel or module function at this address */
		return ILK_REFUSAL_NOT_TEXT;
	default:
		return get_common_refusal(error, GILK_BPF_REFUSED_PROBE);
	}
}

static uint32_t get_event_refusal(int error)
{
	return get_common_refusal(error, GILK_BPF_REFUSED_EVENT);
}

static uint32_t get_watch_refusal(int error)
{
	switch (error) {
	case ENOSPC:
		return GILK_BPF_REFUSED_WATCH_SLOTS;
	case EINVAL:
		return GILK_BPF_REFUSED_WATCH_DENIED;
	default:
		return get_common_refusal(error, GILK_BPF_REFUSED_EVENT);
	}
}

/* Attaches the program of a patch to the perf event of its probe. Returns 0 or an errno. */
static int attach_to_event(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const int link = gilkd_bpf_call_link(patch->program, patch->probe);

	if (link < 0)
		return -link;
	patch->link = link;
	return 0;
}

/* Attaches the program of a patch to its tracepoint, or to the entry of the function for which it was
 * loaded. Returns 0 or an errno. */
static int attach_by_name(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const int link = gilkd_bpf_call_tracepoint(patch->program, patch->source ? patch->source->name : NULL);

	if (link < 0)
		return -link;
	patch->link = link;
	return 0;
}

static uint32_t get_fentry_refusal(int error)
{
	return get_common_refusal(error, GILK_BPF_REFUSED_PROBE);
}

static const struct tactic tactics[GILK_BPF_TACTICS_END] = {
	[GILK_TACTIC_KPROBE] = {
		.program_type = BPF_PROG_TYPE_KPROBE, .is_address = true,
		.place = open_kprobe, .attach = attach_to_event, .refuse = get_kprobe_refusal,
	},
	[GILK_TACTIC_FENTRY] = {
		.program_type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_TRACE_FENTRY, .is_address = true,
		.attach = attach_by_name, .refuse = get_fentry_refusal,
	},
	[GILK_TACTIC_UPROBE] = {
		.program_type = BPF_PROG_TYPE_KPROBE, .is_user = true,
		.place = gilkd_bpf_user_open, .attach = attach_to_event,
		.refuse = gilkd_bpf_user_refusal,
	},
	[GILK_TACTIC_TRACEPOINT] = {
		.program_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.attach = attach_by_name, .refuse = get_event_refusal,
	},
	[GILK_TACTIC_TIMER] = {
		.program_type = BPF_PROG_TYPE_PERF_EVENT,
		.place = gilkd_bpf_source_open, .attach = gilkd_bpf_source_attach_timers,
		.refuse = get_event_refusal,
	},
	[GILK_TACTIC_BREAKPOINT] = {
		.program_type = BPF_PROG_TYPE_PERF_EVENT, .is_watch = true,
		.place = gilkd_bpf_watch_open, .attach = gilkd_bpf_watch_attach,
		.refuse = get_watch_refusal,
	},
};

/*
 * Returns the functions that implement a tactic (kind of probe point), or NULL if there is no such
 * tactic.
 */
static const struct tactic *get_tactic(uint32_t tactic)
{
	return tactic < GILK_BPF_TACTICS_END && tactics[tactic].attach ? &tactics[tactic] : NULL;
}

/* Checks whether the tactic of a PREPARE item fits the point of its patch. Returns a refusal. */
uint32_t gilkd_bpf_point_check(const struct gilkd_bpf_patch *patch,
			       const struct ilk_prepare_patch *item)
{
	const struct tactic *tactic = get_tactic(item->tactic);

	if (!tactic)
		return ILK_REFUSAL_UNSUPPORTED;
	if (item->flags & ~GILK_PATCH_JOINS ||
	    (item->flags && item->tactic != GILK_TACTIC_KPROBE))
		return ILK_REFUSAL_UNSUPPORTED;
	if (tactic->attach_type ? item->replaces || !item->aux || item->aux > UINT32_MAX : item->aux != 0)
		return ILK_REFUSAL_BAD_ITEM;
	if (tactic->is_user != !!patch->user || tactic->is_watch != !!patch->watch ||
	    (tactic->is_address || tactic->is_user || tactic->is_watch) == !!patch->source)
		return ILK_REFUSAL_BAD_ITEM;
	if (tactic->is_user)
		return item->replaces ? ILK_REFUSAL_BAD_ITEM : ILK_REFUSAL_NONE;
	if (tactic->is_address != !!item->site ||
	    (patch->source && gilkd_bpf_source_tactic(patch->source) != item->tactic))
		return ILK_REFUSAL_BAD_ITEM;
	return ILK_REFUSAL_NONE;
}

/* Returns the type of the program of a PREPARE item, which must have passed gilkd_bpf_point_check(). */
struct gilkd_bpf_program_type gilkd_bpf_point_program_type(const struct ilk_prepare_patch *item)
{
	const struct tactic *tactic = &tactics[item->tactic];

	return (struct gilkd_bpf_program_type){
		tactic->program_type, tactic->attach_type, tactic->attach_type ? (uint32_t)item->aux : 0,
	};
}

/*
 * Opens the probe point of a patch, to which its program can be attached then. Does nothing if its
 * program is shared or its tactic opens nothing. Returns 0 or an errno.
 */
int gilkd_bpf_point_open(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	const struct tactic *tactic = &tactics[patch->tactic];

	if (patch->shared)
		return 0;
	return tactic->place ? tactic->place(bpf, patch) : 0;
}

/* Attaches the program of a patch to its probe point, which is open. Returns 0 or an errno. */
int gilkd_bpf_point_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	int error = patch->shared ? gilkd_bpf_join_attach(bpf, patch) :
				    tactics[patch->tactic].attach(bpf, patch);

	if (!error && patch->link >= 0 && !patch->link_number)
		error = gilkd_prober_keep(bpf->prober, patch->link, &patch->link_number);
	return error;
}

/* Returns the refusal for an errno of gilkd_bpf_point_open() or gilkd_bpf_point_attach(). */
uint32_t gilkd_bpf_point_refusal(const struct gilkd_bpf_patch *patch, int error)
{
	const struct tactic *tactic = &tactics[patch->tactic];

	return tactic->refuse ? tactic->refuse(error) : GILK_BPF_REFUSED_PROBE;
}
