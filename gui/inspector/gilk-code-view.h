/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-view.h - editor for probe programs, and completion in it
 */
#pragma once

#include <gtk/gtk.h>
#include <gtksourceview/gtksource.h>

#include "core/cfg/gilk-point.h"
#include "core/program/gilk-program.h"
#include "gui/graph/gilk-graph-data.h"

/* ---- completion of program text ---- */

#define GILK_TYPE_CODE_PROPOSALS (gilk_code_proposals_get_type ())
G_DECLARE_FINAL_TYPE (GilkCodeProposals, gilk_code_proposals, GILK, CODE_PROPOSALS, GObject)

GilkCodeProposals *gilk_code_proposals_new (void);

/**
 * gilk_code_proposals_set_point:
 * @data: (nullable): the function; NULL turns completion off
 * @labels: (nullable) (transfer full): labels of the plan's hooks.
 *
 * Sets the probe point whose program is being completed.
 */
void gilk_code_proposals_set_point (GilkCodeProposals *self, GilkGraphData *data, guint block, GilkWhere where,
                                    gboolean may_change, GStrv labels);

/*
 * Editor for probe programs.
 *
 * Signals: "edited" (the user changed the text), "left" (the widget lost the focus), "entered"
 * (Ctrl+Enter).
 */

#define GILK_TYPE_CODE_VIEW (gilk_code_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkCodeView, gilk_code_view, GILK, CODE_VIEW, GtkScrolledWindow)

/**
 * gilk_code_view_show:
 * @code: (nullable): the plan's program; NULL: the text is for a hook that is not in the plan yet
 * @wrong: (nullable): the error in @code.
 *
 * Shows @code. If the user has typed other text, keeps it as long as @code is the same as at the
 * last call.
 */
void  gilk_code_view_show (GilkCodeView *self, const char *code, const GilkProgramError *wrong);
/* Underlines the error @wrong if the text still equals @code. @wrong: (nullable): no error */
void  gilk_code_view_mark_error (GilkCodeView *self, const char *code, const GilkProgramError *wrong);
/* Returns the provider of completions, which are proposed on Ctrl+Space, and automatically while a
 * name is being typed. (transfer none) */
GilkCodeProposals *gilk_code_view_proposals (GilkCodeView *self);
/* Returns the text in the editor if a plan can store it; otherwise the plan's program or, if there
 * is none, a default program. (transfer full) */
char *gilk_code_view_code (GilkCodeView *self);
/* Returns the text in the editor, even if a plan cannot store it. (transfer full) */
char *gilk_code_view_typed (GilkCodeView *self);
/* Returns why a plan cannot store the text in the editor; NULL: it can. (transfer full)
 * (nullable) */
char *gilk_code_view_problem (GilkCodeView *self);
