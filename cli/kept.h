/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - what the programs of a run's hooks kept, read for a command
 */
#pragma once

#include "cli/session.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

/* A hook that ran a program. */
typedef struct {
  const GilkStoredHook *hook;         /* the session's */
  GilkStoredProgram    *program;
  GArray               *kept;         /* GilkStoredKept */
  GilkStoredNames      *names;        /* of the run */
} CliKept;

/* One thing of one hook; borrowed. */
typedef struct {
  const CliKept        *of;
  const GilkStoredKept *thing;
} CliThing;

/* (transfer full) (element-type CliKept): in the order of the hooks. @hooks: labels, NULL: of all */
GArray *cli_kept_read (const CliSession *session, char *const *hooks, GError **error);
/* @hook's, NULL: it ran no program. */
const CliKept *cli_kept_of (const GArray *all, const GilkStoredHook *hook);
/* Those called @name, but what maps missed. NULL, with an error that lists names: there is none. (transfer full)
 * (element-type CliThing) */
GArray *cli_kept_find (const GArray *all, const char *name, GError **error);

/* Of the one number of a kind: how much was bad, or missed by all maps. FALSE: there is no such counter. */
gboolean cli_kept_count (const CliKept *of, GilkKeptKind kind, uint64_t *count);

G_END_DECLS
