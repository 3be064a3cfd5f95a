/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cxx-name.c - compares symbols with C++ and Rust names
 */
#include "core/cfg/gilk-name-match.h"

#include <string.h>

enum { RUST_HASH = 19 };          /* length of the hash in Rust's symbols: "17h" and 16 digits */

#define NOWHERE "(anonymous namespace)"

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
  else if (strcmp (word, NOWHERE) == 0)
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
