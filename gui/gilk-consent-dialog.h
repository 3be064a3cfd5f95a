/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-consent-dialog.h - asks whether a plan may do to a kernel what it would do
 */
#pragma once

#include <gtk/gtk.h>

#include "core/run/gilk-consent.h"

G_BEGIN_DECLS

/* @granted: GILK_CONSENT_NONE: the user declined, or closed the dialog */
typedef void (*GilkConsentAnswer) (GilkConsent granted, gpointer user_data);

/**
 * gilk_consent_dialog_show:
 * @items: (element-type GilkConsentItem): of gilk_consent_items(), not empty
 * @target: whose kernel it is
 *
 * @answer is called once, with all that the items need or with none of it.
 */
void gilk_consent_dialog_show (GtkWindow *parent, const GPtrArray *items, const char *target, GilkConsentAnswer answer,
                               gpointer user_data);

G_END_DECLS
