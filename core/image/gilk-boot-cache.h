/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-boot-cache.h - on-disk cache of kernels' symbols and types
 *
 * They are most of the data that is read when a kernel is opened, 17 MiB, which takes seconds from
 * an emulated or a distant machine. A key covers all that determines the content: symbols change
 * when modules are loaded or unloaded and from boot to boot (gilk_loader_set_cache_key()), the kernel's
 * own types from build to build (gilk_target_types()).
 *
 * Files are $XDG_CACHE_HOME/gilk/boots/KEY-WHAT, compressed, with a checksum, and readable only by
 * their owner because they reveal the kernel's addresses. The least recently used ones are removed
 * when all together exceed GILK_BOOT_CACHE_MAX. With sudo and another user's $HOME nothing is
 * written, because that user could not remove it.
 *
 * Nothing here fails: a file that is damaged, truncated or another user's counts as missing, and
 * without a cached file the caller asks the target. Cached content is validated like an agent's
 * answer.
 *
 * Threads: any, and any number of processes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_BOOT_CACHE_MAX (64u << 20)         /* bytes, of all files together */

/* @what: part of a file name; @length: (out): in bytes, without the NUL after the content.
 *   (transfer full) (nullable) */
char *gilk_boot_cache_read  (const char *key, const char *what, gsize *length);
void  gilk_boot_cache_write (const char *key, const char *what, const void *bytes, gsize length);

G_END_DECLS
