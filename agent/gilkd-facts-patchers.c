// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-facts-patchers.c - gathers facts about other patchers of the kernel's text, and about taint
 */
#include <dirent.h>
#include <stdio.h>

#include "gilkd-facts.h"
#include "gilkd-files.h"

#define LIVEPATCHES	"/sys/kernel/livepatch"

static void add_count_fact(struct facts *f, const char *key, const char *path, const char *with)
{
	long count = fact_count_lines(path, with);

	if (count >= 0)
		fact(f, key, "%ld", count);
}

static void add_livepatch_fact(struct facts *f)
{
	DIR *dir = opendir(LIVEPATCHES);
	struct dirent *entry;
	char names[256] = "";

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			fact_add_word(names, sizeof(names), entry->d_name);
	if (!dir)
		return;
	closedir(dir);
	fact(f, "livepatch", "%s", names);
}

void facts_patchers(struct facts *f)
{
	char path[128];

	fact_file(f, "taint", "/proc/sys/kernel/tainted");
	add_count_fact(f, "kprobes", GILKD_DEBUGFS "/kprobes/list", NULL);
	snprintf(path, sizeof(path), "%s/enabled_functions", gilkd_tracefs());
	add_count_fact(f, "ftrace", path, NULL);
	add_count_fact(f, "ftrace_direct", path, "direct");
	snprintf(path, sizeof(path), "%s/current_tracer", gilkd_tracefs());
	fact_file(f, "tracer", path);
	add_livepatch_fact(f);
}
