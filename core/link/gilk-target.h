/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target.h - connection to one kernel
 *
 * A target is a byte stream to gilkd, and the data received over it. "local", "lab:6.12" and
 * "ssh:HOST" differ only in how the stream is created. All functions block; call them from a worker
 * thread. Several threads may use a target: requests are serialised.
 *
 *   OPEN -close, last unref-> CLOSING -BYE answered, or 20 s-> CLOSED
 *     \-stream breaks, an answer is wrong-> LOST -close, last unref-> CLOSED
 *
 * From CLOSING and LOST on, each request fails with the error that ended the connection, and the
 * agent disarms everything that this connection armed: in CLOSED this is complete, in LOST it may
 * still be in progress. Data received earlier stay readable. All answers are validated
 * (gilk-answers.h); a wrong answer makes the target LOST.
 *
 * Threads: any but the reader thread, which may only call a GilkSamplesFunc and a GilkLostFunc.
 * During a GilkSamplesFunc the reader thread holds the lock of that callback, otherwise none. On
 * failure outputs are untouched, except for @out of gilk_target_read_text() and
 * gilk_target_counters(), items of gilk_target_reserve() and gilk_target_prepare(), @refusal of
 * gilk_target_arm(), and @disarm.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"

G_BEGIN_DECLS

typedef struct _GilkTarget GilkTarget;

/**
 * gilk_target_open:
 * @spec: "lab", "lab:6.1", "lab:6.12", "lab:NAME", "local", "ssh:HOST", "file:VMLINUX", "unix:PATH" (a socket of
 *   gilkd) or "exec:COMMAND" (tests)
 * Connects and exchanges HELLO. Boots a lab if it is not up, with script lab/lab.
 * Returns: (transfer full): the target, or NULL with GILK_ERROR_TARGET, _PERMISSION, _PROTOCOL or
 * _CANCELLED
 */
GilkTarget *gilk_target_open  (const char         *spec,
                               const GilkProgress *progress,
                               GCancellable       *cancellable,
                               GError            **error);
GilkTarget *gilk_target_ref   (GilkTarget *target);
void        gilk_target_unref (GilkTarget *target);   /* drops a reference; when the last one is
                                                       * dropped, closes the target */
/* Closes the connection, even if others have references to the target; when this function returns,
 * the kernel's text is restored. Has no further effect if called again. Must not be called from a
 * GilkSamplesFunc or a GilkLostFunc. */
void        gilk_target_close (GilkTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTarget, gilk_target_unref)

/* Allows the use of cached symbols of this boot and cached types of this kernel build
 * (gilk-boot-cache.h). Must be called before other threads use the target. Has no effect on "unix:"
 * and "exec:" targets, whose names may mean another machine next time. */
void        gilk_target_use_cache (GilkTarget *target);

const char *gilk_target_spec     (GilkTarget *target);
/* Returns the path of the kernel file if the target is a file; NULL for a running kernel. In a file
 * nothing can be hooked, and code that the kernel patches while it boots is not patched yet.
 * (nullable) */
const char *gilk_target_kernel_file (GilkTarget *target);
const char *gilk_target_release  (GilkTarget *target);   /* uname -r */
const char *gilk_target_hostname (GilkTarget *target);
/* Returns the kernel's GNU build id in lower-case hex; "" if unknown. Owned by the target. */
const char *gilk_target_build_id (GilkTarget *target);
gboolean    gilk_target_has_driver (GilkTarget *target);

/**
 * gilk_target_request:
 * @payload: (nullable): request body
 * Sends one request and waits for its answer; the functions below are special cases of this one.
 * Returns: (transfer full): payload of the answer, which may have arrived in several parts
 */
GByteArray *gilk_target_request (GilkTarget   *target,
                                 guint         type,
                                 const void   *payload,
                                 gsize         length,
                                 GCancellable *cancellable,
                                 GError      **error);

/* Returns the contents of a file that the agent can read, with a NUL after its @length bytes.
 * (transfer full) */
char *gilk_target_file (GilkTarget *target, enum gilk_file file, gsize *length,
                        GCancellable *cancellable, GError **error);

/* Returns the last 64 KiB of the kernel log as valid UTF-8. (transfer full) */
char       *gilk_target_kernel_log (GilkTarget *target, GCancellable *cancellable, GError **error);
/* Returns properties of the machine, as key -> value; see agent/gilkd-doctor.c.
 * (element-type utf8 utf8) */
GHashTable *gilk_target_doctor (GilkTarget *target, GCancellable *cancellable, GError **error);

/**
 * gilk_target_use:
 * @ring_bytes: with GILK_WAY_BPF, size of one CPU's ring; 0: default
 * Chooses how hooks get into the kernel. The default is GILK_WAY_ILK, the driver. With
 * GILK_WAY_BPF, the functions below use the kernel's own probes where they mention the driver, and
 * none of them loads a module. May be called again while nothing is reserved.
 * Returns: FALSE with the reason if the target does not support @way
 */
gboolean gilk_target_use         (GilkTarget *target, enum gilk_way way, uint64_t ring_bytes,
                                  GCancellable *cancellable, GError **error);
enum gilk_way gilk_target_way    (GilkTarget *target);
/* Returns the name of @way as option --by takes it: "ilk" or "bpf". */
const char *gilk_way_name        (enum gilk_way way);
/**
 * gilk_target_choose_way:
 * @why: (out) (nullable): (transfer full): if BPF was chosen: a sentence about the reason and the
 *   cost; else NULL
 * Chooses the driver, which it loads if necessary, or else BPF.
 * Returns: FALSE, with the reason why the driver cannot be used, if the target has neither
 */
gboolean gilk_target_choose_way  (GilkTarget *target, char **why, GCancellable *cancellable, GError **error);
/* Switches between the driver, which is loaded if necessary, and BPF. Nothing may be reserved. On
 * failure, for which @error has the reason, hooks still get into the kernel as before the call. */
gboolean gilk_target_switch_way  (GilkTarget *target, enum gilk_way way, GCancellable *cancellable, GError **error);
gboolean gilk_target_load_driver (GilkTarget *target, GCancellable *cancellable, GError **error);
gboolean gilk_target_driver_info (GilkTarget *target, struct ilk_info *info,
                                  GCancellable *cancellable, GError **error);

/* Returns the loaded instruments (code that runs when a hook is hit). (element-type struct
 * ilk_instrument_desc) */
GArray  *gilk_target_instruments     (GilkTarget *target, GCancellable *cancellable, GError **error);
/* Returns the names of the instruments that can be loaded, as a NULL-terminated array. */
char   **gilk_target_instrument_files (GilkTarget *target, GCancellable *cancellable, GError **error);
gboolean gilk_target_load_instrument (GilkTarget *target, const char *name,
                                      GCancellable *cancellable, GError **error);

/**
 * gilk_target_read_text:
 * @ranges: any number, in any order; the transfer is split into chunks
 * @out: buffer with the size of all ranges together
 */
gboolean gilk_target_read_text (GilkTarget              *target,
                                const struct gilk_range *ranges,
                                gsize                    count,
                                uint8_t                 *out,
                                const GilkProgress      *progress,
                                GCancellable            *cancellable,
                                GError                 **error);

/* Requests the checksums of the live text, one for each GILK_WIRE_SUM_BYTES of each range. @sums must
 * have room for all of them. */
gboolean gilk_target_text_sums (GilkTarget *target, const struct gilk_range *ranges, gsize count, uint64_t *sums,
                                GCancellable *cancellable, GError **error);

/* ---- transactions of the driver, which fills in arrays as in ilk-abi.h ---- */

gboolean gilk_target_reserve (GilkTarget *target,
                              struct ilk_reserve_patch *patches, guint patch_count,
                              struct ilk_reserve_hook *hooks, guint hook_count,
                              GCancellable *cancellable, GError **error);
/* Prepares patches and hooks that were reserved. The members code, orc and faults of each element
 * are offsets into @blob. With GILK_ERROR_REFUSED, the elements contain their refusals. */
gboolean gilk_target_prepare (GilkTarget *target,
                              struct ilk_prepare_patch *patches, guint patch_count,
                              struct ilk_prepare_hook *hooks, guint hook_count,
                              const uint8_t *blob, gsize blob_bytes,
                              GCancellable *cancellable, GError **error);
gboolean gilk_target_arm     (GilkTarget *target, struct ilk_arm *arm,
                              GCancellable *cancellable, GError **error);
/* Disarms patches. If this returns TRUE, the hooks are off. If it fails with
 * GILK_ERROR_STILL_OWNED, the hooks are off, but kprobes or another tool own bytes of some patches.
 * The driver restores those bytes later by itself; another call reports whether it has. */
gboolean gilk_target_disarm  (GilkTarget *target, struct ilk_disarm *disarm, const uint32_t *ids,
                              GCancellable *cancellable, GError **error);
/* Returns the status of this client's patches, or, with @everyone, the status of all clients'
 * patches. @pending: (out) (nullable): number of patches that wait for something. (element-type
 * struct ilk_patch_status) */
GArray  *gilk_target_status  (GilkTarget *target, gboolean everyone, guint *pending,
                              GCancellable *cancellable, GError **error);
/* Reads the counters of the hooks @iids. @out: @count entries; with @per_cpu, @count * nr_cpus
 * entries, where nr_cpus is from gilk_target_driver_info(). The counters arrive in parts, so on
 * failure some of @out may be set. */
gboolean gilk_target_counters (GilkTarget *target, const uint32_t *iids, guint count,
                               gboolean per_cpu, struct ilk_counter *out,
                               GCancellable *cancellable, GError **error);

/* ---- clocks, costs of code, and A/B intervals ---- */

/* Reads the target's clock and its TSC together. @cpus: (out) (optional) (transfer full)
 * (element-type struct ilk_cpu_clock): TSC of each CPU relative to the reference CPU in @head;
 * measuring it keeps interrupts of each CPU off for about 40 us at a time */
gboolean gilk_target_clocks    (GilkTarget *target, struct gilk_clocks *head, GArray **cpus,
                                GCancellable *cancellable, GError **error);
/* Reads the clock and the TSC for the first time, so that a later reading yields the TSC's
 * frequency. Does nothing if there is a first reading already. Ignores failures. */
void     gilk_target_start_clock (GilkTarget *target);
/* Gets the first reading of the clock and the TSC. Returns FALSE if there is none yet. */
gboolean gilk_target_first_timestamp (GilkTarget *target, struct ilk_timestamp_pair *reading);

/* Measures, @count times, the duration of @calls consecutive calls of @patch, and of as many calls
 * of @base. Both are prepared patches with flag ILK_PATCH_CALIBRATION (calibration stubs).
 * (transfer full) (element-type struct ilk_measure_result) */
GArray  *gilk_target_measure   (GilkTarget *target, uint32_t patch, uint32_t base, guint calls, guint count,
                                GCancellable *cancellable, GError **error);

/* Sets the A/B intervals in which hooks are on. Each interval is @period_ns long; @on: for each
 * interval, 1 (on) or 0 (off). Applies to hooks whose code tests the gate (on-off byte) of hook
 * @iid, which is reserved but not prepared. Must be called before the hooks are
 * armed. */
gboolean gilk_target_set_intervals (GilkTarget *target, uint32_t iid, uint64_t period_ns, const uint8_t *on,
                                    guint count, GCancellable *cancellable, GError **error);
/* Returns the start time of each interval so far, and the end of the last interval once it has
 * ended, by the target's clock. (transfer full) (element-type uint64_t): ascending */
GArray  *gilk_target_intervals     (GilkTarget *target, GCancellable *cancellable, GError **error);

/* ---- user programs on the target ---- */

/* Gets the identity of the program file at @path, which must be absolute. Fails if the file is not
 * a program. */
gboolean gilk_target_program_file (GilkTarget *target, const char *path, struct gilk_user_file *file,
                                   GCancellable *cancellable, GError **error);
/* Reads [@offset, @offset + @length) of the program file at @path. Fails with GILK_ERROR_STALE if
 * the file is no longer the one that @file identifies. */
gboolean gilk_target_program_read (GilkTarget *target, const char *path, const struct gilk_user_file *file,
                                   uint64_t offset, gsize length, uint8_t *out, GCancellable *cancellable,
                                   GError **error);
/* Binds reserved patches to instructions of the program file, as @points describes, and fills in
 * refusals. If any patch is refused, none is bound. */
gboolean gilk_target_program_bind (GilkTarget *target, const char *path, const struct gilk_user_file *file,
                                   struct gilk_user_point *points, guint count, GCancellable *cancellable,
                                   GError **error);

/* ---- hooks at tracepoints and timers: gilk-wire-bpf.h ---- */

/* Binds reserved patches to tracepoints or timers, as @events describes: either all of them or
 * none. Fills in refusals. @count: 1 to GILK_EVENTS_BIND_MAX */
gboolean gilk_target_bind_events (GilkTarget *target, struct gilk_event_point *events, guint count,
                                  GCancellable *cancellable, GError **error);

/* ---- memory areas for the maps of hooks: ilk-abi-memory.h ---- */

/* Allocates @areas and fills in their ids and addresses. Areas are freed together with everything
 * else that this connection reserved. */
gboolean gilk_target_memory      (GilkTarget *target, struct ilk_area *areas, guint count,
                                  GCancellable *cancellable, GError **error);
/* Reads parts of memory areas. @reads: any number, each within one area. Returns the bytes of all
 * reads, one after the other. (transfer full) */
GByteArray *gilk_target_memory_read (GilkTarget *target, const struct ilk_memory_read *reads, guint count,
                                     GCancellable *cancellable, GError **error);

/* ---- watchpoints: gilk-wire-watch.h ---- */

/* Binds reserved patches to the data that they watch, as @watches describes; @count is at most
 * GILK_WATCHES_MAX. Also returns TRUE if elements were refused: their @refusal says why, and no
 * patch was bound. */
gboolean gilk_target_bind_watchpoints  (GilkTarget *target, struct gilk_watch_point *watches, guint count,
                                        GCancellable *cancellable, GError **error);
/* Reads the status of the watchpoints whose hook ids are @iids. */
gboolean gilk_target_watchpoint_status (GilkTarget *target, const uint32_t *iids, guint count,
                                        struct gilk_watch_status *out, GCancellable *cancellable, GError **error);
/**
 * gilk_target_pin:
 * @module: the module of the function at @address
 * Keeps the module loaded until the memory areas that this connection has now are freed. Fails with
 * GILK_ERROR_REFUSED and the reason if the module cannot be kept.
 */
gboolean gilk_target_pin         (GilkTarget *target, uint64_t address, const char *module,
                                  GCancellable *cancellable, GError **error);

/* ---- event counters: gilk-wire-bpf.h; permission to crash the kernel: ilk-abi-crash.h ---- */

/* Creates event counters and fills in @events, including refusals. Returns FALSE only if the target
 * fails. @count: 1 to GILK_EVENTS_MAX; @flags: GILK_EVENTS_*. Without GILK_EVENTS_PROBE, the
 * counters exist until the memory areas that this connection has now are freed. */
gboolean gilk_target_events (GilkTarget *target, struct gilk_event_counter *events, guint count, uint32_t flags,
                             GCancellable *cancellable, GError **error);
/* Requests permission for hook @iid to crash the kernel. @flags: ILK_CRASH_*; @refusal: (out): 0 if
 * permitted */
gboolean gilk_target_crash  (GilkTarget *target, uint32_t iid, uint32_t flags, uint32_t *refusal,
                             GCancellable *cancellable, GError **error);

/* ---- BTF types ---- */

/* Returns the BTF of @module, or of the kernel if @module is NULL. (transfer full). Returns NULL
 * with GILK_ERROR_NOT_FOUND if there is none, with GILK_ERROR_USAGE if @module is not a valid
 * name */
GBytes  *gilk_target_types       (GilkTarget *target, const char *module, GCancellable *cancellable, GError **error);

/* ---- makes a known number of system calls on the target ---- */

/* Makes the agent perform the system calls in @settings, and sets @made to the number of calls.
 * During the calls, hooks are hit and samples arrive. With GILK_CALLS_KILL_AGENT the target becomes
 * LOST. */
gboolean gilk_target_calls      (GilkTarget *target, const struct gilk_calls *settings,
                                 struct gilk_calls_made *made, GCancellable *cancellable, GError **error);

/* ---- samples ---- */

/**
 * GilkSamplesFunc:
 * @cells: complete records of @cpu, contiguous, aligned to ILK_CELL; valid during the call
 * Called on the target's reader thread, in ring order for each CPU, also for gap records
 * (ILK_IID_GAP), which report lost samples.
 */
typedef void (*GilkSamplesFunc) (guint       cpu,
                                 const void *cells,
                                 gsize       bytes,
                                 gpointer    user_data);

/* Claims the kernel's sample rings, which only one client at a time can read. @rings: (out): size
 * and state of the rings */
gboolean gilk_target_samples_start (GilkTarget *target, const struct gilk_samples_start *settings,
                                    GilkSamplesFunc func, gpointer user_data,
                                    struct gilk_rings *rings,
                                    GCancellable *cancellable, GError **error);
/* Stops the recording of samples. Samples that are already in the rings are still read. */
gboolean gilk_target_samples_freeze (GilkTarget *target, GCancellable *cancellable, GError **error);
/* Reads how full the rings are; may be called while samples are read. */
gboolean gilk_target_rings         (GilkTarget *target, struct gilk_rings *rings,
                                    GCancellable *cancellable, GError **error);
/* Releases the sample rings. When this function returns, the GilkSamplesFunc is not running and
 * will not be called again. */
gboolean gilk_target_samples_stop  (GilkTarget *target, struct gilk_samples_end *end,
                                    GCancellable *cancellable, GError **error);

/* ---- loss of the target ---- */

/* The reason why a target was lost, as far as the client can determine it. The state in which the
 * kernel's text is left depends on the reason. */
typedef enum {
  GILK_LOSS_NONE,               /* still connected */
  GILK_LOSS_CLOSED,             /* the client itself closed the connection */
  GILK_LOSS_AGENT,  /* the agent ended: the driver then disarms the hooks of this client */
  GILK_LOSS_MACHINE,            /* the machine shut down, crashed or restarted; its memory is lost */
  GILK_LOSS_STREAM,             /* the connection broke, or the cause is unknown */
} GilkLoss;

/* Returns the reason why the target was lost. May be called by any thread, including the reader
 * thread. */
GilkLoss gilk_target_loss (GilkTarget *target);
/* Marks an unresponsive target as LOST at once, with error message @why; waiting requests fail.
 * Must not be called by the reader thread. */
void     gilk_target_abandon (GilkTarget *target, const char *why);

/**
 * GilkLostFunc:
 * Called once, when the target becomes LOST or CLOSED, on its reader thread; if the target is LOST
 * or CLOSED already, gilk_target_add_lost_func() itself makes the call. Must not close the target
 * or drop its last reference.
 */
typedef void (*GilkLostFunc) (GilkTarget *target, const GError *error, gpointer user_data);

/* Adds a function to call when the target is lost, and returns its id, which is never 0. May be
 * called by any thread. */
gulong gilk_target_add_lost_func    (GilkTarget *target, GilkLostFunc func, gpointer user_data);
/* Removes the function with id @id; 0 is ignored. When this returns, the function is not running
 * and will not be called again, unless it removes itself while it runs. */
void   gilk_target_remove_lost_func (GilkTarget *target, gulong id);

G_END_DECLS
