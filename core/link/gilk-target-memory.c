/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-memory.c - maps of hooks in a target's memory
 */
#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/link/gilk-request.h"

#define BYTES_MAX (1u << 30)     /* limit of a single read; the driver provides at most 64 MiB */

gboolean
gilk_target_memory (GilkTarget      *target,
                    struct ilk_area *areas,
                    guint            count,
                    GCancellable    *cancellable,
                    GError         **error)
{
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  if (count == 0)
    return TRUE;
  if (count > ILK_BATCH_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The programs declare %u maps, globals and limiters, and the limit is %u; use fewer."), count, ILK_BATCH_MAX);
      return FALSE;
    }
  answer = gilk_target_request (target, GILK_MEMORY, areas, count * sizeof *areas, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_memory (answer, areas, count, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

/* ---- reading ---- */

typedef struct {
  const struct ilk_memory_read *reads;
  guint                         count;    /* number of reads not requested yet */
} ReadCursor;

static uint32_t
request_memory (GilkTarget *target,
                gpointer    data,
                gsize      *bytes,
                GError    **error)
{
  ReadCursor *cursor = data;
  const struct ilk_memory_read *reads = cursor->reads;
  guint n = 0;

  *bytes = 0;
  for (; n < MIN (cursor->count, ILK_BATCH_MAX) && *bytes + reads[n].bytes <= GILK_WIRE_MEMORY_MAX; n++)
    *bytes += reads[n].bytes;
  if (n == 0)
    return 0;
  cursor->reads += n;
  cursor->count -= n;

  return gilk_target_send_bytes (target, GILK_MEMORY_READ, reads, n * sizeof *reads, error);
}

/* Checks that no read is empty or too large for an answer. Sets @total to the sum of sizes. */
static gboolean
check_reads (const struct ilk_memory_read *reads,
             guint                         count,
             gsize                        *total,
             GError                      **error)
{
  *total = 0;
  for (guint i = 0; i < count; i++)
    {
      *total += reads[i].bytes;
      if (reads[i].bytes > 0 && reads[i].bytes <= ILK_AREA_BYTES_MAX && *total <= BYTES_MAX)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Cannot read %u of %zu bytes of maps at once; read 8 to %u of each, and %u in all."), reads[i].bytes, *total, ILK_AREA_BYTES_MAX, BYTES_MAX);
      return FALSE;
    }

  return TRUE;
}

GByteArray *
gilk_target_memory_read (GilkTarget                   *target,
                         const struct ilk_memory_read *reads,
                         guint                         count,
                         GCancellable                 *cancellable,
                         GError                      **error)
{
  ReadCursor cursor = { reads, count };
  g_autoptr (GByteArray) out = NULL;
  gsize total;

  if (!check_reads (reads, count, &total, error))
    return NULL;
  out = g_byte_array_new ();
  g_byte_array_set_size (out, (guint) total);
  if (!gilk_target_request_parts (target, GILK_MEMORY_READ, request_memory, &cursor, out->data, cancellable, error))
    return NULL;

  return g_steal_pointer (&out);
}

/* ---- modules that hooks call ---- */

gboolean
gilk_target_pin (GilkTarget   *target,
                 uint64_t      address,
                 const char   *module,
                 GCancellable *cancellable,
                 GError      **error)
{
  struct ilk_pin pin = { .address = address };
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_strlcpy (pin.module, module, sizeof pin.module);
  answer = gilk_target_request (target, GILK_PIN, &pin, sizeof pin, cancellable, error);
  if (answer == NULL)
    return FALSE;
  if (!gilk_answer_pin (answer, &pin, &wrong))
    return gilk_target_reject_answer (target, wrong, error);
  if (pin.refusal == 0)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("A hook cannot call a function of module %s (%s): %s %s"),
               module, gilk_refusal_name (pin.refusal), gilk_refusal_cause (pin.refusal),
               gilk_refusal_remedy (pin.refusal));
  return FALSE;
}
