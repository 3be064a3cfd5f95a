/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-types.c - defines types for debug data that tests read
 *
 * Linked with debug-elsewhere.c into one object file, once with DWARF 4 and once with DWARF 5.
 */
#include "debug-types.h"

int debug_call (struct debug_thing *thing, debug_port_t port, const char *format, ...);
int debug_by_value (struct debug_pair pair, int number);
long debug_locals (long number);
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

struct debug_thing debug_variable;

/* A function with types that are local to two blocks, whose code is at separate addresses. */
long
debug_locals (long number)
{
  struct debug_inside { long deep; struct debug_pair pair; } inside = { number, { 1, 2 } };

  __asm__ volatile ("" : : "r" (&inside) : "memory");
  if (inside.deep > 3)
    {
      struct debug_inside { short shallow; } other = { (short) inside.deep };

      __asm__ volatile ("nop" : : "r" (&other) : "memory"); /* INSIDE */
      inside.deep += other.shallow;
    }

  return inside.deep; /* OUTSIDE */
}

/* A function that takes its arguments in registers other than those of the C ABI. Compilers may do
 * the same for a static function. */
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
