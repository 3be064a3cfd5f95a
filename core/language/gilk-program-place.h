/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-program-place.h - properties of a program's probe point: types, functions and variables
 * there, and the user's permissions
 *
 * Threads: only the thread that compiles the program.
 */
#pragma once

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf.h"
#include "core/types/gilk-btf.h"

G_BEGIN_DECLS

/* A function that replaces another one in a call. */
typedef struct {
  uint64_t    address;
  /* (transfer full) (nullable): types of the function's module, or of the kernel */
  GilkBtf    *btf;
  const char *module;  /* the function's module or "kernel"; lives as long as the symbols do */
  /* the function's module asserts that its prototype equals that of the replaced function; see
   * ilk-stand-in.h */
  gboolean    vouched;
} GilkProgramFunction;

/* Properties of a program's probe point. */
typedef struct {
  GilkBtf    *btf;            /* (nullable): types at the point; NULL: there are only plain types */
  const char *function;       /* (nullable) */
  /*
   * (nullable): Returns @btf plus the types and functions that debug data have at the point.
   * Called at most twice: first for the first name that @btf lacks or, if @btf is NULL or
   * @types_alone is set, for the program's first name; then for the first type that is still not
   * found.
   * @name: (nullable): type to look for in other units, too. If NULL is returned with an error, the
   * program is compiled without these types, unless the error is GILK_ERROR_TARGET or _CANCELLED.
   * (transfer none), valid as long as this struct
   */
  GilkBtf  *(*debug_types) (const char *name, gpointer data, GError **error);
  gboolean    types_alone;    /* @btf has only the kernel's types; the function is in a module */
  gboolean    is_user;        /* the point is in a user-space program */
  gboolean    is_watch;       /* the point is a watchpoint, so it is in no function */
  gboolean    is_event;       /* the point is a tracepoint or timer, so it is in no function */
  gboolean    has_arguments;  /* the point is a tracepoint: programs get its arguments, no registers */
  const GilkPrototype *arguments;  /* (nullable): the types of a tracepoint's arguments in @btf */
  gboolean    is_go;  /* the function is a Go function, which has arguments in other registers */
  gboolean    at_entry;       /* the arguments are in the registers in which they are passed */
  gboolean    loops_to_entry; /* the point is the function's entry, but the function also jumps back
                               * to it, and argument registers may have changed by then */
  gboolean    at_return;      /* the return value is in rax */
  gboolean    at_exit;        /* the function is about to return; the stack is as at its entry */
  /* Offsets of per-CPU kernel variables, and of members of struct task_struct; 0: unknown. */
  int64_t     current_task, cpu_number;
  uint32_t    task_pid, task_tgid, task_comm;
  uint64_t    tsc_khz;        /* frequency of the TSC; 0: unknown */
  /* the user allowed the program to change what the kernel does */
  gboolean    may_change;
  gboolean    may_return;     /* the function has a return instruction that can be copied, so a
                               * program can return from it */
  gboolean    at_branch;      /* a conditional branch follows the point */
  const char *callee;         /* (nullable): the function that the instruction at the point calls */
  GilkBtf    *callee_btf;     /* (nullable) */
  gboolean    crash;          /* the user allowed the program to crash the kernel */
  /*
   * (nullable): Finds function @name, to be called in place of @original. FALSE with
   * GILK_ERROR_NOT_FOUND, _AMBIGUOUS or _REFUSED
   */
  gboolean  (*find_function) (const char *name, const char *original, GilkProgramFunction *function, gpointer data,
                              GError **error);
  /* (nullable): Returns the address of a variable of the kernel or a module; 0: no variable of this
   * name, or several */
  uint64_t  (*find_variable) (const char *name, gpointer data);
  /* (nullable): Returns the variables that debug data have at the point. (element-type
   * GilkDwarfVariable) NULL without @error: debug data are missing. (transfer none), valid as long
   * as this struct */
  const GArray *(*locals)   (gpointer data, GError **error);
  /* (nullable): Returns a name for an address in the function. (transfer full) */
  char     *(*address_name)          (uint64_t addr, gpointer data);
  /* (nullable): Returns the index of the hook with @label, or -1; see gilk_program_gates() */
  int       (*hook) (const char *label, gpointer data);
  /* (nullable): Returns whether @hook is a watchpoint with an address that is set by programs */
  gboolean  (*moves) (int hook, gpointer data);
  gpointer    data;
} GilkProgramPlace;

G_END_DECLS
