/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-consent-dialog.h - dialog that asks for consent before a plan may change or crash a kernel
 */
#pragma once

#include <gtk/gtk.h>

#include "core/bind/gilk-consent.h"

G_BEGIN_DECLS

/* @granted: GILK_CONSENT_NONE if the user declined or closed the dialog */
typedef void (*GilkConsentAnswer) (GilkConsent granted, gpointer user_data);

/**
 * gilk_consent_dialog_show:
 * @items: (element-type GilkConsentItem): from gilk_consent_items(), not empty
 * @target: name of the target, for display
 *
 * Calls @answer exactly once, with everything that @items need or with GILK_CONSENT_NONE.
 */
void gilk_consent_dialog_show (GtkWindow *parent, const GPtrArray *items, const char *target, GilkConsentAnswer answer,
                               gpointer user_data);

G_END_DECLS
