// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-random.c - draws numbers, offsets and pointers that are likely to cause errors
 */
#include <string.h>

#include "ilk-fuzz.h"

static uint64_t draw_next(struct fuzzer *fuzzer)
{
	fuzzer->random ^= fuzzer->random << 13;
	fuzzer->random ^= fuzzer->random >> 7;
	fuzzer->random ^= fuzzer->random << 17;
	return fuzzer->random;
}

uint32_t fuzz_below(struct fuzzer *fuzzer, uint32_t below)
{
	return (uint32_t)(draw_next(fuzzer) >> 16) % below;
}

bool one_in(struct fuzzer *fuzzer, uint32_t n)
{
	return !fuzz_below(fuzzer, n);
}

/* Returns a number that is likely to cause errors. It is never an address of kernel text. */
uint64_t draw_nasty(struct fuzzer *fuzzer)
{
	switch (fuzz_below(fuzzer, 9)) {
	case 0: return 0;
	case 1: return fuzz_below(fuzzer, 16);
	case 2: return ~0ull - fuzz_below(fuzzer, 8);
	case 3: return 1ull << fuzz_below(fuzzer, 64);
	case 4: return (1ull << fuzz_below(fuzzer, 64)) - 1;
	case 5: return draw_next(fuzzer) & 0x7fffffffffffull;
	case 6: return 0x10000u + fuzz_below(fuzzer, 3) - 1;
	case 7: return 0xffff888000000000ull + (draw_next(fuzzer) & 0xffffffff);
	default: return (uintptr_t)fuzzer->arena + fuzz_below(fuzzer, FUZZ_ARENA + 4096);
	}
}

/*
 * Returns space for @bytes in the memory for arguments: usually at @offset, sometimes at the end,
 * directly in front of the unmapped page.
 */
void *place_object(struct fuzzer *fuzzer, uint32_t offset, uint32_t bytes)
{
	return fuzzer->arena + (one_in(fuzzer, 4) ? FUZZ_ARENA - bytes : offset);
}

/* Returns an address at which at most four bytes are mapped. */
uint64_t place_half_mapped(struct fuzzer *fuzzer)
{
	return (uintptr_t)fuzzer->arena + FUZZ_ARENA - 1 - fuzz_below(fuzzer, 4);
}

/* Returns an address at which at most four bytes are mapped, or a random number as an address. */
uint64_t draw_bad_pointer(struct fuzzer *fuzzer)
{
	return one_in(fuzzer, 2) ? place_half_mapped(fuzzer) : draw_nasty(fuzzer) & ~0xffffull;
}

/* Corrupts random 4-byte words of @object: the first with a chance of 1 in @odds, each further word
 * with the same chance. */
void corrupt_object(struct fuzzer *fuzzer, void *object, uint32_t bytes, uint32_t odds)
{
	uint32_t *words = object, value;

	while (one_in(fuzzer, odds)) {
		value = draw_nasty(fuzzer) >> (one_in(fuzzer, 3) ? 32 : 0);
		memcpy(words + fuzz_below(fuzzer, bytes / 4), &value, 4);
	}
}
