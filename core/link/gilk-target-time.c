/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-time.c - requests about a target's clocks, costs of code, calls and A/B intervals
 */
#include "core/link/gilk-request.h"

gboolean
gilk_target_clocks (GilkTarget         *target,
                    struct gilk_clocks *head,
                    GArray            **cpus,
                    GCancellable       *cancellable,
                    GError            **error)
{
  const uint32_t all = cpus != NULL;
  g_autoptr (GByteArray) answer = NULL;
  struct ilk_info info;
  GilkLimits limits;
  GError *wrong = NULL;

  if (gilk_target_limits (target).n_cpus == 0 &&
      !gilk_target_driver_info (target, &info, cancellable, error))
    return FALSE;
  answer = gilk_target_request (target, GILK_CLOCKS, &all, sizeof all, cancellable, error);
  if (answer == NULL)
    return FALSE;
  limits = gilk_target_limits (target);

  return gilk_answer_clocks (answer, &limits, head, cpus, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

/* Requests INFO, which contains a reading of the clock; gilk_target_driver_info() stores the first
 * reading. */
void
gilk_target_start_clock (GilkTarget *target)
{
  struct ilk_timestamp_pair reading;
  struct ilk_info info;

  if (!gilk_target_first_timestamp (target, &reading))
    gilk_target_driver_info (target, &info, NULL, NULL);
}

GArray *
gilk_target_measure (GilkTarget   *target,
                     uint32_t      patch,
                     uint32_t      base,
                     guint         calls,
                     guint         count,
                     GCancellable *cancellable,
                     GError      **error)
{
  const struct ilk_measure measure = { .patch = patch, .base = base, .calls = calls, .count = count };
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_MEASURE, &measure, sizeof measure, cancellable, error);
  GError *wrong = NULL;
  GArray *measured;

  if (answer == NULL)
    return NULL;
  measured = gilk_answer_measured (answer, count, &wrong);

  return gilk_target_check_parsed (target, measured, wrong, error);
}

gboolean
gilk_target_calls (GilkTarget              *target,
                   const struct gilk_calls *wish,
                   struct gilk_calls_made  *made,
                   GCancellable            *cancellable,
                   GError                 **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_CALLS, wish, sizeof *wish, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_calls (answer, wish, made, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_set_intervals (GilkTarget    *target,
                           uint32_t       iid,
                           uint64_t       period_ns,
                           const uint8_t *on,
                           guint          count,
                           GCancellable  *cancellable,
                           GError       **error)
{
  const struct ilk_intervals blocks = { .iid = iid, .count = count, .period_ns = period_ns };
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  g_byte_array_append (payload, (const uint8_t *) &blocks, sizeof blocks);
  g_byte_array_append (payload, on, count);

  return gilk_target_command (target, GILK_INTERVALS, payload->data, payload->len, cancellable, error);
}

GArray *
gilk_target_intervals (GilkTarget   *target,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INTERVAL_TIMES, NULL, 0, cancellable, error);
  GError *wrong = NULL;
  GArray *moments;

  if (answer == NULL)
    return NULL;
  moments = gilk_answer_intervals (answer, &wrong);

  return gilk_target_check_parsed (target, moments, wrong, error);
}
