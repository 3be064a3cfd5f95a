/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-error.c - the library's error domain
 *
 * Names and exit codes of the closed list in gilk-error.h. Both are part of the command line's
 * contract, which scripts rely on, so entries are only ever added.
 */
#include "core/base/gilk-error.h"

#include <gio/gio.h>

G_DEFINE_QUARK (gilk-error-quark, gilk_error)

static const char *const code_names[] = {
  [GILK_ERROR_FAILED]     = "failed",
  [GILK_ERROR_USAGE]      = "usage",
  [GILK_ERROR_NOT_FOUND]  = "not-found",
  [GILK_ERROR_AMBIGUOUS]  = "ambiguous",
  [GILK_ERROR_REFUSED]    = "refused",
  [GILK_ERROR_STALE]      = "stale",
  [GILK_ERROR_OVERLAP]    = "overlap",
  [GILK_ERROR_TARGET]     = "target",
  [GILK_ERROR_PROTOCOL]   = "protocol",
  [GILK_ERROR_PERMISSION] = "permission",
  [GILK_ERROR_DRIVER]     = "driver",
  [GILK_ERROR_FORMAT]     = "format",
  [GILK_ERROR_STORE]      = "store",
  [GILK_ERROR_CANCELLED]  = "cancelled",
  [GILK_ERROR_STILL_OWNED]       = "still-owned",
  [GILK_ERROR_CONSENT]    = "consent",
};

G_STATIC_ASSERT (G_N_ELEMENTS (code_names) == GILK_ERROR_CONSENT + 1);

const char *
gilk_error_code_name (GilkErrorCode code)
{
  if ((guint) code >= G_N_ELEMENTS (code_names))
    return "unknown";

  return code_names[code];
}

int
gilk_error_exit_code (const GError *error)
{
  if (error == NULL)
    return 0;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
    return 130;
  if (error->domain != GILK_ERROR ||
      error->code < 0 || (guint) error->code >= G_N_ELEMENTS (code_names))
    return 1;

  return 1 + error->code;
}
