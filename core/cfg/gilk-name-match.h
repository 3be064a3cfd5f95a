/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-name-match.h - how well what somebody typed fits a name
 *
 * Typed are words, with spaces between them: a name fits that has the letters of each word in their
 * order. Letters at the beginnings of words, next to each other and at the very beginning count more, and of
 * two names that fit alike the shorter is better. Case does not matter.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_PATTERN_WORDS 8
#define GILK_PATTERN_LONGEST 64

/* What was typed, ready to be held against many names. */
typedef struct {
  char     words[GILK_PATTERN_WORDS][GILK_PATTERN_LONGEST];   /* in small letters */
  guint    lengths[GILK_PATTERN_WORDS];
  guint    n_words;
  uint64_t letters;          /* that a name must have, as gilk_name_letters() has them */
} GilkPattern;

/* Words beyond the 8th, and letters of a word beyond the 63rd, are taken no notice of. */
void     gilk_pattern_init   (GilkPattern *pattern, const char *typed);
/* Bit set of the letters and digits in @name, for quick rejection. */
uint64_t gilk_name_letters   (const char *name);

/**
 * gilk_pattern_score:
 * @name: in small letters
 * @matched: (out) (nullable): bit i is character i of the name; asking for it takes longer
 * Returns: higher is better; negative: it does not fit
 */
int      gilk_pattern_score  (const GilkPattern *pattern, const char *name, gsize length, uint64_t *matched);

/* Scores are less than this. */
#define GILK_PATTERN_SCORES 4096

/* Does @typed fit a name, of whatever it is? @score, @matched: as above. */
gboolean gilk_name_matches   (const char *name, const char *typed, int *score, uint64_t *matched);

G_END_DECLS
