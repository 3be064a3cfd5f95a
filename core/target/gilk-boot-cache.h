/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-boot-cache.h - symbols and types that a kernel told, for who connects to it again
 *
 * They are most of what opening a kernel asks for, 17 MiB, which an emulated or a distant one takes seconds to tell.
 * A key is of all that decides what they are: symbols change where modules come and go, and from boot to boot
 * (gilk_loader_name_boot()); the kernel's own types from build to build (gilk_target_types()).
 *
 * Files are $XDG_CACHE_HOME/gilk/boots/KEY-WHAT, compressed with a checksum, the user's own and for nobody else to read:
 * they tell where the kernel is. Those that were not used for longest go where all take more than GILK_BOOT_CACHE_MAX.
 * With sudo and another user's home nothing is written, for that user could not remove it.
 * Nothing here fails: what is damaged, cut, or of another user is as if it were not there, and who has no cache asks the
 * target. What is there is believed no more than an agent's answer is.
 *
 * Threads: any, and any number of processes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_BOOT_CACHE_MAX (64u << 20)         /* bytes, of all files */

/* @what: a file name's characters; @length: (out). (transfer full) (nullable): a NUL behind its @length bytes */
char *gilk_boot_cache_read  (const char *key, const char *what, gsize *length);
void  gilk_boot_cache_write (const char *key, const char *what, const void *bytes, gsize length);

G_END_DECLS
