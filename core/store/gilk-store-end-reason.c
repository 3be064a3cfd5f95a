/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-end-reason.c - the reason why a run ended, in the user's language
 *
 * Sessions hold the reason in English, whatever the recorder's locale, because it is compared
 * by programs and in queries.
 */
#include "core/store/gilk-store-end-reason.h"

#include <glib/gi18n.h>

#include "core/base/gilk-strings.h"

enum { TIME_IS_UP, STOPPED };

static const char *const reasons[] = {
  [TIME_IS_UP] = N_("time is up"),
  [STOPPED] = N_("stopped"),
  N_("being recorded"),
  N_("cut off"),
  N_("a ring is full"),
  N_("a livepatch was loaded"),
  N_("disarmed by another client"),
  N_("triggered by %s"),
  N_("ended by a program"),
  N_("condition met: %s (%s)"),
  N_("hook %s could not start"),
  N_("module %s was unloaded"),
  "%s; %s",
  NULL
};

char *
gilk_store_end_reason_text (const char *reason)
{
  return reason != NULL ? gilk_phrase_translate (reason, reasons) : g_strdup (_("not yet"));
}

gboolean
gilk_store_ended_as_planned (const char *reason)
{
  return g_strcmp0 (reason, reasons[TIME_IS_UP]) == 0 || g_strcmp0 (reason, reasons[STOPPED]) == 0;
}
