/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - the target's kernel, opened as far as a command needs it
 */
#pragma once

#include "cli/cli.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
} CliKernel;

/* Connects to cli->target. (transfer full) */
GilkTarget *cli_open_target (Cli *cli, GError **error);
/* Connects and reads symbols and side tables. */
gboolean cli_kernel_open  (Cli *cli, CliKernel *kernel, GError **error);
void     cli_kernel_clear (CliKernel *kernel);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliKernel, cli_kernel_clear)

/* "target", "release" and "build_id" of the open document. */
void cli_kernel_to_json (Cli *cli, GilkTarget *target);

/*
 * Notes why nothing could be armed on the target, whatever a command shows of it; "ready" and "why_not_ready" of the open
 * document.
 */
void cli_kernel_note_ready (Cli *cli, GilkTarget *target);

/* "kernel" or the module's name. */
const char *cli_module_name (const CliKernel *kernel, const GilkFunction *function);
uint64_t    cli_function_bytes (const GilkFunction *function);

/* The graph of the function of that name. An error: none has it, several have, or it cannot be decoded. (transfer full) */
GilkCfg *cli_kernel_cfg (const CliKernel *kernel, const char *name, GilkDecoder *decoder, GError **error);
/* Says why @name cannot be hooked, and what would help; FALSE. */
gboolean cli_refuse (Cli *cli, const char *name, GilkRefusal refusal, GError **error);

/* "pipe_write+0x1f", or ".cold+0x10" behind the name; hex if no symbol covers it. (transfer full) */
char *cli_symbolise (GilkSymbols *symbols, uint64_t addr);

G_END_DECLS
