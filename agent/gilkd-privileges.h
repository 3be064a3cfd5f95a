/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-privileges.h - keeps only the root privileges that the agent needs
 */
#ifndef GILKD_PRIVILEGES_H
#define GILKD_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#define GILKD_CAP_BIT(cap)	(1ull << (cap))
/* Headers before Linux 5.8 lack CAP_PERFMON and CAP_BPF. */
#define GILKD_CAP_PERFMON	38
#define GILKD_CAP_BPF		39
#define GILKD_CAPS	\
	(GILKD_CAP_BIT(CAP_SYS_MODULE) | GILKD_CAP_BIT(CAP_SYS_RAWIO) | GILKD_CAP_BIT(CAP_SYSLOG) | \
	 GILKD_CAP_BIT(GILKD_CAP_PERFMON) | GILKD_CAP_BIT(GILKD_CAP_BPF))
#define GILKD_CAPS_OPEN	GILKD_CAP_BIT(CAP_SYS_PTRACE)	/* capabilities of the process that opens
							 * files */
#define GILKD_CAPS_PROBE	\
	(GILKD_CAP_BIT(GILKD_CAP_PERFMON) | GILKD_CAP_BIT(CAP_SYS_ADMIN))	/* capabilities of
										 * processes of
										 * gilkd-probe.c */
#define GILKD_FILES_MAX	(1u << 19)	/* maximum number of descriptors: up to four per BPF hook,
					 * and one per area or event counter */
#define GILKD_URGENT	1u	/* lowest real-time priority, used while a ring is filling */

int gilkd_drop_privileges(uint64_t needed);

#endif /* GILKD_PRIVILEGES_H */
