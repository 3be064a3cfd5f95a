// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-maps.c - creates and finds the BPF maps that programs and the agent share
 *
 * A map is an array of one element that is mapped into the agent's memory. The agent reads and
 * writes it there: while the kernel handles a bpf(2) call for an element, programs on this CPU miss
 * hits. Programs of a hostile client may write anything into all maps but the gates at any time, so
 * the agent copies what it reads to its own memory, and then checks the copy.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

/* Returns CLOCK_MONOTONIC in ns, the time stamp of samples. */
uint64_t gilkd_bpf_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Creates a map whose element of @bytes bytes is zero. Returns 0 or an errno. */
int gilkd_bpf_map_create(struct gilkd_bpf_map *map, const char *name, uint64_t bytes)
{
	map->at = NULL;
	map->bytes = bytes;
	map->fd = -1;
	if (bytes > GILKD_BPF_SPAN_MAX)
		return E2BIG;
	map->fd = gilkd_bpf_call_map(name, bytes);
	return map->fd < 0 ? -map->fd : 0;
}

/* Maps the map's element into the agent's memory, unless it is mapped. Returns 0 or an errno. */
int gilkd_bpf_map_open(struct gilkd_bpf_map *map)
{
	void *at;

	if (map->at)
		return 0;
	at = mmap(NULL, map->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map->fd, 0);
	if (at == MAP_FAILED)
		return errno;
	map->at = at;
	return 0;
}

void gilkd_bpf_map_close(struct gilkd_bpf_map *map)
{
	if (map->at)
		munmap(map->at, map->bytes);
	if (map->fd >= 0)
		close(map->fd);
	map->at = NULL;
	map->fd = -1;
}

/*
 * Creates the rings unless they exist. Their limits are 0: samples are lost until a client claims
 * the rings. Returns 0 or an errno.
 */
int gilkd_bpf_ring_create(struct gilkd_bpf *bpf)
{
	const uint64_t stride = GILK_BPF_RING_STRIDE(bpf->ring_bytes);
	uint32_t cpu;
	int error;

	if (bpf->ring.fd >= 0)
		return 0;
	error = gilkd_bpf_map_create(&bpf->ring, "gilk_ring", bpf->nr_cpus * stride);
	if (!error)
		error = gilkd_bpf_map_open(&bpf->ring);
	if (error) {
		gilkd_bpf_map_close(&bpf->ring);
		return error;
	}
	for (cpu = 0; cpu < bpf->nr_cpus; cpu++)
		((struct gilk_bpf_ring *)(bpf->ring.at + cpu * stride))->head = 1;
	return 0;
}

/* Creates the buffers into which programs read stacks, unless they exist. Returns 0 or an errno. */
static int create_stacks(struct gilkd_bpf *bpf)
{
	return bpf->stacks.fd >= 0 ? 0 :
		gilkd_bpf_map_create(&bpf->stacks, "gilk_stacks",
				     bpf->nr_cpus * sizeof(struct gilk_bpf_stack));
}

/* Returns the counters of a hook on a CPU. The hook must exist. */
struct gilk_bpf_counter *gilkd_bpf_counter(const struct gilkd_bpf *bpf, uint32_t iid, uint32_t cpu)
{
	const uint32_t block = gilk_bpf_block(iid), size = gilk_bpf_block_size(block);
	const struct gilkd_bpf_map *map = &bpf->counters[block];

	return (struct gilk_bpf_counter *)map->at + (size_t)cpu * size + ((iid - 1) & (size - 1));
}

/*
 * Finds the map that a program names by @handle (GILK_BPF_HANDLE). Creates the rings, or the
 * buffers for stacks, when the first program names them. Returns 0 or an errno; ENOENT: the map
 * does not exist.
 */
int gilkd_bpf_map_find(struct gilkd_bpf *bpf, uint32_t handle, const struct gilkd_bpf_map **map)
{
	const uint32_t index = handle & 0xffffff;

	*map = NULL;
	switch (handle >> 24) {
	case GILK_BPF_COUNTERS:
		if (index < GILK_BPF_BLOCKS)
			*map = &bpf->counters[index];
		break;
	case GILK_BPF_GATES:
		if (!index)
			*map = &bpf->gates;
		break;
	case GILK_BPF_GUARDS:
		if (!index)
			*map = &bpf->guards;
		break;
	case GILK_BPF_RING:
		if (!index)
			*map = &bpf->ring;
		if (!index && gilkd_bpf_ring_create(bpf))
			return ENOMEM;
		break;
	case GILK_BPF_AREA:
		if (index > bpf->areas_before && index - bpf->areas_before <= bpf->area_count)
			*map = &bpf->areas[index - bpf->areas_before - 1].map;
		break;
	case GILK_BPF_STACK:
		if (!index)
			*map = &bpf->stacks;
		if (!index && create_stacks(bpf))
			return ENOMEM;
		break;
	case GILK_BPF_WATCHES:
		if (!index)
			*map = &bpf->watches;
		break;
	default:
		break;
	}
	return *map && (*map)->fd >= 0 ? 0 : ENOENT;
}
