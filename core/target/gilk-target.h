/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target.h - a connection to one kernel
 *
 * A target is a byte stream to gilkd and what was learned over it. How the
 * stream is made is the only difference between "local", "lab:6.12" and
 * "ssh:HOST". All functions block; call them from a worker thread. A target may
 * be used by several threads: requests are serialised inside.
 *
 *   OPEN -close, last unref-> CLOSING -BYE answered, or 20 s-> CLOSED
 *     \-stream breaks, an answer is wrong-> LOST -close, last unref-> CLOSED
 *
 * From CLOSING and LOST on every request fails with what ended the connection, and
 * the agent disarms all that this connection armed: in CLOSED that is done, in LOST it
 * is on its way. What was learned stays readable. No answer is believed before it was
 * checked (gilk-answers.h); a wrong one loses the target.
 *
 * Threads: any but the reader thread, from which only the functions given here are called;
 * no lock is held meanwhile. On failure outputs are untouched, but for: @out of read_text()
 * and counters(), items of reserve() and prepare(), @refusal of arm(), and @disarm.
 */
#pragma once

#include <gio/gio.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-progress.h"

G_BEGIN_DECLS

typedef struct _GilkTarget GilkTarget;

/**
 * gilk_target_open:
 * @spec: "lab", "lab:6.1", "lab:6.12", "lab:NAME", "local", "ssh:HOST", or
 *   "unix:PATH" (a socket with gilkd behind it), "exec:COMMAND" (tests)
 *
 * Connects and says hello. For labs, boots one if it is not up (runs lab/lab).
 * Returns: (transfer full): the target, or NULL with GILK_ERROR_TARGET,
 *   _PERMISSION, _PROTOCOL or _CANCELLED
 */
GilkTarget *gilk_target_open  (const char          *spec,
                               const GilkProgress  *progress,
                               GCancellable        *cancellable,
                               GError             **error);
GilkTarget *gilk_target_ref   (GilkTarget *target);
void        gilk_target_unref (GilkTarget *target);   /* last one closes */
/* Disconnects, whoever else has references; text is restored when it returns. Idempotent.
 * Any thread but those that call functions given here. */
void        gilk_target_close (GilkTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkTarget, gilk_target_unref)

/* Symbols that this boot, and types that this build told before, are not asked for again (gilk-boot-cache.h). By who opened it, before
 * others have it; does nothing for targets that may be another one under the same name the next time ("unix:", "exec:"). */
void        gilk_target_use_cache (GilkTarget *target);

const char *gilk_target_spec     (GilkTarget *target);
const char *gilk_target_release  (GilkTarget *target);   /* uname -r */
const char *gilk_target_hostname (GilkTarget *target);
/* Lower-case hex of the kernel's GNU build id, "" if unknown. Owned by target. */
const char *gilk_target_build_id (GilkTarget *target);
gboolean    gilk_target_has_driver (GilkTarget *target);

/**
 * gilk_target_request:
 * @payload: (nullable): request body
 * Sends one request and collects its answer; the general form of all below.
 * Returns: (transfer full): answer payload, parts concatenated
 */
GByteArray *gilk_target_request (GilkTarget    *target,
                                 guint          type,
                                 const void    *payload,
                                 gsize          length,
                                 GCancellable  *cancellable,
                                 GError       **error);

/* Content of one of the agent's files, NUL-terminated after @length bytes. */
char *gilk_target_file (GilkTarget *target, enum gilk_file file, gsize *length,
                        GCancellable *cancellable, GError **error);

/* key=value facts about the machine, see agent/gilkd-doctor.c. (element-type utf8 utf8) */
/* The last 64 KiB of what the kernel said, valid UTF-8. (transfer full) */
char       *gilk_target_kernel_log (GilkTarget *target, GCancellable *cancellable, GError **error);
GHashTable *gilk_target_doctor (GilkTarget *target, GCancellable *cancellable, GError **error);

gboolean gilk_target_load_driver     (GilkTarget *target, GCancellable *cancellable, GError **error);
gboolean gilk_target_driver_info     (GilkTarget *target, struct ilk_info *info,
                                      GCancellable *cancellable, GError **error);

/* (element-type struct ilk_instrument_desc); loaded modules only */
GArray  *gilk_target_instruments     (GilkTarget *target, GCancellable *cancellable, GError **error);
/* NULL-terminated names that can be loaded */
char   **gilk_target_instrument_files (GilkTarget *target, GCancellable *cancellable, GError **error);
gboolean gilk_target_load_instrument (GilkTarget *target, const char *name,
                                      GCancellable *cancellable, GError **error);

/**
 * gilk_target_read_text:
 * @ranges: sorted or not, any number; the transfer is chunked
 * @out: room for the sum of the lengths
 */
gboolean gilk_target_read_text (GilkTarget              *target,
                                const struct gilk_range *ranges,
                                gsize                    count,
                                uint8_t                 *out,
                                const GilkProgress      *progress,
                                GCancellable            *cancellable,
                                GError                 **error);

/* ---- transactions; arrays are filled in as the ABI says ---- */

gboolean gilk_target_reserve (GilkTarget *target,
                              struct ilk_reserve_patch *patches, guint patch_count,
                              struct ilk_reserve_hook *hooks, guint hook_count,
                              GCancellable *cancellable, GError **error);
/* @code, @orc and @faults of each item are offsets into @blob. On failure with
 * GILK_ERROR_REFUSED the items hold each refusal. */
gboolean gilk_target_prepare (GilkTarget *target,
                              struct ilk_prepare_patch *patches, guint patch_count,
                              struct ilk_prepare_hook *hooks, guint hook_count,
                              const uint8_t *blob, gsize blob_bytes,
                              GCancellable *cancellable, GError **error);
gboolean gilk_target_arm     (GilkTarget *target, struct ilk_arm *arm,
                              GCancellable *cancellable, GError **error);
/* Hooks are off when this returns TRUE, or FALSE with GILK_ERROR_KEPT: kprobes or another tool
 * have bytes of theirs. The driver puts those back by itself later; who asks again is told. */
gboolean gilk_target_disarm  (GilkTarget *target, struct ilk_disarm *disarm, const uint32_t *ids,
                              GCancellable *cancellable, GError **error);
/* (element-type struct ilk_patch_status); @pending may be NULL */
GArray  *gilk_target_status  (GilkTarget *target, gboolean everyone, guint *pending,
                              GCancellable *cancellable, GError **error);
/* @out: count, or count * nr_cpus with @per_cpu, nr_cpus as gilk_target_driver_info() had it.
 * Asked in parts: on failure the first of @out may be filled in. */
gboolean gilk_target_counters (GilkTarget *target, const uint32_t *iids, guint count,
                               gboolean per_cpu, struct ilk_counter *out,
                               GCancellable *cancellable, GError **error);

/* ---- clocks: gilk-target-time.c ---- */

/* Its clock and a time stamp counter as of now. @cpus: (out) (optional) (transfer full)
 * (element-type struct ilk_cpu_clock): the counters of all its processors against that of
 * @head's reference; each is held up for some 40 us at a time. */
gboolean gilk_target_clocks    (GilkTarget *target, struct gilk_clocks *head, GArray **cpus,
                                GCancellable *cancellable, GError **error);
/* Reads them for the first time, so that the next reading tells the rate. Nothing happens where it
 * was done before, or cannot be. */
void     gilk_target_watch_clock (GilkTarget *target);
/* FALSE: not yet. */
gboolean gilk_target_first_reading (GilkTarget *target, struct ilk_clock_reading *reading);

/* @patches of ILK_PATCH_GROUND that are prepared: how long @calls of them take in a row, @count times.
 * (transfer full) (element-type struct ilk_measured) */
GArray  *gilk_target_measure   (GilkTarget *target, uint32_t patch, uint32_t base, guint calls, guint count,
                                GCancellable *cancellable, GError **error);

/* Hooks whose code looks at the gate of @iid are to be on in a block where @on is 1, else off; before
 * they are armed. @iid: one that was reserved, and is not prepared. */
gboolean gilk_target_set_blocks (GilkTarget *target, uint32_t iid, uint64_t period_ns, const uint8_t *on,
                                 guint count, GCancellable *cancellable, GError **error);
/* When each block began, by the target's clock, and if it has, when the last ended. (transfer full)
 * (element-type uint64_t): ascending */
GArray  *gilk_target_blocks     (GilkTarget *target, GCancellable *cancellable, GError **error);

/* ---- programs on the target ---- */

/* Which file is at @path, from / on. The agent says why where it is no program. */
gboolean gilk_target_program_file (GilkTarget *target, const char *path, struct gilk_user_file *file,
                                   GCancellable *cancellable, GError **error);
/* All of [offset, offset + length) of it. GILK_ERROR_STALE: the file is not @file any more. */
gboolean gilk_target_program_read (GilkTarget *target, const char *path, const struct gilk_user_file *file,
                                   uint64_t offset, gsize length, uint8_t *out, GCancellable *cancellable,
                                   GError **error);
/* @points: of reserved patches; refusals are filled in, and where there is one none is bound. */
gboolean gilk_target_program_bind (GilkTarget *target, const char *path, const struct gilk_user_file *file,
                                   struct ilk_user_point *points, guint count, GCancellable *cancellable,
                                   GError **error);

/* ---- what hooks keep: ilk-abi-memory.h ---- */

/* @areas: filled in. They are given back with all that this connection reserved. */
gboolean gilk_target_memory      (GilkTarget *target, struct ilk_area *areas, guint count,
                                  GCancellable *cancellable, GError **error);
/* @reads: any number, each of one area; asked in parts. (transfer full): the bytes of all, in their order */
GByteArray *gilk_target_memory_read (GilkTarget *target, const struct ilk_memory_read *reads, guint count,
                                     GCancellable *cancellable, GError **error);

/* ---- hooks on data: ilk-abi-watch.h ---- */

/* @watches: up to ILK_WATCHES_MAX, of hooks that are reserved; all or none. On failure with GILK_ERROR_REFUSED the
 * items hold each refusal. They go with all that this connection reserved. */
gboolean gilk_target_watch        (GilkTarget *target, struct ilk_watch *watches, guint count,
                                   GCancellable *cancellable, GError **error);
/* What has become of those. */
gboolean gilk_target_watch_status (GilkTarget *target, const uint32_t *iids, guint count,
                                   struct ilk_watch_status *out, GCancellable *cancellable, GError **error);
/**
 * gilk_target_pin:
 * @module: that has the function at @address; it stays as long as memory that was asked for at the same time
 * GILK_ERROR_REFUSED names why it cannot be kept.
 */
gboolean gilk_target_pin         (GilkTarget *target, uint64_t address, const char *module,
                                  GCancellable *cancellable, GError **error);

/* ---- counters of events, and crashes: ilk-abi-event.h ---- */

/* @events: 1 to ILK_EVENTS_MAX; filled in, refusals too: FALSE only if the target fails. @flags: ILK_EVENTS_*. Without
 * _TRY they are kept as long as memory that was asked for at the same time. */
gboolean gilk_target_events      (GilkTarget *target, struct ilk_counted *events, guint count, uint32_t flags,
                                  GCancellable *cancellable, GError **error);
/* May code of hook @iid make the kernel crash? @flags: ILK_CRASH_*. @refusal: (out): 0: it may */
gboolean gilk_target_crash       (GilkTarget *target, uint32_t iid, uint32_t flags, uint32_t *refusal,
                                  GCancellable *cancellable, GError **error);

/* ---- types ---- */

/* BTF of @module, or of the kernel: NULL. What is no module's name is refused here. (transfer full): NULL, with
 * GILK_ERROR_NOT_FOUND, if it has none */
GBytes  *gilk_target_types       (GilkTarget *target, const char *module, GCancellable *cancellable, GError **error);

/* ---- calls of known count ---- */

/* The agent makes @wish of them on the target and tells how many it made; hooks fire, and samples
 * come in, meanwhile. With GILK_CALLS_DIE the target is LOST. */
gboolean gilk_target_calls      (GilkTarget *target, const struct gilk_calls *wish,
                                 struct gilk_calls_made *made, GCancellable *cancellable, GError **error);

/* ---- samples ---- */

/**
 * GilkSamplesFunc:
 * @cells: whole records of @cpu, back to back, ILK_CELL aligned; valid during the call
 * Called on the target's reader thread, in ring order for each CPU. Records of ILK_IID_GAP
 * are among them.
 */
typedef void (*GilkSamplesFunc) (guint         cpu,
                                 const void   *cells,
                                 gsize         bytes,
                                 gpointer      user_data);

/* Claims the sample rings of the kernel, which one client at a time reads. @rings: (out):
 * what they are. */
gboolean gilk_target_samples_start (GilkTarget *target, const struct gilk_samples_start *wish,
                                    GilkSamplesFunc func, gpointer user_data,
                                    struct gilk_rings *rings,
                                    GCancellable *cancellable, GError **error);
/* Nothing comes in any more. What is in the rings is read, where it was kept till then. */
gboolean gilk_target_samples_freeze (GilkTarget *target, GCancellable *cancellable, GError **error);
/* While samples are read: how full the rings are. */
gboolean gilk_target_rings         (GilkTarget *target, struct gilk_rings *rings,
                                    GCancellable *cancellable, GError **error);
/* Gives the rings back. No call of the function is under way or follows when this returns. */
gboolean gilk_target_samples_stop  (GilkTarget *target, struct gilk_samples_end *end,
                                    GCancellable *cancellable, GError **error);

/* ---- loss ---- */

/* What has ended, as far as it can be told from here; it decides what is known of the kernel's text. */
typedef enum {
  GILK_LOSS_NONE,               /* the connection is there */
  GILK_LOSS_CLOSED,             /* this side closed it */
  GILK_LOSS_AGENT,              /* the agent: the driver puts back what it had armed */
  GILK_LOSS_MACHINE,            /* the machine, and with it all that was in its memory */
  GILK_LOSS_STREAM,             /* the way there, or it cannot be told what */
} GilkLoss;

/* Any thread, the reader too. */
GilkLoss gilk_target_loss (GilkTarget *target);
/* Loses a target that does not answer, at once, for @why, a sentence; who waits for it is told. Any thread but the reader. */
void     gilk_target_abandon (GilkTarget *target, const char *why);

/**
 * GilkLostFunc:
 * Called once, when the target is LOST or CLOSED, on its reader thread; or by
 * gilk_target_add_lost_func() itself, where that comes too late. May not close the target
 * or drop its last reference.
 */
typedef void (*GilkLostFunc) (GilkTarget *target, const GError *error, gpointer user_data);

/* Returns an id, never 0. Any number of listeners; any thread. */
gulong gilk_target_add_lost_func    (GilkTarget *target, GilkLostFunc func, gpointer user_data);
/* The function is not under way when this returns, and is not called any more; unless it is
 * the function itself that removes it. @id 0 is none. */
void   gilk_target_remove_lost_func (GilkTarget *target, gulong id);

G_END_DECLS
