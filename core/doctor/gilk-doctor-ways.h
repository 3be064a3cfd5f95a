/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-ways.h - which kinds of target this machine can reach
 *
 * Threads: any; gilk_doctor_open_without_root() blocks.
 */
#pragma once

#include "core/doctor/gilk-doctor.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

/* @root: folder that is looked at in place of /, "" for that itself; programs are those of $PATH.
 * @is_root: who asks is. (transfer full) (element-type GilkCheck) */
GArray *gilk_doctor_ways (const char *root, gboolean is_root);

/* This machine's agent, not as root: it sees much, and can arm nothing. (transfer full) (nullable) */
GilkTarget *gilk_doctor_open_without_root (GCancellable *cancellable);

G_END_DECLS
