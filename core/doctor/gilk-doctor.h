/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor.h - diagnoses a machine from facts, with remedies
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { GILK_CHECK_GOOD, GILK_CHECK_NOTE, GILK_CHECK_WARN, GILK_CHECK_BAD } GilkCheckState;

typedef struct {
  const char   *name;      /* stable, for JSON */
  GilkCheckState state;
  char         *value;     /* the finding */
  char         *remedy;    /* a sentence; NULL: nothing to do */
  char         *command;   /* that fixes it; NULL: none */
} GilkCheck;

void gilk_check_clear (GilkCheck *check);
/* "good", "note", "warn", "bad" */
const char *gilk_check_state_name (GilkCheckState state);

/* @facts: from gilk_target_doctor(). (transfer full) (element-type GilkCheck) */
GArray *gilk_doctor_run_checks  (GHashTable *facts);
/* Counts the checks in state BAD. */
guint   gilk_doctor_n_bad  (const GArray *checks);
/* Returns why no hook can be armed on the machine, with the remedy: its first check in state BAD.
 * NULL: none. (transfer full) (nullable) */
char   *gilk_doctor_find_blocker (GHashTable *facts);

G_END_DECLS
