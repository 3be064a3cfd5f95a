// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-lib.c - functions for the tests: symbols, live text, /dev/ilk, the target, results
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- symbols and text of the running kernel ----------------------------------- */

#define BUCKETS	(1u << 19)

static struct symbol *symbols;
static size_t symbol_count;
static uint32_t *by_name;	/* hash table by name: index of the symbol plus 1; 0: free */
static struct symbol *functions;
static size_t function_count;

static int kcore;
static Elf64_Phdr *segments;
static unsigned int segment_count;

static uint8_t *text;
static uint8_t *movable;	/* bytes that the kernel itself rewrites: static keys and static
				 * calls */
static uint64_t text_base;
static size_t text_bytes;

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Returns the bucket of the symbol called @name, or a free bucket if the symbol does not exist. */
static uint32_t *bucket_of(const char *name)
{
	uint32_t hash = 5381, at;
	const char *c;

	for (c = name; *c; c++)
		hash = hash * 33 + (uint8_t)*c;
	for (at = hash % BUCKETS; by_name[at]; at = (at + 1) % BUCKETS)
		if (!strcmp(symbols[by_name[at] - 1].name, name))
			break;
	return &by_name[at];
}

/* Makes an index of symbols by name. If several symbols have the same name, the index contains only
 * the first. */
static void index_symbols(void)
{
	uint32_t *bucket;
	size_t i;

	if (symbol_count > BUCKETS / 2)
		die("%zu symbols are more than expected", symbol_count);
	free(by_name);
	by_name = calloc(BUCKETS, sizeof(*by_name));
	if (!by_name)
		die("no memory");
	for (i = 0; i < symbol_count; i++) {
		bucket = bucket_of(symbols[i].name);
		if (!*bucket)
			*bucket = i + 1;
	}
}

static bool parse_symbol(const char *line, struct symbol *symbol, char *type)
{
	char *at;
	size_t n;

	memset(symbol, 0, sizeof(*symbol));
	symbol->addr = strtoul(line, &at, 16);
	if (at == line || at[0] != ' ' || !at[1] || at[2] != ' ')
		return false;
	*type = at[1];
	n = strcspn(at + 3, " \t\n");
	memcpy(symbol->name, at + 3, n < sizeof(symbol->name) ? n : sizeof(symbol->name) - 1);
	return n > 0;
}

static void load_symbols(void)
{
	char line[512], type;
	struct symbol symbol;
	size_t room = 0, i;
	FILE *file = fopen("/proc/kallsyms", "r");

	if (!file)
		die("/proc/kallsyms cannot be opened");
	functions = NULL;
	while (fgets(line, sizeof(line), file)) {
		if (!parse_symbol(line, &symbol, &type))
			continue;
		if (symbol_count == room) {
			room = room ? room * 2 : 1 << 17;
			symbols = realloc(symbols, room * sizeof(*symbols));
			functions = realloc(functions, room * sizeof(*functions));
		}
		symbols[symbol_count++] = symbol;
		if ((type == 't' || type == 'T') && !strchr(line, '['))
			functions[function_count++] = symbol;
	}
	fclose(file);
	qsort(functions, function_count, sizeof(*functions), by_address);
	for (i = 0; i + 1 < function_count; i++)
		functions[i].size = functions[i + 1].addr - functions[i].addr;
	index_symbols();
}

static void open_kcore(void)
{
	Elf64_Ehdr header;

	kcore = open("/proc/kcore", O_RDONLY);
	if (kcore < 0 || pread(kcore, &header, sizeof(header), 0) != sizeof(header))
		die("/proc/kcore cannot be read");
	segment_count = header.e_phnum;
	segments = calloc(segment_count, sizeof(*segments));
	if (pread(kcore, segments, segment_count * sizeof(*segments), header.e_phoff) < 0)
		die("/proc/kcore has no segments");
}

int kernel_read(uint64_t addr, void *buf, size_t len)
{
	unsigned int i;

	for (i = 0; i < segment_count; i++) {
		const Elf64_Phdr *s = &segments[i];

		if (s->p_type == PT_LOAD && addr >= s->p_vaddr &&
		    addr + len <= s->p_vaddr + s->p_memsz)
			return pread(kcore, buf, len, addr - s->p_vaddr + s->p_offset) ==
			       (ssize_t)len ? 0 : -1;
	}
	return -1;
}

void kernel_load(void)
{
	free(symbols);
	free(functions);
	symbols = NULL;
	symbol_count = 0;
	function_count = 0;
	load_symbols();
	if (!segments)
		open_kcore();
}

uint64_t kernel_symbol(const char *name)
{
	uint32_t index = *bucket_of(name);

	return index ? symbols[index - 1].addr : 0;
}

const struct symbol *kernel_functions(size_t *count)
{
	*count = function_count;
	return functions;
}

bool kernel_is_6_1(void)
{
	struct utsname name;

	uname(&name);
	return !strncmp(name.release, "6.1.", 4);
}

static void read_text(uint8_t **bytes)
{
	text_base = kernel_symbol("_stext");
	text_bytes = kernel_symbol("_etext") - text_base;
	if (!*bytes)
		*bytes = malloc(text_bytes);
	if (!*bytes || kernel_read(text_base, *bytes, text_bytes))
		die("kernel text cannot be read");
}

/* Marks the five bytes at each site that a table lists as bytes that the kernel may rewrite. The
 * table contains self-relative addresses. */
static void mark_movable(const char *start, const char *stop, uint32_t stride)
{
	uint64_t at = kernel_symbol(start), end = kernel_symbol(stop), site;
	int32_t rel;

	for (; at && at < end; at += stride) {
		if (kernel_read(at, &rel, 4))
			return;
		site = at + rel;
		if (site >= text_base && site + 5 <= text_base + text_bytes)
			memset(movable + (site - text_base), 1, 5);
	}
}

void text_remember(void)
{
	free(movable);
	read_text(&text);
	movable = calloc(1, text_bytes);
	if (!movable)
		die("no memory");
	mark_movable("__start___jump_table", "__stop___jump_table", 16);
	mark_movable("__start_static_call_sites", "__stop_static_call_sites", 8);
}

bool text_holds(uint64_t addr)
{
	return addr >= text_base && addr < text_base + text_bytes;
}

#define BLOCK	4096u		/* text is compared in blocks of this size; blocks that differ are
				 * then compared byte by byte */

/* Compares text with the saved copy; with @show, prints where it differs. */
bool text_compare(bool show)
{
	static uint8_t *now;
	size_t i = 0, shown = 0;

	read_text(&now);
	while (i < text_bytes && shown < 8) {
		if (i % BLOCK == 0 && text_bytes - i >= BLOCK && !memcmp(now + i, text + i, BLOCK)) {
			i += BLOCK;
			continue;
		}
		if (now[i] != text[i] && !movable[i]) {
			shown++;
			if (show)
				printf("# text differs at %lx: %02x was %02x\n", text_base + i,
				       now[i], text[i]);
		}
		i++;
	}
	return !shown;
}

/* Returns whether kernel text is restored. Retries, because a child that is still exiting may hold
 * the last reference to a closed file. */
bool text_is_restored(void)
{
	int tries;

	for (tries = 0; tries < 50 && !text_compare(false); tries++)
		usleep(20000);
	return text_compare(true);
}

/* ---- calls of /dev/ilk, and files of the kernel ---------------------------------- */

int ilk_open(struct ilk_info *info)
{
	int fd = open("/dev/ilk", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/ilk cannot be opened: %s", strerror(errno));
	if (info && ioctl(fd, ILK_IOC_INFO, info))
		die("INFO: %s", strerror(errno));
	return fd;
}

int ilk_reserve(int fd, struct ilk_reserve_patch *patches, uint32_t patch_count,
		struct ilk_reserve_hook *hooks, uint32_t hook_count)
{
	struct ilk_reserve call = {
		.patch_count = patch_count, .patches = (uintptr_t)patches,
		.hook_count = hook_count, .hooks = (uintptr_t)hooks,
	};
	int ret;

	/* If the arenas, the memory for code, are full, load further arena modules, like the
	 * agent. */
	while ((ret = ioctl(fd, ILK_IOC_RESERVE, &call) ? -errno : 0) &&
	       call.refusal == ILK_REFUSAL_ARENA_FULL && arenas_load(call.missing)) {
		call.refusal = 0;
		call.missing = 0;
	}
	return ret;
}

int ilk_prepare(int fd, struct ilk_prepare_patch *patches, uint32_t patch_count,
		struct ilk_prepare_hook *hooks, uint32_t hook_count)
{
	struct ilk_prepare call = {
		.patch_count = patch_count, .patches = (uintptr_t)patches,
		.hook_count = hook_count, .hooks = (uintptr_t)hooks,
	};

	return ioctl(fd, ILK_IOC_PREPARE, &call) ? -errno : 0;
}

int ilk_arm(int fd, struct ilk_arm *arm)
{
	struct ilk_arm own;

	return ioctl(fd, ILK_IOC_ARM, arm ? arm : &own) ? -errno : 0;
}

int ilk_disarm(int fd, uint32_t what, struct ilk_disarm *result)
{
	struct ilk_disarm own;

	result = result ? result : &own;
	memset(result, 0, sizeof(*result));
	result->what = what;
	return ioctl(fd, ILK_IOC_DISARM, result) ? -errno : 0;
}

int64_t ilk_claim(int fd, uint64_t bytes, uint32_t mode, uint64_t window_ns)
{
	struct ilk_claim claim = { .bytes = bytes, .mode = mode, .window_ns = window_ns };

	return ioctl(fd, ILK_IOC_RING_CLAIM, &claim) ? -errno : (int64_t)claim.bytes;
}

struct ilk_patch_status patch_status(int fd, uint32_t id)
{
	static struct ilk_patch_status all[512];
	struct ilk_status call = { .capacity = 512, .patches = (uintptr_t)all };
	uint32_t i;

	must(ioctl(fd, ILK_IOC_STATUS, &call) ? -errno : 0, "STATUS");
	for (i = 0; i < call.count && i < call.capacity; i++)
		if (!id || all[i].id == id)
			return all[i];
	if (id)
		die("patch %u is not in the list", id);
	return (struct ilk_patch_status){ 0 };
}

uint32_t ilk_pending(int fd)
{
	struct ilk_status status = { 0 };

	if (ioctl(fd, ILK_IOC_STATUS, &status))
		die("STATUS: %s", strerror(errno));
	return status.pending;
}

/* Waits until no grace period is pending, so that every patch has its final form. */
void ilk_settle(int fd)
{
	uint64_t end = now_ns() + 60000000000ull;

	while (ilk_pending(fd)) {
		if (now_ns() > end)
			die("no grace period within a minute");
		usleep(2000);
	}
}

struct ilk_counter ilk_counter(int fd, uint32_t iid)
{
	struct ilk_counter out = { 0 };
	struct ilk_counters call = {
		.count = 1, .iids = (uintptr_t)&iid, .out = (uintptr_t)&out,
	};

	if (ioctl(fd, ILK_IOC_COUNTERS, &call))
		die("COUNTERS: %s", strerror(errno));
	return out;
}

uint32_t ilk_instrument(int fd, const char *name, uint64_t *fn)
{
	static struct ilk_instrument_desc descs[16];
	struct ilk_instruments call = { .capacity = 16, .descs = (uintptr_t)descs };
	uint32_t i;

	if (ioctl(fd, ILK_IOC_INSTRUMENTS, &call))
		die("INSTRUMENTS: %s", strerror(errno));
	for (i = 0; i < call.count && i < 16; i++) {
		if (strcmp(descs[i].name, name))
			continue;
		*fn = descs[i].fn;
		return descs[i].id;
	}
	return 0;
}

void hooked_plan(struct hooked *hooked, uint32_t tactic)
{
	struct ilk_prepare_patch *patch = &hooked->patch;

	memset(patch, 0, sizeof(*patch));
	patch->id = hooked->slot.id;
	patch->tactic = tactic;
	patch->site = hooked->point.site;
	patch->code = (uintptr_t)hooked->code.bytes;
	patch->code_len = hooked->code.len;
	patch->len = hooked->point.len;
	memcpy(patch->old, hooked->point.old, hooked->point.len);
	memset(&hooked->hook, 0, sizeof(hooked->hook));
	hooked->hook.iid = hooked->cells.iid;
	hooked->hook.patch = hooked->slot.id;
}

bool write_file(const char *path, const char *words)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, words, strlen(words)) == (ssize_t)strlen(words);

	if (fd >= 0)
		close(fd);
	return ok;
}

int read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	int n = -1;

	if (file && fscanf(file, "%d", &n) != 1)
		n = -1;
	if (file)
		fclose(file);
	return n;
}

long available_kib(void)
{
	char line[128];
	long kib = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %ld kB", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

int module_load(const char *path, const char *options)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, options, 0) ? -errno : 0;
	close(fd);
	return ret;
}

int module_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/* ---- loading and unloading arena modules ----------------------------------------- */

const char *arena_folder;

bool arena_is_loaded(uint32_t n)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/ilk_arena_%u", n);
	return !access(path, F_OK);
}

uint32_t arenas_load(uint64_t bytes)
{
	uint32_t wanted = bytes / ILK_ARENA_MODULE_BYTES + 1, loaded = 0, n;
	char path[256];

	snprintf(path, sizeof(path), "%s/ilk-arena.ko", arena_folder);
	for (n = 0; n < ILK_ARENA_MODULES && loaded < wanted; n++)
		loaded += !arena_is_loaded(n) && !module_load(path, "");
	return loaded;
}

uint32_t arenas_unload(void)
{
	uint32_t left, n;
	char name[32];
	int tries = 0;

	do {
		if (tries)
			usleep(100000);
		for (n = left = 0; n < ILK_ARENA_MODULES; n++) {
			snprintf(name, sizeof(name), "ilk_arena_%u", n);
			left += arena_is_loaded(n) && module_unload(name);
		}
	} while (left && tries++ < 600);
	return left;
}

void own_arena_fill(int fd)
{
	struct ilk_reserve_patch patch = { .bytes = 64 };
	struct ilk_reserve call = { .patch_count = 1, .patches = (uintptr_t)&patch };

	while (!ioctl(fd, ILK_IOC_RESERVE, &call))
		;
	check(errno == ENOSPC && call.refusal == ILK_REFUSAL_ARENA_FULL && call.missing,
	      "the driver's own arena is full: %u bytes are missing", call.missing);
}

/* ---- the target: a function that is hit an exact number of times ------------------------ */

static const struct target {
	const char *function;
	long number;
} targets[] = {
	{ "__x64_sys_umask", SYS_umask },
	{ "__x64_sys_getpgid", SYS_getpgid },
	{ "__x64_sys_sched_get_priority_max", SYS_sched_get_priority_max },
	{ "__x64_sys_sched_getscheduler", SYS_sched_getscheduler },
	{ "__x64_sys_getsid", SYS_getsid },
	{ "__x64_sys_ioprio_get", SYS_ioprio_get },
};

long target_number;
struct point target_point;

void find_target(void)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		if (!point_find(kernel_symbol(targets[i].function), 0, &target_point))
			continue;
		target_number = targets[i].number;
		printf("# target %s, footprint %u bytes\n", targets[i].function,
		       target_point.len);
		return;
	}
	die("no system call begins with instructions the test knows");
}

void *hit_target(void *arg)
{
	long n = *(long *)arg;

	while (n--)
		syscall(target_number, 0, 0);
	return NULL;
}

/* Hits the target @n times in each of two threads. */
void hit(long n)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hit_target, &n);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* Reserves a slot for a patch at @point, emits code that counts hits, and fills in the arguments of
 * PREPARE. */
void hook_counter(int fd, struct hooked *hooked, const struct point *point, bool near,
		  uint32_t tactic)
{
	memset(hooked, 0, sizeof(*hooked));
	hooked->point = *point;
	hooked->slot.bytes = 96;
	hooked->cells.flags = near ? ILK_HOOK_COUNTER_NEAR : 0;
	if (ilk_reserve(fd, &hooked->slot, 1, &hooked->cells, 1))
		die("RESERVE failed");
	code_start(&hooked->code, hooked->slot.slot);
	code_count(&hooked->code, hooked->cells.counter);
	code_finish(&hooked->code, point);
	hooked_plan(hooked, tactic);
}

/* ---- results of the tests, as TAP ------------------------------------------------ */

static int checks, failures;

void check(bool ok, const char *what, ...)
{
	va_list args;

	printf("%sok %d - ", ok ? "" : "not ", ++checks);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	failures += !ok;
}

void die(const char *why, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, why);
	vprintf(why, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	exit(1);
}

/* Prints the TAP plan, "1..N". Return: the exit code. */
int check_summary(void)
{
	printf("1..%d\n# %d failed\n", checks, failures);
	return failures != 0;
}

void must(int ret, const char *what)
{
	if (ret)
		die("%s failed: %s", what, strerror(-ret));
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}
