/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-boot-cache.h - on-disk cache of kernels' symbols, types, unwind tables and text
 *
 * These are most of the data that are read when a kernel is opened: 40 MiB, which take seconds to
 * arrive from an emulated or a distant machine. The key covers everything that
 * determines the contents: symbols change when modules are loaded or unloaded and from boot to boot
 * (gilk_loader_set_cache_key()), the kernel's own types from build to build (gilk_target_types()),
 * its unwind table and ftrace sites from boot to boot. Text, which may change at any time, is
 * compared with the live text (gilk-text-cache.h).
 *
 * Files are $XDG_CACHE_HOME/gilk/boots/KEY-WHAT, compressed, with a checksum, and readable only by
 * their owner because they reveal the kernel's addresses. The least recently used files are removed
 * when their total size exceeds GILK_BOOT_CACHE_MAX. With sudo and another user's $HOME nothing is
 * written, because that user could not remove the files.
 *
 * No function fails: a file that is damaged, truncated or owned by another user counts as missing,
 * and then the caller reads from the target. Cached contents are validated like an agent's answer.
 *
 * Threads: any, and any number of processes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_BOOT_CACHE_MAX (128u << 20)        /* maximum total size of all files */
/* Maximum size of a file before compression, far larger than any kernel's files. */
#define GILK_BOOT_CACHE_CONTENT_MAX (256u << 20)

/* Reads a cached file. @what: part of the file name; @length: (out): size without the NUL after the
 * contents. (transfer full) (nullable) */
char *gilk_boot_cache_read  (const char *key, const char *what, gsize *length);
void  gilk_boot_cache_write (const char *key, const char *what, const void *bytes, gsize length);

G_END_DECLS
