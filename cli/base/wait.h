/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - waits for an object that works in other threads and then emits "ended"
 *
 * Ctrl-C stops the object, but the wait ends only with the object's signal "ended".
 */
#pragma once

#include "cli/base/cli.h"
#include "core/run/gilk-run.h"

typedef void (*CliWaitFunc) (gpointer object);

/* Starts @object, and returns once @object has emitted "ended"; @stop must make @object end.
 * Clears the progress line. */
void     cli_wait          (Cli *cli, gpointer object, CliWaitFunc start, CliWaitFunc stop);
/* Starts @run and waits until it has ended. @stopping: message for a second Ctrl-C, which does not
 * end the program */
void     cli_wait_for_run  (Cli *cli, GilkRun *run, const char *stopping);
/* Returns FALSE with @error set if the run failed or was cut short. */
gboolean cli_wait_check_run (GilkRun *run, GError **error);
