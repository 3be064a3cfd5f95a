/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-exposition.h - figures in Prometheus' text format, version 0.0.4
 *
 * A metric family is declared once, followed by all its samples. Names are ours; texts from
 * sessions go into labels, escaped.
 *
 * Threads: one at a time.
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

/* @type: "counter", "gauge" or "histogram" */
void            gilk_exposition_family (GilkExposition *exposition, const char *name, const char *type,
                                        const char *help);
/* Add a sample to the last declared family. @suffix: appended to its name, usually ""; @labels:
 * terminated by one without a name */
void            gilk_exposition_uint   (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        uint64_t value);
void            gilk_exposition_double (GilkExposition *exposition, const char *suffix, const GilkLabel *labels,
                                        double value);
/* (transfer none) */
const char     *gilk_exposition_text   (const GilkExposition *exposition);

G_END_DECLS
