/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-event-names.h - names of the event counters that programs can read: event(NAME)
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  uint64_t    key;           /* GILK_EVENT_KEY() */
  gboolean    is_software;   /* the kernel itself counts the event, so it is available on every
                              * machine */
} GilkEventName;

const GilkEventName *gilk_event_names (guint *count);
/* Returns the key of event @name, or 0 if no event has this name. */
uint64_t             gilk_event_key   (const char *name);
/* Returns @key as written in event(): "instructions", "0x1c2". (transfer full) */
char                *gilk_event_text  (uint64_t key);

/* Returns whether the text of a program reads event counters. */
gboolean gilk_code_reads_events (const char *code);

G_END_DECLS
