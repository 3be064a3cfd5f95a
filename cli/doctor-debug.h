/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-debug.h - are there debug data of a target's kernel on this machine?
 */
#pragma once

#include "cli/cli.h"
#include "cli/doctor-checks.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

/* One more of @checks: where they are, or how to get them. */
void cli_doctor_add_debug (Cli *cli, GilkTarget *target, GArray *checks);

G_END_DECLS
