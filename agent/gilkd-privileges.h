/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-privileges.h - keeps only the root privileges that the agent needs
 */
#ifndef GILKD_PRIVILEGES_H
#define GILKD_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#define GILKD_CAP_BIT(cap)	(1ull << (cap))
#define GILKD_CAPS	\
	(GILKD_CAP_BIT(CAP_SYS_MODULE) | GILKD_CAP_BIT(CAP_SYS_RAWIO) | GILKD_CAP_BIT(CAP_SYSLOG))
#define GILKD_CAPS_OPEN	GILKD_CAP_BIT(CAP_SYS_PTRACE)	/* capabilities of the process that opens
							 * files */
#define GILKD_URGENT	1u	/* lowest real-time priority, used while a ring is filling */

int gilkd_drop_privileges(uint64_t needed);

#endif /* GILKD_PRIVILEGES_H */
