// SPDX-License-Identifier: GPL-2.0-or-later
//
// user-inlined.cc - a C++ program with inlined methods; see user-inlined.c
//
// The namespaces have a method of the same name, of which only one is marked.

#define MARK() __asm__ volatile ("nopw 0x7a11(%%rax)" : : : "memory")
#define INLINED inline __attribute__ ((always_inline))
#define APART __attribute__ ((noinline))

namespace shop {

class Basket {
public:
  INLINED long add (long number) { MARK (); return total += number; }
  INLINED long sum () const;
  APART long twice (long number);

private:
  long total = 0;
};

long
Basket::sum () const
{
  return total ^ 5;
}

APART long
Basket::twice (long number)
{
  return add (number) + sum ();
}

}

namespace other {

struct Basket {
  INLINED long add (long number) { return total -= 3 * number; }
  long total = 0;
};

}

static APART long
fill (shop::Basket &basket, long number)
{
  __asm__ volatile ("" : "+r" (number));

  return basket.add (number) + 1;
}

static APART long
empty (other::Basket &basket, long number)
{
  __asm__ volatile ("" : "+r" (number));

  return basket.add (number) + 1;
}

int
main (int argc, char **)
{
  shop::Basket basket;
  other::Basket others;

  return (int) (basket.twice (argc) + fill (basket, argc) + empty (others, argc));
}
