/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - reads the maps of a run's programs
 */
#pragma once

#include "cli/session.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* A hook that ran a program, with its maps. */
typedef struct {
  const GilkStoredHook *hook;         /* owned by the session */
  GilkStoredProgram    *program;
  GArray               *kept;         /* GilkStoredKept */
  GilkStoredNames      *names;        /* of the run */
} CliKept;

/* A map of a hook; borrowed. */
typedef struct {
  const CliKept        *of;
  const GilkStoredKept *thing;
} CliThing;

/* Reads the maps of hooks with labels in @hooks (NULL: all), in order of the hooks. (transfer full)
 * (element-type CliKept) */
GArray *cli_kept_read (const CliSession *session, char *const *hooks, GError **error);
/* NULL: @hook ran no program. */
const CliKept *cli_kept_of (const GArray *all, const GilkStoredHook *hook);
/* Returns the maps called @name, without counts of missed keys. NULL with an error that lists all
 * names: there is none. (transfer full) (element-type CliThing) */
GArray *cli_kept_find (const GArray *all, const char *name, GError **error);

/* Returns in @count the sum over entries of a kind: bad accesses, or keys missed by all maps.
 * FALSE: there is no such entry. */
gboolean cli_kept_count (const CliKept *of, GilkKeptKind kind, uint64_t *count);

G_END_DECLS
