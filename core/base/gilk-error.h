/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-error.h - the library's error domain
 *
 * A closed list of codes; the message of a GError says what, where, why and
 * what to do, as one or two sentences. CLI, JSON and GUI show the same text.
 *
 * Threads: any. What is returned is static.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_ERROR (gilk_error_quark ())

typedef enum {
  GILK_ERROR_FAILED,          /* an error of the system, text says which */
  GILK_ERROR_USAGE,           /* the caller's words are off */
  GILK_ERROR_NOT_FOUND,       /* no such function, block, instrument, run */
  GILK_ERROR_AMBIGUOUS,       /* name fits several functions */
  GILK_ERROR_REFUSED,         /* a point cannot be hooked: carries a refusal */
  GILK_ERROR_STALE,           /* plan does not fit this kernel any more */
  GILK_ERROR_OVERLAP,         /* hooks get in each other's way */
  GILK_ERROR_TARGET,          /* target cannot be reached or went away */
  GILK_ERROR_PROTOCOL,        /* the other side talks nonsense or another version */
  GILK_ERROR_PERMISSION,
  GILK_ERROR_DRIVER,          /* ilk is not there, or refuses */
  GILK_ERROR_FORMAT,          /* a file is not what it should be */
  GILK_ERROR_STORE,           /* session file: disk full, locked, not one of ours */
  GILK_ERROR_CANCELLED,
  GILK_ERROR_KEPT,            /* disarmed, but others keep bytes from being put back yet */
  GILK_ERROR_CONSENT,         /* it would change what the kernel does, and nobody has allowed that */
} GilkErrorCode;

GQuark gilk_error_quark (void);

/* Stable lower-case name of a code ("stale"), for JSON. Never NULL. */
const char *gilk_error_code_name (GilkErrorCode code);

/* Exit code of a program that ends with @error: 0 for NULL, 1.. per code; 130 cancelled. */
int gilk_error_exit_code (const GError *error);

G_END_DECLS
