/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-types.c - a file whose debug data contain types
 *
 * Linked with debug-elsewhere.c into one object file, once with DWARF 4 and once with DWARF 5.
 */
#include "debug-types.h"

int debug_call (struct debug_thing *thing, debug_port_t port, const char *format, ...);
int debug_by_value (struct debug_pair pair, int number);
int __attribute__ ((ms_abi)) debug_elsewise (struct debug_thing *thing, int number);

static __attribute__ ((noinline)) long
debug_quiet (const struct debug_pair *pair)
{
  __asm__ volatile ("" : : "r" (pair) : "memory");

  return pair->left + DEBUG_NAMELESS;
}

int
debug_call (struct debug_thing *thing, debug_port_t port, const char *format, ...)
{
  return thing->second + port + *format + (int) debug_quiet (thing->pair);
}

/* Takes its arguments in other registers than the C ABI says, as a compiler may make a static
 * function do. */
int __attribute__ ((ms_abi))
debug_elsewise (struct debug_thing *thing, int number)
{
  return thing->port + number;
}

int
debug_by_value (struct debug_pair pair, int number)
{
  return pair.right + number;
}
