/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-time.h - clocks, the cost of code, and intervals
 *
 * Intervals are set, started and stopped under ilk_mutex; between start and stop only their timer
 * writes them. Clocks have locks of their own, and ilk_measure() takes ilk_mutex.
 */
#ifndef ILK_TIME_H
#define ILK_TIME_H

#include <linux/types.h>

#include "ilk-abi.h"

struct ilk_client;

/* ---- ilk-clock.c, ilk-measure.c: clocks, and the cost of code ------------------- */

void ilk_clock_read(struct ilk_timestamp_pair *reading);
int ilk_clock_compare(struct ilk_clocks *call, struct ilk_cpu_clock *cpus);
int ilk_measure(struct ilk_client *client, const struct ilk_measure *call,
		struct ilk_measure_result *out);

/* ---- ilk-intervals.c: hooks switched off and on ---------------------------------- */

int ilk_intervals_set(struct ilk_client *client, const struct ilk_intervals *call, const u8 *on);
void ilk_intervals_start(struct ilk_client *client);
void ilk_intervals_stop(struct ilk_client *client);
void ilk_intervals_free(struct ilk_client *client);
bool ilk_intervals_use_hook(const struct ilk_client *client, u32 iid);
u32 ilk_intervals_get_times(struct ilk_client *client, u64 *at, u32 room);

#endif /* ILK_TIME_H */
