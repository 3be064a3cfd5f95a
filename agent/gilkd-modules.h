/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-modules.h - loads and unloads kernel modules: ilk, its arenas, instruments
 */
#ifndef GILKD_MODULES_H
#define GILKD_MODULES_H

#include "gilkd-client.h"

/* defined in gilkd-modules.c */
int gilkd_module_file(const char *name, char *path, size_t size);
int gilkd_module_load(struct gilkd_audit *audit, const char *path);
int gilkd_module_unload(struct gilkd_audit *audit, const char *name);
bool gilkd_load_or_fail(struct gilkd_client *client, const char *path);
bool gilkd_unload_or_fail(struct gilkd_client *client, const char *module);
void gilkd_fail_load(struct gilkd_client *client, const char *path, int error);
void gilkd_do_instrument_files(struct gilkd_client *client, uint8_t *payload, size_t length);
void gilkd_do_instrument_load(struct gilkd_client *client, uint8_t *payload, size_t length);
void gilkd_do_instrument_unload(struct gilkd_client *client, uint8_t *payload, size_t length);

/* defined in gilkd-arenas.c */

/**
 * struct gilkd_arenas - when to check for unused arena modules, which provide the driver with
 * memory for code
 * @next_ms: time of the next check
 * @until_ms: time after which to stop checking; 0: do not check
 */
struct gilkd_arenas {
	uint64_t next_ms;
	uint64_t until_ms;
};

bool gilkd_arenas_grow(struct gilkd_client *client, uint32_t missing, uint32_t *grown);
uint64_t gilkd_arenas_count_unloaded(void);
bool gilkd_arenas_unload(struct gilkd_audit *audit);
void gilkd_arenas_release(struct gilkd_arenas *arenas);
uint64_t gilkd_arenas_next_ms(const struct gilkd_arenas *arenas);
void gilkd_arenas_tick(struct gilkd_arenas *arenas, struct gilkd_audit *audit);
void gilkd_arenas_end(struct gilkd_arenas *arenas, struct gilkd_audit *audit);

#endif /* GILKD_MODULES_H */
