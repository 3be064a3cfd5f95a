// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-join.c - attaches one program to the entries of many functions
 *
 * The kernel puts and removes kprobes one by one, which takes up to 0.3 s each. The program of a
 * patch with GILK_PATCH_JOINS does not contain the id of its hook, but gets it as the cookie of its
 * link. So patches with equal code join: they share a program, and those that start and stop at the
 * same time share a link to it (BPF_TRACE_KPROBE_MULTI, since Linux 5.18). A patch that ends before
 * the other patches of its link only closes its hook's gate, the byte that switches the hook off;
 * the last one ends the link.
 *
 * If fewer than JOIN_MIN patches could share a link, or the kernel refuses the link, each patch
 * gets a kprobe of its own, with the same code.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

#define JOIN_MIN	8u	/* minimum number of patches for which one link to several
				 * functions is made */

/**
 * struct gilkd_bpf_shared - a BPF program that several patches share
 * @refs: number of patches
 * @fd: descriptor of the program for links to several functions; negative: the kernel lacks such
 *     links
 * @alone: a link to several functions was refused: use kprobes from now on
 * @single: descriptor of the program for kprobes; negative: not loaded
 * @item: PREPARE item of the first patch with this program
 * @reader: id of the patch to whose hook the program's missed hits are added; 0: that of the next
 *     patch for which they are read
 * @told: number of missed hits that were added to hooks
 * @code: the program's code, as the client sent it
 * @hash: hash of @code
 */
struct gilkd_bpf_shared {
	struct gilkd_bpf_shared *next;
	struct ilk_prepare_patch item;
	uint32_t refs, reader;
	int fd, single;
	bool alone;
	uint64_t told, hash;
	uint8_t *code;
};

/**
 * struct gilkd_bpf_multi - a link to the entries of several functions
 * @refs: number of patches that share the link
 */
struct gilkd_bpf_multi {
	uint32_t refs;
	int fd;
};

/* Types of programs: @many for a link to many functions, @one for a kprobe at one function. */
static const struct gilkd_bpf_program_type
	many = { BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI },
	one = { BPF_PROG_TYPE_KPROBE, 0 };

/* ---- programs that patches share ---- */

static uint64_t hash_bytes(const uint8_t *bytes, uint32_t count)
{
	uint64_t hash = 0xcbf29ce484222325ull;	/* FNV-1a */
	uint32_t i;

	for (i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3ull;
	return hash;
}

static struct gilkd_bpf_shared *find_shared(const struct gilkd_bpf *bpf, const uint8_t *code,
					    uint32_t bytes, uint64_t hash)
{
	struct gilkd_bpf_shared *shared;

	for (shared = bpf->shared; shared; shared = shared->next)
		if (shared->hash == hash && shared->item.code_len == bytes &&
		    !memcmp(shared->code, code, bytes))
			return shared;
	return NULL;
}

/**
 * gilkd_bpf_shared_load() - load the program of a patch with GILK_PATCH_JOINS, or find an equal one
 * that is loaded
 * @code: code of the program, which passed gilkd_bpf_code_check()
 *
 * Returns the program, with a reference for the patch; NULL, with the request answered, on failure.
 */
struct gilkd_bpf_shared *gilkd_bpf_shared_load(struct gilkd_bpf *bpf,
					       const struct ilk_prepare_patch *item,
					       const uint8_t *code)
{
	const uint64_t hash = hash_bytes(code, item->code_len);
	struct gilkd_bpf_shared *shared = find_shared(bpf, code, item->code_len, hash);

	if (shared) {
		shared->refs++;
		return shared;
	}
	shared = calloc(1, sizeof(*shared));
	if (shared)
		shared->code = malloc(item->code_len);
	if (!shared || !shared->code) {
		free(shared);
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return NULL;
	}
	memcpy(shared->code, code, item->code_len);
	shared->item = *item;
	shared->hash = hash;
	shared->refs = 1;
	shared->single = -1;
	shared->fd = gilkd_bpf_code_try(bpf, item, many, code);
	if (shared->fd < 0)
		shared->single = gilkd_bpf_code_load(bpf, item, one, code);
	if (shared->fd < 0 && shared->single < 0) {
		free(shared->code);
		free(shared);
		return NULL;
	}
	shared->next = bpf->shared;
	bpf->shared = shared;
	return shared;
}

/* Drops a patch's reference to the program that it shares. @patch: id of the patch */
void gilkd_bpf_shared_put(struct gilkd_bpf *bpf, struct gilkd_bpf_shared *shared, uint32_t patch)
{
	struct gilkd_bpf_shared **at = &bpf->shared;

	if (shared->reader == patch)
		shared->reader = 0;
	if (--shared->refs)
		return;
	while (*at != shared)
		at = &(*at)->next;
	*at = shared->next;
	if (shared->fd >= 0)
		close(shared->fd);
	if (shared->single >= 0)
		close(shared->single);
	free(shared->code);
	free(shared);
}

static uint64_t read_misses(int program)
{
	struct bpf_prog_info info = { 0 };

	if (program < 0 || gilkd_bpf_call_info(program, &info, sizeof(info)))
		return 0;
	return info.recursion_misses;
}

/*
 * Returns the number of hits that the shared program of a patch has missed since the last call. The
 * kernel counts missed hits per program, not per patch. So only one patch of each program (@reader)
 * gets them; for other patches, this function returns 0 without a system call.
 */
uint64_t gilkd_bpf_shared_missed(const struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_shared *shared = patch->shared;
	uint64_t all, missed;

	if (!shared->reader)
		shared->reader = patch->id;
	if (shared->reader != patch->id)
		return 0;
	all = read_misses(shared->fd) + read_misses(shared->single);
	missed = all - shared->told;
	shared->told = all;
	return missed;
}

/* ---- links to several functions ---- */

void gilkd_bpf_multi_put(struct gilkd_bpf_multi *multi)
{
	if (--multi->refs)
		return;
	close(multi->fd);
	free(multi);
}

/* Returns whether @other can be attached by the same link as @patch. */
static bool is_peer(const struct gilkd_bpf_patch *patch, const struct gilkd_bpf_patch *other)
{
	return other && other->shared == patch->shared && !other->multi && other->link < 0 &&
	       other->state == ILK_STATE_PREPARED && other->chosen == patch->chosen &&
	       other->scheduled == patch->scheduled && other->start_at == patch->start_at &&
	       other->stop_at == patch->stop_at;
}

static int compare_sites(const void *a, const void *b)
{
	const struct gilkd_bpf_patch *of_a = *(struct gilkd_bpf_patch *const *)a;
	const struct gilkd_bpf_patch *of_b = *(struct gilkd_bpf_patch *const *)b;

	return of_a->site < of_b->site ? -1 : of_a->site > of_b->site;
}

/*
 * Collects the patches that can share a link with @patch, including @patch. Takes only one patch
 * per site, because a link has one cookie per address. Returns the number of patches; 0: out of
 * memory.
 */
static uint32_t collect_peers(const struct gilkd_bpf *bpf, const struct gilkd_bpf_patch *patch,
			      struct gilkd_bpf_patch ***peers)
{
	uint32_t found = 0, kept = 0, i;

	*peers = calloc(patch->shared->refs, sizeof(**peers));
	if (!*peers)
		return 0;
	for (i = 0; i < bpf->patch_ids; i++)
		if (is_peer(patch, bpf->patches[i]))
			(*peers)[found++] = bpf->patches[i];
	qsort(*peers, found, sizeof(**peers), compare_sites);
	for (i = 0; i < found; i++)
		if (!kept || (*peers)[kept - 1]->site != (*peers)[i]->site)
			(*peers)[kept++] = (*peers)[i];
	return kept;
}

/*
 * Attaches the program that all @peers share to their sites, by one link. Returns 0; or an errno,
 * and no patch is attached.
 */
static int link_peers(struct gilkd_bpf_patch **peers, uint32_t count)
{
	struct gilkd_bpf_multi *multi = calloc(1, sizeof(*multi));
	uint64_t *sites = calloc(count, 2 * sizeof(*sites)), *cookies = sites + count;
	const uint64_t now = gilkd_bpf_now();
	int error = ENOMEM;
	uint32_t i;

	for (i = 0; sites && i < count; i++) {
		sites[i] = peers[i]->site;
		cookies[i] = peers[i]->first_iid;
	}
	if (multi && sites) {
		multi->fd = gilkd_bpf_call_link_multi(peers[0]->shared->fd, sites, cookies, count);
		error = multi->fd < 0 ? -multi->fd : 0;
	}
	free(sites);
	if (error) {
		free(multi);
		return error;
	}
	multi->refs = count;
	for (i = 0; i < count; i++) {
		peers[i]->multi = multi;
		peers[i]->state = ILK_STATE_ARMED;
		peers[i]->armed_ns = now;
	}
	return 0;
}

/* Attaches the program of a patch to a kprobe of its own. Returns 0 or an errno. */
static int attach_single(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_shared *shared = patch->shared;
	int link, error;

	if (shared->single < 0)
		shared->single = gilkd_bpf_code_try(bpf, &shared->item, one, shared->code);
	if (shared->single < 0)
		return -shared->single;
	error = patch->probe >= 0 ? 0 :
		gilkd_prober_open_kprobe(bpf->prober, patch->site, &patch->probe, &patch->probe_number);
	if (error)
		return error;
	link = gilkd_bpf_call_link_cookie(shared->single, patch->probe, patch->first_iid);
	if (link < 0)
		return -link;
	patch->link = link;
	return 0;
}

/**
 * gilkd_bpf_join_attach() - attach a patch with GILK_PATCH_JOINS, and all patches that can share
 * its link
 *
 * Returns 0 or an errno; then the patch is not attached.
 */
int gilkd_bpf_join_attach(struct gilkd_bpf *bpf, struct gilkd_bpf_patch *patch)
{
	struct gilkd_bpf_patch **peers = NULL;
	uint32_t count = 0;
	int error = 0;

	if (patch->multi)
		return 0;
	if (patch->shared->fd >= 0 && !patch->shared->alone && patch->shared->refs >= JOIN_MIN)
		count = collect_peers(bpf, patch, &peers);
	if (count >= JOIN_MIN)
		error = link_peers(peers, count);
	free(peers);
	if (error == ENOMEM || error == EMFILE)
		return error;
	patch->shared->alone |= error != 0;
	return patch->multi ? 0 : attach_single(bpf, patch);
}
