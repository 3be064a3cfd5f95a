/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector-private.h - private header of the inspector's source files
 *
 * gilk-inspector-facts.c shows the facts of the point, -code.c its program, gilk-inspector.c the
 * rest.
 */
#pragma once

#include "gui/inspector/gilk-code-view.h"
#include "gui/inspector/gilk-inspector.h"
#include "gui/inspector/gilk-params.h"

G_BEGIN_DECLS

/* Id of the entry for a program in the list of instruments; not a valid instrument name. */
#define PROGRAM "{}"

struct _GilkInspector {
  GtkBox           parent_instance;

  GilkPlanModel   *model;
  GilkConnection  *connection;
  GilkTargetPoll  *watch;
  GilkGraphData   *data;
  int              point;
  gboolean         filling;        /* our code is changing the entries */
  GHashTable      *values;         /* parameters of the planned hook, or presets for the next one */
  char            *times_shown;    /* hook and times last shown, to keep typed text; NULL: none */

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
  GtkToggleButton *control;
  GtkButton       *toggle;
  GtkWidget       *machine_code;
};

/* gilk-inspector.c */
GilkWhere gilk_inspector_where      (GilkInspector *self);
/* Returns the index of the planned hook at the current point, -1: not planned. */
int       gilk_inspector_planned    (GilkInspector *self);
gboolean  gilk_inspector_is_program (GilkInspector *self);
void      gilk_inspector_show_help  (GilkInspector *self);

/* gilk-inspector-facts.c */
void gilk_inspector_show_bytes       (GilkInspector *self);
/* @refusal: 0: none; @problem: (nullable): shown instead of it */
void gilk_inspector_show_refusal     (GilkInspector *self, guint refusal, const char *problem);
void gilk_inspector_show_plan_facts  (GilkInspector *self, const GilkHookStatus *status);
void gilk_inspector_show_point_facts (GilkInspector *self);

/* gilk-inspector-code.c */
/* Returns the help text for a program. (transfer full) */
char       *gilk_inspector_describe_program  (GilkInspector *self);
/* Shows @problem below the program. @problem: (nullable): no problem known */
void        gilk_inspector_show_code_problem (GilkInspector *self, const char *problem);
/* Shows the program of the planned @hook, and its error if the typed text is still the same. */
void        gilk_inspector_show_planned_code (GilkInspector *self, const GilkPlanHook *hook, const GilkHookStatus *status);
/* Returns the problem of the planned hook; NULL if none, or if it is a program error, shown
   below the text. (nullable) */
const char *gilk_inspector_planned_problem   (GilkInspector *self, int index);
void        gilk_inspector_code_edited       (GilkInspector *self);
void        gilk_inspector_code_left         (GilkInspector *self);
void        gilk_inspector_code_entered      (GilkInspector *self);

G_END_DECLS
