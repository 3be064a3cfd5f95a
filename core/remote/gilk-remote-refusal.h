/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-refusal.h - what a server's refusal means: cause and remedy
 *
 * Threads: any.
 */
#pragma once

#include "core/remote/gilk-remote-url.h"

G_BEGIN_DECLS

/**
 * gilk_remote_refusal:
 * @name: of the server, for people
 * @status: of HTTP, not 200
 * @body: what it said; whoever it is, so no more than a line of it is shown
 */
void gilk_remote_refusal (const GilkRemoteUrl *url, const char *name, guint status, const char *body,
                          GError **error);

G_END_DECLS
