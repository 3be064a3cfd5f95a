/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-program.h - a probe program, from its text to operations
 *
 * The language is described in gilk-probes(7). Text is untrusted:
 * its length, nesting and numbers are bounded here.
 *
 * Threads: any; immutable once made. On failure outputs are untouched.
 */
#pragma once

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf.h"
#include "core/emit/gilk-ops.h"
#include "core/types/gilk-btf.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum { GILK_PROGRAM_TEXT_MAX = 16384, GILK_PROGRAM_DEPTH_MAX = 64 };

/* A function to call in place of another. */
typedef struct {
  uint64_t    address;
  GilkBtf    *btf;           /* (transfer full) (nullable): its kernel's or module's types */
  const char *module;        /* "kernel" if it is not a module's; lives as long as the symbols do */
  gboolean    vouched;       /* its module declares the same prototype: ilk-stand-in.h */
} GilkProgramFunction;

/* Facts about the probe point of a program. */
typedef struct {
  GilkBtf    *btf;            /* (nullable): without it there are only plain types */
  const char *function;       /* (nullable) */
  /*
   * (nullable): Returns @btf with the types and functions of the point's module added, from its
   * debug data. Called once, at the first name that @btf does not have. NULL with an error: the
   * program must do without them, except that GILK_ERROR_TARGET and _CANCELLED fail it. (transfer
   * none), as long as the place lives
   */
  GilkBtf  *(*module_types) (gpointer data, GError **error);
  gboolean    types_alone;    /* @btf has only the kernel's types; the function is a module's */
  gboolean    is_user;        /* the point is in a user-space program */
  gboolean    is_watch;       /* of a watchpoint: its facts are known, and no function */
  gboolean    is_go;          /* a Go function, which passes arguments in other registers */
  gboolean    at_entry;       /* arguments are in their registers at the point */
  gboolean    loops_to_entry; /* the point is the entry, and a loop back to it may have changed them */
  gboolean    at_return;      /* the return value is in rax */
  gboolean    at_exit;        /* the stack is as at the entry, and the function is about to be left */
  /* Offsets of per-CPU kernel variables, and of members of struct task_struct; 0: unknown. */
  int64_t     current_task, cpu_number;
  uint32_t    task_pid, task_tgid, task_comm;
  uint64_t    tsc_khz;        /* frequency of the clock; 0: unknown */
  /* For programs that the user allowed to change what the kernel does: */
  gboolean    may_change;
  gboolean    may_return;     /* the function has a return instruction that can be copied */
  gboolean    at_branch;      /* a conditional branch follows the point */
  const char *callee;         /* (nullable): the function that the instruction at the point calls */
  GilkBtf    *callee_btf;     /* (nullable) */
  gboolean    crash;          /* the user allowed it to crash the kernel */
  /*
   * (nullable): Finds function @name, to be called in place of @original. FALSE with
   * GILK_ERROR_NOT_FOUND, _AMBIGUOUS or _REFUSED
   */
  gboolean  (*find_function) (const char *name, const char *original, GilkProgramFunction *function, gpointer data,
                              GError **error);
  /* (nullable): Returns the address of a variable of the kernel or a module; 0: none, or several */
  uint64_t  (*find_variable) (const char *name, gpointer data);
  /* (nullable): Returns the variables that debug data has at the point. (element-type
   * GilkDwarfVariable) NULL without @error: debug data are missing. (transfer none), as long as
   * the place lives */
  const GArray *(*locals)   (gpointer data, GError **error);
  /* (nullable): Returns a name for an address in the function. (transfer full) */
  char     *(*address_name)          (uint64_t addr, gpointer data);
  /* (nullable): Returns the number of the hook with that label, or -1; gilk_program_gates() */
  int       (*hook) (const char *label, gpointer data);
  /* (nullable): Returns whether that hook is a watchpoint whose address programs set */
  gboolean  (*moves) (int hook, gpointer data);
  gpointer    data;
} GilkProgramPlace;

typedef enum {
  GILK_MAP_GLOBAL, GILK_MAP_COUNTER, GILK_MAP_HISTOGRAM, GILK_MAP_HASH,
  GILK_MAP_STACKS,          /* stack traces of the run, each stored once: ilk-abi-services.h */
  GILK_MAP_BAD,             /* the counter of bad values */
  GILK_MAP_HIDDEN,          /* state of every, limit, once */
  GILK_MAP_MISSED,          /* updates that found no room in the map of that name */
} GilkMapKind;

/* The action that a program's counter asks for. */
typedef enum {
  GILK_SIGNAL_NONE,
  GILK_SIGNAL_STOP,          /* end the run */
  GILK_SIGNAL_NOTIFY,        /* show its name to the user */
} GilkSignal;

/* A map of a program (counter, histogram, map, table), read while it runs and at the end. */
typedef struct {
  char        *name;
  GilkMapKind kind;
  guint        area;         /* index in the program's GilkOps */
  guint        element;      /* its first element in the area */
  guint        bits;         /* of a histogram */
  guint        slots;        /* of a map or a table; a table is a map for all CPUs */
  gboolean     is_signed;    /* whether its values, or a map's keys, are signed */
  gboolean     is_common;    /* shared by all hooks of the run that declare it, in an area of its own */
  const char  *meaning;      /* (nullable), interned: of a map's keys or a histogram's values, gilk-meaning.h */
  const char  *unit;         /* (nullable), interned: of the values of a counter, a global or a map */
  gboolean     has_values;   /* the program adds to it or sets it */
  GilkSignal   signal;       /* of a counter: what to do once it is not 0 */
  int64_t      initial;      /* of a global: its value is the element, which starts as 0, plus this */
} GilkProgramMap;

typedef struct {
  uint32_t line, column;     /* from 1 */
  uint32_t offset, length;   /* bytes of the text */
} GilkProgramError;

/* The kinds of changes that a program makes. */
typedef enum {
  GILK_CHANGE_NULLIFY  = 1,  /* skips the function, or the call */
  GILK_CHANGE_REPLACE  = 2,  /* calls another function instead */
  GILK_CHANGE_BRANCH   = 4,
  GILK_CHANGE_REGISTER = 8,
  GILK_CHANGE_MEMORY   = 16,
  GILK_CHANGE_CRASH    = 32, /* panics the kernel; in GilkProgramAct only */
} GilkChange;

/* A statement of a program that changes something, or panics the kernel. */
typedef struct {
  GilkChange change;
  uint32_t   offset, length; /* bytes of the text */
} GilkProgramAct;

/* A kernel function that the program calls. */
typedef struct {
  char    *name, *module;    /* "kernel" if it is not a module's */
  uint64_t address;
} GilkProgramCall;

typedef struct _GilkProgram GilkProgram;

/**
 * gilk_program_new:
 * @where: (out) (optional): the place of the error
 * Returns: NULL with GILK_ERROR_USAGE: line, column, what is wrong and how to correct it
 */
GilkProgram *gilk_program_new   (const char *text, const GilkProgramPlace *place,
                                 GilkProgramError *where, GError **error);
GilkProgram *gilk_program_ref   (GilkProgram *program);
void         gilk_program_unref (GilkProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkProgram, gilk_program_unref)

const GilkOps         *gilk_program_ops    (const GilkProgram *program);
/*
 * Returns the fields of its samples. There are none if the program takes no samples, or samples
 * with only a time.
 */
const struct ilk_field *gilk_program_fields (const GilkProgram *program, guint *count);
/* Returns the meaning of a field's numbers, in terms of data/schema.sql. (nullable), interned */
const char *gilk_program_field_meaning (const GilkProgram *program, guint field);
/*
 * Returns the name of @value in the enum that @meaning names: "B", or "A|B" for flags. (transfer
 * full) (nullable)
 */
char       *gilk_program_constant (const GilkProgram *program, const char *meaning, int64_t value);
gboolean               gilk_program_samples (const GilkProgram *program);
const GilkProgramMap        *gilk_program_maps   (const GilkProgram *program, guint *count);
/* Returns GilkChange bits; 0 if it changes nothing in the kernel. */
guint                  gilk_program_changes (const GilkProgram *program);
/* Returns each statement that changes something, in the order of the text. */
const GilkProgramAct  *gilk_program_acts   (const GilkProgram *program, guint *count);
const GilkProgramCall *gilk_program_calls   (const GilkProgram *program, guint *count);
/* Returns GilkChange bits of a text, as far as they show without its place; 0: not a program. */
guint                  gilk_program_text_changes (const char *text);
/* Returns the name of one bit: "nullify", "replace", "branch", "register", "memory", "crash". */
const char            *gilk_change_name     (GilkChange change);
/* Returns hook numbers as GilkProgramPlace.hook gave them, in the order of operations' gates. */
const int             *gilk_program_gates  (const GilkProgram *program, guint *count);

G_END_DECLS
