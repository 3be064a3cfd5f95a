/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-debug.h - checks for debug data of a target's kernel on this machine
 *
 * Threads: any.
 */
#pragma once

#include "core/doctor/gilk-doctor.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* Appends a check to @checks: where the data are, or how to get them. @hand: (nullable): the user's
 * path */
void gilk_doctor_add_debug (const char *hand, GilkTarget *target, GArray *checks);

G_END_DECLS
