/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-kallsyms.h - looks up symbols of the kernel
 */
#ifndef GILKD_KALLSYMS_H
#define GILKD_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct gilkd_symbol - a symbol to look up
 * @name: name of a symbol of the kernel itself, not of a module; NULL: none
 * @found: the kernel has the symbol
 * @value: address of the symbol; for a per-CPU variable, the address to which an element of
 *     __per_cpu_offset[] must be added
 */
struct gilkd_symbol {
	const char *name;
	bool found;
	uint64_t value;
};

int gilkd_kallsyms_find(struct gilkd_symbol *symbols, uint32_t count);

#endif /* GILKD_KALLSYMS_H */
