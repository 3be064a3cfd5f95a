/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-ways.h - which kinds of target this machine can reach
 */
#pragma once

#include "cli/doctor-checks.h"

G_BEGIN_DECLS

/* @root: folder that is looked at in place of /, "" for that itself; programs are those of $PATH.
 * @is_root: who asks is. (transfer full) (element-type CliCheck) */
GArray *cli_doctor_ways (const char *root, gboolean is_root);

G_END_DECLS
