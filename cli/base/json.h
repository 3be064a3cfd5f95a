/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes one JSON document into memory
 *
 * The document is printed only when it is complete. If an error occurs earlier, standard output
 * still gets one valid document. Without --json there is no document: the functions that write do
 * nothing if @json is NULL.
 *
 * json-glib is not suitable. Its integers are signed, so a counter of 2^63 or more would become
 * negative. It writes doubles with 17 digits: 0.1 becomes 0.10000000000000001. It cannot write a
 * row on one line of an indented document. It needs a whole export as a tree in memory before it
 * writes the first byte.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct _CliJson CliJson;

CliJson *cli_json_new  (void);
void     cli_json_free (CliJson *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliJson, cli_json_free)

/* Discards everything written. */
void cli_json_reset  (CliJson *json);
/* Open an object or array; @key is NULL at the root and inside arrays. */
void cli_json_object (CliJson *json, const char *key);
void cli_json_array  (CliJson *json, const char *key);
/* Opens an object that is written on one line, including nested containers. */
void cli_json_row    (CliJson *json, const char *key);
void cli_json_end    (CliJson *json);

/* These functions write a value. A NULL string, NaN and infinity are written as null. */
void cli_json_string (CliJson *json, const char *key, const char *value);
void cli_json_uint   (CliJson *json, const char *key, uint64_t value);
/* Writes @value, or null if @known is FALSE. */
void cli_json_uint_if (CliJson *json, const char *key, uint64_t value, gboolean known);
void cli_json_int    (CliJson *json, const char *key, int64_t value);
void cli_json_double (CliJson *json, const char *key, double value);
void cli_json_bool   (CliJson *json, const char *key, gboolean value);
/* Writes an address as a string, "0xffffffff81234560": many readers keep JSON numbers as doubles
 * and lose the low bits. */
void cli_json_address (CliJson *json, const char *key, uint64_t value);
/* Writes @text unchanged; it must be a valid JSON number. */
void cli_json_number_text (CliJson *json, const char *key, const char *text);

/* Returns the number of open objects and arrays. */
guint       cli_json_depth (const CliJson *json);
/* Returns the text of the document written so far, without a final newline. (transfer none) */
const char *cli_json_text  (const CliJson *json);
