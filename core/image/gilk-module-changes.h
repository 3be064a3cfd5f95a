/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-changes.h - modules that were loaded or unloaded since an image was opened
 *
 * An image describes the modules that existed when it was opened, see gilk-image.h. A program that
 * keeps an image open checks periodically whether modules have changed. The driver, its arenas
 * (modules for the code of patches) and its instruments (modules that hooks call) are left out,
 * because Gilk itself loads and unloads them. A module with the same address and size counts as
 * unchanged; the driver compares bytes.
 *
 * Threads: any. Functions that query the target block.
 */
#pragma once

#include "core/image/gilk-image.h"

G_BEGIN_DECLS

/* Names of the modules that differ between two states; each list is sorted. */
typedef struct {
  GStrv unloaded;          /* names of modules that were unloaded, and not loaded again */
  GStrv reloaded;          /* names of modules that were reloaded at another address or with another
                            * size */
  GStrv loaded;            /* names of modules that are newly loaded */
} GilkModuleChanges;

/* Compares two states of /proc/modules. @before, @now: contents of the file */
GilkModuleChanges *gilk_module_changes_new   (const char *before, const char *now);
void               gilk_module_changes_free  (GilkModuleChanges *changes);
gboolean           gilk_module_changes_equal (const GilkModuleChanges *a, const GilkModuleChanges *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkModuleChanges, gilk_module_changes_free)

/**
 * gilk_image_module_changes:
 * Queries the target. From then on, functions of modules that were unloaded or moved are refused
 * with ILK_REFUSAL_MODULE_GONE.
 * Returns: (transfer full): changes since the image was opened; NULL if the target fails
 */
GilkModuleChanges *gilk_image_module_changes (GilkImage *image, GCancellable *cancellable, GError **error);
/* Returns whether the module was still at the address of its symbols at the last check. @module:
 * index in the symbol table */
gboolean           gilk_image_has_module     (GilkImage *image, uint32_t module);

G_END_DECLS
