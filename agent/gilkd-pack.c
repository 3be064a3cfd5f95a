// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-pack.c - packs records of a ring for the wire
 *
 * Packs from the mapped ring into the frame, in the form that gilk-wire.h describes under "Packed
 * samples". A time-stamp sample takes 3 or 4 bytes instead of 32, which matters because the port
 * limits the rate.
 */
#include <string.h>

#include "gilkd-pack.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are packed as they lie");

static unsigned int count_bytes(uint64_t value)
{
	return value ? 8 - __builtin_clzll(value) / 8 : 0;
}

/* Writes 8 bytes, of which the first @bytes are used. Returns the end of the used bytes. */
static uint8_t *put_bytes(uint8_t *at, uint64_t value, unsigned int bytes)
{
	memcpy(at, &value, sizeof(value));
	return at + bytes;
}

/* Returns word @i of a payload of @len bytes, padded with zeros. */
static uint64_t get_word(const uint8_t *ring, uint64_t ring_bytes, uint64_t at, uint32_t i, uint32_t len)
{
	uint64_t word;

	memcpy(&word, ring + ((at + offsetof(struct ilk_record, data) + 8 * i) & (ring_bytes - 1)),
	       sizeof(word));
	if (len - 8 * i < 8)
		word &= (1ull << (len - 8 * i) * 8) - 1;
	return word;
}

static uint8_t *put_word(uint8_t *at, uint64_t word)
{
	unsigned int skip = __builtin_ctzll(word) / 8, bytes;

	word >>= skip * 8;
	bytes = count_bytes(word);
	*at++ = bytes | skip << 4;
	return put_bytes(at, word, bytes);
}

static uint8_t *put_payload(struct gilkd_pack *p, uint8_t *at, const uint8_t *ring,
			    uint64_t ring_bytes, uint64_t cell, uint32_t len)
{
	uint32_t words = (len + 7) / 8, i;
	uint8_t *masks = at;

	memset(masks, 0, (words + 7) / 8);
	at += (words + 7) / 8;
	for (i = 0; i < words; i++) {
		uint64_t word = get_word(ring, ring_bytes, cell, i, len);

		if (word == p->words[i])
			continue;
		masks[i / 8] |= 1u << i % 8;
		at = put_word(at, word ^ p->words[i]);
		p->words[i] = word;
	}

	return at;
}

/*
 * Starts the payload of a frame of packed samples at @out. The buffer must have GILKD_PACK_ROOM
 * bytes more than the packed records take.
 */
void gilkd_pack_start(struct gilkd_pack *p, uint8_t *out)
{
	*p = (struct gilkd_pack){ .at = out };
}

/*
 * Packs one sample record, whose first cell is at offset @cell in the ring. For a record that is
 * not in a ring, @ring_bytes is a power of two larger than the record. Writes up to GILKD_PACK_ROOM
 * bytes.
 */
void gilkd_pack(struct gilkd_pack *p, const uint8_t *ring, uint64_t ring_bytes, uint64_t cell)
{
	const struct ilk_record *record = (const void *)(ring + cell);
	uint64_t since = record->tsc - p->tsc;
	unsigned int bytes = count_bytes(since);
	uint32_t iid = record->iid, len = record->len;
	uint8_t *head = p->at, *at = head + 1;

	*head = bytes;
	if (iid != p->iid) {
		*head |= GILK_PACKED_IID;
		memcpy(at, &iid, sizeof(iid));
		at += sizeof(iid);
		p->iid = iid;
	}
	if (len != p->len) {
		*head |= GILK_PACKED_LEN;
		*at++ = len;
		p->len = len;
	}
	p->tsc = record->tsc;
	at = put_bytes(at, since, bytes);
	if (len)
		at = put_payload(p, at, ring, ring_bytes, cell, len);
	p->at = at;
	p->cells += ILK_RECORD_CELLS(len);
}
