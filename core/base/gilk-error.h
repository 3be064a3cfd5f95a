/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-error.h - the library's error domain
 *
 * All errors of the library have one of the codes below. The message of a GError says what failed,
 * where, why and what to do, in one or two sentences; CLI, JSON and GUI show the same text.
 *
 * Threads: any. Returned strings are static.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_ERROR (gilk_error_quark ())

typedef enum {
  GILK_ERROR_FAILED,          /* system error; see the message */
  GILK_ERROR_USAGE,           /* invalid argument or user input */
  GILK_ERROR_NOT_FOUND,       /* no such function, block, instrument or run */
  GILK_ERROR_AMBIGUOUS,       /* a name matches several functions */
  GILK_ERROR_REFUSED,         /* a probe point cannot be hooked; the message gives the reason */
  GILK_ERROR_STALE,           /* the plan (file that lists hooks) does not fit this kernel */
  GILK_ERROR_OVERLAP,         /* two hooks need the same bytes of kernel text */
  GILK_ERROR_TARGET,          /* the target, the machine to hook, is unreachable or was lost */
  GILK_ERROR_PROTOCOL,        /* invalid message, or another protocol version */
  GILK_ERROR_PERMISSION,
  GILK_ERROR_DRIVER,          /* the ilk driver is not loaded, or failed */
  GILK_ERROR_FORMAT,          /* a file has the wrong format */
  GILK_ERROR_STORE,  /* a session file (recorded runs) is locked or invalid, or the disk is full */
  GILK_ERROR_CANCELLED,
  GILK_ERROR_STILL_OWNED,            /* hooks are off, but a kprobe or another tool still owns bytes
                                      * that their patches changed */
  GILK_ERROR_CONSENT,  /* the plan changes what the kernel does, which needs the user's consent */
} GilkErrorCode;

GQuark gilk_error_quark (void);

/* Sets @error (nullable) to a message in the format of printf(). Returns FALSE. */
gboolean gilk_fail      (GError **error, GilkErrorCode code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Works like gilk_fail(), but returns NULL. */
gpointer gilk_fail_null (GError **error, GilkErrorCode code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Returns TRUE if *@local is NULL; else moves *@local to @error and returns FALSE. Called at the
 * end of a function whose steps set *@local when they fail. */
gboolean gilk_check_end (GError **local, GError **error);

/* Returns the stable lower-case name of a code, such as "stale", for JSON. Never NULL. */
const char *gilk_error_code_name (GilkErrorCode code);

/* Returns the exit code of a program that ends with @error: 0 for NULL, 130 if cancelled, else 1 or
 * more, depending on the error's code. */
int gilk_error_exit_code (const GError *error);

/*
 * Error messages for files that cannot be read or written; each says what the user can do
 *
 * All writers share the messages for a parent directory that is missing, that is a file or that is
 * not writable, and for a full disk. All readers share the messages for a missing file, with a
 * similar name as a suggestion, and for missing permission.
 *
 * Threads: any.
 */

/* Sets @error (nullable) to an error that says that @path cannot be written. @why: errno of the
 * attempt, 0 if unknown. Returns FALSE. */
gboolean gilk_unwritable    (const char *path, int why, GError **error);
/* Works like gilk_unwritable() for an error of GLib or GIO. */
gboolean gilk_unwritable_by (const char *path, const GError *why, GError **error);
/* Returns whether the parent directory of @path exists, and @path is not a directory itself; if
 * not, sets @error like gilk_unwritable(). Does not change the file system. */
gboolean gilk_check_writable (const char *path, GError **error);

/* Sets @error (nullable) to an error that says that @path cannot be read. @why: errno of the
 * attempt, 0 if unknown. Returns FALSE. */
gboolean gilk_unreadable    (const char *path, int why, GError **error);
/* Works like gilk_unreadable() for an error of GLib or GIO. */
gboolean gilk_unreadable_by (const char *path, const GError *why, GError **error);

/*
 * Sets the language of a program
 *
 * Messages are in the user's language; numbers have one format in all languages, so that a
 * duration, a plan or a table can be passed to a user of another language. Output for programs is
 * not translated.
 *
 * Threads: only the main thread, before other threads exist.
 */

/* Sets the language to that of the user. @for_programs: output, including errors, is for programs
 * and not translated */
void gilk_locale_init (gboolean for_programs);

G_END_DECLS
