/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-user.h - makes an image of the code of a user program or library
 *
 * Addresses are addresses in the file, not addresses at which a process has mapped it. The file is
 * read once. Requests to hook it contain the identity of the file that was read, so that they are
 * refused if the file has been replaced.
 *
 * Threads: any.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

/**
 * gilk_image_new_user:
 * @kernel: the target's kernel image; provides the unwind entry for patches of the program
 * @path: absolute path on the target
 * Blocks on the target.
 */
GilkImage *gilk_image_new_user        (GilkImage *kernel, const char *path, GCancellable *cancellable, GError **error);
/* Checks whether the file at the path is still the file that was read. Returns FALSE with @error if
 * this is unknown. */
gboolean   gilk_image_user_is_current (GilkImage *image, gboolean *is_current, GCancellable *cancellable, GError **error);

/* Returns the address of a kernel function whose frame at its first instruction is only the return
 * address; 0: none. */
uint64_t gilk_image_frameless_function (GilkImage *kernel);
/*
 * Returns the return thunk of the running kernel, even if @image is a program's. 0: the kernel's
 * functions return with a ret instruction, because the CPU needs no mitigation.
 */
uint64_t gilk_image_return_thunk       (GilkImage *image);

/* Returns the program's path; NULL for a kernel's image. */
const char *gilk_image_user_path   (GilkImage *image);
/* Returns the identity of the program's file that was read. */
const struct gilk_user_file *gilk_image_user_file (GilkImage *image);
/* Returns the offset of @addr in the program's file. */
uint64_t    gilk_image_user_offset (GilkImage *image, uint64_t addr);
/* Returns a GilkElfRuntime: how the program uses return addresses on its stack. */
guint       gilk_image_user_runtime (GilkImage *image);
/* Returns whether @name is an indirect function (IFUNC). */
gboolean    gilk_image_user_is_ifunc (GilkImage *image, const char *name);

/* Returns the name of the module with index @module, "kernel", or the program's path. */
const char *gilk_image_module_name (GilkImage *image, uint32_t module);

G_END_DECLS
