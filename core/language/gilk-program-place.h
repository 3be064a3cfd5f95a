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
  /* the module that contains this function declares that it has the same prototype as the replaced
   * function; see ilk-stand-in.h */
  gboolean    vouched;
} GilkProgramFunction;

/* Properties of a program's probe point. */
typedef struct {
  GilkBtf    *btf;            /* (nullable): types at the probe point; NULL: only plain types such
                               * as u32 */
  const char *function;       /* (nullable) */
  uint64_t    function_start; /* address of the kernel function; 0: the point is not in one */
  /*
   * (nullable): Returns @btf plus the types and functions that debug data have at the probe point.
   * Called at most twice: once when @btf lacks a name (or, if @btf is NULL or @types_alone is set,
   * when the program uses its first name), and once more when a type is still not found.
   * @name: (nullable): type to look for in other compilation units as well.
   * If the call fails, the program is compiled without the types from debug data, unless the error
   * is GILK_ERROR_TARGET or _CANCELLED. (transfer none), valid as long as this struct
   */
  GilkBtf  *(*debug_types) (const char *name, gpointer data, GError **error);
  gboolean    types_alone;    /* @btf has only the kernel's types; the function is in a module */
  gboolean    is_user;        /* the probe point is in a user-space program */
  gboolean    is_watch;       /* the probe point is a watchpoint, so it is not in a function */
  gboolean    is_event;       /* the probe point is a tracepoint or timer, so it is not in a
                               * function */
  gboolean    has_arguments;  /* tracepoint: programs get its arguments, not registers */
  const GilkPrototype *arguments;  /* (nullable): the types of a tracepoint's arguments in @btf */
  gboolean    is_go;  /* the function is in Go, which passes arguments in other registers than C */
  gboolean    at_entry;       /* the probe point is the function's entry: arguments are still in the
                               * registers in which they are passed */
  gboolean    loops_to_entry; /* the probe point is the function's entry, but the function also
                               * jumps back to it, after it may have changed argument registers */
  gboolean    at_return;      /* the return value is in rax */
  gboolean    at_exit;        /* the function is about to return; the stack is as at its entry */
  /* Offsets of per-CPU kernel variables (first line), and of members of struct task_struct (second
   * line); 0: unknown. */
  int64_t     current_task, cpu_number;
  uint32_t    task_pid, task_tgid, task_comm;
  uint64_t    tsc_khz;        /* frequency of the TSC; 0: unknown */
  /* the user allowed the program to change what the kernel does */
  gboolean    may_change;
  gboolean    may_return;     /* the function has a return instruction that can be copied, so a
                               * program can return from it */
  gboolean    at_branch;      /* a conditional branch follows the probe point */
  const char *callee;         /* (nullable): the function that the instruction at the probe point
                               * calls */
  GilkBtf    *callee_btf;     /* (nullable) */
  gboolean    crash;          /* the user allowed the program to crash the kernel */
  /*
   * (nullable): Finds function @name, to be called in place of @original. FALSE with
   * GILK_ERROR_NOT_FOUND, _AMBIGUOUS or _REFUSED
   */
  gboolean  (*find_function) (const char *name, const char *original, GilkProgramFunction *function, gpointer data,
                              GError **error);
  /* (nullable): Returns the address of variable @name of the kernel or a module; 0: the variable
   * does not exist, or several have this name */
  uint64_t  (*find_variable) (const char *name, gpointer data);
  /* (nullable): Returns the variables that debug data have at the point. (element-type
   * GilkDwarfVariable) NULL without @error: debug data are missing. (transfer none), valid as long
   * as this struct */
  const GArray *(*locals)   (gpointer data, GError **error);
  /* (nullable): Returns a name for an address in the function. (transfer full) */
  char     *(*address_name)          (uint64_t addr, gpointer data);
  /* (nullable): Returns the index of the hook with @label, or -1; see gilk_program_gates() */
  int       (*hook) (const char *label, gpointer data);
  /* (nullable): Returns whether @hook is a watchpoint whose address programs set at run time */
  gboolean  (*moves) (int hook, gpointer data);
  gpointer    data;
} GilkProgramPlace;

G_END_DECLS
