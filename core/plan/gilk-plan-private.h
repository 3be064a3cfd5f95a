/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-private.h - keywords of the plan format, shared by parser and writer
 */
#pragma once

#include "core/plan/gilk-plan.h"

#define GILK_PLAN_GROUP   "gilk-plan"
#define GILK_PLAN_VERSION 2     /* version 1 had fingerprints of 16 digits, and no key build-id= */
#define GILK_HOOK_PREFIX  "hook "
#define GILK_PROGRAM_PREFIX "program "
#define GILK_WATCHPOINT_PREFIX "watchpoint "
#define GILK_EVENT_PREFIX "event "
#define GILK_PARAM_PREFIX "param."
#define GILK_TACTIC_INNER "inner"
#define GILK_LABEL_MAX    128
#define GILK_LABEL_CHARS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"
#define GILK_PLAN_HEX     "0123456789abcdef"

/* The next two functions check the form of a text, and return TRUE if it is valid. They are in
 * gilk-plan-point.c. */
/* Returns TRUE if @text has only characters of @set. */
gboolean gilk_plan_consists_of    (const char *text, const char *set);
gboolean gilk_plan_is_fingerprint (const char *text);

/* Writes a plan's text to a file. In gilk-plan.c. */
gboolean gilk_plan_save_text (const char *text, const char *path, GError **error);

/* gilk-plan-program.c */
void     gilk_plan_program_free    (GilkPlanProgram *program);
gboolean gilk_plan_is_program_name (const char *name);       /* returns TRUE if @name is a valid
                                                              * name of a program */

/* Fails with the error that watchpoint @text is invalid; @format is the reason. Returns: FALSE */
gboolean gilk_plan_watchpoint_fail (const char *text, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);
