/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-types.h - declares types that a test gets twice: from the compiler, and from the DWARF
 * of a debug data file
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum debug_colour { DEBUG_RED = 3, DEBUG_GREEN = -7, DEBUG_BLUE = 1 << 20 };
enum { DEBUG_NAMELESS = 4711 };

typedef uint16_t debug_port_t;
typedef struct { unsigned counter; union { int plain; void *pointed; }; } debug_count_t;

struct debug_elsewhere;                  /* this struct is defined in another unit */
struct debug_nowhere;                    /* this struct is defined in no unit */

struct debug_thing {
  struct debug_thing     *next;
  const struct debug_pair *pair;
  union {
    uint64_t              whole;
    struct {
      uint32_t            low, high;
    };
  };
  unsigned                first : 3;
  signed                  second : 9;
  unsigned char           wide[3][5];
  debug_port_t            port;
  enum debug_colour       colour;
  int                   (*call) (struct debug_thing *thing, int number);
  struct { short x, y; }  inner;
  struct debug_elsewhere *elsewhere;
  struct debug_nowhere   *nowhere;
  _Bool                   is_last;
  double                  rate;
  debug_count_t           count;
  char                    tail[];
};

/* Another module may have a struct of the same name and size, but with other members. */
#ifdef DEBUG_VARIANT
struct debug_pair { int right; long left; };
#else
struct debug_pair { long left; int right; };
#endif
