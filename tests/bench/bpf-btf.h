/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf-btf.h - finds a function in /sys/kernel/btf/vmlinux; used by the BPF programs compared with
 * Gilk
 */
#pragma once

#include <fcntl.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint8_t *read_btf(size_t *length)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	struct stat st;
	uint8_t *data;
	size_t got = 0;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	data = malloc(st.st_size);
	while (data && got < (size_t)st.st_size &&
	       (n = read(fd, data + got, st.st_size - got)) > 0)
		got += n;
	close(fd);
	*length = got;
	return data;
}

/* Returns the number of bytes that follow a struct btf_type of this kind. */
static size_t tail_bytes(const struct btf_type *type)
{
	unsigned int vlen = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return vlen * 12;
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return vlen * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* Returns the BTF id of the function called @name, or -1 if the kernel lacks BTF or the function.
 * */
static int find_btf_id(const char *name)
{
	size_t length;
	uint8_t *data = read_btf(&length);
	const struct btf_header *header = (const void *)data;
	const uint8_t *at, *end;
	const char *strings;
	int id;

	if (!data || length < sizeof(*header) || header->magic != BTF_MAGIC)
		return -1;
	at = data + header->hdr_len + header->type_off;
	end = at + header->type_len;
	strings = (const char *)data + header->hdr_len + header->str_off;
	for (id = 1; at + sizeof(struct btf_type) <= end; id++) {
		const struct btf_type *type = (const void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off, name))
			return id;
		at += sizeof(*type) + tail_bytes(type);
	}
	return -1;
}
