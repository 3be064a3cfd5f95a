/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-uprobe.h - puts uprobes into programs and removes them, in a separate process
 */
#ifndef GILKD_UPROBE_H
#define GILKD_UPROBE_H

#include "gilkd-samples.h"

/**
 * struct gilkd_uprober - the process that puts uprobes
 * @socket: connected to the process
 * @number: number of the last request; a uprobe has the number of the request that put it
 * @ended, @ended_count: uprobes to remove, of which the process does not know yet
 */
struct gilkd_uprober {
	int socket;
	uint32_t number;
	uint32_t *ended;
	size_t ended_count;
};

/**
 * struct gilkd_uprobe - an instruction of a file
 * @file: descriptor of the file
 * @returns: the point is the return of the function that starts at @offset
 * @old: @len bytes that the file must have at @offset
 */
struct gilkd_uprobe {
	int file;
	bool returns;
	uint64_t offset;
	uint32_t len;
	uint8_t old[ILK_USER_INSN_MAX + 1];
};

int gilkd_uprober_start(struct gilkd_uprober *uprober);
int gilkd_uprober_check(struct gilkd_uprober *uprober, struct gilkd_samples *samples,
			const struct gilkd_uprobe *uprobe);
int gilkd_uprober_open(struct gilkd_uprober *uprober, struct gilkd_samples *samples,
		       const struct gilkd_uprobe *uprobe, uint32_t *number);
void gilkd_uprober_close(struct gilkd_uprober *uprober, uint32_t number);
void gilkd_uprober_flush(struct gilkd_uprober *uprober);

#endif /* GILKD_UPROBE_H */
