/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-checks.h - what follows from the facts about a machine, with remedies
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { CLI_CHECK_GOOD, CLI_CHECK_NOTE, CLI_CHECK_WARN, CLI_CHECK_BAD } CliCheckState;

typedef struct {
  const char   *name;      /* stable, for JSON */
  CliCheckState state;
  char         *value;     /* what was found */
  char         *remedy;    /* a sentence; NULL if there is nothing to do */
  char         *command;   /* the one that mends it, where one does; NULL: none */
} CliCheck;

void cli_check_clear (CliCheck *check);
/* "good", "note", "warn", "bad" */
const char *cli_check_state_name (CliCheckState state);

/* @facts: as gilk_target_doctor() gives them. (transfer full) (element-type CliCheck) */
GArray *cli_doctor_judge  (GHashTable *facts);
/* Checks in state BAD. */
guint   cli_doctor_n_bad  (const GArray *checks);

G_END_DECLS
