/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-consent.h - checks that the user has consented to changes of the kernel's behaviour
 *
 * A plan requests changes (changes=yes, crash=); a person grants them, on the command line or in
 * a dialog that lists them. The grant is an argument of the functions that arm hooks:
 * gilk_run_new(), gilk_run_change(), gilk_fleet_start(). None of them arms a hook that needs more
 * consent than was granted.
 *
 * Threads: only the bound plan's thread.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

typedef enum {
  GILK_CONSENT_NONE               = 0,
  GILK_CONSENT_CHANGES            = 1,   /* --allow-changes */
  /* --allow-crash: crashes are granted only if a crash kernel is loaded that saves a dump */
  GILK_CONSENT_CRASH              = 2,
  GILK_CONSENT_CRASH_WITHOUT_DUMP = 4,   /* --allow-crash-without-dump: crashes are granted in any
                                          * case */
} GilkConsent;

/* A change of the kernel's behaviour that a hook's program makes and the user must consent to. */
typedef struct {
  guint       hook;        /* index into the bound plan's hooks */
  GilkConsent needs;       /* the consent that this change needs: exactly one bit */
  GilkChange  change;
  char       *label;       /* the hook's label */
  char       *point;       /* probe point, such as "generic_permission+0x0:pre" */
  char       *statement;   /* source of the change on one line, such as "nullify(0)" */
  char       *effect;      /* a clause for users, such as "the function is not run; its caller gets
                            * this value" */
} GilkConsentItem;

/**
 * gilk_consent_items:
 * Lists the kernel changes that hooks of @bound make and that need the user's consent, in the order
 * of the hooks and of their programs' text. If @bound replaces a live plan, leaves out changes that
 * the user consented to for the live plan.
 * Returns: (transfer full) (element-type GilkConsentItem): empty if nothing needs consent
 */
GPtrArray  *gilk_consent_items  (const GilkBoundPlan *bound);
/* Returns the consent that all of @items need together. */
GilkConsent gilk_consent_needed (const GPtrArray *items);
/* Fails with GILK_ERROR_CONSENT if @bound needs more consent than @granted. The message lists the
 * changes. */
gboolean    gilk_consent_check  (const GilkBoundPlan *bound, GilkConsent granted, GError **error);

G_END_DECLS
