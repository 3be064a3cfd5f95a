// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * user-throws.cc - runs inside a lab: a program of C++ whose functions are left by exceptions as well as by returns
 *
 *   user-throws CALLS   "caught N returned N sum N": of each tenth call one is thrown
 *
 * What looks for the callers of a thrown exception finds no address on the stack but those that calls put there, or the program ends.
 */
#include <cstdio>
#include <cstdlib>

namespace shop {

struct Basket {
	long total = 0;

	__attribute__((noipa)) long add(long price);
};

__attribute__((noipa)) long Basket::add(long price)
{
	total += price;
	return total;
}

}

extern "C" __attribute__((noipa)) int gilk_throws(int n)
{
	if (n % 10 == 0)
		throw n;
	return n;
}

/* Returns from where it catches, too. */
extern "C" __attribute__((noipa)) int gilk_catches(int n)
{
	try {
		return gilk_throws(n);
	} catch (int) {
		return -1;
	}
}

int main(int argc, char **argv)
{
	const int calls = argc > 1 ? std::atoi(argv[1]) : 100;
	int caught = 0, returned = 0;
	shop::Basket basket;

	for (int i = 0; i < calls; i++) {
		if (gilk_catches(i) < 0)
			caught++;
		else
			returned++;
		basket.add(i);
	}
	std::printf("caught %d returned %d sum %ld\n", caught, returned, basket.total);
	return 0;
}
