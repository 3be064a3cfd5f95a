/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-prober.h - requests kprobes, uprobes, counters, timers and breakpoints from a helper process
 */
#ifndef GILKD_PROBER_H
#define GILKD_PROBER_H

#include <sys/types.h>

#include "gilkd-probe.h"
#include "gilkd-samples.h"

/**
 * struct gilkd_prober - the agent's connection to a helper that opens perf events
 * @socket: socket to the helper; -1: it was not started
 * @pid: process id of the helper
 * @samples: sample rings, which the agent must empty while it waits for an answer
 * @number: number of the last message
 * @late: number of the last message that is not answered yet; 0: all are answered
 * @waits: the agent waits for an answer; gilkd_prober_flush() must not receive it
 * @stuck: a wait for an answer reached its limit, and no answer has come since
 * @ended, @ended_count: numbers of descriptors for the next CLOSE message
 */
struct gilkd_prober {
	int socket;
	pid_t pid;
	struct gilkd_samples *samples;
	uint32_t number, late;
	bool waits, stuck;
	uint32_t *ended;
	size_t ended_count;
};

int gilkd_prober_start(struct gilkd_prober *prober, const char *name,
		       const struct gilkd_prober *before);
int gilkd_prober_check(struct gilkd_prober *prober, const struct gilkd_probe *probe, int file);
int gilkd_prober_open(struct gilkd_prober *prober, const struct gilkd_probe *probe, int file,
		      uint32_t *number);
int gilkd_prober_open_kprobe(struct gilkd_prober *prober, uint64_t address, int *probe,
			     uint32_t *number);
int gilkd_prober_move(struct gilkd_prober *prober, const struct gilkd_probe *probe, int event);
int gilkd_prober_keep(struct gilkd_prober *prober, int fd, uint32_t *number);
void gilkd_prober_close(struct gilkd_prober *prober, uint32_t number);
void gilkd_prober_flush(struct gilkd_prober *prober);
void gilkd_prober_settle(struct gilkd_prober *prober, struct gilkd_prober *other);

#endif /* GILKD_PROBER_H */
