/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-dialogs.h - popovers and dialogs that edit the plan
 */
#pragma once

#include <gtk/gtk.h>

#include "core/bind/gilk-consent.h"
#include "core/bind/gilk-point-complete.h"
#include "core/plan/gilk-plan-point.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/run/gilk-connection.h"

/*
 * Preset schedules for all hooks of a plan
 *
 * Applying a preset is one undo step. If a preset is not possible, the popover shows why and
 * the plan stays unchanged.
 */

#define GILK_TYPE_ARRANGE_POPOVER (gilk_arrange_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkArrangePopover, gilk_arrange_popover, GILK, ARRANGE_POPOVER, GtkPopover)

/* Creates the popover and attaches it to @button. */
GilkArrangePopover *gilk_arrange_popover_new (GtkMenuButton *button, GilkPlanModel *model);

/* ---- adds counters to all callees of a function, down to a chosen depth ---- */

#define GILK_TYPE_CALLEES_DIALOG (gilk_callees_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkCalleesDialog, gilk_callees_dialog, GILK, CALLEES_DIALOG, GtkDialog)

/* Opens the dialog and returns. @function: name of a function of the connected kernel, as in a
 * plan */
void gilk_callees_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, const char *function);

/*
 * Check of a plan before its run: tactics, refusals and expected cost
 *
 * The menu button shows a summary. Each removal of hooks from the plan is one undo step.
 */

#define GILK_TYPE_CHECK_POPOVER (gilk_check_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkCheckPopover, gilk_check_popover, GILK, CHECK_POPOVER, GtkPopover)

/* Creates the popover and attaches it to @button, which contains @label. */
GilkCheckPopover *gilk_check_popover_new (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model);

/* ---- dialog that asks for consent before a plan may change or crash a kernel ---- */

/* @granted: GILK_CONSENT_NONE if the user declined or closed the dialog */
typedef void (*GilkConsentAnswer) (GilkConsent granted, gpointer user_data);

/**
 * gilk_consent_dialog_show:
 * @items: (element-type GilkConsentItem): from gilk_consent_items(), not empty
 * @target: name of the target, for display.
 *
 * Calls @answer exactly once, with all consents that @items need, or with GILK_CONSENT_NONE.
 */
void gilk_consent_dialog_show (GtkWindow *parent, const GPtrArray *items, const char *target, GilkConsentAnswer answer,
                               gpointer user_data);

/*
 * Popover of a plan's stop conditions
 *
 * Each addition or removal is one undo step. An invalid condition is reported in the popover, and
 * changes nothing.
 */

#define GILK_TYPE_STOP_POPOVER (gilk_stop_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkStopPopover, gilk_stop_popover, GILK, STOP_POPOVER, GtkPopover)

/* Attaches the popover to @button, which contains @label; adds the action "stop-when",
 * which opens the popover, to @actions. */
GilkStopPopover *gilk_stop_popover_new       (GtkMenuButton *button, GtkLabel *label, GilkPlanModel *model,
                                              GActionMap *actions);
/* Sets the fields that stop conditions may use. These are the numeric quantities in the samples of
 * @bound's hooks. */
void             gilk_stop_popover_set_bound (GilkStopPopover *self, const GilkBoundPlan *bound);

/* ---- dialog for adding or changing a watchpoint of the plan ---- */

#define GILK_TYPE_WATCHPOINT_DIALOG (gilk_watchpoint_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GilkWatchpointDialog, gilk_watchpoint_dialog, GILK, WATCHPOINT_DIALOG, GtkDialog)

/* Opens the dialog and returns. @index: index of the watchpoint to change; -1: the dialog adds a
 * new watchpoint */
void gilk_watchpoint_dialog_show (GtkWindow *parent, GilkConnection *connection, GilkPlanModel *model, int index);

/* ---- dialog for adding or changing a tracepoint or timer of the plan ---- */

/* Opens the dialog and returns. @index: index of the hook to change; -1: the dialog adds a new
 * hook */
void gilk_event_dialog_show (GtkWindow *parent, GilkPlanModel *model, int index);

/* ---- looks up names for a watchpoint, and checks it, off the main thread ---- */

/* Looks up names that match @text. @code: look up names of code instead of names of data. Result:
 * (element-type GilkWatchpointChoice), empty without a kernel. */
void       gilk_watchpoint_choices_async  (GilkConnection *connection, const char *text, gboolean code,
                                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *gilk_watchpoint_choices_finish (GAsyncResult *result, GError **error);

typedef struct {
  char    *text;               /* the watchpoint in plan syntax, with a CPU if the variable is
                                * per-CPU */
  char    *facts;              /* description of the watched location; NULL: not looked up */
  char    *problem;            /* why the watchpoint is impossible; NULL: it is possible */
  gboolean wants_cpu;          /* the variable is per-CPU, so a CPU must be chosen */
  gboolean unknown;            /* there is a problem: no symbol has the typed name */
} GilkWatchpointCheck;

void            gilk_watchpoint_check_free (GilkWatchpointCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkWatchpointCheck, gilk_watchpoint_check_free)

/**
 * gilk_watchpoint_check_async:
 * @plan: contains the other watchpoints; copied
 * @index: the watchpoint of @plan to replace; -1: none
 * @text: the watchpoint
 * @cpu: CPU to use if one is needed but @text has none: a number or GILK_WATCHPOINT_EACH_CPU
 *
 * Checks a watchpoint by binding it to the kernel together with the plan's other watchpoints,
 * because all of them share the CPU's few debug registers.
 */
void                 gilk_watchpoint_check_async  (GilkConnection *connection, const GilkPlan *plan, int index, const char *text,
                                                   int cpu, GCancellable *cancellable, GAsyncReadyCallback callback,
                                                   gpointer user_data);
GilkWatchpointCheck *gilk_watchpoint_check_finish (GAsyncResult *result, GError **error);
