/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-vmlinux.h - serves the file of a kernel instead of the running kernel
 *
 * Such an agent needs no privileges, and has no hooks: a client can look at code, symbols and types.
 */
#ifndef GILKD_VMLINUX_H
#define GILKD_VMLINUX_H

#include "gilkd-client.h"

/**
 * struct gilkd_vmlinux - an ELF file of a kernel
 * @client: the client; NULL: the agent serves the running kernel, and all other members are unset
 * @name: name of the file, without its folder
 * @fd: descriptor of the file
 * @sections, @section_count, @section_names, @section_names_bytes: its sections
 * @symbols, @symbol_count: symbols in the kernel's address range, by address
 * @names, @names_bytes: names of symbols; a string ends before @names_bytes
 * @release: release of the kernel, from its version text; "" if it has none
 * @why: printf() format of the reason why the file cannot be served, with the arguments @name and
 *     strerror(@error); NULL: it can
 */
struct gilkd_vmlinux {
	struct gilkd_client *client;
	const char *name;
	int fd;
	struct gilkd_vmlinux_section *sections;
	uint32_t section_count;
	char *section_names;
	uint64_t section_names_bytes;
	struct gilkd_vmlinux_symbol *symbols;
	uint64_t symbol_count;
	char *names;
	uint64_t names_bytes;
	char release[64];
	const char *why;
	int error;
};

void gilkd_vmlinux_open(struct gilkd_vmlinux *v, struct gilkd_client *client, const char *path);
void gilkd_vmlinux_close(struct gilkd_vmlinux *v);
void gilkd_vmlinux_do_get_file(struct gilkd_vmlinux *v, uint8_t *payload, size_t length);
void gilkd_vmlinux_do_get_types(struct gilkd_vmlinux *v, uint8_t *payload, size_t length);
void gilkd_vmlinux_do_refuse(struct gilkd_vmlinux *v, uint8_t *payload, size_t length);

#endif /* GILKD_VMLINUX_H */
