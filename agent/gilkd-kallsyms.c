// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-kallsyms.c - looks up symbols of the kernel in /proc/kallsyms
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gilkd-kallsyms.h"

#define KALLSYMS_PATH	"/proc/kallsyms"
#define LINE_BYTES	1024

/*
 * Parses a line of kallsyms such as "ffffffff81000000 T _stext". If its symbol is one of @symbols,
 * stores the symbol's address there.
 */
static void take_line(const char *line, struct gilkd_symbol *symbols, uint32_t count)
{
	const char *name = strchr(line, ' ');
	size_t length;
	uint32_t i;

	name = name ? strchr(name + 1, ' ') : NULL;
	if (!name)
		return;
	length = strcspn(++name, "\t\n");
	if (name[length] == '\t')	/* a symbol of a module */
		return;
	for (i = 0; i < count; i++) {
		if (!symbols[i].name || symbols[i].found || strncmp(name, symbols[i].name, length) ||
		    symbols[i].name[length])
			continue;
		symbols[i].value = strtoull(line, NULL, 16);
		symbols[i].found = true;
	}
}

/**
 * gilkd_kallsyms_find() - look up symbols
 *
 * Reads the whole file, which can take a second. If several symbols have the same name, takes the
 * first one. Returns 0 or an errno; symbols that the kernel does not have are not an error.
 */
int gilkd_kallsyms_find(struct gilkd_symbol *symbols, uint32_t count)
{
	FILE *file = fopen(KALLSYMS_PATH, "re");
	char line[LINE_BYTES];

	if (!file)
		return errno;
	while (fgets(line, sizeof(line), file))
		take_line(line, symbols, count);
	fclose(file);
	return 0;
}
