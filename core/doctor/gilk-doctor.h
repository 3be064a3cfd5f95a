/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor.h - diagnoses a machine from facts that the agent reports, and gives remedies
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum { GILK_CHECK_GOOD, GILK_CHECK_NOTE, GILK_CHECK_WARN, GILK_CHECK_BAD } GilkCheckState;

typedef struct {
  const char   *name;      /* name of the check in JSON, which never changes */
  GilkCheckState state;
  char         *value;     /* what the check found */
  char         *remedy;    /* a sentence that says what to do; NULL: nothing to do */
  char         *command;   /* shell command that carries out the remedy; NULL: none */
} GilkCheck;

void gilk_check_clear (GilkCheck *check);
/* Returns "good", "note", "warn" or "bad". */
const char *gilk_check_state_name (GilkCheckState state);

/* Runs all checks. @facts: from gilk_target_doctor(). (transfer full) (element-type GilkCheck) */
GArray *gilk_doctor_run_checks  (GHashTable *facts);
/* Counts the checks in state BAD. */
guint   gilk_doctor_n_bad  (const GArray *checks);
/* Returns why no hook can be armed on the machine, with the remedy, from the first check in state
 * BAD; NULL: no check is BAD. (transfer full) (nullable) */
char   *gilk_doctor_find_blocker (GHashTable *facts);

/*
 * Checks the two ways to hook a target's kernel: by the driver, and by BPF programs
 *
 * Threads: any.
 */

/* Returns a check for each way, named by gilk_way_name(): GOOD if the way is possible, or BAD with
 * the reason and the remedy. One more check, "features", lists the kernel's features and settings
 * that decide this. @checks: from gilk_doctor_run_checks(). (transfer full) (element-type
 * GilkCheck) */
GArray *gilk_doctor_list_ways (GHashTable *facts, const GArray *checks);
/* Returns the check of @way in @ways; NULL if it has none. */
const GilkCheck *gilk_doctor_way (const GArray *ways, enum gilk_way way);
/* Returns why @way is not possible, with the remedy; NULL if @way is possible, or if this is
 * unknown. (transfer full) (nullable) */
char   *gilk_doctor_find_obstacle (GHashTable *facts, enum gilk_way way);

/*
 * Looks for debug data of a target's kernel on this machine
 *
 * Threads: any.
 */

/* Appends a check to @checks: where the debug data are, or how to get them. @hand: (nullable): path
 * given by the user. @facts: facts about the target; its distribution decides how the package of
 * debug data is named */
void gilk_doctor_add_debug (const char *hand, GilkTarget *target, GHashTable *facts, GArray *checks);

/*
 * Checks which kinds of targets this machine can reach
 *
 * Threads: any; gilk_doctor_open_without_root() blocks.
 */

/* Checks which kinds of targets can be reached. @root: folder to use instead of /, "" for / itself;
 * programs are looked up in $PATH; @is_root: the caller runs as root. (transfer full)
 * (element-type GilkCheck) */
GArray *gilk_doctor_list_targets (const char *root, gboolean is_root);

/* Opens this machine's agent without root: it can read most facts, but cannot arm. (transfer full)
 * (nullable) */
GilkTarget *gilk_doctor_open_without_root (GCancellable *cancellable);

G_END_DECLS
