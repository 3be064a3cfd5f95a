/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-driver.h - the driver, and requests that become ioctls of /dev/ilk
 *
 * When a descriptor of /dev/ilk is closed, the driver restores all text that was changed
 * through it.
 */
#ifndef GILKD_DRIVER_H
#define GILKD_DRIVER_H

#include "gilkd-client.h"

/**
 * struct gilkd_driver - this session's /dev/ilk
 * @client: client whose requests are served
 * @device: descriptor of /dev/ilk; -1: not opened yet
 * @holds: hooks or memory were reserved through @device, and not all of them were freed
 */
struct gilkd_driver {
	struct gilkd_client *client;
	int device;
	bool holds;
};

/* defined in gilkd-driver.c */
bool gilkd_driver_exists(void);
int gilkd_driver_open_file(void);
bool gilkd_driver_open(struct gilkd_driver *driver);
void gilkd_driver_close(struct gilkd_driver *driver);
void gilkd_driver_fail(struct gilkd_driver *driver, const char *what, int error);
int gilkd_driver_ioctl_on_reference(struct gilkd_driver *driver, unsigned long command, void *argument);
bool gilkd_driver_info(struct gilkd_driver *driver, struct ilk_info *info);
void gilkd_do_driver_info(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_instruments(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_status(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_counters(struct gilkd_driver *driver, uint8_t *payload, size_t length);

/* requests about clocks, the cost of code, and intervals */
void gilkd_do_clocks(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_measure(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_intervals(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_interval_times(struct gilkd_driver *driver, uint8_t *payload, size_t length);

void gilkd_do_crash(struct gilkd_driver *driver, uint8_t *payload, size_t length);

/* defined in gilkd-memory.c */
void gilkd_do_memory(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_memory_read(struct gilkd_driver *driver, uint8_t *payload, size_t length);
void gilkd_do_pin(struct gilkd_driver *driver, uint8_t *payload, size_t length);


#endif /* GILKD_DRIVER_H */
