/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd.h - the agent's main struct: one client and its resources
 *
 * One process, one thread, one stream, one session at a time. Each object owns its state, and other
 * files need only its header. Only functions that use several objects take struct gilkd. Ending a
 * session closes /dev/ilk, and the driver restores every byte that the session changed.
 */
#ifndef GILKD_H
#define GILKD_H

#include "gilkd-bpf.h"
#include "gilkd-client.h"
#include "gilkd-driver.h"
#include "gilkd-files.h"
#include "gilkd-modules.h"
#include "gilkd-open.h"
#include "gilkd-samples.h"
#include "gilkd-vmlinux.h"

struct gilkd {
	struct gilkd_client client;
	struct gilkd_driver driver;
	struct gilkd_samples samples;
	struct gilkd_kcore kcore;
	struct gilkd_opener opener;
	struct gilkd_arenas arenas;
	struct gilkd_prober prober, uprober;	/* uprober: helper for uprobes; prober: helper for
						 * all other perf events */
	struct gilkd_bpf bpf;
	struct gilkd_vmlinux vmlinux;		/* for an agent that serves the file of a kernel
						 * instead of the running kernel */
};

/* defined in gilkd-hooks.c */
void gilkd_do_driver_load(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_driver_unload(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_reserve(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_prepare(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_arm(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_disarm(struct gilkd *d, uint8_t *payload, size_t length);

/* defined in gilkd-user.c */
void gilkd_do_user_read(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_user_bind(struct gilkd *d, uint8_t *payload, size_t length);

/* defined in gilkd-relay.c */
int gilkd_relay(const char *path);

/* defined in gilkd-request.c */
void gilkd_init(struct gilkd *d, int in, int out);
void gilkd_dispatch(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_session_end(struct gilkd *d);

#endif /* GILKD_H */
