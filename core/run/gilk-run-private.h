/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-private.h - the parts of a run: armed state, sample ingest, what the session records
 *
 * Threads: the target's reader thread puts samples into the ingest queue; the writer thread takes
 * them out and stores them; the run's own thread sends requests to the target and writes everything
 * else. The run's thread never waits for the queue, so that answers can always get through after
 * samples. The functions that rely on a thread or a state assert it.
 *
 * The files, each of which uses only those in front of it: state; program, user; explain, arm,
 * ingest, track, metadata; intervals, calibration, cost, clock; loss, journal, samples, signals,
 * exit-reason, maps, names, values; figures, conditions; change; barrier; thread; run.
 */
#pragma once

#include "core/base/gilk-median.h"
#include "core/bind/gilk-bound-conditions.h"
#include "core/run/gilk-field-stats.h"
#include "core/run/gilk-run-barrier.h"
#include "core/store/gilk-store-cost.h"

#define GILK_RUN_TICK_US    100000 /* up to GILK_RUN_TICK_HOOKS hooks; longer for more */
#define GILK_RUN_TICK_HOOKS 25000
#define GILK_RUN_STATUS_HOOKS 2000 /* hooks per tick between two requests for states */
#define GILK_RUN_RATE_TICKS 10     /* ticks that a rate averages over */

/* ---- armed state ---- */

typedef struct _GilkArmed GilkArmed;

typedef struct {
  struct ilk_area given;
  gboolean        is_stacks;      /* read when the run ends: gilk-run-names.c */
  gboolean        is_repeated;    /* another row owns the shared area and stores its contents */
} GilkArmedArea;

/* Kernel memory of a hook's program, and its row in the session. */
typedef struct {
  GilkArmedArea   *areas;         /* in the order of the program's operations */
  guint            n_areas;
  uint64_t        *addresses;     /* address of each area */
  uint32_t        *gates;         /* iids of the hooks that the program starts or stops */
  gint64           row;           /* the hook's, in the session; 0: not stored yet */
} GilkArmedProgram;

struct _GilkArmed {
  GilkTarget           *target;   /* (unowned) */
  const GilkBoundPlan  *bound;    /* (unowned) */
  const GilkArmed      *live;     /* (unowned) (nullable): the state that it follows, until armed */
  struct ilk_info       info;
  guint                 n_hooks, n_patches;
  guint                *first_patch; /* per splice plan: patches of the plans in front */
  uint32_t             *iids;     /* per hook, in plan order */
  uint32_t             *patch_of; /* patch id, per hook */
  struct ilk_reserve_patch *reserved_patches;
  struct ilk_reserve_hook  *reserved_hooks;
  GilkArmedProgram     *programs; /* per hook; empty: it has none */
  uint16_t             *refusals; /* per hook: the driver's refusal, once explained; 0: none */
  struct ilk_prepare_patch *patches;
  struct ilk_prepare_hook  *hooks;
  GByteArray           *blob;
  uint32_t              switch_iid;  /* iid whose gate switches the hooks of an A/B run; 0: none */
  guint                 n_items, n_hook_items;   /* patches and hooks to prepare */
  gboolean              reserved;
};

/* @live: (nullable): the armed state of the plan that @bound follows */
void     gilk_armed_init    (GilkArmed *armed, GilkTarget *target, const GilkBoundPlan *bound,
                             const GilkArmed *live);
void     gilk_armed_clear   (GilkArmed *armed);
/* Reserves, emits and prepares; kernel text stays as it is. @image: that the hooks
 * were planned on */
gboolean gilk_armed_prepare (GilkArmed *armed, GilkImage *image, GCancellable *cancellable, GError **error);
gboolean gilk_armed_arm     (GilkArmed *armed, struct ilk_arm *arm, GCancellable *cancellable,
                             GError **error);
/* Disarms all hooks. TRUE: the text is as before. Cannot be cancelled. May be repeated after
 * GILK_ERROR_KEPT. */
gboolean gilk_armed_disarm  (GilkArmed *armed, GError **error);
/* Waits up to 1.5 s until no thread can be in disarmed code. */
void     gilk_armed_wait_retired  (GilkArmed *armed);
/* Disarms and frees ids and slots. FALSE: the text may differ from what it was. */
gboolean gilk_armed_release  (GilkArmed *armed);
/* For a plan that follows a live one. gilk_armed_rollback() rolls back what was prepared, and with
 * @forget also releases its ids; gilk_armed_disarm_removed() disarms patches whose hooks were all removed. */
void     gilk_armed_rollback    (GilkArmed *armed, gboolean forget);
gboolean gilk_armed_disarm_removed     (GilkArmed *armed, GError **error);
/* gilk-armed-watchpoint.c: gives debug registers to new watchpoints, whose hooks must be reserved. */
gboolean gilk_armed_set_watchpoints    (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* Appends @data to @blob at a multiple of 8. Returns its offset. */
uint64_t gilk_armed_append_blob (GByteArray *blob, const void *data, gsize bytes);
/* gilk-run-explain.c: set @error to a sentence about what was refused, and return FALSE. */
gboolean gilk_armed_explain       (GilkArmed *armed, GError **error);
gboolean gilk_armed_explain_patch (GilkArmed *armed, uint32_t id, guint refusal, GError **error);
/* gilk-run-program.c */
/* Allocates the memory of new programs. Hooks must have iids. */
gboolean gilk_armed_reserve_memory (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* gilk-run-service.c: creates event counters and permits crash(). Hooks must have iids. */
gboolean gilk_armed_request_services   (GilkArmed *armed, GCancellable *cancellable, GError **error);
/* Binds patches of user-space programs to their instructions, before they are prepared. @patch,
 * @refusal: set if the driver refuses one; then nothing of its file is bound. */
gboolean gilk_armed_bind_users (GilkArmed *armed, uint32_t *patch, uint32_t *refusal, GCancellable *cancellable,
                                GError **error);
void     gilk_armed_program_clear  (GilkArmedProgram *program);
void     gilk_armed_program_copy   (GilkArmedProgram *to, const GilkArmedProgram *from);  /* not addresses, gates */
/* Verifies the emitted code of all programs in a patch of @plan. FALSE: do not
 * prepare the patch. */
gboolean gilk_programs_verify       (const GilkSplicePlan *plan, const GilkCode *code, uint64_t slot,
                                     const struct ilk_info *info, const GilkBinding *bindings, GError **error);
gboolean gilk_hook_takes_samples (const GilkBoundPlan *bound, guint hook);
/* TRUE if the hook neither counts nor takes samples, so that hits leave no trace. */
gboolean gilk_hook_leaves_no_trace     (const GilkBoundPlan *bound, guint hook);
/* TRUE if the hook's program counts hits itself. */
gboolean gilk_hook_counts_itself    (const GilkBoundPlan *bound, guint hook);

/* ---- changes of the hooks: gilk-run-change.c ---- */

/* The live plan after a change. */
typedef struct {
  GilkBoundPlan *bound;
  GilkArmed      armed;
  guint         *rows;     /* of each of its hooks, in the run's plan */
} GilkLivePlan;

void     gilk_live_plan_free     (GilkLivePlan *live);

/* A change that another thread waits for. */
typedef struct {
  GilkBoundPlan *bound;    /* (transfer full), taken by the run's thread */
  GilkConsent    granted;
  gboolean       done;
  GError        *error;
} GilkRunChange;

/* ---- sample ingest ---- */

typedef struct _GilkIngest GilkIngest;

GilkIngest *gilk_ingest_new (GilkStore *store, GMutex *store_lock, const uint32_t *iids,
                             guint n_hooks, guint n_cpus);
void      gilk_ingest_free  (GilkIngest *ingest);
/* A GilkSamplesFunc. Blocks while the queue is full. */
void      gilk_ingest_push   (guint cpu, const void *cells, gsize bytes, gpointer ingest);
/* Starts storing records. Time zero must be known. */
void      gilk_ingest_start  (GilkIngest *ingest, gint64 run, const GilkClock *clock);
/* @iids: of all hooks; new ones come after those that were there */
void      gilk_ingest_grow  (GilkIngest *ingest, const uint32_t *iids, guint n_hooks);
/* Stores what is queued and ends the writer thread. No samples may come after this. */
void      gilk_ingest_close (GilkIngest *ingest);
/* Returns the error that made storing fail. (transfer full) (nullable) */
GError   *gilk_ingest_error (GilkIngest *ingest);
/* Returns how many records came in from a hook on a CPU. */
uint64_t  gilk_ingest_received (GilkIngest *ingest, guint hook, guint cpu);
/* Sums up a field of the hook's samples from now on, unless it is summed up already. */
void      gilk_ingest_track_field (GilkIngest *ingest, guint hook, const struct ilk_field *field);
/* Returns a copy of the sums so far. @history: (out) (nullable). (transfer full) (nullable): NULL
 * if the field is not summed up */
GilkSketch *gilk_ingest_sketch (GilkIngest *ingest, guint hook, const char *field, GilkValueHistory **history);
/* Returns the number of records with an unknown hook id. The driver makes none. */
uint64_t  gilk_ingest_unknown_iids (GilkIngest *ingest);
/* Returns the cells received from all rings. Gap records take none. */
uint64_t  gilk_ingest_cells    (GilkIngest *ingest);

/* ---- cost of hooks ---- */

/* Cost of the hooks that run the same code. */
typedef struct {
  char      *instrument;
  guint      tactic, instructions;
  uint32_t   patch;               /* of its calibration stub */
  gboolean   failed;              /* the target could not measure it */
  GArray    *measurements;        /* double, ns */
  GilkMedian ns;                  /* median of the measurements */
  double     min_ns;
} GilkRunCost;

typedef struct {
  GArray  *all;                   /* GilkRunCost; NULL: not measured yet */
  uint32_t base;                  /* patch of a stub that only returns */
  gboolean prepared;              /* the stubs are in the driver */
  gint64   measured_us, distance_us;  /* end of the last one, 0: none; time to the next one */
  double   taken_us;              /* time that the calls of the last measurement took */
} GilkRunCosts;

/* ---- losses ---- */

/* Samples that a hook lost on a CPU, and since when, while the loss continues. */
typedef struct {
  uint64_t lost, missed;         /* as of the target's last answer */
  gboolean open;
  gint64   from_ns;
  uint64_t lost_before, missed_before;
} GilkOpenLoss;

/* gilk-run-loss.c: run's thread only. Records what the counters lost since the previous request.
 * They were requested at @asked_us and have been answered. */
gboolean gilk_run_record_losses (GilkRun *run, gint64 asked_us, GError **error);
/* Ends the open losses: samples lost from now on are a new loss. */
void     gilk_run_close_losses  (GilkRun *run);

/* ---- writing the session's metadata ---- */

/* Writes the run, its instruments, hooks and functions. @run: (out): the run's id */
gboolean gilk_run_write_metadata  (GilkStore *store, const GilkArmed *armed, GilkImage *image,
                                   gint64 *run, GError **error);

/* Writes the new hooks of @armed, which start at @now_ns, and their functions and instruments
 * unless the first @n_known hooks of @rows have them already. */
gboolean gilk_run_write_new_hooks  (GilkStore *store, gint64 run, const GilkArmed *armed,
                                    GilkImage *image, const GilkBoundPlan *rows, guint n_known,
                                    uint64_t now_ns, GError **error);

/* Return a function's name in the session, and write its whole graph. */
char    *gilk_run_function_name  (const GilkCfg *cfg);
gboolean gilk_run_write_function (GilkStore *store, gint64 run, const GilkCfg *cfg, const char *module,
                                  GilkDecoder *decoder, GError **error);

/* ---- exit reasons of patches ---- */

/* In order of severity, worst last. */
typedef enum {
  GILK_EXIT_REASON_NONE,     /* or waits for its start */
  GILK_EXIT_REASON_STOPPED,  /* as scheduled */
  GILK_EXIT_REASON_FAILED,   /* could not start when it was due */
  GILK_EXIT_REASON_UNLOADED, /* its module was unloaded */
  GILK_EXIT_REASON_DISARMED, /* by someone else */
} GilkExitReason;

/* @stop_ns: from time zero; 0: at the end of the run. Valid until the run disarms its hooks. */
GilkExitReason gilk_patch_exit_reason (const struct ilk_patch_status *status, uint64_t zero_mono_ns,
                                       uint64_t stop_ns);

/* ---- stored counters: gilk-run-counts.c ---- */

typedef struct {
  struct ilk_counter counter;     /* as stored, if @is_stored */
  gboolean           is_stored;
} GilkStoredCount;

typedef struct {
  uint64_t count;                 /* of the last stored point, if @is_stored */
  uint64_t still_ns;              /* latest time with the same count; 0: none */
  gboolean is_stored;
} GilkPoint;

/* ---- the run itself ---- */

struct _GilkRun {
  GObject        parent_instance;

  GilkBoundPlan *bound;
  GilkImage     *image;
  GilkTarget    *target;
  GilkStore     *store;
  GMutex         store_lock;      /* of the run's thread or the writer: gilk_run_lock_store() */
  uint64_t       duration_ns;
  GilkConsent    granted;         /* for the plan that it starts with */
  guint          ring_mode;       /* of its plan */
  GMainContext  *context;
  GCancellable  *arming;
  GilkStartBarrier      *barrier; /* for runs that arm at the same time; NULL: none */

  /* run's thread only, from its start on: gilk_run_assert_own() */
  GThread       *thread;
  GilkArmed      armed;             /* a row for each hook, live or removed; patches as first armed */
  GilkLivePlan  *current;        /* the live plan; NULL: as first armed */
  GPtrArray     *past;              /* (element-type GilkLivePlan): earlier ones, used by rows */
  GilkIngest    *ingest;            /* from the first driver reply until the run's end */
  gboolean       sampling;          /* the rings are claimed: since a hook first took samples */
  struct gilk_rings rings;          /* as last reported */
  gboolean       frozen;            /* rings in overwrite mode are frozen */
  gint64         trigger_us;        /* when a trigger ends the run; 0: none has fired */
  char          *end_word;          /* reason of an end without a request; NULL: time was up */
  gboolean       stopped;           /* a stop request came first */
  GPtrArray     *limits;            /* (element-type GilkStopCondition): stop conditions; NULL: none */
  guint          n_tracked, tracked_max;   /* how many are summed up, without stop conditions */
  gboolean       has_left_barrier;
  gint64         zero_us;           /* when it was armed, by this machine's clock; 0: not yet */
  uint64_t       zero_mono_ns;      /* the same by the target's clock */
  guint          n_intervals;       /* planned A/B intervals; 0: hooks are not switched */
  GArray        *intervals;         /* uint64_t, starts by the target's clock; NULL: not known */
  GilkRunCosts   costs;
  GArray        *cpu_clocks;        /* struct ilk_cpu_clock, as compared before ARM; NULL: not yet */
  guint          reference;         /* CPU that all offsets and times of the run relate to */
  struct gilk_clocks end_clocks;    /* the same at the end */
  GArray        *end_cpu_clocks;    /* NULL: they could not be read */
  gint64         stopped_us;        /* when it was disarmed; 0: not yet */
  gint64         answered_us;       /* when the target last answered with its counters */
  uint64_t       tick;
  gint64         tick_us;           /* when the tick started */
  struct ilk_watch_status watches[ILK_WATCHES_MAX]; /* as last reported */
  guint          n_watches;         /* 0: no watchpoints, or no status yet */
  GArray        *status;            /* struct ilk_patch_status, as last reported */
  gint64         status_us;         /* and when */
  gboolean       new_states;        /* at this tick */
  struct ilk_counter *counters;     /* [hook][cpu], as last reported */
  GilkOpenLoss  *losses;            /* [hook][cpu] */
  GilkStoredCount *counts;          /* [hook][cpu] */
  GByteArray    *memory;            /* programs' areas, row by row, as last read; NULL: not yet */
  GByteArray    *stored_memory;     /* as stored; NULL: not yet */
  GHashTable    *noticed;           /* (element-type utf8): programs' requests that were handled */
  GByteArray    *stacks;            /* the stack area, read at the end; NULL: none */
  guint          n_lines;           /* addresses whose source lines were looked up */
  GArray        *slots;             /* Slot, to find the site of an address in a patch; NULL: none */
  GilkPoint     *points;            /* [hook] */
  gint64         arming_us;         /* when ARM was sent; zero_us is when the answer came */
  gint64         asked_us;          /* when the counters were requested; 0: at time zero */
  uint64_t      *history;           /* [GILK_RUN_RATE_TICKS][hook]: hits at past ticks */
  gint64         history_us[GILK_RUN_RATE_TICKS];
  GilkExitReason       exit_reason; /* the worst of its patches */
  gboolean       cut_off;           /* the run ended because of it */
  gulong         lost_func;         /* handler id of the target's lost function */
  GError        *lost;              /* under lock: set by the target's reader thread */

  GMutex         lock;             /* protects everything below */
  GCond          changed;
  GilkRunState   state;
  gboolean       stop_asked, finished, notified;
  GilkRunChange *change;           /* (unowned): to be applied between two ticks */
  GError        *error;
  char          *cut_reason, *cut_short;
  uint16_t      *refusals;         /* of its hooks, from GilkArmed, once the run has finished */
  guint          n_refusals;
  GQueue         notices;          /* (element-type utf8): not emitted yet */
  char          *until;            /* requested stop conditions; NULL: none */
  gboolean       until_is_new;
  char          *condition_status; /* how the conditions stand */
  char          *ended;            /* why the run ended; NULL: not yet */
  GilkRunFigures figures;
  GilkRunZero    zero;             /* us 0: not yet */
  gint64         run;              /* id in the session */
};

/* ---- gilk-run-state.c ---- */

/* Aborts unless called on the run's own thread. */
static inline void
gilk_run_assert_own (const GilkRun *run)
{
  g_assert (run->thread == g_thread_self ());
}

guint    gilk_run_n_cpus           (const GilkRun *run);
double   gilk_run_elapsed          (const GilkRun *run);
/* Must surround each call on the store. Run's thread only. */
void     gilk_run_lock_store       (GilkRun *run);
void     gilk_run_unlock_store     (GilkRun *run);
/* Any thread, as long as it holds none of the locks: state, errors (the first is kept), signals.
 * States change as drawn in gilk-run.h. */
void     gilk_run_set_state        (GilkRun *run, GilkRunState state);
void     gilk_run_notify_changed   (GilkRun *run);
void     gilk_run_set_error        (GilkRun *run, GError *error);
gboolean gilk_run_has_error        (GilkRun *run);
void     gilk_run_target_lost      (GilkTarget *target, const GError *error, gpointer run);
gboolean gilk_run_is_lost          (GilkRun *run);
/* Marks the target as lost if @error says that it does not answer. */
void     gilk_run_note_target_loss (GilkRun *run, const GError *error);
/* Emits "notice" with @text, a single line. */
void     gilk_run_emit_notice      (GilkRun *run, const char *text);
/* Last call of the run's thread: sets state DONE or FAILED. */
void     gilk_run_finish           (GilkRun *run);

/* gilk-run-change.c: run's thread only. Applies the change that another thread waits
 * for, if any. */
void     gilk_run_apply_pending (GilkRun *run);
/* @bound: (transfer full) */
gboolean gilk_run_apply_plan    (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error);

/* gilk-run-barrier.c: run's thread only */
/* Waits for the other runs, right before ARM. */
gboolean gilk_run_wait_barrier  (GilkRun *run, GError **error);
/* Leaves the gate if the run has not reached it, so that the others do not wait for it. */
void     gilk_run_leave_barrier (GilkRun *run);
/* Finds time zero by this machine's clock. Call once, after ARM. */
void     gilk_run_find_zero     (GilkRun *run, const struct ilk_arm *arm);

/* gilk-run-thread.c */
gpointer gilk_run_thread         (gpointer run);

/* gilk-run-intervals.c: run's thread only */
/* Sends the A/B intervals, and which of them the hooks are on in, to the driver.
 * Call before ARM. */
gboolean gilk_run_set_intervals   (GilkRun *run, GCancellable *cancellable, GError **error);
/* Reads when the intervals started, as far as the target recorded it. */
void     gilk_run_read_intervals  (GilkRun *run);
/* The store must be locked. */
gboolean gilk_run_store_intervals (GilkRun *run, uint64_t duration_ns, GError **error);

/* gilk-run-calibration.c: run's thread only */
/* Prepares calibration stubs for the run's hooks, before anything else of the run is prepared.
 * FALSE: there is none */
gboolean gilk_run_prepare_stubs (GilkRun *run, GCancellable *cancellable);
/* Frees the stubs. Not needed if all that the run has in the driver is freed. */
void     gilk_run_free_stubs    (GilkRun *run);

/* gilk-run-cost.c: run's thread only */
/* Measures what hooks cost, as far as the target can. Must be called before anything else of the
 * run is prepared. */
void     gilk_run_measure_costs       (GilkRun *run, GCancellable *cancellable);
/* The store must be locked. */
gboolean gilk_run_store_costs         (GilkRun *run, gint64 id, GError **error);
/* Called at each tick: measures and stores the costs again when that is due. */
gboolean gilk_run_remeasure_costs     (GilkRun *run, GError **error);
/* Measures once more. The hooks must be disarmed and not yet freed. */
gboolean gilk_run_measure_final_costs (GilkRun *run, GError **error);

/* gilk-run-clock.c: run's thread only */
/* Compares the counters of the target's CPUs. Call right before ARM. */
gboolean gilk_run_compare_clocks (GilkRun *run, GCancellable *cancellable, GError **error);
/* Stores time zero, rate and offsets after ARM. The store must be locked. */
gboolean gilk_run_store_clocks   (GilkRun *run, const struct ilk_arm *arm, GError **error);
/* Reads clocks and offsets again, where the target can. */
void     gilk_run_read_end_clocks (GilkRun *run);
/* The store must be locked. */
gboolean gilk_run_store_end_clocks (GilkRun *run, GError **error);

/* gilk-run-samples.c: run's thread only */
/* Claims the rings if a hook of @bound takes samples and the run does not have them yet. */
gboolean gilk_run_claim_rings   (GilkRun *run, const GilkBoundPlan *bound, GError **error);
/* Stops receiving samples at once; the target may still send some. */
void     gilk_run_stop_receiving (GilkRun *run);
/* Called at each tick: reads how full the rings are and whether a trigger fired. @go_on: (out):
 * FALSE ends the run */
gboolean gilk_run_poll_rings    (GilkRun *run, gboolean *go_on, GError **error);
/* Checks that every sample is stored or counted as lost; otherwise the run fails. Call after all
 * samples have come in. */
void     gilk_run_check_totals (GilkRun *run, const struct gilk_samples_end *end);

/* gilk-run-exit-reason.c: run's thread only, in state RUNNING. FALSE: others disarmed the hooks, so the
 * run has to end */
gboolean gilk_run_check_patch_states     (GilkRun *run);

/* gilk-run-figures.c: run's thread only */
void     gilk_run_update_figures (GilkRun *run);
/* Requests counters, and patch states when they are due or @states is set. On a failure between the
 * two, the old states stay. @error must not be NULL. */
gboolean gilk_run_poll_target    (GilkRun *run, gboolean states, GError **error);
/* Freezes rings in overwrite mode, so that they keep the last samples. Must be called before the
 * hooks are disarmed. */
gboolean gilk_run_freeze_rings   (GilkRun *run, GError **error);

/* gilk-run-watchpoint.c: run's thread only */
/* Requests the watchpoints' status. @error must not be NULL. */
gboolean gilk_run_poll_watchpoints    (GilkRun *run, GError **error);
/* Returns an enum ilk_state, from the last status. */
guint    gilk_run_watchpoint_state    (GilkRun *run, guint row);
/* Returns the last status; NULL: not a watchpoint, or no status yet. */
const struct ilk_watch_status *gilk_run_watchpoint_status (GilkRun *run, guint row);

/* gilk-run-accesses.c: stores which instructions made the accesses, as far as they can be found. The
 * store must be locked. */
void     gilk_run_store_accesses  (GilkRun *run);

/* gilk-run-counts.c: run's thread only */
/* Enlarges the tables from @before to @after hooks. */
void     gilk_run_grow_counts    (GilkRun *run, guint before, guint after);
/* Returns the hook's totals on a CPU. Inline samples are not counted separately, so hits are the
 * received and the lost ones. If an instrument counts as well, its count is used. */
struct ilk_counter gilk_run_hook_totals (GilkRun *run, guint hook, guint cpu);
/* @last: these are the final values */
gboolean gilk_run_store_points   (GilkRun *run, uint64_t at_ns, gboolean last, GError **error);
gboolean gilk_run_store_counts   (GilkRun *run, uint64_t at_ns, gboolean last, GError **error);
/* Syncs the session to disk. A machine that dies loses at most what came after the last sync. */
gboolean gilk_run_sync_session          (GilkRun *run, GError **error);

/* gilk-run-maps.c: run's thread only */
/* Reads the programs' maps from the target. */
gboolean gilk_run_read_memory      (GilkRun *run, GError **error);
/* Stores the maps as last read. */
gboolean gilk_run_store_memory     (GilkRun *run, GError **error);
/* Sets each hook's failed reads and computations, from the maps as last read. */
void     gilk_run_sum_failed_reads (const GilkRun *run, GilkHookFigures *figures);
/* gilk-run-values.c: at the end, after all data are stored; the store must be locked */
gboolean gilk_run_store_values     (GilkRun *run, GError **error);

/* gilk-run-track.c: run's thread only. Sums up fields of the hooks from row @from on, up to the
 * number requested. */
void     gilk_run_track_rows   (GilkRun *run, guint from);

/* gilk-run-conditions.c: run's thread only, after figures were updated. @go_on: (inout): set to FALSE
 * if a condition holds */
void     gilk_run_check_conditions   (GilkRun *run, gboolean *go_on);

/* gilk-run-signals.c: run's thread only. @go_on: (inout): set to FALSE if a program ends the run */
gboolean gilk_run_check_signals  (GilkRun *run, gboolean *go_on, GError **error);

/* gilk-run-names.c: run's thread only */
/* Must be called before the programs' areas and the ids are freed. */
gboolean gilk_run_read_stacks   (GilkRun *run, GError **error);
/* Stores the stacks and the symbols of their addresses. The store must be locked. */
gboolean gilk_run_store_names   (GilkRun *run, GError **error);
/* Stores the symbol of @address, if it has one. @returns: it is a return address */
gboolean gilk_run_store_address (GilkRun *run, uint64_t address, gboolean returns, GError **error);

/* gilk-run-lines.c: the store must be locked. Failures are ignored: a session is complete without
 * source lines. */
/* Stores the source lines of @address, if there are debug data. @returns: it is a return address;
 * the line is that of the call */
void gilk_run_store_line  (GilkRun *run, uint64_t address, gboolean returns);
/* Does so for all hooks. */
void gilk_run_store_lines (GilkRun *run);

/* gilk-run-journal.c: run's thread only */
/* Writes what @armed will change to disk. TRUE: it may be armed now. */
gboolean gilk_run_journal_planned (GilkRun *run, const GilkArmed *armed, GCancellable *cancellable,
                                   GError **error);
/* Stores the last reported state of all patches; with @all also their trap hits. */
gboolean gilk_run_store_journal   (GilkRun *run, gboolean all, GError **error);
/* Drops the last planned changes from the journal: the text is as before. @refused: ARM was
 * refused; otherwise the change was taken back */
void     gilk_run_revoke_journal  (GilkRun *run, gboolean refused, const GError *why);
