/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - writes one JSON document into memory
 *
 * Output is always UTF-8. Invalid bytes, as in the name of a process, are replaced by U+FFFD;
 * control characters are escaped.
 */
#include "cli/base/json.h"

#include <math.h>
#include <stdarg.h>

#include "core/base/gilk-strings.h"

typedef struct {
  char     closing;       /* the bracket that closes this level: '}' or ']' */
  gboolean has_members;
  gboolean one_line;
} Level;

struct _CliJson {
  GString *text;
  GArray  *levels;        /* element-type Level: open objects and arrays, innermost last */
};

CliJson *
cli_json_new (void)
{
  CliJson *json = g_new0 (CliJson, 1);

  json->text = g_string_new (NULL);
  json->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  return json;
}

void
cli_json_free (CliJson *json)
{
  if (json == NULL)
    return;

  g_string_free (json->text, TRUE);
  g_array_unref (json->levels);
  g_free (json);
}

void
cli_json_reset (CliJson *json)
{
  g_string_truncate (json->text, 0);
  g_array_set_size (json->levels, 0);
}

guint
cli_json_depth (const CliJson *json)
{
  return json->levels->len;
}

const char *
cli_json_text (const CliJson *json)
{
  return json->text->str;
}

static Level *
get_top_level (CliJson *json)
{
  if (json->levels->len == 0)
    return NULL;

  return &g_array_index (json->levels, Level, json->levels->len - 1);
}

static void
add_line_break (CliJson *json)
{
  g_string_append_c (json->text, '\n');
  for (guint i = 0; i < json->levels->len; i++)
    g_string_append (json->text, "  ");
}

/* Writes the comma, line break and key in front of a value. */
static void
begin_value (CliJson *json, const char *key)
{
  Level *level = get_top_level (json);

  if (level != NULL)
    {
      if (level->has_members)
        g_string_append_c (json->text, ',');
      if (!level->one_line)
        add_line_break (json);
      else if (level->has_members)
        g_string_append_c (json->text, ' ');
      level->has_members = TRUE;
    }

  g_return_if_fail ((key != NULL) == (level != NULL && level->closing == '}'));
  if (key != NULL)
    {
      gilk_append_json (json->text, key);
      g_string_append (json->text, ": ");
    }
}

static void write_value (CliJson *json, const char *key, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Writes a value formatted as by printf(); the result must be a valid JSON value. */
static void
write_value (CliJson *json, const char *key, const char *format, ...)
{
  va_list args;

  if (json == NULL)
    return;

  begin_value (json, key);
  va_start (args, format);
  g_string_append_vprintf (json->text, format, args);
  va_end (args);
}

static void
open_level (CliJson *json, const char *key, char opening, char closing, gboolean one_line)
{
  const Level *outer = json != NULL ? get_top_level (json) : NULL;
  Level level = { closing, FALSE, one_line || (outer != NULL && outer->one_line) };

  if (json == NULL)
    return;

  begin_value (json, key);
  g_string_append_c (json->text, opening);
  g_array_append_val (json->levels, level);
}

void
cli_json_object (CliJson *json, const char *key)
{
  open_level (json, key, '{', '}', FALSE);
}

void
cli_json_array (CliJson *json, const char *key)
{
  open_level (json, key, '[', ']', FALSE);
}

void
cli_json_row (CliJson *json, const char *key)
{
  open_level (json, key, '{', '}', TRUE);
}

void
cli_json_end (CliJson *json)
{
  Level level;

  if (json == NULL)
    return;
  g_return_if_fail (json->levels->len > 0);

  level = *get_top_level (json);
  g_array_set_size (json->levels, json->levels->len - 1);
  if (level.has_members && !level.one_line)
    add_line_break (json);
  g_string_append_c (json->text, level.closing);
}

void
cli_json_string (CliJson *json, const char *key, const char *value)
{
  g_autoptr(GString) text = g_string_new (value == NULL ? "null" : NULL);

  if (value != NULL)
    gilk_append_json (text, value);
  write_value (json, key, "%s", text->str);
}

void
cli_json_uint (CliJson *json, const char *key, uint64_t value)
{
  write_value (json, key, "%" G_GUINT64_FORMAT, (guint64) value);
}

void
cli_json_uint_if (CliJson *json, const char *key, uint64_t value, gboolean known)
{
  if (known)
    cli_json_uint (json, key, value);
  else
    cli_json_string (json, key, NULL);
}

void
cli_json_int (CliJson *json, const char *key, int64_t value)
{
  write_value (json, key, "%" G_GINT64_FORMAT, (gint64) value);
}

void
cli_json_double (CliJson *json, const char *key, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE] = "null";

  for (guint i = 0; i < G_N_ELEMENTS (formats) && isfinite (value); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  write_value (json, key, "%s", buffer);
}

void
cli_json_bool (CliJson *json, const char *key, gboolean value)
{
  write_value (json, key, "%s", value ? "true" : "false");
}

void
cli_json_address (CliJson *json, const char *key, uint64_t value)
{
  write_value (json, key, "\"0x%" G_GINT64_MODIFIER "x\"", (guint64) value);
}

void
cli_json_number_text (CliJson *json, const char *key, const char *text)
{
  write_value (json, key, "%s", text);
}
