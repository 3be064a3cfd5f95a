/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-elsewhere.c - second compilation unit: defines the struct that debug-types.c only declares
 */
#include "debug-types.h"

struct debug_elsewhere { int number; struct debug_thing *back; };

int debug_other (struct debug_elsewhere *elsewhere);

int
debug_other (struct debug_elsewhere *elsewhere)
{
  return elsewhere->number + (int) elsewhere->back->port;
}
