// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-facts.c - reads facts about the machine from files such as those of /proc, and formats them
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gilkd-facts.h"
#include "gilkd-files.h"

#define LINES_MAX	200000		/* maximum number of lines counted in a file */

void fact(struct facts *f, const char *key, const char *format, ...)
{
	char value[512];
	va_list args;
	int length;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	value[strcspn(value, "\n")] = '\0';

	length = snprintf(f->text + f->used, FACTS_MAX - f->used, "%s=%s\n", key, value);
	if (length > 0 && (size_t)length < FACTS_MAX - f->used)
		f->used += length;
}

void fact_file(struct facts *f, const char *key, const char *path)
{
	char text[256];

	if (!gilkd_read_small(path, text, sizeof(text)))
		fact(f, key, "%s", text);
}

/* Copies the word in brackets, such as "integrity" in "none [integrity] confidentiality". */
bool fact_read_bracketed(const char *path, char *word, size_t size)
{
	char text[128], *start, *end;

	if (gilkd_read_small(path, text, sizeof(text)))
		return false;
	start = strpbrk(text, "[(");
	end = start ? strpbrk(start, "])") : NULL;
	if (!end)
		return false;
	*end = '\0';
	snprintf(word, size, "%s", start + 1);

	return true;
}

/*
 * Returns whether @text contains @word as a whole word. Skips the first word, which is the key
 * of the line.
 */
bool fact_has_word(const char *text, const char *word)
{
	size_t length = strlen(word);
	const char *at = text;

	while ((at = strstr(at, word))) {
		if (at > text && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}

	return false;
}

/* Counts lines that contain @with, or all lines if @with is NULL. Returns -1 if reading fails. */
long fact_count_lines(const char *path, const char *with)
{
	FILE *file = fopen(path, "re");
	long count = 0, lines;
	char line[512];

	if (!file)
		return -1;
	for (lines = 0; lines < LINES_MAX && fgets(line, sizeof(line), file); lines++)
		count += strchr(line, '\n') && line[0] != '#' && (!with || strstr(line, with));
	fclose(file);

	return count;
}

/* Appends a word to a list, if there is room. */
void fact_add_word(char *list, size_t size, const char *word)
{
	size_t used = strlen(list);

	if (used + 1 + strlen(word) < size)
		snprintf(list + used, size - used, "%s%s", used ? " " : "", word);
}
