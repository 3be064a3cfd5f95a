/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source.c - the text of a program: its tokens, its first error, and names to suggest in
 * errors
 */
#include "core/language/gilk-source.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-strings.h"

#define QUOTE_MAX 40

GilkTextPart
gilk_text_join (GilkTextPart first, GilkTextPart last)
{
  return (GilkTextPart) { first.offset, last.offset + last.length - first.offset };
}

/* Finds line and column of @at. Columns count characters: UTF-8 continuation bytes are skipped. */
static void
locate_part (const char *text, GilkTextPart at, GilkProgramError *where)
{
  *where = (GilkProgramError) { .line = 1, .column = 1, .offset = at.offset, .length = at.length };
  for (uint32_t i = 0; i < at.offset; i++)
    if (text[i] == '\n')
      {
        where->line++;
        where->column = 1;
      }
    else if (((uint8_t) text[i] & 0xc0) != 0x80)
      where->column++;
}

gboolean
gilk_source_fail (GilkSource  *source,
                  GilkTextPart at,
                  const char  *format,
                  ...)
{
  g_autofree char *what = NULL;
  va_list args;

  if (source->error != NULL)
    return FALSE;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  locate_part (source->text, at, &source->where);
  source->error = g_error_new (GILK_ERROR, GILK_ERROR_USAGE, _("Line %u, column %u: %s"),
                               source->where.line, source->where.column, what);

  return FALSE;
}

char *
gilk_source_quote (const GilkSource *source,
                   GilkTextPart      part)
{
  GString *out = g_string_new (NULL);

  for (uint32_t i = 0; i < MIN (part.length, QUOTE_MAX); i++)
    {
      const char c = source->text[part.offset + i];

      if (g_ascii_isprint (c))
        g_string_append_c (out, c);
      else if (g_ascii_isspace (c))
        g_string_append_c (out, ' ');
      else
        g_string_append_printf (out, "\\x%02x", (uint8_t) c);
    }
  if (part.length > QUOTE_MAX)
    g_string_append (out, "..");

  return g_string_free (out, FALSE);
}

/* ---- tokenizer: words, numbers and marks of a program, each with its position ---- */

typedef struct {
  GilkSource *source;
  GArray     *tokens;
  uint32_t    at;
} Scanner;

static char
peek_char (const Scanner *scanner, uint32_t ahead)
{
  const char *here = scanner->source->text + scanner->at;

  for (uint32_t i = 0; i < ahead; i++)
    if (here[i] == '\0')
      return '\0';

  return here[ahead];
}

static GilkTextPart
make_part (const Scanner *scanner, uint32_t begin)
{
  return (GilkTextPart) { begin, scanner->at - begin };
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static gboolean
add_token (Scanner *scanner, GilkToken token)
{
  g_array_append_val (scanner->tokens, token);

  return TRUE;
}

/* ---- white space and comments ---- */

static gboolean
skip_comment (Scanner *scanner)
{
  const uint32_t begin = scanner->at;

  if (peek_char (scanner, 1) == '/')
    {
      while (peek_char (scanner, 0) != '\0' && peek_char (scanner, 0) != '\n')
        scanner->at++;
      return TRUE;
    }
  for (scanner->at += 2; peek_char (scanner, 0) != '\0'; scanner->at++)
    if (peek_char (scanner, 0) == '*' && peek_char (scanner, 1) == '/')
      {
        scanner->at += 2;
        return TRUE;
      }

  return gilk_source_fail (scanner->source, (GilkTextPart) { begin, 2 },
                           _("Unterminated comment. Close it with */."));
}

static gboolean
skip_blank (Scanner *scanner)
{
  for (;;)
    {
      if (g_ascii_isspace (peek_char (scanner, 0)))
        scanner->at++;
      else if (peek_char (scanner, 0) == '/' && (peek_char (scanner, 1) == '/' || peek_char (scanner, 1) == '*'))
        {
          if (!skip_comment (scanner))
            return FALSE;
        }
      else
        return TRUE;
    }
}

/* ---- tokens: numbers ---- */

/* Parses the suffix of a number: a factor such as "K", or a type suffix as in C. */
static gboolean
read_suffix (const char *suffix, uint64_t *factor, gboolean *is_unsigned)
{
  static const struct { const char *name; uint64_t factor; } factors[] = {
    { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
    { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
  };
  static const char *const unsigned_words[] = { "u", "ul", "lu", "ull", "llu", NULL };
  static const char *const signed_words[] = { "", "l", "ll", NULL };
  g_autofree char *lower = g_ascii_strdown (suffix, -1);

  *factor = 1;
  *is_unsigned = g_strv_contains (unsigned_words, lower);
  if (*is_unsigned || g_strv_contains (signed_words, lower))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (strcmp (suffix, factors[i].name) == 0)
      {
        *factor = factors[i].factor;
        return TRUE;
      }

  return FALSE;
}

/* Parses digits in base @base. Returns the number of digits; 0 if the value exceeds 64 bits. */
static gsize
read_digits (const char *text, guint base, uint64_t *value)
{
  gsize n = 0;

  *value = 0;
  for (; g_ascii_isxdigit (text[n]) && (guint) g_ascii_xdigit_value (text[n]) < base; n++)
    if (__builtin_mul_overflow (*value, (uint64_t) base, value) ||
        __builtin_add_overflow (*value, (uint64_t) g_ascii_xdigit_value (text[n]), value))
      return 0;

  return n;
}

static gboolean
read_number (Scanner *scanner)
{
  const uint32_t begin = scanner->at;
  const char *text = scanner->source->text + begin;
  const gboolean hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const gboolean binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  const guint base = hex ? 16 : binary ? 2 : text[0] == '0' ? 8 : 10;
  GilkToken token = { .kind = GILK_TOKEN_NUMBER };
  g_autofree char *suffix = NULL;
  uint64_t factor;
  gsize digits;

  while (is_name_char (peek_char (scanner, 0)))
    scanner->at++;
  token.part = make_part (scanner, begin);
  if (peek_char (scanner, 0) == '.' && g_ascii_isdigit (peek_char (scanner, 1)))
    return gilk_source_fail (scanner->source, token.part,
                             _("Numbers must be integers. Use a smaller unit, such as 1500ms."));
  text += hex || binary ? 2 : 0;
  digits = read_digits (text, base, &token.number);
  suffix = g_strndup (text + digits, (gsize) (scanner->source->text + scanner->at - (text + digits)));
  if (digits == 0 && g_ascii_isxdigit (text[0]) && (guint) g_ascii_xdigit_value (text[0]) < base)
    return gilk_source_fail (scanner->source, token.part, _("The number does not fit in 64 bits."));
  if (digits == 0 || !read_suffix (suffix, &factor, &token.is_unsigned))
    return gilk_source_fail (scanner->source, token.part,
                             _("Invalid number. Write it as in C; it may end in K, M, G, us, ms or s."));
  if (__builtin_mul_overflow (token.number, factor, &token.number))
    return gilk_source_fail (scanner->source, token.part, _("The number does not fit in 64 bits."));
  token.is_unsigned |= token.number > INT64_MAX;

  return add_token (scanner, token);
}

/* ---- tokens: quoted characters and strings ---- */

static gboolean
read_escape (Scanner *scanner, uint64_t *value)
{
  static const char from[] = "abfnrtv\\'\"?e", to[] = "\a\b\f\n\r\t\v\\'\"?\033";
  const char c = peek_char (scanner, 0);
  const char *known = c != '\0' ? strchr (from, c) : NULL;

  *value = 0;
  if (known != NULL)
    {
      *value = (uint8_t) to[known - from];
      scanner->at++;
      return TRUE;
    }
  if (c == 'x' && g_ascii_isxdigit (peek_char (scanner, 1)))
    {
      scanner->at++;
      for (guint i = 0; i < 2 && g_ascii_isxdigit (peek_char (scanner, 0)); i++, scanner->at++)
        *value = *value << 4 | (uint64_t) g_ascii_xdigit_value (peek_char (scanner, 0));
      return TRUE;
    }
  for (guint i = 0; i < 3 && peek_char (scanner, 0) >= '0' && peek_char (scanner, 0) <= '7'; i++, scanner->at++)
    *value = *value << 3 | (uint64_t) (peek_char (scanner, 0) - '0');

  return c >= '0' && c <= '7' && *value < 256;
}

static gboolean
read_character (Scanner *scanner)
{
  const uint32_t begin = scanner->at++;
  GilkToken token = { .kind = GILK_TOKEN_NUMBER };
  const char c = peek_char (scanner, 0);
  gboolean good = g_ascii_isprint (c) && c != '\'';

  if (good)
    scanner->at++;
  token.number = (uint8_t) c;
  if (good && c == '\\')
    good = read_escape (scanner, &token.number);
  if (!good || peek_char (scanner, 0) != '\'')
    return gilk_source_fail (scanner->source, (GilkTextPart) { begin, 1 },
                             _("Invalid character constant. Write one character in quotes, such as 'c' or '\\n'."));
  scanner->at++;
  token.part = make_part (scanner, begin);

  return add_token (scanner, token);
}

static gboolean
read_string (Scanner *scanner)
{
  const uint32_t begin = ++scanner->at;
  GilkToken token = { .kind = GILK_TOKEN_STRING };

  while (peek_char (scanner, 0) != '"')
    {
      if (peek_char (scanner, 0) == '\0' || peek_char (scanner, 0) == '\n')
        return gilk_source_fail (scanner->source, (GilkTextPart) { begin - 1, 1 },
                                 _("Unterminated quote. Close it on the same line."));
      scanner->at++;
    }
  token.part = make_part (scanner, begin);
  scanner->at++;

  return add_token (scanner, token);
}

/* ---- tokens: names and marks ---- */

static gboolean
read_name (Scanner *scanner)
{
  const uint32_t begin = scanner->at;

  while (is_name_char (peek_char (scanner, 0)))
    scanner->at++;

  return add_token (scanner, (GilkToken) { .kind = GILK_TOKEN_NAME, .part = make_part (scanner, begin) });
}

static gboolean
read_mark (Scanner *scanner)
{
  static const char pairs[] = "|| && == != <= >= << >> -> ++ -- += -=";
  static const char singles[] = "{}()[];,.=|&^<>+-*/%~!";
  const char pair[] = { peek_char (scanner, 0), peek_char (scanner, 1), '\0' };
  const uint32_t begin = scanner->at;
  GilkToken token = { .kind = GILK_TOKEN_MARK };
  g_autofree char *quoted = NULL;

  if (pair[1] > ' ' && strstr (pairs, pair) != NULL)
    {
      scanner->at += 2;
      token.mark = GILK_MARKS (pair[0], pair[1]);
    }
  else
    {
      scanner->at++;
      token.mark = GILK_MARK (pair[0]);
    }
  token.part = make_part (scanner, begin);
  if (token.mark > 0xff || strchr (singles, pair[0]) != NULL)
    return add_token (scanner, token);

  quoted = gilk_source_quote (scanner->source, token.part);
  if (pair[0] == '?')
    return gilk_source_fail (scanner->source, token.part,
                             _("The operator \"?:\" is not supported. Use \"if\"."));

  return gilk_source_fail (scanner->source, token.part, _("Unexpected \"%s\". Remove it."), quoted);
}

static gboolean
read_token (Scanner *scanner)
{
  const char c = peek_char (scanner, 0);

  if (g_ascii_isdigit (c))
    return read_number (scanner);
  if (is_name_char (c))
    return read_name (scanner);
  if (c == '\'')
    return read_character (scanner);
  if (c == '"')
    return read_string (scanner);

  return read_mark (scanner);
}

GArray *
gilk_tokens_new (GilkSource *source)
{
  g_autoptr(GArray) tokens = g_array_new (FALSE, TRUE, sizeof (GilkToken));
  Scanner scanner = { .source = source, .tokens = tokens };

  if (strnlen (source->text, GILK_PROGRAM_TEXT_MAX + 1) > GILK_PROGRAM_TEXT_MAX)
    {
      gilk_source_fail (source, (GilkTextPart) { 0, 0 }, _("The program is too long: the limit is %d bytes."),
                        GILK_PROGRAM_TEXT_MAX);
      return NULL;
    }
  for (;;)
    {
      if (!skip_blank (&scanner))
        return NULL;
      if (peek_char (&scanner, 0) == '\0')
        break;
      if (!read_token (&scanner))
        return NULL;
    }
  add_token (&scanner, (GilkToken) { .kind = GILK_TOKEN_END, .part = make_part (&scanner, scanner.at) });

  return g_steal_pointer (&tokens);
}

/* ---- finds the most similar name, to suggest it in place of an unknown one ---- */

void
gilk_similar_init (GilkSimilar *near,
                   const char  *wanted)
{
  const gsize length = strlen (wanted);

  *near = (GilkSimilar) { .wanted = wanted, .distance = length <= 3 ? 2 : length <= 7 ? 3 : 4 };
}

void
gilk_similar_add (GilkSimilar *near,
                  const char  *name)
{
  const guint far = gilk_distance (near->wanted, name);

  if (far >= near->distance || far >= strlen (name))
    return;
  g_free (near->best);
  near->best = g_strdup (name);
  near->distance = far;
}

char *
gilk_similar_finish (GilkSimilar *near)
{
  return g_steal_pointer (&near->best);
}
