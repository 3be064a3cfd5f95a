/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-pack.h - packs records of a ring for the wire
 */
#ifndef GILKD_PACK_H
#define GILKD_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "gilk-wire.h"

/*
 * Maximum number of bytes that gilkd_pack() may write, including unused bytes after the end of the
 * packed record.
 */
#define GILKD_PACK_ROOM	192u

/**
 * struct gilkd_pack - a frame of packed samples under construction
 * @at: end of the last packed record
 * @cells: number of cells packed so far
 * @tsc, @iid, @len, @words: values of the previous record
 */
struct gilkd_pack {
	uint8_t *at;
	size_t cells;
	uint64_t tsc;
	uint32_t iid, len;
	uint64_t words[GILK_PACKED_WORDS];
};

void gilkd_pack_start(struct gilkd_pack *p, uint8_t *out);
void gilkd_pack(struct gilkd_pack *p, const uint8_t *ring, uint64_t ring_bytes, uint64_t cell);

#endif /* GILKD_PACK_H */
