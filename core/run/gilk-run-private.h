/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-private.h - the parts of a run: what is armed, samples on their way,
 * what is written down
 *
 * Threads: the target's reader thread puts samples into the queue; the writer
 * thread takes them out and stores them; the run's own thread asks the target and
 * writes all else. The run's thread never waits for the queue, so that answers can
 * always get through behind samples. Who may touch what, when, is asserted in the
 * functions that rely on it.
 *
 * The files, each of which knows only those before it: state; program, user; explain, arm, inflow, measure, head; blocks, ground, cost,
 * clock; loss, journal, samples, signals, fate, kept, names, values; figures, limits; change; together; thread; run.
 */
#pragma once

#include "core/base/gilk-median.h"
#include "core/run/gilk-bound-limits.h"
#include "core/run/gilk-gauge.h"
#include "core/run/gilk-run-together.h"
#include "core/store/gilk-store-cost.h"

#define GILK_RUN_TICK_US    100000 /* for so many hooks at most; more take longer ticks */
#define GILK_RUN_TICK_HOOKS 25000
#define GILK_RUN_STATUS_HOOKS 2000 /* for so many more, states are asked for a tick's time later */
#define GILK_RUN_RATE_TICKS 10     /* rates are over this many ticks */

/* ---- what is armed ---- */

typedef struct _GilkArmed GilkArmed;

typedef struct {
  struct ilk_area given;
  gboolean        is_stacks;      /* read when the run ends: gilk-run-names.c */
  gboolean        is_repeated;    /* common to hooks: another row has it, and puts what is in it into the session */
} GilkArmedArea;

/* What the program of a hook has in the kernel, and where that goes in the session. */
typedef struct {
  GilkArmedArea   *areas;         /* as its operations have them */
  guint            n_areas;
  uint64_t        *addresses;     /* theirs */
  uint32_t        *gates;         /* iids of the hooks that it starts or stops */
  gint64           row;           /* of the hook; 0: not yet */
} GilkArmedProgram;

struct _GilkArmed {
  GilkTarget           *target;   /* (unowned) */
  const GilkBoundPlan  *bound;    /* (unowned) */
  const GilkArmed      *live;     /* (unowned) (nullable): what it follows, until it is armed */
  struct ilk_info       info;
  guint                 n_hooks, n_patches;
  guint                *first_patch; /* per splice plan: how many patches come before its own */
  uint32_t             *iids;     /* per hook, in plan order */
  uint32_t             *patch_of; /* patch id, per hook */
  struct ilk_reserve_patch *reserved_patches;
  struct ilk_reserve_hook  *reserved_hooks;
  GilkArmedProgram     *programs; /* per hook; empty: it has none */
  uint16_t             *refusals; /* per hook: what the driver refused it by, once that is explained; 0: nothing */
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray           *blob;
  uint32_t              switch_iid;  /* whose gate switches those hooks that are switched; 0: none are */
  guint                 n_items, n_hook_items;   /* of patches and hooks: those to prepare */
  gboolean              reserved;
};

/* @live: (nullable): of the plan that @bound follows */
void     gilk_armed_init    (GilkArmed *armed, GilkTarget *target, const GilkBoundPlan *bound,
                             const GilkArmed *live);
void     gilk_armed_clear   (GilkArmed *armed);
/* Reserves, emits and prepares: text is as before afterwards. @image: that the hooks were planned for. */
gboolean gilk_armed_prepare (GilkArmed *armed, GilkImage *image, GCancellable *cancellable, GError **error);
gboolean gilk_armed_arm     (GilkArmed *armed, struct ilk_arm *arm, GCancellable *cancellable,
                             GError **error);
/* Text is as before when this returns TRUE; never cancelled; GILK_ERROR_KEPT may be asked again. */
gboolean gilk_armed_disarm  (GilkArmed *armed, GError **error);
/* Waits a moment until no thread can be inside of what was disarmed. */
void     gilk_armed_settle  (GilkArmed *armed);
/* Disarms and gives ids and slots back; FALSE if text may not be as before. */
gboolean gilk_armed_forget  (GilkArmed *armed);
/* Of a plan that follows a live one: what was prepared is taken back, with @forget its ids
 * too; what has no hooks any more is disarmed. */
void     gilk_armed_drop    (GilkArmed *armed, gboolean forget);
gboolean gilk_armed_end     (GilkArmed *armed, GError **error);
/* gilk-armed-watch.c: those watches that are new, of hooks that are reserved, get their registers. */
gboolean gilk_armed_watch    (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* Behind what @blob has, at a multiple of 8: where. */
uint64_t gilk_armed_append_blob (GByteArray *blob, const void *data, gsize bytes);
/* gilk-run-explain.c: FALSE, with @error as what was refused says. */
gboolean gilk_armed_explain       (GilkArmed *armed, GError **error);
gboolean gilk_armed_explain_patch (GilkArmed *armed, uint32_t id, guint refusal, GError **error);
/* gilk-run-program.c */
/* Memory for programs that are new, once hooks have iids. */
gboolean gilk_armed_reserve_memory (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* gilk-run-service.c: counters of events, and leave to crash, likewise. */
gboolean gilk_armed_ask_services   (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* Patches of programs to their instructions, before they are prepared. @patch, @refusal: set where the driver refuses
 * one; none of its file is bound then. */
gboolean gilk_armed_bind_users (GilkArmed *armed, uint32_t *patch, uint32_t *refusal, GCancellable *cancellable,
                                GError **error);
void     gilk_armed_program_clear  (GilkArmedProgram *program);
void     gilk_armed_program_copy   (GilkArmedProgram *to, const GilkArmedProgram *from);  /* but for what code needs */
/* Reads the code of all programs in a patch of @plan once more. FALSE: it must not be prepared. */
gboolean gilk_programs_prove       (const GilkSplicePlan *plan, const GilkCode *code, uint64_t slot,
                                    const struct ilk_info *info, const GilkBinding *bindings, GError **error);
gboolean gilk_hook_takes_samples (const GilkBoundPlan *bound, guint hook);
/* Neither a counter nor the payload of samples: it may be hit without a trace. */
gboolean gilk_hook_is_silent     (const GilkBoundPlan *bound, guint hook);
/* Its program says itself what a hit is. */
gboolean gilk_hook_says_count    (const GilkBoundPlan *bound, guint hook);

/* ---- hooks that come and go: gilk-run-change.c ---- */

/* What is live after a change. */
typedef struct {
  GilkBoundPlan *bound;
  GilkArmed      armed;
  guint         *rows;     /* of each of its hooks, in the run's plan */
} GilkLivePlan;

void     gilk_live_plan_free     (GilkLivePlan *live);

/* A change that somebody waits for. */
typedef struct {
  GilkBoundPlan *bound;    /* (transfer full), taken by who makes it done */
  GilkConsent    granted;
  gboolean       done;
  GError        *error;
} GilkRunChange;

/* ---- samples on their way into the file ---- */

typedef struct _GilkInflow GilkInflow;

GilkInflow *gilk_inflow_new (GilkStore *store, GMutex *store_lock, const uint32_t *iids,
                             guint n_hooks, guint n_cpus);
void      gilk_inflow_free  (GilkInflow *inflow);
/* GilkSamplesFunc; blocks while the queue is full. */
void      gilk_inflow_put   (guint cpu, const void *cells, gsize bytes, gpointer inflow);
/* Records may be stored from now on: time zero is known. */
void      gilk_inflow_open  (GilkInflow *inflow, gint64 run, const GilkClock *clock);
/* @iids: of all hooks, new ones behind those that were there. */
void      gilk_inflow_grow  (GilkInflow *inflow, const uint32_t *iids, guint n_hooks);
/* Nothing more will come: stores what is there and ends the writer. */
void      gilk_inflow_close (GilkInflow *inflow);
/* What made storing fail. (transfer full) (nullable) */
GError   *gilk_inflow_error (GilkInflow *inflow);
/* Records that came in from a hook and CPU. */
uint64_t  gilk_inflow_received (GilkInflow *inflow, guint hook, guint cpu);
/* Sums up a field of the hook's samples from now on, unless it does already. */
void      gilk_inflow_measure (GilkInflow *inflow, guint hook, const struct ilk_field *field);
/* Copies of what came; @history (out) (nullable). (transfer full) (nullable): it is not summed up */
GilkSketch *gilk_inflow_sketch (GilkInflow *inflow, guint hook, const char *field, GilkValueHistory **history);
/* Records of no hook of the run; the driver makes none such. */
uint64_t  gilk_inflow_strangers (GilkInflow *inflow);
/* Of all rings, as far as they came in; gaps have none. */
uint64_t  gilk_inflow_cells    (GilkInflow *inflow);

/* ---- what hooks cost ---- */

/* Of hooks that run the same code. */
typedef struct {
  char      *instrument;
  guint      tactic, instructions;
  uint32_t   patch;               /* of its code, to be called */
  gboolean   failed;              /* the target could not measure it */
  GArray    *measurements;        /* double, ns */
  GilkMedian ns;                  /* of them */
  double     least_ns;
} GilkRunCost;

typedef struct {
  GArray  *all;                   /* GilkRunCost; NULL: not yet measured */
  uint32_t base;                  /* patch of code that only returns */
  gboolean prepared;              /* that code is in the driver */
  gint64   measured_us, distance_us;  /* last, while the run goes on; 0: not yet. To the next one */
  double   taken_us;              /* by the calls of the last one */
} GilkRunCosts;

/* ---- what went missing ---- */

/* What a hook has lost on a CPU, and since when, if it goes on. */
typedef struct {
  uint64_t lost, dropped;         /* when the target was last asked */
  gboolean open;
  gint64   from_ns;
  uint64_t lost_before, dropped_before;
} GilkOpenLoss;

/* gilk-run-loss.c: run's thread only. Looks at the counters, which were asked for at
 * @asked_us and are there now. */
gboolean gilk_run_note_missing (GilkRun *run, gint64 asked_us, GError **error);
/* What is lost from now on is another loss. */
void     gilk_run_close_losses (GilkRun *run);

/* ---- what is written down ---- */

/* Run, instruments, hooks and functions; the run's id through @run. */
gboolean gilk_run_write_head  (GilkStore *store, const GilkArmed *armed, GilkImage *image,
                               gint64 *run, GError **error);

/* The same of those hooks of @armed that are new, since @now_ns; functions and instruments
 * that the first @n_known hooks of @rows have are there already. */
gboolean gilk_run_write_more  (GilkStore *store, gint64 run, const GilkArmed *armed,
                               GilkImage *image, const GilkBoundPlan *rows, guint n_known,
                               uint64_t now_ns, GError **error);

/* One of the hooks' functions, or another: its name there, and all of its graph. */
char    *gilk_run_function_name  (const GilkCfg *cfg);
gboolean gilk_run_write_function (GilkStore *store, gint64 run, const GilkCfg *cfg, const char *module,
                                  GilkDecoder *decoder, GError **error);

/* ---- what becomes of a patch ---- */

/* The later, the worse. */
typedef enum {
  GILK_FATE_WORKS,        /* or waits for its start */
  GILK_FATE_STOPPED,      /* as scheduled */
  GILK_FATE_FAILED,       /* could not start when it was due */
  GILK_FATE_GONE,         /* with its module */
  GILK_FATE_TAKEN_OUT,    /* by someone else */
} GilkFate;

/* @stop_ns from time zero, 0: when the run ends. While the run has not disarmed it. */
GilkFate gilk_patch_fate (const struct ilk_patch_status *status, uint64_t zero_mono_ns,
                          uint64_t stop_ns);

/* ---- counters in the session: gilk-run-counts.c ---- */

typedef struct {
  struct ilk_counter counter;     /* as the session has it, if it is there */
  gboolean           there;
} GilkStoredCount;

typedef struct {
  uint64_t count;                 /* of the last point in the session, if there is one */
  uint64_t still_ns;              /* seen the same then; 0: not since */
  gboolean there;
} GilkPoint;

/* ---- the run itself ---- */

struct _GilkRun {
  GObject        parent_instance;

  GilkBoundPlan *bound;
  GilkImage     *image;
  GilkTarget    *target;
  GilkStore     *store;
  GMutex         store_lock;      /* the run's thread or the writer has it: gilk_run_lock_store() */
  uint64_t       duration_ns;
  GilkConsent    granted;         /* for the plan that it begins with */
  guint          ring_mode;       /* of its plan */
  GMainContext  *context;
  GCancellable  *arming;
  GilkGate      *gate;            /* others who arm at the same time; NULL: nobody */

  /* run's thread only, from its first act on: gilk_run_assert_own() */
  GThread       *thread;
  GilkArmed      armed;           /* a row for each hook that is or was; patches as armed first */
  GilkLivePlan  *current;        /* what is live by now; NULL: as armed first */
  GPtrArray     *past;            /* (element-type GilkLivePlan): what the rows refer to */
  GilkInflow    *inflow;          /* until its end, once the driver has told how many CPUs there are */
  gboolean       sampling;        /* the rings are ours: since a hook first took samples */
  struct gilk_rings rings;        /* as last seen */
  gboolean       frozen;          /* overwritten, and now held */
  gint64         trigger_us;      /* a hook triggered: the run ends then; 0 not yet */
  char          *end_word;        /* why it ended by itself; NULL: its time was up */
  gboolean       stopped;         /* the end that was asked for came before that */
  GPtrArray     *limits;          /* (element-type GilkRunLimit): what else ends it; NULL: nothing */
  guint          n_measures, most_measures;   /* fields that are summed up for others than those */
  gboolean       was_at_gate;
  gint64         zero_us;         /* armed, by this machine's clock; 0 not yet */
  uint64_t       zero_mono_ns;    /* the same by the target's clock */
  guint          n_blocks;        /* planned; 0: hooks are not switched */
  GArray        *blocks;          /* uint64_t, by the target's clock, when each began; NULL: not known */
  GilkRunCosts   costs;
  GArray        *cpu_clocks;      /* struct ilk_cpu_clock, before ARM; NULL: not yet */
  guint          reference;       /* to whose counter they are, and all times of the run */
  struct gilk_clocks end_clocks;  /* and at the end: */
  GArray        *end_cpu_clocks;  /* NULL: they were not read */
  gint64         stopped_us;      /* disarmed; 0 not yet */
  gint64         answered_us;     /* when the target last told its counters */
  uint64_t       tick;
  gint64         tick_us;         /* when it began */
  struct ilk_watch_status watches[ILK_WATCHES_MAX]; /* as last seen */
  guint          n_watches;       /* 0: there are none, or they were not asked for yet */
  GArray        *status;          /* struct ilk_patch_status, as last seen */
  gint64         status_us;       /* and when */
  gboolean       new_states;      /* at this tick */
  struct ilk_counter *counters;   /* [hook][cpu], as last seen */
  GilkOpenLoss  *losses;          /* [hook][cpu] */
  GilkStoredCount *counts;        /* [hook][cpu] */
  GByteArray    *memory;          /* of programs, row by row, as last seen; NULL: not yet */
  GByteArray    *stored_memory;   /* as the session has it; NULL: not yet */
  GHashTable    *noticed;         /* (element-type utf8): what programs have asked for, each once */
  GByteArray    *stacks;          /* the area of stacks, as it was at the end; NULL: there is none */
  guint          n_lines;         /* places whose lines of source were looked for */
  GArray        *slots;           /* where code of ours was, for these; NULL: likewise */
  GilkPoint     *points;          /* [hook] */
  gint64         arming_us;       /* when ARM was asked for: zero_us is when it was answered */
  gint64         asked_us;        /* when those counters were asked for; 0: at time zero all were 0 */
  uint64_t      *history;         /* [GILK_RUN_RATE_TICKS][hook]: hits at past ticks */
  gint64         history_us[GILK_RUN_RATE_TICKS];
  GilkFate       fate;            /* the worst of its patches */
  gboolean       cut_off;         /* and it ended for that */
  gulong         lost_func;       /* its listener at the target */
  GError        *lost;            /* under lock: set by the target's reader thread */

  GMutex         lock;            /* all below */
  GCond          changed;
  GilkRunState   state;
  gboolean       stop_asked, finished, notified;
  GilkRunChange *change;          /* (unowned): to be taken between two ticks */
  GError        *error;
  char          *cut_reason, *cut_short;
  uint16_t      *refusals;        /* of its hooks, once it is finished: GilkArmed's */
  guint          n_refusals;
  GQueue         notices;         /* (element-type utf8): to be told */
  char          *until;           /* conditions that it is to have; NULL: none */
  gboolean       until_is_new;
  char          *until_told;      /* how they stand */
  char          *ended;           /* why it did; NULL: not yet */
  GilkRunFigures figures;
  GilkRunZero    zero;            /* us 0: not yet */
  gint64         run;             /* in the session */
};

/* ---- gilk-run-state.c ---- */

/* Aborts on any other thread than the run's own. */
static inline void
gilk_run_assert_own (const GilkRun *run)
{
  g_assert (run->thread == g_thread_self ());
}

guint    gilk_run_n_cpus         (const GilkRun *run);
double   gilk_run_elapsed        (const GilkRun *run);
/* Around each call on the store; of the run's thread. */
void     gilk_run_lock_store     (GilkRun *run);
void     gilk_run_unlock_store   (GilkRun *run);
/* Any thread, as long as it holds none of the locks: state, errors (the first counts), signals.
 * A state follows the one before it as gilk-run.h draws it. */
void     gilk_run_set_state      (GilkRun *run, GilkRunState state);
void     gilk_run_notify_changed (GilkRun *run);
void     gilk_run_take_error     (GilkRun *run, GError *error);
gboolean gilk_run_has_error      (GilkRun *run);
void     gilk_run_target_lost    (GilkTarget *target, const GError *error, gpointer run);
gboolean gilk_run_is_lost        (GilkRun *run);
/* Takes an error that says the target is gone as the target's loss. */
void     gilk_run_note_loss      (GilkRun *run, const GError *error);
/* The user is told @text, one line. */
void     gilk_run_tell_notice    (GilkRun *run, const char *text);
/* Last act of the run's thread: state DONE or FAILED. */
void     gilk_run_finish         (GilkRun *run);

/* gilk-run-change.c: run's thread only; makes the change that somebody waits for, if any */
void     gilk_run_take_change    (GilkRun *run);
/* @bound: (transfer full) */
gboolean gilk_run_apply          (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error);

/* gilk-run-together.c: run's thread only */
/* Right before ARM: waits for the others. */
gboolean gilk_run_pass_gate      (GilkRun *run, GError **error);
/* It will not come there, or has been. */
void     gilk_run_leave_gate     (GilkRun *run);
/* Once it was armed: when time zero was by this machine's clock. */
void     gilk_run_place_zero     (GilkRun *run, const struct ilk_arm *arm);

/* gilk-run-thread.c */
gpointer gilk_run_thread         (gpointer run);

/* gilk-run-blocks.c: run's thread only */
/* Which hooks are switched, and when; before they are armed. */
gboolean gilk_run_set_blocks     (GilkRun *run, GCancellable *cancellable, GError **error);
/* When they were, as far as the target can tell. */
void     gilk_run_read_blocks    (GilkRun *run);
/* With the store locked. */
gboolean gilk_run_store_blocks   (GilkRun *run, uint64_t duration_ns, GError **error);

/* gilk-run-ground.c: run's thread only */
/* Code of the run's hooks to be measured, before anything of the run is prepared. FALSE: there is none */
gboolean gilk_run_prepare_grounds   (GilkRun *run, GCancellable *cancellable);
/* Unless all that the run has in the driver is given up, which includes it. */
void     gilk_run_give_grounds_back (GilkRun *run);

/* gilk-run-cost.c: run's thread only */
/* What hooks cost, as far as the target can measure it; before anything of the run is prepared. */
void     gilk_run_measure_costs  (GilkRun *run, GCancellable *cancellable);
/* With the store locked. */
gboolean gilk_run_store_costs    (GilkRun *run, gint64 id, GError **error);
/* At each tick: measures and stores them once more when that is due. */
gboolean gilk_run_measure_again  (GilkRun *run, GError **error);
/* Once more, when hooks are disarmed and not yet given up. */
gboolean gilk_run_measure_last   (GilkRun *run, GError **error);

/* gilk-run-clock.c: run's thread only */
/* Compares the target's processors; to be asked for right before they are armed. */
gboolean gilk_run_compare_clocks (GilkRun *run, GCancellable *cancellable, GError **error);
/* Time zero, rate and offsets, once it was armed. With the store locked. */
gboolean gilk_run_store_clocks   (GilkRun *run, const struct ilk_arm *arm, GError **error);
/* Reads all of them again, where they can be read. */
void     gilk_run_read_end_clocks (GilkRun *run);
/* With the store locked. */
gboolean gilk_run_store_end_clocks (GilkRun *run, GError **error);

/* gilk-run-samples.c: run's thread only */
/* Claims the rings if a hook of @bound takes samples, and they are not ours yet. */
gboolean gilk_run_want_samples   (GilkRun *run, const GilkBoundPlan *bound, GError **error);
/* Of a target that may still send, but is not waited for any more. */
void     gilk_run_turn_away_samples (GilkRun *run);
/* At each tick: how full the rings are, and whether a hook has triggered. @go_on: (out): FALSE
 * if that ends the run. */
gboolean gilk_run_watch_rings    (GilkRun *run, gboolean *go_on, GError **error);
/* Rule 8: every sample is accounted for, or the run says that it is not. Once all have come in. */
void     gilk_run_check_accounts (GilkRun *run, const struct gilk_samples_end *end);

/* gilk-run-fate.c: FALSE if others left it nothing to go on for; run's thread only, while
 * it is RUNNING */
gboolean gilk_run_look_after     (GilkRun *run);

/* gilk-run-figures.c: run's thread only */
void     gilk_run_update_figures (GilkRun *run);
/* For counters, and for states now and then; what was known of the others stays if it fails
 * half-way. @states: in any case. @error must not be NULL. */
gboolean gilk_run_ask_target     (GilkRun *run, gboolean states, GError **error);
/* Of a recording that is overwritten: holds what was last. To be asked before the hooks are
 * disarmed. */
gboolean gilk_run_freeze_rings   (GilkRun *run, GError **error);

/* gilk-run-watch.c: run's thread only */
/* What has become of them. @error must not be NULL. */
gboolean gilk_run_ask_watches    (GilkRun *run, GError **error);
/* An enum ilk_state, as last asked. */
guint    gilk_run_watch_state    (GilkRun *run, guint row);
/* As last asked; NULL: it is no watch, or was not asked yet. */
const struct ilk_watch_status *gilk_run_watch_status (GilkRun *run, guint row);

/* gilk-run-writers.c: who made the accesses, into the session; with the store locked. What of it fails is left out. */
void     gilk_run_store_writers  (GilkRun *run);

/* gilk-run-counts.c: run's thread only */
/* Of @after hooks from now on, not @before. */
void     gilk_run_grow_counts    (GilkRun *run, guint before, guint after);
/* Inline samples have no counter of hits: what came in and what was lost is all. Where an
 * instrument counts as well, that count has the last word. */
struct ilk_counter gilk_run_account (GilkRun *run, guint hook, guint cpu);
/* @last: nothing comes behind them. */
gboolean gilk_run_store_points   (GilkRun *run, uint64_t at_ns, gboolean last, GError **error);
gboolean gilk_run_store_counts   (GilkRun *run, uint64_t at_ns, gboolean last, GError **error);
/* Onto the disk: what came since the last one is all that a machine's death can lose. */
gboolean gilk_run_flush          (GilkRun *run, GError **error);

/* gilk-run-kept.c: run's thread only */
/* What programs keep, as the target has it now. */
gboolean gilk_run_read_memory    (GilkRun *run, GError **error);
/* As last read. */
gboolean gilk_run_store_memory   (GilkRun *run, GError **error);
/* Of each hook: what its program could not read or compute, as the memory has it that was read last. */
void     gilk_run_sum_bad        (const GilkRun *run, GilkHookFigures *figures);
/* gilk-run-values.c: at the end, with all that came in the session; the store is locked */
gboolean gilk_run_store_values   (GilkRun *run, GError **error);

/* gilk-run-measure.c: run's thread only. Sums up fields of hooks from row @from on, as far as it was asked to. */
void     gilk_run_measure_rows   (GilkRun *run, guint from);

/* gilk-run-limits.c: run's thread only, once figures are those of now. @go_on: (inout): FALSE if a condition holds. */
void     gilk_run_watch_limits   (GilkRun *run, gboolean *go_on);

/* gilk-run-signals.c: run's thread only. @go_on: (inout): FALSE if a program ends the run. */
gboolean gilk_run_watch_signals  (GilkRun *run, gboolean *go_on, GError **error);

/* gilk-run-names.c: run's thread only */
/* While the target still has what programs keep, and ids are not given up. */
gboolean gilk_run_read_stacks    (GilkRun *run, GError **error);
/* With the store locked: stacks, and what their addresses are called. */
gboolean gilk_run_store_names    (GilkRun *run, GError **error);
/* What one is called, if it has a name. @returns: a call returns there. */
gboolean gilk_run_store_address  (GilkRun *run, uint64_t address, gboolean returns, GError **error);

/* gilk-run-lines.c: with the store locked. What fails is left out: a session is whole without. */
/* Lines of source of @address, where there are debug data; @returns: a call returns there, whose line is meant. */
void     gilk_run_store_line     (GilkRun *run, uint64_t address, gboolean returns);
/* Those of all hooks. */
void     gilk_run_store_lines    (GilkRun *run);

/* gilk-run-journal.c: run's thread only */
/* What @armed is about to change is on disk when this returns TRUE; then it may be armed. */
gboolean gilk_run_plan_journal   (GilkRun *run, const GilkArmed *armed, GCancellable *cancellable,
                                  GError **error);
/* What became of all patches, as last seen; @all: trap hits as well. */
gboolean gilk_run_store_journal  (GilkRun *run, gboolean all, GError **error);
/* Text is as before what was planned last: it was @refused, or taken out again. */
void     gilk_run_drop_journal   (GilkRun *run, gboolean refused, const GError *why);
