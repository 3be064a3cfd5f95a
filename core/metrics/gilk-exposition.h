/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-exposition.h - writes metrics in Prometheus' text format, version 0.0.4
 *
 * A metric family is declared once, followed by all its samples. Names are fixed by Gilk; texts
 * from sessions are only in labels, escaped.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_EXPOSITION_TYPE "text/plain; version=0.0.4; charset=utf-8"

typedef struct _GilkExposition GilkExposition;

typedef struct { const char *name, *value; } GilkLabel;

GilkExposition *gilk_exposition_new    (void);
void            gilk_exposition_free   (GilkExposition *exposition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkExposition, gilk_exposition_free)

/* Declares a metric family. @type: "counter", "gauge" or "histogram" */
void            gilk_exposition_family (GilkExposition *exposition, const char *name, const char *type,
                                        const char *help);
/* Add a sample to the last declared family. @suffix: appended to the family's name, usually "";
 * @labels: terminated by a label without a name */
void            gilk_exposition_uint   (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        uint64_t value);
void            gilk_exposition_double (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        double value);
/* Returns the text so far. (transfer none) */
const char     *gilk_exposition_text   (const GilkExposition *exposition);

G_END_DECLS
