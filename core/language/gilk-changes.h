/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-changes.h - changes that a program makes in the kernel
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* The ways in which a probe program can change the kernel's behaviour, as bits. */
typedef enum {
  GILK_CHANGE_NULLIFY  = 1,  /* the program skips the hooked function, or the call at the probe
                              * point */
  GILK_CHANGE_REPLACE  = 2,  /* the program calls another function instead of the original one */
  GILK_CHANGE_BRANCH   = 4,
  GILK_CHANGE_REGISTER = 8,
  GILK_CHANGE_MEMORY   = 16,
  GILK_CHANGE_CRASH    = 32, /* the program panics the kernel; only used in GilkProgramAct */
} GilkChange;

/* A statement of a probe program that changes the kernel's behaviour, or panics the kernel. */
typedef struct {
  GilkChange change;
  /* position and length of the statement in the program text, in bytes */
  uint32_t   offset, length;
} GilkProgramAct;

/* A kernel function that the program calls in place of another one. */
typedef struct {
  char    *name, *module;    /* name of the function, and of its module or "kernel" */
  uint64_t address;
} GilkProgramCall;

/* Returns the changes (GilkChange bits) that are evident from the program's text alone, whatever
 * its probe point; 0 if there are none, or if @text cannot be parsed. */
guint       gilk_program_text_changes (const char *text);
/* Returns the name of @change: "nullify", "replace", "branch", "register", "memory", "crash". */
const char *gilk_change_name          (GilkChange change);

G_END_DECLS
