/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-view.h - the text of a probe program, to be written
 *
 * Signals: "edited", the user changed the text; "left", another widget has the focus; "entered", Ctrl+Enter.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/program/gilk-program.h"
#include "gui/gilk-code-proposals.h"

G_BEGIN_DECLS

#define GILK_TYPE_CODE_VIEW (gilk_code_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkCodeView, gilk_code_view, GILK, CODE_VIEW, GtkScrolledWindow)

/**
 * gilk_code_view_show:
 * @code: (nullable): what the plan has; NULL: nothing yet, and the text here is for a hook to come
 * @wrong: (nullable): where it is wrong
 *
 * What is being typed stays as long as the plan has the same.
 */
void  gilk_code_view_show (GilkCodeView *self, const char *code, const GilkProgramError *wrong);
/* Underlines where @code is wrong, if that is what is typed; @wrong: (nullable): it is right. */
void  gilk_code_view_mark (GilkCodeView *self, const char *code, const GilkProgramError *wrong);
/* What completes names in it: Ctrl+Space, and by itself behind a letter. (transfer none) */
GilkCodeProposals *gilk_code_view_proposals (GilkCodeView *self);
/* What is typed, or, where no plan can hold that, what the plan has. (transfer full) */
char *gilk_code_view_code (GilkCodeView *self);
/* What is typed, whether or not a plan can hold it. (transfer full) */
char *gilk_code_view_typed (GilkCodeView *self);
/* Why a plan cannot hold what is typed. (transfer full) (nullable): it can */
char *gilk_code_view_problem (GilkCodeView *self);

G_END_DECLS
