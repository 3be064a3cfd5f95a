/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-module-news.h - modules that came and went since a kernel's functions were read
 *
 * What an image knows of a module is what was there when it was opened: see gilk-image.h. Who keeps one open looks
 * now and then whether that is still so. The driver, its arenas and instruments come and go by our own doing, and are
 * no news. A module that lies where it lay and is as large is taken for the same; the driver compares bytes.
 *
 * Threads: any. What asks the target blocks.
 */
#pragma once

#include "core/target/gilk-image.h"

G_BEGIN_DECLS

/* Names, sorted. */
typedef struct {
  GStrv gone;              /* unloaded */
  GStrv anew;              /* loaded anew: at another place, or of another size */
  GStrv come;              /* were not there before */
} GilkModuleNews;

/* @before, @now: /proc/modules, then and now */
GilkModuleNews *gilk_module_news_new   (const char *before, const char *now);
void            gilk_module_news_free  (GilkModuleNews *news);
gboolean        gilk_module_news_equal (const GilkModuleNews *a, const GilkModuleNews *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkModuleNews, gilk_module_news_free)

/**
 * gilk_image_module_news:
 * Asks the target. Functions of modules that are gone, or lie elsewhere, are refused from then on: ILK_REFUSAL_MODULE_GONE.
 * Returns: (transfer full): what is another than when the image was opened; NULL if the target fails
 */
GilkModuleNews *gilk_image_module_news (GilkImage *image, GCancellable *cancellable, GError **error);
/* Is it where its symbols say, as far as was looked? @module: of the symbol table */
gboolean        gilk_image_has_module  (GilkImage *image, uint32_t module);

G_END_DECLS
