/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - chooses the target of a command, connects to it, loads its kernel's symbols, and
 * manages its lab
 */
#pragma once

#include <glib.h>

#include "cli/base/cli.h"
#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"

typedef struct {
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
} CliKernel;

/* Connects to cli->target. (transfer full) */
GilkTarget *cli_open_target (Cli *cli, GError **error);
/* Connects to cli->target, and reads the symbols and other tables of its kernel. */
gboolean cli_kernel_open  (Cli *cli, CliKernel *kernel, GError **error);
void     cli_kernel_clear (CliKernel *kernel);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliKernel, cli_kernel_clear)

/* Adds "target", "hostname", "release" and "build_id" to the open document. */
void cli_kernel_to_json (Cli *cli, GilkTarget *target);

/*
 * If the driver cannot arm hooks on the target, prints the reason, and whether BPF can. If BPF can,
 * the target uses it from then on, so that what is planned and shown is what a run would do; not
 * with --by, nor while the driver is loaded. Loads no module.
 */
void cli_kernel_choose_way (Cli *cli, GilkTarget *target);
/* Works like cli_kernel_choose_way(). With --json, adds two members to the open document: "ready",
 * whether the driver or BPF can arm hooks, and "not_ready_reason". */
void cli_kernel_note_ready (Cli *cli, GilkTarget *target);

/* Returns "kernel" or the module's name. */
const char *cli_module_name (const CliKernel *kernel, const GilkFunction *function);
uint64_t    cli_function_bytes (const GilkFunction *function);

GilkCfg *cli_kernel_cfg (const CliKernel *kernel, const char *name, GilkDecoder *decoder, GError **error);
/* Sets an error that names the reason why @name cannot be hooked, and the remedy. Always returns
 * FALSE. */
gboolean cli_refuse (Cli *cli, const char *name, GilkRefusal refusal, GError **error);

/* Formats an address: "pipe_write+0x1f", in a cold part "pipe_write.cold+0x10", in hexadecimal
 * if no symbol covers it. (transfer full) */
char *cli_symbolise (GilkSymbols *symbols, uint64_t addr);

/*
 * Sets cli->target if neither --target nor $GILK_TARGET is given: to the last target that --target
 * named, or to a running lab (a virtual machine for tests); prints a note on the choice. Fails if
 * neither exists; never boots a lab. Must be called before connecting.
 */
gboolean cli_choose_default_target (Cli *cli, GError **error);
/* Stores cli->target as the default for later commands, if --target named it. */
void     cli_remember_target       (const Cli *cli);

/* ---- running lab/lab, the script that manages the labs ---- */

/* Returns the path of lab/lab, or NULL: only Gilk's source tree contains it. (transfer full) */
char    *cli_lab_script (void);

/**
 * cli_lab:
 * @words: arguments of lab/lab, NULL-terminated
 * @output: (out) (optional) (transfer full): its standard output, without the last newline.
 *
 * Runs lab/lab until it ends or @cancellable is cancelled. Its progress goes to standard error.
 * Returns: FALSE if it failed; the reason is on standard error
 */
gboolean cli_lab        (const char *const *words, char **output, GCancellable *cancellable, GError **error);
