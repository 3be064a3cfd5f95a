// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-claim.c - records which bytes of text belong to which patch
 *
 * A claim prevents other patches from changing the bytes of a footprint or bounce, from PREPARE
 * until the bytes are restored. Two claims may overlap in one case only: a bounce in the filler
 * of a jump. Everything here needs ilk_mutex.
 */
#include <linux/hashtable.h>

#include "ilk-text.h"
#include "ilk.h"

static DEFINE_HASHTABLE(claims, 14);

static unsigned long get_claim_key(unsigned long site)
{
	return site / ILK_FOOTPRINT_MAX;
}

/**
 * ilk_text_owner() - find a claim, other than @but, that overlaps these bytes
 *
 * Claims are hashed by the block of ILK_FOOTPRINT_MAX bytes in which they start. The block before
 * that of @site is searched, too: a footprint that starts in it may reach the bytes.
 */
struct ilk_text *ilk_text_owner(unsigned long site, u32 len,
				const struct ilk_text *but)
{
	unsigned long key;
	struct ilk_text *text;

	for (key = get_claim_key(site) - 1; key <= get_claim_key(site + len - 1); key++)
		hash_for_each_possible(claims, text, claim, key)
			if (text != but && text->addr < site + len &&
			    site < text->addr + text->len)
				return text;
	return NULL;
}

static void copy_original(const struct ilk_text *text, unsigned long addr, u8 *bytes, u32 len)
{
	unsigned long at = max(addr, text->addr);
	unsigned long end = min(addr + len, text->addr + text->len);

	for (; at < end; at++)
		bytes[at - addr] = text->old[at - text->addr];
}

/**
 * ilk_text_original() - undo the changes of footprints in a copy of text
 *
 * Bounces are undone first: if a bounce is in the filler of another patch's jump, its old bytes are
 * that filler.
 * Context: ilk_mutex held.
 */
void ilk_text_original(unsigned long addr, u8 *bytes, u32 len)
{
	const struct ilk_text *text;
	unsigned long key;
	int nearby;

	for (nearby = 1; nearby >= 0; nearby--)
		for (key = get_claim_key(addr) - 1; key <= get_claim_key(addr + len - 1); key++)
			hash_for_each_possible(claims, text, claim, key)
				if (text->form != ILK_TEXT_OLD && text->nearby == nearby)
					copy_original(text, addr, bytes, len);
}

void ilk_text_claim(struct ilk_text *text)
{
	hash_add(claims, &text->claim, get_claim_key(text->addr));
}

void ilk_text_unclaim(struct ilk_text *text)
{
	hash_del(&text->claim);
}
