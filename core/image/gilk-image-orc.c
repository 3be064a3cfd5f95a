/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-orc.c - finds ORC entries of the kernel and its modules; reads the kernel's own large
 * table on first use
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-boot-cache.h"
#include "core/image/gilk-image-loader.h"

#define ORC "orc"

/* Reads both ranges of the kernel's table, from the cache if they are there: they are megabytes,
 * and do not change while the kernel runs. (transfer full) (nullable) */
static uint8_t *
read_kernel_orc (GilkImage *image, const struct gilk_range ranges[2])
{
  const gsize size = ranges[0].len + ranges[1].len;
  gsize length = 0;
  g_autofree uint8_t *bytes = NULL;

  if (image->boot_key != NULL)
    bytes = (uint8_t *) gilk_boot_cache_read (image->boot_key, ORC, &length);
  if (bytes != NULL && length == size)
    return g_steal_pointer (&bytes);
  g_free (bytes);
  bytes = g_malloc (size);
  if (!gilk_target_read_text (image->target, ranges, 2, bytes, NULL, NULL, NULL))
    return NULL;
  if (image->boot_key != NULL)
    gilk_boot_cache_write (image->boot_key, ORC, bytes, size);

  return g_steal_pointer (&bytes);
}

static GilkOrcTable *
load_kernel_orc (GilkImage *image)
{
  GilkSymbols *symbols = image->symbols;
  struct gilk_range ranges[2];
  g_autoptr (GBytes) ip_bytes = NULL;
  g_autoptr (GBytes) entry_bytes = NULL;
  g_autoptr (GBytes) bytes = NULL;
  uint8_t *out;

  if (!gilk_loader_range_of (symbols, "__start_orc_unwind_ip", "__stop_orc_unwind_ip", KERNEL_TABLE_MAX,
                 &ranges[0], NULL) ||
      !gilk_loader_range_of (symbols, "__start_orc_unwind", "__stop_orc_unwind", KERNEL_TABLE_MAX,
                 &ranges[1], NULL) ||
      ranges[0].len == 0 || ranges[1].len == 0)
    return NULL;

  out = read_kernel_orc (image, ranges);
  if (out == NULL)
    return NULL;

  bytes = g_bytes_new_take (out, ranges[0].len + ranges[1].len);
  ip_bytes = g_bytes_new_from_bytes (bytes, 0, ranges[0].len);
  entry_bytes = g_bytes_new_from_bytes (bytes, ranges[0].len, ranges[1].len);
  return gilk_orc_table_new (ip_bytes, ranges[0].addr, entry_bytes, 0, G_MAXUINT64);
}

/* Returns the kernel's table, which is read on first use; its register numbers apply to modules'
 * tables, too. */
static const GilkOrcTable *
get_kernel_table (GilkImage *image, const GilkOrcNumbers **numbers)
{
  const GilkOrcTable *table;

  g_mutex_lock (&image->lock);
  if (!image->kernel_orc_tried && image->target != NULL)
    {
      image->kernel_orc = load_kernel_orc (image);
      image->orc_numbers = image->kernel_orc != NULL ? gilk_orc_numbers_of (image->kernel_orc) : NULL;
    }
  image->kernel_orc_tried = TRUE;
  table = image->kernel_orc;
  *numbers = image->orc_numbers;
  g_mutex_unlock (&image->lock);

  return table;
}

static const GilkOrcTable *
find_module_table (const GilkImage *image, uint64_t addr)
{
  for (guint i = 0; i < image->module_orc->len; i++)
    {
      const GilkOrcTable *table = g_ptr_array_index (image->module_orc, i);

      if (table->count > 0 && addr >= gilk_orc_table_ip (table, 0) &&
          addr <= gilk_orc_table_ip (table, table->count - 1))
        return table;
    }

  return NULL;
}

gboolean
gilk_image_orc (GilkImage     *image,
                uint64_t       addr,
                uint8_t        entry[GILK_ORC_ENTRY_SIZE],
                GilkFrameBase *base)
{
  const GilkArea *area = gilk_image_area (image, addr);
  const GilkOrcNumbers *numbers;
  const GilkOrcTable *table;

  /* The kernel calls the patch for a user program like a function, so use the ORC entry of a kernel
   * function's first instruction. */
  if (image->user != NULL)
    return image->user->unwind_function != 0 && gilk_image_orc (image->user->kernel, image->user->unwind_function, entry, base);
  if (area == NULL)
    return FALSE;
  table = get_kernel_table (image, &numbers);
  if (area->module != 0)
    table = find_module_table (image, addr);
  if (table == NULL || !gilk_orc_table_find (table, addr, entry))
    return FALSE;
  *base = gilk_orc_base (numbers, entry);

  return TRUE;
}

gboolean
gilk_image_matches_driver (GilkImage             *image,
                           const struct ilk_info *info,
                           GError               **error)
{
  const GilkOrcNumbers *numbers;

  /* Do not fail if the register numbers are unknown: hooks that need them are refused as
   * "stack-unknown". */
  get_kernel_table (image, &numbers);
  if (numbers != NULL && (numbers->sp != info->orc_sp || numbers->bp != info->orc_bp ||
                          numbers->bp_indirect != info->orc_bp_indirect))
    g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
                 _("The driver numbers registers in unwind entries differently (%u, %u, %u) from "
                   "this kernel's tables (%u, %u, %u). The driver may have been built with "
                   "another kernel's headers: rebuild it."),
                 info->orc_sp, info->orc_bp, info->orc_bp_indirect, numbers->sp, numbers->bp,
                 numbers->bp_indirect);
  else if (image->bug_size != 0 && image->bug_size != info->bug_size)
    g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
                 _("The driver expects entries of %u bytes in the bug table, and this kernel's "
                   "entries have %u. The driver may have been built with another kernel's "
                   "headers: rebuild it."),
                 info->bug_size, image->bug_size);
  else
    return TRUE;

  return FALSE;
}
