/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor.h - what follows from the facts about a machine, with remedies
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
  char         *value;     /* what was found */
  char         *remedy;    /* a sentence; NULL if there is nothing to do */
  char         *command;   /* the one that mends it, where one does; NULL: none */
} GilkCheck;

void gilk_check_clear (GilkCheck *check);
/* "good", "note", "warn", "bad" */
const char *gilk_check_state_name (GilkCheckState state);

/* @facts: as gilk_target_doctor() gives them. (transfer full) (element-type GilkCheck) */
GArray *gilk_doctor_judge  (GHashTable *facts);
/* Checks in state BAD. */
guint   gilk_doctor_n_bad  (const GArray *checks);
/* Why no hook can be armed on that machine, with the remedy: its first check in state BAD. NULL: none is. (transfer full) (nullable) */
char   *gilk_doctor_why_not (GHashTable *facts);

G_END_DECLS
