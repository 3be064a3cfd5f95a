/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.c - prints results to standard output, notes to standard error
 */
#include "cli/base/output.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/terminal.h"
#include "core/base/gilk-strings.h"
#include "core/base/gilk-refusal.h"

int
cli_output_error (void)
{
  static int first;       /* errno of the first failed write to standard output, saved because later
                           * calls of the C library change errno */

  if (first == 0 && ferror (stdout))
    first = errno != 0 ? errno : EIO;
  return first;
}

/* ---- printing to standard output and standard error ---- */

/* Converts to the locale's charset, with ASCII in place of characters that the charset lacks.
 * U+2212 becomes a hyphen, as printf() writes it. */
static void
write_text (FILE *stream, const char *text)
{
  g_auto(GStrv) parts = g_strsplit (text, "\xe2\x88\x92", -1);
  g_autofree char *one_minus = g_strjoinv ("-", parts);
  g_autofree char *plain = gilk_for_charset (one_minus), *converted = NULL;
  const char *charset;

  if (!g_get_charset (&charset))
    converted = g_convert_with_fallback (plain, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  fputs (converted != NULL ? converted : plain, stream);
}

static void
write_to_output (const char *text)
{
  write_text (stdout, text);
}

static void
write_to_errors (const char *text)
{
  write_text (stderr, text);
}

void
cli_output_init (void)
{
  g_set_print_handler (write_to_output);
  g_set_printerr_handler (write_to_errors);
}

/* Formats the text, and removes its control characters: the text may come from a kernel, a file or
 * another program, and must not control the terminal. */
static char *
format_printable (const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);

  return gilk_printable (text, "\n\t");
}

static void
print_text (Cli *cli, CliTint tint, const char *text)
{
  cli_progress_clear (cli->progress);
  if (cli->colour && tint != CLI_TINT_NONE)
    g_print ("%s%s%s", cli_tint_start (tint), text, CLI_TINT_END);
  else
    g_print ("%s", text);
  cli_output_error ();
}

void
cli_print (Cli *cli, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (cli->doc != NULL)
    return;

  va_start (args, format);
  text = format_printable (format, args);
  va_end (args);
  print_text (cli, CLI_TINT_NONE, text);
}

void
cli_print_tinted (Cli *cli, CliTint tint, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (cli->doc != NULL)
    return;

  va_start (args, format);
  text = format_printable (format, args);
  va_end (args);
  print_text (cli, tint, text);
}

void
cli_print_table (Cli *cli, const CliTable *table)
{
  g_autofree char *text = NULL;

  if (cli->doc != NULL)
    return;

  text = cli_table_to_text (table, cli_terminal_width (stdout), cli->colour);
  print_text (cli, CLI_TINT_NONE, text);
}

void
cli_print_facts (Cli *cli, const GilkFacts *facts)
{
  g_autoptr(CliTable) table = cli_table_new ("<|<|~");

  if (gilk_facts_n (facts) == 0)
    return;
  for (guint i = 0; i < gilk_facts_n (facts); i++)
    {
      const GilkFact *fact = gilk_facts_at (facts, i);

      cli_table_cell (table, fact->name);
      cli_table_cell (table, fact->value);
      cli_table_cell (table, fact->explanation);
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, "\n%s\n", facts->title);
  cli_print_table (cli, table);
  if (facts->about != NULL)
    cli_print (cli, "%s.\n", facts->about);
}

gboolean
cli_write (const char *text, gsize length)
{
  g_autofree char *clean = isatty (STDOUT_FILENO) && memchr (text, '\0', length) == NULL
                           ? g_strndup (text, length) : NULL;

  if (clean != NULL)
    {
      g_autofree char *printable = gilk_printable (clean, "\n\t\r");

      fputs (printable, stdout);
    }
  else
    fwrite (text, 1, length, stdout);
  return cli_output_error () == 0;
}

void
cli_note (Cli *cli, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (cli->quiet || cli->json)
    return;

  va_start (args, format);
  text = format_printable (format, args);
  va_end (args);
  cli_progress_clear (cli->progress);
  g_printerr ("%s\n", text);
}

char *
cli_format_bytes (uint64_t bytes)
{
  return g_format_size (bytes);
}

char *
cli_format_rate (double rate)
{
  if (!isfinite (rate))
    return g_strdup ("-");
  if (rate == 0)
    return g_strdup ("0");
  if (rate >= 100)
    return g_strdup_printf ("%.0f", rate);
  if (rate >= 10)
    return g_strdup_printf ("%.1f", rate);
  return g_strdup_printf ("%.2f", rate);
}

static const char *
get_error_name (const GError *error)
{
  if (error->domain == GILK_ERROR)
    return gilk_error_code_name (error->code);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return gilk_error_code_name (GILK_ERROR_CANCELLED);
  return gilk_error_code_name (GILK_ERROR_FAILED);
}

/* Returns the error's message; if the operation was cancelled, a sentence in place of GLib's
 * message. */
static const char *
get_error_message (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return _("The operation was cancelled.");
  return error->message;
}

/* Adds the error to the unfinished JSON document if cli->keep_doc is set, else to a new
 * document. */
static void
write_error (Cli *cli, const GError *error)
{
  if (!cli->keep_doc || cli_json_depth (cli->doc) == 0)
    {
      cli_json_reset (cli->doc);
      cli_json_object (cli->doc, NULL);
    }
  while (cli_json_depth (cli->doc) > 1)
    cli_json_end (cli->doc);

  if (cli->refusal == 0)
    cli->refusal = gilk_refusal_in_text (error->message);
  cli_json_object (cli->doc, "error");
  cli_json_string (cli->doc, "code", get_error_name (error));
  cli_json_string (cli->doc, "message", get_error_message (error));
  cli_json_string (cli->doc, "refusal",
                   cli->refusal != 0 ? gilk_refusal_name (cli->refusal) : NULL);
  cli_json_string (cli->doc, "remedy",
                   cli->refusal != 0 ? gilk_refusal_remedy (cli->refusal) : NULL);
  cli_json_end (cli->doc);
}

void
cli_report_error (Cli *cli, const GError *error)
{
  gboolean tinted = cli_terminal_has_escapes (stderr) && g_getenv ("NO_COLOR") == NULL;
  g_autofree char *message = gilk_printable (get_error_message (error), "\n\t");

  cli_progress_clear (cli->progress);
  if (cli->doc != NULL)
    write_error (cli, error);
  else
    {
      fflush (stdout);
      g_printerr ("%sgilk:%s %s\n", tinted ? cli_tint_start (CLI_TINT_BAD) : "",
                  tinted ? CLI_TINT_END : "", message);
    }
}

void
cli_json_fact (CliJson *json, const GilkFact *fact)
{
  for (guint i = 0; i < GILK_FACT_NUMBERS && fact->numbers[i].key != NULL; i++)
    cli_json_double (json, fact->numbers[i].key, fact->numbers[i].value);
}

void
cli_json_facts (CliJson *json, const GilkFacts *facts)
{
  for (guint i = 0; i < gilk_facts_n (facts); i++)
    cli_json_fact (json, gilk_facts_at (facts, i));
}

void
cli_finish_document (Cli *cli)
{
  const char *text;

  if (cli->doc == NULL)
    return;

  while (cli_json_depth (cli->doc) > 0)
    cli_json_end (cli->doc);
  text = cli_json_text (cli->doc);
  if (*text == '\0')
    return;
  cli_write (text, strlen (text));
  cli_write ("\n", 1);
}
