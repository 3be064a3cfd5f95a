/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - prints the doctor's checks, as text or JSON
 */
#pragma once

#include "cli/base/cli.h"
#include "core/doctor/gilk-doctor.h"

/* Both report @checks (element-type GilkCheck): as text below @title, or as the JSON array @key. */
void cli_doctor_print   (Cli *cli, const char *title, const GArray *checks);
void cli_doctor_to_json (CliJson *json, const char *key, const GArray *checks);
/* Adds the members of @facts to @json as an object, except those named in @without (nullable,
 * NULL-terminated). */
void cli_doctor_facts_to_json (CliJson *json, const char *key, GHashTable *facts, const char *const *without);
/* Fails if a check reports that hooks cannot be armed on @target. */
gboolean cli_doctor_check (const GArray *checks, const char *target, GError **error);
