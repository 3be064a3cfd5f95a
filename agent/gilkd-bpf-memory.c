// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-memory.c - allocates, reads and frees memory that BPF programs keep between hits
 *
 * Each area is a map. The areas form a pool, whose limits are defined in ilk-abi-memory.h. The pool
 * is freed when the session gives up all of its patches. An area is mapped into the agent's memory
 * when it is first read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gilkd-bpf.h"

#define AREA_IDS_MAX	0xffffffu	/* maximum id of an area, because the id is the index of
					 * a GILK_BPF_HANDLE */

/* Frees all areas (memory that programs keep between hits). Their ids are never reused. */
void gilkd_bpf_areas_free(struct gilkd_bpf *bpf)
{
	uint32_t i;

	for (i = 0; i < bpf->area_count; i++)
		gilkd_bpf_map_close(&bpf->areas[i].map);
	free(bpf->areas);
	bpf->areas = NULL;
	bpf->areas_before += bpf->area_count;
	bpf->area_count = 0;
	bpf->pool_bytes = 0;
}

/*
 * Returns the size of the map of an area, with one copy per CPU if requested; 0: the area is too
 * large.
 */
static uint64_t get_map_bytes(const struct gilkd_bpf *bpf, const struct ilk_area *area)
{
	const bool per_cpu = area->flags & ILK_AREA_PER_CPU;

	if (area->bytes > (per_cpu ? ILK_AREA_CPU_BYTES_MAX : ILK_AREA_BYTES_MAX))
		return 0;
	return per_cpu ? (uint64_t)area->bytes * bpf->nr_cpus : area->bytes;
}

/* Checks sizes and flags of new areas, and the limits of the pool. Returns 0 or an errno. */
static int check_areas(const struct gilkd_bpf *bpf, const struct ilk_area *areas, size_t count)
{
	uint64_t sum = bpf->pool_bytes, bytes;
	size_t i;

	for (i = 0; i < count; i++) {
		if (areas[i].bytes < 8 || areas[i].bytes % 8 || areas[i].flags & ~ILK_AREA_PER_CPU)
			return EINVAL;
		bytes = get_map_bytes(bpf, &areas[i]);
		sum += bytes;
		if (!bytes || sum > ILK_POOL_BYTES_MAX)
			return E2BIG;
	}
	return bpf->area_count + count > ILK_AREAS_MAX ||
	       bpf->areas_before + bpf->area_count + count > AREA_IDS_MAX ? E2BIG : 0;
}

static int create_areas(struct gilkd_bpf *bpf, struct ilk_area *areas, size_t count)
{
	struct gilkd_bpf_area *grown = realloc(bpf->areas,
					       (bpf->area_count + count) * sizeof(*grown));
	uint32_t i;
	int error;

	if (!grown)
		return ENOMEM;
	bpf->areas = grown;
	grown += bpf->area_count;
	for (i = 0; i < count; i++) {
		grown[i].bytes = areas[i].bytes;
		grown[i].flags = areas[i].flags;
		error = gilkd_bpf_map_create(&grown[i].map, "gilk_area",
					     get_map_bytes(bpf, &areas[i]));
		if (!error)
			continue;
		while (i--)
			gilkd_bpf_map_close(&grown[i].map);
		return error;
	}
	for (i = 0; i < count; i++) {
		bpf->pool_bytes += grown[i].map.bytes;
		areas[i].id = bpf->areas_before + ++bpf->area_count;
		areas[i].pad = 0;
		areas[i].at = 0;
	}
	return 0;
}

static void fail_memory(struct gilkd_bpf *bpf, int error)
{
	if (error == EINVAL)
		gilkd_fail(bpf->client, error, "Malformed request: the size of an area is not a "
					       "multiple of 8, or its flags are unknown. Client and "
					       "agent may be of different versions.");
	else if (error == E2BIG)
		gilkd_fail(bpf->client, error, "The hooks need more memory than one session may "
					       "have, %u MiB with the copies of all CPUs; use "
					       "smaller maps in their programs, or wait a moment "
					       "until an earlier run's memory is free.",
			   ILK_POOL_BYTES_MAX >> 20);
	else
		gilkd_fail(bpf->client, error, "Cannot create the maps of the hooks: %s; use fewer "
					       "or smaller maps, or free some memory on the target.",
			   strerror(error));
}

void gilkd_bpf_do_memory(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	struct ilk_area *areas = (struct ilk_area *)payload;
	const size_t count = length / sizeof(*areas);
	int error;

	if (length % sizeof(*areas) || count > ILK_BATCH_MAX) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of memory areas. "
						"Client and agent may be of different "
						"versions.", length);
		return;
	}
	error = check_areas(bpf, areas, count);
	if (!error)
		error = create_areas(bpf, areas, count);
	if (error)
		fail_memory(bpf, error);
	else
		gilkd_answer(bpf->client, payload, length);
}

/* ---- reading areas ---- */

/* Copies 8-byte words, and reads each word atomically. */
static void copy_words(uint64_t *to, const uint64_t *from, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

/*
 * Reads words of an area (memory that programs keep between hits) into @out. Returns 0 or an errno;
 * ENOENT: the area does not exist.
 */
static int read_area(struct gilkd_bpf *bpf, const struct ilk_memory_read *read, uint64_t *out)
{
	struct gilkd_bpf_area *area;
	const uint8_t *from;
	bool per_cpu;
	int error;

	if (read->id <= bpf->areas_before || read->id - bpf->areas_before > bpf->area_count)
		return ENOENT;
	area = &bpf->areas[read->id - bpf->areas_before - 1];
	per_cpu = area->flags & ILK_AREA_PER_CPU;
	if (read->offset % 8 || read->bytes % 8 || read->bytes > area->bytes ||
	    read->offset > area->bytes - read->bytes || read->cpu >= (per_cpu ? bpf->nr_cpus : 1))
		return EINVAL;
	error = gilkd_bpf_map_open(&area->map);
	if (error)
		return error;
	from = area->map.at + (uint64_t)read->cpu * area->bytes + read->offset;
	copy_words(out, (const uint64_t *)from, read->bytes / 8);
	return 0;
}

static int read_areas(struct gilkd_bpf *bpf, const struct ilk_memory_read *reads, size_t count,
		      uint64_t *out)
{
	size_t i;
	int error;

	for (i = 0; i < count; i++) {
		error = read_area(bpf, &reads[i], out);
		if (error)
			return error;
		out += reads[i].bytes / 8;
	}
	return 0;
}

static void fail_read(struct gilkd_bpf *bpf, int error)
{
	if (error == ENOENT)
		gilkd_fail(bpf->client, error, "The maps of the hooks no longer exist: the hooks "
					       "were freed, or belong to another session; read the "
					       "maps before freeing the hooks.");
	else if (error == EINVAL)
		gilkd_fail(bpf->client, error, "Malformed request: a range lies outside of its map. "
					       "Client and agent may be of different versions.");
	else
		gilkd_fail(bpf->client, error, "Cannot read the maps of the hooks: %s; read fewer "
					       "at once.", strerror(error));
}

void gilkd_bpf_do_memory_read(struct gilkd_bpf *bpf, uint8_t *payload, size_t length)
{
	const struct ilk_memory_read *reads = (const struct ilk_memory_read *)payload;
	const size_t count = length / sizeof(*reads);
	uint64_t bytes = 0, *out;
	size_t i;
	int error;

	if (length % sizeof(*reads) || count > ILK_BATCH_MAX) {
		gilkd_fail(bpf->client, EINVAL, "Malformed request: %zu bytes of map reads. Client "
						"and agent may be of different versions.", length);
		return;
	}
	for (i = 0; i < count; i++)
		bytes += reads[i].bytes;
	if (bytes > GILK_WIRE_MEMORY_MAX) {
		gilkd_fail(bpf->client, E2BIG, "The request asks for more map data than fits into "
					       "one answer; ask for less at once.");
		return;
	}
	out = malloc(bytes + 1);
	error = out ? read_areas(bpf, reads, count, out) : ENOMEM;
	if (error)
		fail_read(bpf, error);
	else
		gilkd_answer(bpf->client, out, bytes);
	free(out);
}
