/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-cpus.h - CPUs of this machine
 */
#ifndef GILKD_CPUS_H
#define GILKD_CPUS_H

#include <stdbool.h>
#include <stdint.h>

uint32_t gilkd_cpus_count(void);
bool gilkd_cpus_mark_online(uint8_t *online, uint32_t count);

#endif /* GILKD_CPUS_H */
