/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-fingerprint.c - checks the format of fingerprints in plans
 */
#include "core/plan/gilk-plan-private.h"

#include <string.h>

#define FINGERPRINT_LEN 16

gboolean
gilk_plan_consists_of (const char *text, const char *set)
{
  return *text != '\0' && text[strspn (text, set)] == '\0';
}

/* Accepts two fingerprints separated by a colon, or a single fingerprint as in version 1. */
gboolean
gilk_plan_is_fingerprint (const char *text)
{
  gsize first = strspn (text, GILK_PLAN_HEX);

  if (first != FINGERPRINT_LEN)
    return FALSE;
  text += first;
  if (*text == '\0' || strcmp (text, ":twin") == 0)
    return TRUE;

  return *text == ':' && strlen (text + 1) == FINGERPRINT_LEN && gilk_plan_consists_of (text + 1, GILK_PLAN_HEX);
}
