/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-error.c - shows an error within the text of a program
 */
#include "cli/base/bound.h"

#include <string.h>

#define INDENT     "\n    "
#define SHOWN_MAX 160     /* approximate maximum length of the shown text in bytes; a longer line
                           * is cut around the error */

/* Returns the start of the text to show: the start of the line that contains @at, or a position in
 * the line if the line is long. */
static const char *
find_shown_start (const char *code, const char *at)
{
  const char *begin = at;

  while (begin > code && begin[-1] != '\n' && at - begin < SHOWN_MAX / 2)
    begin--;
  while (begin < at && ((uint8_t) *begin & 0xc0) == 0x80)
    begin++;
  return begin;
}

static const char *
find_shown_end (const char *begin)
{
  const char *end = begin + strcspn (begin, "\n");

  if (end - begin > SHOWN_MAX)
    end = begin + SHOWN_MAX;
  while (((uint8_t) *end & 0xc0) == 0x80)
    end++;
  return end;
}

char *
cli_program_error (const GilkBoundHook *hook)
{
  const GilkProgramError *where = &hook->program_error;
  GString *text = g_string_new (NULL);
  const char *begin, *end, *at, *behind;

  if (hook->error == NULL || hook->code == NULL || where->line == 0 || where->offset > strlen (hook->code))
    return g_string_free (text, FALSE);

  at = hook->code + where->offset;
  begin = find_shown_start (hook->code, at);
  end = find_shown_end (begin);
  behind = MIN (at + MAX (where->length, 1), end);
  g_string_append (text, INDENT);
  for (const char *c = begin; c < end; c++)
    g_string_append_c (text, *c == '\t' ? ' ' : *c);
  g_string_append (text, INDENT);
  for (const char *c = begin; c < at; c = g_utf8_next_char (c))
    g_string_append_c (text, ' ');
  g_string_append_c (text, '^');
  for (const char *c = at < behind ? g_utf8_next_char (at) : behind; c < behind; c = g_utf8_next_char (c))
    g_string_append_c (text, '~');
  return g_string_free (text, FALSE);
}
