/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-endpoint.h - serves a text by HTTP: GET /metrics
 *
 * A thread serves up to GILK_ENDPOINT_CLIENTS clients at once; others wait in the listen queue. A
 * request can have at most 8 KiB. Requests other than GET /metrics are refused; a client that sends
 * no HTTP may be disconnected without an answer. A client is disconnected if it is idle too long,
 * or if it has exceeded its time limit when a text is published. Clients therefore cannot delay the
 * publisher, and each holds at most its request and one text.
 *
 * Threads: any, for all functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_ENDPOINT_CLIENTS 8
#define GILK_ENDPOINT_SECONDS 5.0

typedef struct _GilkEndpoint GilkEndpoint;

/**
 * gilk_endpoint_new:
 * @address: [ADDRESS:]PORT. ADDRESS is 127.0.0.1 by default; an IPv6 address is in brackets. PORT 0
 * chooses a free port
 * @type: content type of the text
 * @seconds: time limit for a client, from connection to complete answer; rounded up to whole
 * seconds, it also limits idle time; normally GILK_ENDPOINT_SECONDS
 * Returns an endpoint that is listening and has an empty text.
 */
GilkEndpoint *gilk_endpoint_new     (const char *address, const char *type, double seconds, GError **error);
/* Disconnects all clients, and frees @endpoint, which may be NULL. */
void          gilk_endpoint_free    (GilkEndpoint *endpoint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEndpoint, gilk_endpoint_free)

/* Returns the endpoint's address, "127.0.0.1:9100". (transfer none) */
const char   *gilk_endpoint_address (const GilkEndpoint *endpoint);
/* Replaces the text, without waiting for clients. @text: (transfer full): the new text */
void          gilk_endpoint_publish (GilkEndpoint *endpoint, char *text);

G_END_DECLS
