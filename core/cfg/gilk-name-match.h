/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-name-match.h - compares typed words with names: fuzzy matching
 *
 * The pattern consists of words, separated by spaces. A name matches if it has the letters of each
 * word, in the same order. Letters at the start of a word, next to each other or at the start of
 * the name score higher; of two names with equal scores the shorter one is better. Case is ignored.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_PATTERN_WORDS 8
#define GILK_PATTERN_LONGEST 64

/* A pattern, prepared for matching with many names. */
typedef struct {
  char     words[GILK_PATTERN_WORDS][GILK_PATTERN_LONGEST];   /* words in lower case */
  guint    lengths[GILK_PATTERN_WORDS];
  guint    n_words;
  uint64_t letters;          /* letters that a name must have, from gilk_name_letters() */
} GilkPattern;

/* Prepares a pattern. Words after the 8th and letters after the 63rd of a word are ignored. */
void     gilk_pattern_init   (GilkPattern *pattern, const char *typed);
/* Returns a bit set of the letters and digits in @name, for quick rejection. */
uint64_t gilk_name_letters   (const char *name);

/**
 * gilk_pattern_score:
 * @name: name in lower case
 * @matched: (out) (nullable): bit i is set if character i of the name matched; the call takes more
 *   time if this is not NULL
 * Returns: score, higher is better; negative if the name does not match
 */
int      gilk_pattern_score  (const GilkPattern *pattern, const char *name, gsize length, uint64_t *matched);

/* All scores are below this number. */
#define GILK_PATTERN_SCORES 4096

/* Returns whether @typed matches @name. @score, @matched: see gilk_pattern_score() */
gboolean gilk_name_matches   (const char *name, const char *typed, int *score, uint64_t *matched);

/*
 * Matching of symbols with C++ and Rust names
 *
 * Symbols of such functions are mangled (Itanium C++ ABI 5.1; Rust's legacy form is the same with a
 * hash). A name without arguments, such as shop::Basket::add, is mangled and compared. Templates
 * and operators are not supported.
 *
 * Threads: any. Pure.
 */

/* Returns the mangled form of @name without the prefix that symbols have: "_Z", or "_ZN" and
 * qualifiers. Returns NULL if @name cannot be mangled. (transfer full) */
char    *gilk_cxx_name_mangled (const char *name);
/* Returns whether @symbol is a function whose name without arguments is mangled to @mangled. */
gboolean gilk_cxx_name_is      (const char *symbol, const char *mangled);

G_END_DECLS
