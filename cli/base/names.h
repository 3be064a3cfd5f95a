/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - returns stable names of constants, such as states, for text and JSON
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-tactic.h"

/* Each function returns "unknown", never NULL, for a value that it does not know, such as a value
 * of a newer release. */
const char *cli_state_name  (guint state);       /* enum ilk_state */
const char *cli_wait_name   (guint wait);        /* enum ilk_wait */
const char *cli_edge_name   (guint kind);        /* GilkEdgeKind */
const char *cli_ending_name (guint ending);      /* GilkBlockEnd */
const char *cli_field_name  (guint type);        /* @type: enum ilk_field_type */
