/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-program.h - a probe program, from its text to operations
 *
 * The language is described in doc/PROBES.md, and for users in gilk-probes(7). Text may come from a stranger: its
 * length, depth and numbers are bounded here.
 *
 * Threads: any; immutable once made. On failure outputs are untouched.
 */
#pragma once

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf.h"
#include "core/emit/gilk-ops.h"
#include "core/target/gilk-btf.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

enum { GILK_PROGRAM_TEXT_MAX = 16384, GILK_PROGRAM_DEPTH_MAX = 64 };

/* A function that is to be called in place of another. */
typedef struct {
  uint64_t    address;
  GilkBtf    *btf;           /* (transfer full) (nullable): its kernel's or module's types */
  const char *module;        /* "kernel": it is no module's; lives as long as the symbols do */
  gboolean    vouched;       /* its module says that it has the same prototype: ilk-stand-in.h */
} GilkProgramFunction;

/* What is known of where the program is to be. */
typedef struct {
  GilkBtf    *btf;           /* (nullable): no types but plain ones */
  const char *function;      /* (nullable) */
  /*
   * (nullable): @btf with the types and functions of the point's module on top, from its debug data. Asked once, for the first
   * name that @btf may not have. NULL with an error: the program has to do without, but for GILK_ERROR_TARGET and _CANCELLED.
   * (transfer none), as long as the place lives
   */
  GilkBtf  *(*module_types) (gpointer data, GError **error);
  gboolean    types_alone;   /* @btf has the kernel's types, and does not know the function, which is a module's */
  gboolean    is_user;       /* in a program, not in the kernel */
  gboolean    is_watch;      /* of a watch: what it saw is known, and no function */
  gboolean    is_go;         /* whose arguments are in registers of its own choice */
  gboolean    at_entry;      /* the point is where arguments are in their registers */
  gboolean    comes_back;    /* it is the function's begin, to which control comes back from within: they may be other ones */
  gboolean    at_return;     /* where the value returned is in rax */
  gboolean    at_exit;       /* where the stack is as at the entry, and the function is left */
  /* Per-CPU offsets of the kernel's variables, and members of its struct task_struct; 0: not known. */
  int64_t     current_task, cpu_number;
  uint32_t    task_pid, task_tgid, task_comm;
  uint64_t    tsc_khz;       /* of the clock; 0: not known */
  /* Of an experiment, which may change what the kernel does: */
  gboolean    experiment;
  gboolean    may_return;    /* the function has a return that can be copied */
  gboolean    at_branch;     /* before a conditional branch */
  const char *callee;        /* (nullable): what the instruction at the point calls */
  GilkBtf    *callee_btf;    /* (nullable) */
  gboolean    crash;         /* it may make the kernel crash */
  /* (nullable): @name, to be called for @original. FALSE with GILK_ERROR_NOT_FOUND, _AMBIGUOUS or _REFUSED */
  gboolean  (*find_function) (const char *name, const char *original, GilkProgramFunction *function, gpointer data,
                              GError **error);
  /* (nullable): address of a variable of the kernel or a module; 0: none, or several */
  uint64_t  (*find_variable) (const char *name, gpointer data);
  /* (nullable): (element-type GilkDwarfVariable): those that debug data tell of at the point; NULL without @error: there
   * are no debug data. (transfer none), as long as the place lives */
  const GArray *(*locals)   (gpointer data, GError **error);
  /* (nullable): what to call an address of the function; free it */
  char     *(*spot)          (uint64_t addr, gpointer data);
  /* (nullable): number of the hook of the plan with that label, -1: none; gilk_program_gates() */
  int       (*hook) (const char *label, gpointer data);
  /* (nullable): is that one a watch to which programs tell its address? */
  gboolean  (*moves) (int hook, gpointer data);
  gpointer    data;
} GilkProgramPlace;

typedef enum {
  GILK_KEPT_GLOBAL, GILK_KEPT_COUNTER, GILK_KEPT_HISTOGRAM, GILK_KEPT_MAP,
  GILK_KEPT_STACKS,          /* of the run, each once: ilk-abi-services.h */
  GILK_KEPT_BAD,             /* the counter of what was bad */
  GILK_KEPT_HIDDEN,          /* of every, limit, once */
  GILK_KEPT_MISSED,          /* the counter of what found no room in the map of that name */
} GilkKeptKind;

/* What whoever runs a program does when that says so. */
typedef enum {
  GILK_SIGNAL_NONE,
  GILK_SIGNAL_STOP,          /* the run ends */
  GILK_SIGNAL_NOTIFY,        /* the user is told its name */
} GilkSignal;

/* What a program keeps, to be read while it runs and in the end. */
typedef struct {
  char        *name;
  GilkKeptKind kind;
  guint        area;         /* of its GilkOps */
  guint        element;      /* where it begins there */
  guint        bits;         /* of a histogram */
  guint        slots;        /* of a map, or a table: a map of all CPUs */
  gboolean     is_signed;    /* its values, or a map's keys */
  gboolean     is_common;    /* of all hooks of the run that have one of the name; its area holds nothing else */
  const char  *meaning;      /* (nullable), interned: of a map's keys, or a histogram's values, gilk-meaning.h */
  const char  *unit;         /* (nullable), interned: of the values of a counter, a global or a map */
  gboolean     has_values;   /* something is added to it, or set */
  GilkSignal   signal;       /* of a counter: what is done once it is not 0 */
  int64_t      initial;      /* of a global, whose element begins as 0: its value is the element + this */
} GilkKept;

typedef struct {
  uint32_t line, column;     /* from 1 */
  uint32_t offset, length;   /* bytes of the text */
} GilkProgramError;

/* What a program changes. */
typedef enum {
  GILK_CHANGE_NULLIFY  = 1,  /* the function, or the call, is not entered */
  GILK_CHANGE_REPLACE  = 2,  /* another function is */
  GILK_CHANGE_BRANCH   = 4,
  GILK_CHANGE_REGISTER = 8,
  GILK_CHANGE_MEMORY   = 16,
  GILK_CHANGE_CRASH    = 32, /* of GilkProgramAct alone: the kernel is made to panic */
} GilkChange;

/* A statement of its text that changes something, or panics the kernel. */
typedef struct {
  GilkChange change;
  uint32_t   offset, length; /* bytes of the text */
} GilkProgramAct;

/* A function that it calls. */
typedef struct {
  char    *name, *module;    /* "kernel": it is no module's */
  uint64_t address;
} GilkProgramCall;

typedef struct _GilkProgram GilkProgram;

/**
 * gilk_program_new:
 * @where: (out) (optional): the place of the error
 * Returns: NULL, with GILK_ERROR_USAGE: line, column, what is wrong and what may be done about it
 */
GilkProgram *gilk_program_new    (const char *text, const GilkProgramPlace *place,
                                  GilkProgramError *where, GError **error);
GilkProgram *gilk_program_ref    (GilkProgram *program);
void         gilk_program_unref  (GilkProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkProgram, gilk_program_unref)

const GilkOps         *gilk_program_ops    (const GilkProgram *program);
/* Fields of its samples: none for a program that has no samples, or samples of times alone. */
const struct ilk_field *gilk_program_fields (const GilkProgram *program, guint *count);
/* What the numbers of a field are, as data/schema.sql has it. (nullable), interned */
const char *gilk_program_field_meaning (const GilkProgram *program, guint field);
/* What @value is called in the enum that @meaning names: "B", or "A|B" of an enum of flags. (transfer full) (nullable) */
char       *gilk_program_constant (const GilkProgram *program, const char *meaning, int64_t value);
gboolean               gilk_program_samples (const GilkProgram *program);
const GilkKept        *gilk_program_kept   (const GilkProgram *program, guint *count);
/* GilkChange bits; 0: it changes nothing of the kernel. */
guint                  gilk_program_changes (const GilkProgram *program);
/* Each such statement, in the order of the text. */
const GilkProgramAct  *gilk_program_acts   (const GilkProgram *program, guint *count);
const GilkProgramCall *gilk_program_calls   (const GilkProgram *program, guint *count);
/* The same of a text, as far as it can be told without its place; 0 if it is no program. */
guint                  gilk_program_text_changes (const char *text);
/* "nullify", "replace", "branch", "register", "memory", "crash": of one bit. */
const char            *gilk_change_name     (GilkChange change);
/* Numbers of hooks, as GilkProgramPlace.hook gave them, in the order of the operations' gates. */
const int             *gilk_program_gates  (const GilkProgram *program, guint *count);

G_END_DECLS
