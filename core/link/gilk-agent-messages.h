/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-agent-messages.h - translation of messages from the agent and from instruments
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Translates a sentence of the agent or a text of an instrument's description. (transfer full) */
char *gilk_agent_translate (const char *text);

G_END_DECLS
