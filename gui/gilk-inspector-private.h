/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector-private.h - what the inspector's source files share
 *
 * gilk-inspector-facts.c shows what is known of the point, -code.c its program, gilk-inspector.c the rest.
 */
#pragma once

#include "gui/gilk-code-view.h"
#include "gui/gilk-inspector.h"
#include "gui/gilk-params.h"

G_BEGIN_DECLS

/* Stands among the instruments for a program, whose text is written below; no instrument has such a name. */
#define PROGRAM "{}"

struct _GilkInspector {
  GtkBox           parent_instance;

  GilkPlanModel   *model;
  GilkConnection  *connection;
  GilkHooksWatch  *watch;
  GilkGraphData   *data;
  int              point;
  gboolean         filling;        /* entries change by us, not by the user */
  GHashTable      *values;         /* parameters of the planned hook, or of the next one */
  char            *times_shown;    /* of which hook, and which: what is typed since then stays; NULL: of none */

  /* Template objects */
  GtkStack        *stack;
  GtkLabel        *title, *subtitle, *bytes;
  GtkLabel        *state, *tactic, *cost, *live, *hits, *lost;
  GtkWidget       *refusal_box, *want_box;
  GtkLabel        *refusal_cause, *refusal_remedy;
  GtkComboBoxText *instrument;
  GtkLabel        *instrument_help;
  GilkCodeView    *code;
  GtkLabel        *code_problem;
  GilkParams      *params;
  GtkEntry        *start, *stop;
  GtkToggleButton *witness;
  GtkButton       *toggle;
  GtkWidget       *machine_code;
};

/* gilk-inspector.c */
GilkWhere   gilk_inspector_where      (GilkInspector *self);
/* Index of the planned hook at the current point, -1 if it is not planned. */
int         gilk_inspector_planned    (GilkInspector *self);
gboolean    gilk_inspector_is_program (GilkInspector *self);
void        gilk_inspector_show_help  (GilkInspector *self);

/* gilk-inspector-facts.c */
void        gilk_inspector_show_bytes       (GilkInspector *self);
/* @refusal: 0: none; @problem: (nullable): shown in its place */
void        gilk_inspector_show_refusal     (GilkInspector *self, guint refusal, const char *problem);
void        gilk_inspector_show_plan_facts  (GilkInspector *self, const GilkHookStatus *status);
void        gilk_inspector_show_point_facts (GilkInspector *self);

/* gilk-inspector-code.c */
/* (transfer full) */
char       *gilk_inspector_describe_program  (GilkInspector *self);
/* Below the text that it is about. @problem: (nullable): none is known */
void        gilk_inspector_show_code_problem (GilkInspector *self, const char *problem);
/* What the plan has, and what is wrong with it as long as that is what is typed. */
void        gilk_inspector_show_planned_code (GilkInspector *self, const GilkPlanHook *hook, const GilkHookStatus *status);
/* Of the planned hook; what is wrong in its program's text is told below that. (nullable) */
const char *gilk_inspector_planned_problem   (GilkInspector *self, int index);
void        gilk_inspector_code_edited       (GilkInspector *self);
void        gilk_inspector_code_taken        (GilkInspector *self);
void        gilk_inspector_code_entered      (GilkInspector *self);

G_END_DECLS
