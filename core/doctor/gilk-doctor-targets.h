/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-targets.h - kinds of targets that this machine can reach
 *
 * Threads: any; gilk_doctor_open_without_root() blocks.
 */
#pragma once

#include "core/doctor/gilk-doctor.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

/* @root: folder to use in place of /, or "" for / itself; programs are looked up in $PATH.
 * @is_root: the caller runs as root. (transfer full) (element-type GilkCheck) */
GArray *gilk_doctor_list_targets (const char *root, gboolean is_root);

/* Opens this machine's agent without root, which sees much and cannot arm. (transfer full)
 * (nullable) */
GilkTarget *gilk_doctor_open_without_root (GCancellable *cancellable);

G_END_DECLS
