/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cancellable.h - GCancellable, for headers that only pass pointers to it
 *
 * <gio/gio.h> is half of what a compiler reads for a file of this library, so no header includes it.
 * A file that calls GIO includes it itself.
 *
 * Threads: any.
 */
#pragma once

typedef struct _GCancellable GCancellable;
