/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-work.c - has variables with known values at some of its instructions
 *
 * Compiled separately, with DWARF 4 and 5; DEBUG_WORK is the name of the function.
 */
#include "debug-work.h"

#define TRUTH(NAME) do { \
    debug_truth.names[debug_truth.n] = #NAME; \
    debug_truth.values[debug_truth.n++] = (int64_t) (NAME); \
  } while (0)
#define BEGIN(FUNCTION, CALLER) do { \
    debug_truth.n = 0; \
    debug_truth.function = FUNCTION; \
    debug_truth.line = __LINE__; \
    debug_truth.caller_line = CALLER; \
  } while (0)
/* Traps. The operands are variables, which therefore stay live up to the trap. */
#define TRAP(...) __asm__ volatile ("int3\n\tnop" : : __VA_ARGS__ : "memory")

#define WORD(N) ((volatile long *) block)[N]

static inline __attribute__ ((always_inline)) long
inlined (long number, int caller)
{
  long doubled = 2 * number;
  short narrow = (short) (number - 40000);

  BEGIN ("inlined", caller); TRUTH (number); TRUTH (doubled); TRUTH (narrow); TRAP ("r" (doubled), "r" (number), "r" ((int) narrow));

  return doubled + narrow;
}

__attribute__ ((noinline)) long
DEBUG_WORK (long first, int second, struct debug_pair *pair)
{
  long sum = first + 3 * second;
  struct debug_pair own = { sum, second };
  long block[4] = { 1, 2, 3, first };
  _Bool is_large = first > 100;
  long tail;

  __asm__ volatile ("" : : "r" (&own), "r" (block) : "memory");
  BEGIN ("", 0); TRUTH (first); TRUTH (second); TRUTH (pair); TRUTH (sum); TRUTH (own.left); TRUTH (is_large); TRAP ("r" (sum), "r" (first), "r" (second), "r" (pair), "r" (is_large), "r" (&own));
  tail = inlined (sum, __LINE__);
  BEGIN ("", 0); TRUTH (tail); TRUTH (own.left); TRUTH (own.right); TRAP ("r" (tail), "r" (&own), "r" (block));

  return tail + own.left + block[3] + pair->right;
}
