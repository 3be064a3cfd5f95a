/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-files.h - reads the kernel's files and live memory
 */
#ifndef GILKD_FILES_H
#define GILKD_FILES_H

#include "gilkd-client.h"

#define GILKD_DEBUGFS	"/sys/kernel/debug"
#define GILKD_NAME_MAX	56		/* the kernel's MODULE_NAME_LEN */

/* defined in gilkd-files.c */
int gilkd_read_small(const char *path, char *text, size_t size);
const char *gilkd_tracefs(void);
const char *gilkd_get_lockdown(void);
bool gilkd_file_has_word(const char *path, const char *word);
bool gilkd_copy_name(struct gilkd_client *client, const uint8_t *payload, size_t length,
		     char name[GILKD_NAME_MAX]);
void gilkd_do_get_file(struct gilkd_client *client, uint8_t *payload, size_t length);
void gilkd_do_get_sections(struct gilkd_client *client, uint8_t *payload, size_t length);
void gilkd_do_get_types(struct gilkd_client *client, uint8_t *payload, size_t length);

/*
 * Returns the last 64 KiB of the kernel log, of @length bytes and NUL-terminated, which the caller
 * must free; NULL with errno set if it cannot be read.
 */
char *gilkd_read_kernel_log(int *length);
void gilkd_do_kernel_log(struct gilkd_client *client, uint8_t *payload, size_t length);

/* defined in gilkd-text.c */

/**
 * struct gilkd_kcore - /proc/kcore, or the kernel's file, and its memory ranges
 * @fd: descriptor; -1: not opened
 * @file: descriptor of the file of a kernel that does not run; -1: the memory is that of the
 *     running kernel
 */
struct gilkd_kcore {
	struct gilkd_client *client;
	int fd, file;
	uint32_t count;
	struct gilkd_segment *segments;
};

void gilkd_do_read_text(struct gilkd_kcore *kcore, uint8_t *payload, size_t length);
void gilkd_do_text_sums(struct gilkd_kcore *kcore, uint8_t *payload, size_t length);
void gilkd_kcore_close(struct gilkd_kcore *kcore);

#endif /* GILKD_FILES_H */
