/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-syntax-type.c - parser: type names, such as "struct file *" and "unsigned long"
 */
#include "core/language/gilk-syntax-private.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const kinds[] = { "struct", "union", "enum", NULL };
/* Words that form an integer type in C, in any order. */
static const char *const words[] = { "unsigned", "signed", "char", "short", "int", "long", NULL };

static const char *
match_word (const GilkParser *parser, guint ahead, const char *const *list)
{
  for (guint i = 0; list[i] != NULL; i++)
    if (gilk_parser_is_word (parser, ahead, list[i]))
      return list[i];

  return NULL;
}

gboolean
gilk_parser_at_type (const GilkParser *parser)
{
  return gilk_parser_is_word (parser, 0, "const") || match_word (parser, 0, kinds) != NULL ||
         match_word (parser, 0, words) != NULL;
}

/* Returns the usual name of a plain type: "unsigned long" for "long unsigned int". */
static const char *
parse_words (GilkParser *parser)
{
  g_autofree char *name = NULL;
  gboolean is_unsigned = FALSE, is_signed = FALSE;
  const char *size = "int", *word;
  guint longs = 0;

  while ((word = match_word (parser, 0, words)) != NULL)
    {
      parser->at++;
      is_unsigned |= strcmp (word, "unsigned") == 0;
      is_signed |= strcmp (word, "signed") == 0;
      longs += strcmp (word, "long") == 0;
      if (strcmp (word, "char") == 0 || strcmp (word, "short") == 0)
        size = word;
    }
  if (longs > 0)
    size = "long";
  is_signed &= strcmp (size, "char") == 0;
  name = g_strconcat (is_unsigned ? "unsigned " : is_signed ? "signed " : "", size, NULL);

  return g_string_chunk_insert (parser->syntax->words, name);
}

static const char *
parse_type_name (GilkParser *parser)
{
  const char *kind = match_word (parser, 0, kinds), *name;
  g_autofree char *whole = NULL;

  if (match_word (parser, 0, words) != NULL)
    return parse_words (parser);
  if (kind != NULL)
    parser->at++;
  name = gilk_parser_expect_name (parser, _("a type name"));
  if (kind == NULL || name == NULL)
    return name;
  whole = g_strconcat (kind, " ", name, NULL);

  return g_string_chunk_insert (parser->syntax->words, whole);
}

gboolean
gilk_parser_type (GilkParser *parser,
                  GilkNode   *node)
{
  const guint begin = parser->at;

  while (gilk_parser_is_word (parser, 0, "const"))
    parser->at++;
  node->name = parse_type_name (parser);
  if (node->name == NULL)
    return FALSE;
  node->at = gilk_text_join (g_array_index (parser->tokens, GilkToken, begin).part,
                             g_array_index (parser->tokens, GilkToken, parser->at - 1).part);
  for (;;)
    {
      if (gilk_parser_is_word (parser, 0, "const"))
        parser->at++;
      else if (gilk_parser_is_mark (parser, 0, GILK_MARK ('*')) && node->stars < GILK_SYNTAX_STARS)
        {
          parser->at++;
          node->stars++;
        }
      else
        return TRUE;
    }
}
