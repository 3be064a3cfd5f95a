/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-probe.h - opens kprobes, event counters and timers, in a separate process
 */
#ifndef GILKD_PROBE_H
#define GILKD_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct gilkd_prober - the process that opens kprobes, event counters and timers
 * @socket: connected to the process; -1: it was not started
 */
struct gilkd_prober {
	int socket;
};

struct perf_event_attr;

int gilkd_probe_type(const char *path);
int gilkd_probe_open_event(const struct perf_event_attr *attr);

int gilkd_prober_start(struct gilkd_prober *prober);
int gilkd_prober_open(const struct gilkd_prober *prober, uint64_t address);
bool gilkd_prober_is_event(uint64_t key);
int gilkd_prober_open_event(const struct gilkd_prober *prober, uint64_t key, uint32_t cpu);
bool gilkd_prober_is_timer(bool frequency, uint64_t amount);
int gilkd_prober_open_timer(const struct gilkd_prober *prober, uint32_t cpu, bool frequency,
			    uint64_t amount);

#endif /* GILKD_PROBE_H */
