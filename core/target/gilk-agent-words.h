/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-agent-words.h - what the agent says, in the user's language
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A sentence of the agent, or a text in an instrument's description. (transfer full) */
char *gilk_agent_words (const char *text);

G_END_DECLS
