/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-user.h - the code of a program or library of a target, as an image
 *
 * Addresses are those that its file has, wherever processes map it. It is read once; what binds hooks there says which
 * file was read, so that one that was put in its place is refused.
 *
 * Threads: any.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

/**
 * gilk_image_new_user:
 * @kernel: of a target; code for hooks in the program has frames as functions have there
 * @path: on the target, from / on
 * Blocks on the target.
 */
GilkImage  *gilk_image_new_user    (GilkImage *kernel, const char *path, GCancellable *cancellable, GError **error);
/* Is the file still the one that was read? FALSE with @error: it cannot be asked. */
gboolean    gilk_image_user_is_now (GilkImage *image, gboolean *is_now, GCancellable *cancellable, GError **error);

/* The address of a function of the kernel's whose frame at its begin is as all functions have it; 0: it is not known. */
uint64_t    gilk_image_called_frame (GilkImage *kernel);
/*
 * The thunk by which functions of the kernel return by now, of a program's image those of its kernel. 0: they return by
 * an instruction, for nothing that this processor does wrong is mitigated there.
 */
uint64_t    gilk_image_live_return  (GilkImage *image);

/* NULL: it is of a kernel. */
const char *gilk_image_user_path   (GilkImage *image);
/* Which file it is. */
const struct gilk_user_file *gilk_image_user_file (GilkImage *image);
/* Where what is at @addr is in the file. */
uint64_t    gilk_image_user_offset (GilkImage *image, uint64_t addr);
/* A GilkElfRuntime: what it does with return addresses on its stack. */
guint       gilk_image_user_runtime (GilkImage *image);
/* Is it the name of an indirect function? */
gboolean    gilk_image_user_chosen (GilkImage *image, const char *name);

/* Of what the function @module's index is in: a module, "kernel", or the file's path. */
const char *gilk_image_module_name (GilkImage *image, uint32_t module);

G_END_DECLS
