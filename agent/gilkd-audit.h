/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-audit.h - audit log of changes to the kernel
 */
#ifndef GILKD_AUDIT_H
#define GILKD_AUDIT_H

#include <stdint.h>

/**
 * struct gilkd_audit - audit log of changes to the kernel
 * @path: path of the log's socket
 * @fd: socket to send from, -1: none
 * @who: description of the client
 * @unlogged: number of actions that could not be logged since the last logged one
 * @prepared: number of patches prepared since the last ARM
 * @live: number of armed patches that are not known to be restored
 */
struct gilkd_audit {
	const char *path;
	int fd;
	char who[112];
	unsigned int unlogged;
	uint32_t prepared, live;
};

void gilkd_audit_open(struct gilkd_audit *audit, int stream, const char *path);
void gilkd_audit_close(struct gilkd_audit *audit);
void gilkd_audit_log(struct gilkd_audit *audit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* GILKD_AUDIT_H */
