/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-name-match.c - compares names: fuzzy matching of typed words, and symbols with C++ and
 * Rust names
 *
 * The score of a word is the score of the best alignment of its letters with the name. The table
 * has a row for each letter of the word: row[j] is the best score of the letters up to the row's
 * letter, if that letter is matched with character j of the name.
 */
#include "core/cfg/gilk-name-match.h"

#include <string.h>

/* A part of a name starts and ends at the name's ends, at "_" and at ".". */
#define LETTER       16      /* score of a letter that matches */
#define NAME_START   16      /* bonus: letter at the start of the name */
#define WORD_START   11      /* bonus: letter at the start of a later part, "w" of "pipe_write" */
#define NEXT         12      /* bonus: letter right after the previous one */
#define GAP           4      /* penalty: letter not right after the previous one */
#define GAP_LETTER    1      /* penalty: each character between two letters */
#define PIECE        24      /* bonus: all letters are contiguous in the name */
#define PIECE_WORD   40      /* bonus, added to PIECE: the first letter starts a part; added
                              * again if the last letter also ends a part */
#define WHOLE       400      /* bonus: the letters are the whole name */
#define BASE        600      /* added to each match's score, so that the score stays above 0 */
#define LONGEST     255      /* maximum number of characters of a name that are examined */
#define NOWHERE     (-10000)

void
gilk_pattern_init (GilkPattern *pattern,
                   const char  *typed)
{
  memset (pattern, 0, sizeof *pattern);
  while (*typed != '\0' && pattern->n_words < GILK_PATTERN_WORDS)
    {
      gsize length = strcspn (typed, " \t");
      char *word = pattern->words[pattern->n_words];

      for (gsize i = 0; i < MIN (length, GILK_PATTERN_LONGEST - 1); i++)
        word[i] = g_ascii_tolower (typed[i]);
      pattern->lengths[pattern->n_words] = (guint) MIN (length, GILK_PATTERN_LONGEST - 1);
      pattern->letters |= gilk_name_letters (word);
      pattern->n_words += length > 0;
      typed += length;
      typed += strspn (typed, " \t");
    }
}

uint64_t
gilk_name_letters (const char *name)
{
  uint64_t mask = 0;

  for (; *name; name++)
    {
      int c = g_ascii_tolower (*name);

      if (c >= 'a' && c <= 'z')
        mask |= 1ull << (c - 'a');
      else if (c >= '0' && c <= '9')
        mask |= 1ull << (26 + c - '0');
      else
        mask |= 1ull << 36;
    }

  return mask;
}

static gboolean
is_border (char c)
{
  return c == '_' || c == '.' || c == '\0';
}

static int
score_letter (const char *name,
              gsize       at)
{
  if (at == 0)
    return LETTER + NAME_START;

  return LETTER + (is_border (name[at - 1]) && !is_border (name[at]) ? WORD_START : 0);
}

/* Finds the first character of the name that can match the word's first letter, and the last one
 * that can match its last letter. Returns FALSE unless the name has all letters of the word, in
 * order. */
static gboolean
find_bounds (const char *word,
             guint       n,
             const char *name,
             gsize       length,
             gsize      *from,
             gsize      *to)
{
  const char *at = name, *end = name + length;

  for (guint i = 0; i < n; i++)
    {
      at = memchr (at, word[i], (gsize) (end - at));
      if (at == NULL)
        return FALSE;
      if (i == 0)
        *from = (gsize) (at - name);
      at++;
    }
  *to = length - 1;
  while (name[*to] != word[n - 1])
    (*to)--;

  return TRUE;
}

/* Computes a row of the table from @before, the previous row, which is NULL for the first
 * letter. */
static void
fill_row (const char *name,
          gsize       from,
          gsize       to,
          char        letter,
          const int  *before,
          int        *row)
{
  int gap = NOWHERE;         /* best score, after penalties, if other characters lie between the
                              * match of the previous letter and this character */

  for (gsize j = from; j <= to; j++)
    {
      int best = before == NULL ? 0 : NOWHERE;

      if (before != NULL && j > from)
        {
          best = MAX (gap, before[j - 1] + NEXT);
          gap = MAX (gap, before[j - 1] - GAP) - GAP_LETTER;
        }
      row[j] = name[j] == letter && best > NOWHERE / 2 ? best + score_letter (name, j) : NOWHERE;
    }
}

/* Returns the bonus for a word whose letters are contiguous in the name; 0 if they are not. */
static int
score_piece (const char *word,
             guint       n,
             const char *name,
             gsize       length,
             gsize       from,
             gsize      *where)
{
  int best = 0;

  for (gsize at = from; at + n <= length; at++)
    {
      gboolean starts, ends;
      int bonus;

      if (name[at] != word[0] || memcmp (name + at, word, n) != 0)
        continue;
      starts = at == 0 || is_border (name[at - 1]);
      ends = is_border (name[at + n]);
      bonus = PIECE + (starts ? PIECE_WORD : 0) + (starts && ends ? PIECE_WORD : 0) + (at == 0 ? NAME_START : 0);
      if (bonus > best)
        *where = at;
      best = MAX (best, bonus);
    }

  return best == 0 ? 0 : best + (n == length ? WHOLE : 0);
}

static uint64_t
get_bit (gsize at)
{
  return at < 64 ? 1ull << at : 0;
}

/* Traces the best alignment back from its end, one letter for each row. */
static uint64_t
trace_alignment (int        (*rows)[LONGEST],
                 guint       n,
                 const char *name,
                 gsize       from,
                 gsize       end)
{
  uint64_t matched = get_bit (end);
  gsize at = end;

  for (guint i = n - 1; i > 0; i--)
    {
      int wanted = rows[i][at] - score_letter (name, at), found = NOWHERE;
      gsize best = at;

      for (gsize j = at; j-- > from && found != wanted;)
        {
          int value = rows[i - 1][j] + (j + 1 == at ? NEXT : -GAP - GAP_LETTER * (int) (at - j - 1));

          if (value > found)
            {
              found = value;
              best = j;
            }
        }
      at = best;
      matched |= get_bit (at);
    }

  return matched;
}

static int
score_word (const char *word,
            guint       n,
            const char *name,
            gsize       length,
            uint64_t   *matched)
{
  static _Thread_local int rows[GILK_PATTERN_LONGEST][LONGEST];
  gsize from = 0, to = 0, end = 0, where = 0;
  int piece, best = NOWHERE;

  if (!find_bounds (word, n, name, length, &from, &to))
    return -1;
  piece = score_piece (word, n, name, length, from, &where);
  if (piece > 0)
    {
      if (matched != NULL)
        for (gsize j = 0; j < n; j++)
          *matched |= get_bit (where + j);
      return piece + score_letter (name, where) + (int) (n - 1) * (LETTER + NEXT);
    }
  for (guint i = 0; i < n; i++)
    fill_row (name, from, to, word[i], i == 0 ? NULL : rows[i - 1], rows[i]);
  for (gsize j = from; j <= to; j++)
    if (rows[n - 1][j] > best)
      {
        best = rows[n - 1][j];
        end = j;
      }
  if (matched != NULL)
    *matched |= trace_alignment (rows, n, name, from, end);

  return best > NOWHERE / 2 ? MAX (best, 0) : -1;
}

int
gilk_pattern_score (const GilkPattern *pattern,
                    const char        *name,
                    gsize              length,
                    uint64_t          *matched)
{
  int sum = BASE;

  if (matched != NULL)
    *matched = 0;
  length = MIN (length, LONGEST);
  for (guint i = 0; i < pattern->n_words; i++)
    {
      int score = score_word (pattern->words[i], pattern->lengths[i], name, length, matched);

      if (score < 0)
        return -1;
      sum += score;
    }
  sum -= (int) length;

  return CLAMP (sum, 0, GILK_PATTERN_SCORES - 1);
}

gboolean
gilk_name_matches (const char *name,
                   const char *typed,
                   int        *score,
                   uint64_t   *matched)
{
  g_autofree char *small = g_ascii_strdown (name, -1);
  GilkPattern pattern;

  gilk_pattern_init (&pattern, typed);
  *score = gilk_pattern_score (&pattern, small, strlen (small), matched);

  return *score >= 0 && (pattern.n_words > 0 || *typed == '\0');
}

/* ---- compares symbols with C++ and Rust names ---- */

enum { RUST_HASH = 19 };          /* length of the hash in Rust's symbols: "17h" and 16 digits */

#define ANONYMOUS "(anonymous namespace)"

static gboolean
is_identifier (const char *word)
{
  if (*word != '_' && !g_ascii_isalpha (*word))
    return FALSE;
  for (; *word != '\0'; word++)
    if (*word != '_' && !g_ascii_isalnum (*word))
      return FALSE;

  return TRUE;
}

/* Appends the mangled form of @word, a part of a C++ name. @before: (nullable): the part in front
 * of @word. If @word equals @before, it is a constructor, which may have several bodies. If @word
 * is "~" followed by @before, it is the destructor. */
static gboolean
add_word (GString *out, const char *word, const char *before)
{
  if (before != NULL && *word == '~' && strcmp (word + 1, before) == 0)
    g_string_append_c (out, 'D');
  else if (before != NULL && strcmp (word, before) == 0)
    g_string_append_c (out, 'C');
  else if (strcmp (word, ANONYMOUS) == 0)
    g_string_append (out, "12_GLOBAL__N_1");
  else if (before == NULL && strcmp (word, "std") == 0)
    g_string_append (out, "St");
  else if (is_identifier (word))
    g_string_append_printf (out, "%zu%s", strlen (word), word);
  else
    return FALSE;

  return TRUE;
}

char *
gilk_cxx_name_mangled (const char *name)
{
  g_auto(GStrv) words = g_strsplit (name, "::", -1);
  g_autoptr(GString) out = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (!add_word (out, words[i], i > 0 ? words[i - 1] : NULL))
      return NULL;

  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static gboolean
is_rust_hash (const char *text)
{
  if (!g_str_has_prefix (text, "17h"))
    return FALSE;
  for (guint i = 3; i < RUST_HASH; i++)
    if (!g_ascii_isxdigit (text[i]))
      return FALSE;

  return text[RUST_HASH] == 'E';
}

gboolean
gilk_cxx_name_is (const char *symbol,
                  const char *mangled)
{
  const char *at = symbol;
  gboolean nested;

  if (!g_str_has_prefix (at, "_Z") || strchr (at, '.') != NULL)
    return FALSE;
  at += strlen ("_Z");
  if (*at == 'L')
    at++;
  nested = *at == 'N';
  if (nested)
    at += 1 + strspn (at + 1, "rVKRO");
  if (!g_str_has_prefix (at, mangled))
    return FALSE;
  at += strlen (mangled);
  if (strchr ("CD", at[-1]) != NULL && g_ascii_isdigit (*at))
    at++;

  return nested ? *at == 'E' || is_rust_hash (at) : *at != '\0' && !g_ascii_isdigit (*at) && *at != 'I' && *at != 'S';
}
