/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-endpoint.h - a text that whoever asks by HTTP gets: GET /metrics
 *
 * A thread of its own serves GILK_ENDPOINT_CLIENTS at once; further ones wait in the listener's queue. Of
 * a request no more than its first line is understood, and 8 KiB are read; who has not asked or not taken its
 * answer in time is hung up on. So nobody who may connect can hold up who publishes, nor take more than that
 * of memory.
 *
 * Threads: any, for all of it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_ENDPOINT_CLIENTS 8
#define GILK_ENDPOINT_SECONDS 5.0

typedef struct _GilkEndpoint GilkEndpoint;

/**
 * gilk_endpoint_new:
 * @place: [ADDRESS:]PORT; 127.0.0.1 without an address, a free port for 0; one of IPv6 in brackets
 * @type: of the text
 * @seconds: for a client, from connecting to its answer; GILK_ENDPOINT_SECONDS as a rule
 * Listens when it returns. The text is empty.
 */
GilkEndpoint *gilk_endpoint_new     (const char *place, const char *type, double seconds, GError **error);
/* Hangs up on all who are there. NULL is fine. */
void          gilk_endpoint_free    (GilkEndpoint *endpoint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEndpoint, gilk_endpoint_free)

/* "127.0.0.1:9100" (transfer none) */
const char   *gilk_endpoint_place   (const GilkEndpoint *endpoint);
/* @text: (transfer full): what is answered from now on. Does not wait for any client. */
void          gilk_endpoint_publish (GilkEndpoint *endpoint, char *text);

G_END_DECLS
