/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user-inlined.c - defines a function that is inlined into three other functions
 *
 * Built as a program, a static program and a library. Each inlined copy starts with an
 * instruction that occurs nowhere else, so that the copies are known without debug data.
 */
#define MARK() __asm__ volatile ("nopw 0x7a11(%%rax)" : : : "memory")

long user_first (long number);
long user_second (long number);

static inline __attribute__ ((always_inline)) long
inlined_square (long number)
{
  MARK ();

  return number * number + 3;
}

__attribute__ ((noinline)) long
user_first (long number)
{
  return inlined_square (number) + 1;
}

__attribute__ ((noinline)) long
user_second (long number)
{
  __asm__ volatile ("" : "+r" (number));
  if (number > 7)
    number = inlined_square (number - 7);

  return number;
}

/* This function loses its symbol when the file is stripped. */
static __attribute__ ((noinline)) long
user_hidden (long number)
{
  __asm__ volatile ("" : "+r" (number));

  return 5 * inlined_square (number);
}

int
main (int argc, char **argv)
{
  return (int) (user_first (argc) + user_second (argc) + user_hidden (argc));
}
