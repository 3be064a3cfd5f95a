/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-event-names.h - counters of events that programs read: event(NAME)
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  uint64_t    key;           /* ILK_EVENT() */
  gboolean    is_software;   /* the kernel counts it: each machine has it */
} GilkEventName;

const GilkEventName *gilk_event_names (guint *count);
/* 0: there is none of that name */
uint64_t             gilk_event_key   (const char *name);
/* As it is written between the brackets: "instructions", "0x1c2". (transfer full) */
char                *gilk_event_text  (uint64_t key);

G_END_DECLS
