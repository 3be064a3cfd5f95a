/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-choices.h - what can be watched, for who is writing it
 *
 * Threads: any; types are asked of the target where members are looked for, and that may block.
 */
#pragma once

#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct {
  char    *text;               /* to be written: "jiffies_64", "name [module]", "(struct s) v.member" */
  char    *note;               /* (nullable) of what type it is */
  uint64_t matched;            /* bit i: character i of the text is of what was typed (i < 64) */
  gboolean per_cpu;            /* each processor has its own */
  int      score;
} GilkWatchChoice;

/**
 * gilk_watch_choices:
 * @text: as far as it is written: part of a name, as gilk_functions_find() takes it; or a variable and "." with or without
 *   the begin of a member; or "(" and the begin of a type's name
 * Variables, best first, at most @limit; none where nothing fits, or no type is known to look for members in.
 * Returns: (transfer full) (element-type GilkWatchChoice)
 */
GPtrArray *gilk_watch_choices      (GilkImage *image, const char *text, guint limit, GCancellable *cancellable);
/* The same of functions, whose instructions may be watched as well. */
GPtrArray *gilk_watch_code_choices (GilkFunctions *functions, const char *text, guint limit);

G_END_DECLS
