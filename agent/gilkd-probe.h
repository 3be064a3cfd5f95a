/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-probe.h - opens kprobes, in a separate process
 */
#ifndef GILKD_PROBE_H
#define GILKD_PROBE_H

#include <stdint.h>

/**
 * struct gilkd_prober - the process that opens kprobes
 * @socket: connected to the process; -1: it was not started
 */
struct gilkd_prober {
	int socket;
};

int gilkd_prober_start(struct gilkd_prober *prober);
int gilkd_prober_open(const struct gilkd_prober *prober, uint64_t address);

#endif /* GILKD_PROBE_H */
