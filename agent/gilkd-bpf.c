// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf.c - starts and ends a session's use of hooks by BPF
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd-bpf.h"
#include "gilkd-cpus.h"
#include "gilkd-facts.h"
#include "gilkd-files.h"

#define RING_MAX		(64ull << 20)
#define RING_DEFAULT_MAX	(8ull << 20)	/* maximum of the default size of a CPU's ring,
						 * same as in the driver */
#define RING_SHARE		32	/* default: all rings together take 1/32 of memory */
#define RING_MAX_SHARE		8

void gilkd_bpf_init(struct gilkd_bpf *bpf, struct gilkd_samples *samples,
		    struct gilkd_opener *opener, struct gilkd_prober *prober,
		    struct gilkd_prober *uprober)
{
	uint32_t i;

	*bpf = (struct gilkd_bpf){
		.client = samples->client, .samples = samples, .opener = opener,
		.prober = prober, .uprober = uprober,
		.gates.fd = -1, .guards.fd = -1, .ring.fd = -1, .stacks.fd = -1, .watches.fd = -1,
		.next_ns = UINT64_MAX,
	};
	for (i = 0; i < GILK_BPF_BLOCKS; i++)
		bpf->counters[i].fd = -1;
}

/* Returns whether the session has reserved hooks, memory or event counters. */
bool gilkd_bpf_holds(const struct gilkd_bpf *bpf)
{
	return bpf->patch_count || bpf->hook_count || bpf->area_count || bpf->event_count;
}

/*
 * Detaches and frees all hooks and maps of the session. Does nothing if BPF is not in use. Must be
 * called after the client's sample stream has ended.
 */
void gilkd_bpf_end(struct gilkd_bpf *bpf)
{
	uint32_t i;

	if (!bpf->live)
		return;
	gilkd_bpf_detach_all(bpf);
	gilkd_bpf_areas_free(bpf);
	gilkd_bpf_events_free(bpf);
	for (i = 0; i < GILK_BPF_BLOCKS; i++)
		gilkd_bpf_map_close(&bpf->counters[i]);
	gilkd_bpf_map_close(&bpf->gates);
	gilkd_bpf_map_close(&bpf->guards);
	gilkd_bpf_map_close(&bpf->ring);
	gilkd_bpf_map_close(&bpf->stacks);
	gilkd_bpf_map_close(&bpf->watches);
	gilkd_bpf_watch_forget(bpf);
	gilkd_bpf_intervals_free(bpf);
	free(bpf->patches);
	free(bpf->hooks);
	gilkd_samples_use(bpf->samples, &gilkd_driver_rings, NULL);
	gilkd_bpf_init(bpf, bpf->samples, bpf->opener, bpf->prober, bpf->uprober);
}

/* ---- size of the rings ---- */

/*
 * Returns the size of one CPU's ring, at most @most, such that all rings take at most 1 / @share of
 * memory.
 */
static uint64_t get_share(uint32_t nr_cpus, uint64_t share, uint64_t most)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes = most;

	while (bytes > ILK_RING_BYTES_MIN &&
	       (bytes > memory / share / nr_cpus ||
		nr_cpus * GILK_BPF_RING_STRIDE(bytes) > GILKD_BPF_SPAN_MAX))
		bytes /= 2;
	return bytes;
}

static bool set_sizes(struct gilkd_bpf *bpf, uint64_t ring_bytes)
{
	const uint64_t preset = get_share(bpf->nr_cpus, RING_SHARE, RING_DEFAULT_MAX);

	bpf->ring_max = get_share(bpf->nr_cpus, RING_MAX_SHARE, RING_MAX);
	if (bpf->ring_max < preset)
		bpf->ring_max = preset;
	bpf->ring_bytes = ring_bytes ? ring_bytes : preset;
	return bpf->ring_bytes >= ILK_RING_BYTES_MIN && bpf->ring_bytes <= bpf->ring_max &&
	       !(bpf->ring_bytes & (bpf->ring_bytes - 1));
}

/* ---- starting the use of BPF ---- */

/*
 * Returns whether programs at entries of functions run at each hit: tasks are preempted only where they
 * ask for it, and ftrace, which calls the programs, is on.
 */
static bool can_attach_to_entries(void)
{
	struct utsname name;
	char word[32], traces[8];

	if (uname(&name) || gilkd_read_small("/proc/sys/kernel/ftrace_enabled", traces, sizeof(traces)) || traces[0] != '1')
		return false;
	if (!strstr(name.version, "PREEMPT"))
		return true;
	return fact_read_bracketed(GILKD_DEBUGFS "/sched/preempt", word, sizeof(word)) &&
	       (!strcmp(word, "none") || !strcmp(word, "voluntary"));
}

static void fail_start(struct gilkd_bpf *bpf, int error)
{
	if (error == EPERM || error == EACCES)
		gilkd_fail(bpf->client, EPERM, "The kernel does not let the agent use BPF or "
					       "kprobes; run the agent as root, outside of "
					       "containers, and without the kernel's lockdown for "
					       "confidentiality.");
	else if (error == ENOMEM)
		gilkd_fail(bpf->client, error, "Not enough memory for BPF maps; free some on the "
					       "target.");
	else
		gilkd_fail(bpf->client, ENOSYS, "The kernel cannot run BPF programs at kprobes "
						"(%s); use one with CONFIG_BPF_SYSCALL, "
						"CONFIG_KPROBE_EVENTS and CONFIG_BPF_EVENTS, or "
						"use the driver ilk.", strerror(error));
}

/**
 * gilkd_bpf_start() - serve this session's hooks by BPF
 * @ring_bytes: size of one CPU's ring; 0: default
 *
 * Returns false, with the request answered, if this machine does not support it.
 */
bool gilkd_bpf_start(struct gilkd_bpf *bpf, uint64_t ring_bytes)
{
	int error;

	bpf->nr_cpus = gilkd_cpus_count();
	if (!set_sizes(bpf, ring_bytes)) {
		gilkd_fail(bpf->client, EINVAL, "Invalid sample ring size of %llu KiB; choose a "
						"power of two from %u to %llu KiB.",
			   (unsigned long long)ring_bytes >> 10, ILK_RING_BYTES_MIN >> 10,
			   (unsigned long long)bpf->ring_max >> 10);
		return false;
	}
	error = gilkd_bpf_map_create(&bpf->gates, "gilk_gates", GILK_BPF_HOOKS_MAX + 1);
	if (!error)
		error = gilkd_bpf_map_open(&bpf->gates);
	if (!error)
		error = gilkd_bpf_map_create(&bpf->guards, "gilk_guards",
					     bpf->nr_cpus * sizeof(uint64_t));
	if (!error)
		error = gilkd_bpf_try(bpf->prober);
	if (error) {
		gilkd_bpf_map_close(&bpf->gates);
		gilkd_bpf_map_close(&bpf->guards);
		fail_start(bpf, error);
		return false;
	}
	bpf->live = true;
	bpf->entries = can_attach_to_entries();
	gilkd_samples_use(bpf->samples, &gilkd_bpf_rings, bpf);
	return true;
}
