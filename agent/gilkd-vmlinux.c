// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-vmlinux.c - serves the file of a kernel instead of the running kernel
 *
 * The answers have the formats of the kernel's own files: a symbol table becomes the text of
 * /proc/kallsyms, and the table of ftrace sites that of available_filter_functions_addrs. Bytes of
 * the kernel are read as from /proc/kcore, which is an ELF file, too: see gilkd-text.c.
 *
 * The file is not trusted: each offset and length is checked against the size of what it lies in.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gilkd-vmlinux.h"

#define KERNEL_START	0xffffffff80000000ull	/* __START_KERNEL_map */
#define BYTES_MAX	(256u << 20)		/* maximum size of a section that is read */
#define NAME_BYTES_MAX	512			/* KSYM_NAME_LEN */
#define BANNER		"Linux version "
#define LINE_BYTES	(NAME_BYTES_MAX + 32)

/* Offsets in a compressed kernel: see "The Linux/x86 Boot Protocol". */
#define SETUP_MAGIC_AT	0x202
#define SETUP_MAGIC	"HdrS"

/**
 * struct gilkd_vmlinux_section - a section of the kernel's file; @bytes is 0 if the file does not
 * contain the section's bytes (such as .bss)
 */
struct gilkd_vmlinux_section {
	uint32_t name, type;
	uint64_t flags, addr, offset, bytes;
	uint32_t link;
};

/**
 * struct gilkd_vmlinux_symbol - a symbol of the kernel's file
 * @name: offset in the names of symbols
 * @letter: type of the symbol, as nm(1) prints it
 */
struct gilkd_vmlinux_symbol {
	uint64_t addr;
	uint32_t name;
	char letter;
};

/* ---- reading parts of the file ---- */

/* Reads @bytes at @offset, and a 0 after them. Returns NULL if the file lacks them or memory is short. */
static void *read_part(int fd, uint64_t offset, uint64_t bytes)
{
	uint8_t *out = bytes <= BYTES_MAX && offset <= INT64_MAX - bytes ? malloc(bytes + 1) : NULL;
	uint64_t done = 0;

	while (out && done < bytes) {
		ssize_t got = pread(fd, out + done, bytes - done, offset + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			free(out);
			return NULL;
		}
		done += got;
	}
	if (out)
		out[bytes] = '\0';
	return out;
}

static const char *get_section_name(const struct gilkd_vmlinux *v, const struct gilkd_vmlinux_section *section)
{
	return section->name < v->section_names_bytes ? v->section_names + section->name : "";
}

static const struct gilkd_vmlinux_section *find_section(const struct gilkd_vmlinux *v, const char *name)
{
	uint32_t i;

	for (i = 0; i < v->section_count; i++)
		if (!strcmp(get_section_name(v, &v->sections[i]), name))
			return &v->sections[i];
	return NULL;
}

/*
 * Reads @bytes bytes at the kernel address @addr. Returns NULL if no section of the file contains
 * all of them.
 */
static void *read_memory(const struct gilkd_vmlinux *v, uint64_t addr, uint64_t bytes)
{
	uint32_t i;

	for (i = 0; i < v->section_count; i++) {
		const struct gilkd_vmlinux_section *section = &v->sections[i];

		if (section->flags & SHF_ALLOC && addr >= section->addr && addr - section->addr <= section->bytes &&
		    bytes <= section->bytes - (addr - section->addr))
			return read_part(v->fd, section->offset + (addr - section->addr), bytes);
	}
	return NULL;
}

static bool read_sections(struct gilkd_vmlinux *v, const Elf64_Ehdr *head)
{
	const uint64_t bytes = (uint64_t)head->e_shnum * sizeof(Elf64_Shdr);
	Elf64_Shdr *sections = head->e_shentsize == sizeof(*sections) && head->e_shnum ?
			       read_part(v->fd, head->e_shoff, bytes) : NULL;
	uint32_t i;

	v->sections = sections ? calloc(head->e_shnum, sizeof(*v->sections)) : NULL;
	for (i = 0; v->sections && i < head->e_shnum; i++)
		v->sections[i] = (struct gilkd_vmlinux_section){
			sections[i].sh_name, sections[i].sh_type, sections[i].sh_flags, sections[i].sh_addr,
			sections[i].sh_offset, sections[i].sh_type == SHT_NOBITS ? 0 : sections[i].sh_size,
			sections[i].sh_link,
		};
	v->section_count = v->sections ? head->e_shnum : 0;
	free(sections);
	if (head->e_shstrndx < v->section_count) {
		v->section_names_bytes = v->sections[head->e_shstrndx].bytes;
		v->section_names = read_part(v->fd, v->sections[head->e_shstrndx].offset, v->section_names_bytes);
	}
	return v->section_names;
}

/* ---- symbols ---- */

/* Returns the type of a symbol as nm(1) prints it. */
static char get_letter(const struct gilkd_vmlinux *v, const Elf64_Sym *symbol)
{
	const struct gilkd_vmlinux_section *section = symbol->st_shndx < v->section_count ?
						      &v->sections[symbol->st_shndx] : NULL;
	const bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;

	if (!section)
		return local ? 'a' : 'A';
	if (ELF64_ST_BIND(symbol->st_info) == STB_WEAK)
		return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? 'V' : 'W';
	if (section->flags & SHF_EXECINSTR)
		return local ? 't' : 'T';
	if (section->type == SHT_NOBITS)
		return local ? 'b' : 'B';
	if (section->flags & SHF_WRITE)
		return local ? 'd' : 'D';
	return local ? 'r' : 'R';
}

/* Returns whether the kernel would list the symbol: scripts/kallsyms.c leaves out labels. */
static bool is_listed(const struct gilkd_vmlinux *v, const Elf64_Sym *symbol)
{
	const unsigned int type = ELF64_ST_TYPE(symbol->st_info);
	const char *name;
	size_t i;

	if (symbol->st_value < KERNEL_START || symbol->st_shndx == SHN_UNDEF || symbol->st_name >= v->names_bytes ||
	    (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC))
		return false;
	name = v->names + symbol->st_name;
	if (!*name || *name == '$' || !strncmp(name, ".L", 2) || !strncmp(name, "__crc_", 6))
		return false;
	for (i = 0; name[i]; i++)
		if (i == NAME_BYTES_MAX - 1 || name[i] <= ' ' || name[i] >= 0x7f)
			return false;
	return true;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct gilkd_vmlinux_symbol *of_a = a, *of_b = b;

	if (of_a->addr != of_b->addr)
		return of_a->addr < of_b->addr ? -1 : 1;
	return of_a->name < of_b->name ? -1 : of_a->name > of_b->name;
}

/* Reads the symbols. Returns false if there are none. */
static bool read_symbols(struct gilkd_vmlinux *v)
{
	const struct gilkd_vmlinux_section *table = NULL, *names;
	Elf64_Sym *symbols;
	uint64_t count, i;

	for (i = 0; i < v->section_count; i++)
		if (v->sections[i].type == SHT_SYMTAB)
			table = &v->sections[i];
	if (!table || table->link >= v->section_count)
		return false;
	names = &v->sections[table->link];
	count = table->bytes / sizeof(*symbols);
	symbols = read_part(v->fd, table->offset, count * sizeof(*symbols));
	v->names = read_part(v->fd, names->offset, names->bytes);
	v->names_bytes = v->names ? names->bytes : 0;
	v->symbols = symbols && v->names ? calloc(count + 1, sizeof(*v->symbols)) : NULL;
	for (i = 0; v->symbols && i < count; i++)
		if (is_listed(v, &symbols[i]))
			v->symbols[v->symbol_count++] = (struct gilkd_vmlinux_symbol){
				symbols[i].st_value, symbols[i].st_name, get_letter(v, &symbols[i]),
			};
	free(symbols);
	if (v->symbols)
		qsort(v->symbols, v->symbol_count, sizeof(*v->symbols), compare_symbols);
	return v->symbol_count;
}

/* Returns the address of a symbol; 0: there is none. */
static uint64_t find_address(const struct gilkd_vmlinux *v, const char *name)
{
	uint64_t i;

	for (i = 0; i < v->symbol_count; i++)
		if (!strcmp(v->names + v->symbols[i].name, name))
			return v->symbols[i].addr;
	return 0;
}

/* Returns the name of the last symbol at or before an address, or "". */
static const char *find_name(const struct gilkd_vmlinux *v, uint64_t addr)
{
	uint64_t from = 0, to = v->symbol_count;

	while (from < to) {
		const uint64_t middle = from + (to - from) / 2;

		if (v->symbols[middle].addr <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? v->names + v->symbols[from - 1].name : "";
}

/* ---- opening and closing ---- */

/* Takes the kernel's release from its version text, "Linux version 6.1.0-57-amd64 (...". */
static void read_release(struct gilkd_vmlinux *v)
{
	const uint64_t addr = find_address(v, "linux_banner");
	const size_t bytes = strlen(BANNER) + sizeof(v->release) - 1;
	char *banner = addr ? read_memory(v, addr, bytes) : NULL;
	size_t i;

	if (banner && !strncmp(banner, BANNER, strlen(BANNER)))
		for (i = 0; banner[strlen(BANNER) + i] > ' ' && banner[strlen(BANNER) + i] < 0x7f; i++)
			v->release[i] = banner[strlen(BANNER) + i];
	free(banner);
}

/* Returns why a file that is not an ELF file of a kernel cannot be served. */
static const char *explain_format(int fd)
{
	char magic[4];

	if (pread(fd, magic, sizeof(magic), SETUP_MAGIC_AT) == sizeof(magic) && !memcmp(magic, SETUP_MAGIC, sizeof(magic)))
		return "%s is a compressed kernel (vmlinuz) without symbols; give the vmlinux of the same release, "
		       "such as that of Debian's package linux-image-RELEASE-dbg.";
	return "%s is not an ELF file of a kernel for x86-64; give a vmlinux.";
}

static bool has_text(const struct gilkd_vmlinux *v)
{
	const uint64_t addr = find_address(v, "_stext");
	void *text = addr ? read_memory(v, addr, 1) : NULL;

	free(text);
	return text;
}

/* Reads the file of a kernel. Returns NULL, or why it cannot be served, as a printf() format. */
static const char *read_file(struct gilkd_vmlinux *v)
{
	Elf64_Ehdr *head;
	struct stat about;
	bool is_kernel;

	if (fstat(v->fd, &about) || !S_ISREG(about.st_mode))
		return "%s is not an ordinary file; give a vmlinux.";
	head = read_part(v->fd, 0, sizeof(*head));
	is_kernel = head && !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
		    head->e_machine == EM_X86_64 && head->e_type == ET_EXEC && read_sections(v, head);
	free(head);
	if (!is_kernel)
		return explain_format(v->fd);
	if (!read_symbols(v))
		return "%s lacks symbols; give a vmlinux that was not stripped.";
	if (!has_text(v))
		return "%s lacks the kernel's code, so it may be a file of debug data alone; give a complete vmlinux.";
	read_release(v);
	return NULL;
}

/**
 * gilkd_vmlinux_open() - open the file of a kernel, and serve it from now on
 *
 * If the file cannot be served, sets @why, which the client gets when it connects.
 */
void gilkd_vmlinux_open(struct gilkd_vmlinux *v, struct gilkd_client *client, const char *path)
{
	const char *slash = strrchr(path, '/');

	v->client = client;
	v->name = slash ? slash + 1 : path;
	/* O_NONBLOCK: opening a FIFO must not wait. */
	v->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	v->error = v->fd < 0 ? errno : ENOEXEC;
	v->why = v->fd < 0 ? "Cannot open %s: %s; check the path." : read_file(v);
}

void gilkd_vmlinux_close(struct gilkd_vmlinux *v)
{
	if (v->fd >= 0)
		close(v->fd);
	free(v->sections);
	free(v->section_names);
	free(v->symbols);
	free(v->names);
	*v = (struct gilkd_vmlinux){ .fd = -1 };
}

/* ---- files of the kernel ---- */

/* Buffer for the next part of an answer. */
struct text {
	struct gilkd_client *client;
	char *bytes;
	size_t used;
};

/* Appends a line "address[ letter] name\n" to the answer. @letter: type of the symbol; 0: none */
static void put_line(struct text *text, uint64_t addr, char letter, const char *name)
{
	char line[LINE_BYTES];
	int bytes = letter ? snprintf(line, sizeof(line), "%016llx %c %s\n", (unsigned long long)addr, letter, name) :
			     snprintf(line, sizeof(line), "%016llx %s\n", (unsigned long long)addr, name);

	if (text->used + bytes > GILKD_PART) {
		gilkd_answer_part(text->client, text->bytes, text->used);
		text->used = 0;
	}
	memcpy(text->bytes + text->used, line, bytes);
	text->used += bytes;
}

static void put_symbols(const struct gilkd_vmlinux *v, struct text *text)
{
	uint64_t i;

	for (i = 0; i < v->symbol_count && !v->client->broken; i++)
		put_line(text, v->symbols[i].addr, v->symbols[i].letter, v->names + v->symbols[i].name);
}

static void answer_symbols(const struct gilkd_vmlinux *v, struct text *text)
{
	put_symbols(v, text);
	gilkd_answer(v->client, text->bytes, text->used);
}

/*
 * Answers with the functions that ftrace can trace. The kernel's table has 0 in the place of a weak
 * function that is replaced by another function: such entries are left out.
 */
static void answer_ftrace_sites(const struct gilkd_vmlinux *v, struct text *text)
{
	const uint64_t start = find_address(v, "__start_mcount_loc"), end = find_address(v, "__stop_mcount_loc");
	uint64_t *sites = start && end > start ? read_memory(v, start, end - start) : NULL;
	uint64_t i;

	if (!sites) {
		gilkd_fail(v->client, ENOENT, "The kernel's file lacks section %s; give one that was built with it.",
			   "__mcount_loc");
		return;
	}
	for (i = 0; i < (end - start) / sizeof(*sites) && !v->client->broken; i++)
		if (sites[i] >= KERNEL_START)
			put_line(text, sites[i], 0, find_name(v, sites[i]));
	free(sites);
	gilkd_answer(v->client, text->bytes, text->used);
}

static void answer_text(struct gilkd_vmlinux *v, void (*answer)(const struct gilkd_vmlinux *v, struct text *text))
{
	struct text text = { v->client, malloc(GILKD_PART), 0 };

	if (text.bytes)
		answer(v, &text);
	else
		gilkd_fail(v->client, ENOMEM, "The agent is out of memory; free some on the target.");
	free(text.bytes);
}

static void answer_section(struct gilkd_vmlinux *v, const char *name)
{
	const struct gilkd_vmlinux_section *section = find_section(v, name);
	uint8_t *bytes = section ? read_part(v->fd, section->offset, section->bytes) : NULL;
	uint64_t done = 0;

	if (!bytes) {
		gilkd_fail(v->client, ENOENT, "The kernel's file lacks section %s; give one that was built with it.", name);
		return;
	}
	for (; section->bytes - done > GILKD_PART && !v->client->broken; done += GILKD_PART)
		gilkd_answer_part(v->client, bytes + done, GILKD_PART);
	gilkd_answer(v->client, bytes + done, section->bytes - done);
	free(bytes);
}

void gilkd_vmlinux_do_get_file(struct gilkd_vmlinux *v, uint8_t *payload, size_t length)
{
	uint32_t file;

	memcpy(&file, payload, sizeof(file));
	switch (file) {
	case GILK_FILE_KALLSYMS:
		answer_text(v, answer_symbols);
		break;
	case GILK_FILE_FTRACE:
		answer_text(v, answer_ftrace_sites);
		break;
	case GILK_FILE_NOTES:
		answer_section(v, ".notes");
		break;
	case GILK_FILE_MODULES:
	case GILK_FILE_KPROBES:
	case GILK_FILE_ENABLED:
		gilkd_answer(v->client, NULL, 0);
		break;
	default:
		gilkd_vmlinux_do_refuse(v, payload, length);
	}
}

/* Answers GET_TYPES. */
void gilkd_vmlinux_do_get_types(struct gilkd_vmlinux *v, uint8_t *payload, size_t length)
{
	if (length)
		gilkd_vmlinux_do_refuse(v, payload, length);
	else
		answer_section(v, ".BTF");
}

void gilkd_vmlinux_do_refuse(struct gilkd_vmlinux *v, uint8_t *payload, size_t length)
{
	gilkd_fail(v->client, EOPNOTSUPP, "The target is the file of a kernel, which does not run: its code can be looked at, "
					  "but not hooked; choose a target that runs, such as lab or local.");
}
