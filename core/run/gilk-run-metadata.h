/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-metadata.h - writes a run's metadata before its first sample
 *
 * Writes hooks, instruments, and the hooked functions with their disassembly, so that graphs can be
 * shown from the session, without access to the kernel.
 *
 * Threads: any thread that holds the store's lock.
 */
#pragma once

#include "core/run/gilk-armed.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Writes the run, its instruments, hooks and functions. @run: (out): the run's id */
gboolean gilk_run_write_metadata  (GilkStore *store, const GilkArmed *armed, GilkImage *image,
                                   gint64 *run, GError **error);

/* Writes the new hooks of @armed, which start at @now_ns, and their functions and instruments.
 * Skips functions and instruments of the first @n_known hooks of @rows: they are stored already. */
gboolean gilk_run_write_new_hooks (GilkStore *store, gint64 run, const GilkArmed *armed,
                                   GilkImage *image, const GilkBoundPlan *rows, guint n_known,
                                   uint64_t now_ns, GError **error);

/* gilk_run_function_name() returns a function's name in the session. gilk_run_write_function()
 * writes the function's whole graph to the session. */
char    *gilk_run_function_name   (const GilkCfg *cfg);
gboolean gilk_run_write_function  (GilkStore *store, gint64 run, const GilkCfg *cfg, const char *module,
                                   GilkDecoder *decoder, GError **error);

G_END_DECLS
