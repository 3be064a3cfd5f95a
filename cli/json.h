/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes one JSON document into memory
 *
 * The document is printed only when it is whole, so that an error half-way
 * still leaves one valid document on standard output.
 *
 * json-glib would not do: its integers are signed, so that a counter above 2^63 comes out
 * negative; it writes doubles with 17 digits, 0.1 as 0.10000000000000001; no row could
 * stay on one line in a document that is indented; and all of an export would be a tree in
 * memory before the first byte is written.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _CliJson CliJson;

CliJson *cli_json_new  (void);
void     cli_json_free (CliJson *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliJson, cli_json_free)

/* Forgets everything written. */
void cli_json_reset  (CliJson *json);
/* Containers; @key is NULL at the root and inside arrays. */
void cli_json_object (CliJson *json, const char *key);
void cli_json_array  (CliJson *json, const char *key);
/* An object kept on one line with all that is in it. */
void cli_json_row    (CliJson *json, const char *key);
void cli_json_end    (CliJson *json);

/* Values; a NULL string, NaN and infinity are written as null. */
void cli_json_string (CliJson *json, const char *key, const char *value);
void cli_json_uint   (CliJson *json, const char *key, uint64_t value);
/* null where the value is not known. */
void cli_json_uint_if (CliJson *json, const char *key, uint64_t value, gboolean known);
void cli_json_int    (CliJson *json, const char *key, int64_t value);
void cli_json_double (CliJson *json, const char *key, double value);
void cli_json_bool   (CliJson *json, const char *key, gboolean value);
/* Addresses are strings "0xffffffff81234560": JSON numbers lose their low bits. */
void cli_json_address (CliJson *json, const char *key, uint64_t value);
/* @text is put in as it is: the caller vouches for a JSON number. */
void cli_json_number_text (CliJson *json, const char *key, const char *text);

/* Open containers. */
guint       cli_json_depth (const CliJson *json);
/* The document so far, without a newline at its end. (transfer none) */
const char *cli_json_text  (const CliJson *json);

G_END_DECLS
