/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-refusal.h - cause and remedy of a server's error
 *
 * Threads: any.
 */
#pragma once

#include "core/remote/gilk-remote-url.h"

G_BEGIN_DECLS

/**
 * gilk_remote_refusal:
 * @name: of the server, for messages
 * @status: of HTTP, not 200
 * @body: the answer; not trusted, so at most a line of it is shown
 */
void gilk_remote_refusal (const GilkRemoteUrl *url, const char *name, guint status, const char *body,
                          GError **error);

G_END_DECLS
