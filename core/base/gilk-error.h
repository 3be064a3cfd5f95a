/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-error.h - the library's error domain
 *
 * A closed list of codes. The message of a GError says what failed, where, why and what to do, in
 * one or two sentences; CLI, JSON and GUI show the same text.
 *
 * Threads: any. Returned strings are static.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_ERROR (gilk_error_quark ())

typedef enum {
  GILK_ERROR_FAILED,          /* error of the system; see the message */
  GILK_ERROR_USAGE,           /* invalid argument or input of the user */
  GILK_ERROR_NOT_FOUND,       /* no such function, block, instrument or run */
  GILK_ERROR_AMBIGUOUS,       /* the name matches several functions */
  GILK_ERROR_REFUSED,         /* a point cannot be hooked; names the refusal */
  GILK_ERROR_STALE,           /* the plan does not fit this kernel */
  GILK_ERROR_OVERLAP,         /* hooks overlap */
  GILK_ERROR_TARGET,          /* the target is unreachable or was lost */
  GILK_ERROR_PROTOCOL,        /* invalid message, or another version */
  GILK_ERROR_PERMISSION,
  GILK_ERROR_DRIVER,          /* ilk is not loaded, or fails */
  GILK_ERROR_FORMAT,          /* a file has the wrong format */
  GILK_ERROR_STORE,           /* session file: disk full, locked, or not a session */
  GILK_ERROR_CANCELLED,
  GILK_ERROR_KEPT,            /* disarmed, but other tools still own some bytes */
  GILK_ERROR_CONSENT,         /* it would change what the kernel does, without the user's consent */
} GilkErrorCode;

GQuark gilk_error_quark (void);

/* Returns the stable lower-case name of a code ("stale"), for JSON. Never NULL. */
const char *gilk_error_code_name (GilkErrorCode code);

/* Returns the exit code of a program that ends with @error: 0 for NULL, 1 and up by code, 130 if
 * cancelled. */
int gilk_error_exit_code (const GError *error);

G_END_DECLS
