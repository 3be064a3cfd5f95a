/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-facts.h - facts about this machine, grouped by subject; gilkd-doctor.c lists all facts
 *
 * Files have fixed names and are read up to a limit; facts that cannot be read are omitted.
 */
#ifndef GILKD_FACTS_H
#define GILKD_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "gilkd-client.h"

#define FACTS_MAX	(32u << 10)

/*
 * The facts about this machine that were found so far: lines "key=value\n" in @text, which has room
 * for FACTS_MAX bytes.
 */
struct facts {
	char *text;
	size_t used;
};

/* defined in gilkd-doctor.c */
struct gilkd;
void gilkd_do_doctor(struct gilkd *d, uint8_t *payload, size_t length);

/* defined in gilkd-facts.c */
void fact(struct facts *f, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void fact_file(struct facts *f, const char *key, const char *path);
bool fact_read_bracketed(const char *path, char *word, size_t size);
bool fact_has_word(const char *text, const char *word);
long fact_count_lines(const char *path, const char *with);
void fact_add_word(char *list, size_t size, const char *word);

/* gilkd-facts-build.c: build tools, and whether modules may be loaded */
void facts_policy(struct facts *f, const char *release);
void facts_signature(struct facts *f, const char *driver);
void facts_build(struct facts *f, const char *release);

/* defined in gilkd-facts-machine.c */

/* Adds facts about processors, memory, clocks and mitigations. */
void facts_machine(struct facts *f, const char *version);

/* Adds facts about event counters and the crash kernel. */
struct gilkd_prober;
void facts_events(struct facts *f, struct gilkd_prober *prober);

/* Adds facts about other patchers of the kernel's text. */
void facts_patchers(struct facts *f);

#endif /* GILKD_FACTS_H */
