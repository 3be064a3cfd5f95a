/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-selftest.h - shared by the files of the driver's own test
 *
 * The test uses /dev/ilk directly, without gilkd and libgilk, so that the driver is tested alone.
 * The program is linked statically, uses no library, and runs as root in a throw-away VM.
 */
#ifndef ILK_SELFTEST_H
#define ILK_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../ilk/ilk-abi.h"

/* ---- the running kernel: symbols and live text ---------------------------- */

struct symbol {
	uint64_t addr;
	uint64_t size;
	char name[64];
};

void kernel_load(void);
uint64_t kernel_symbol(const char *name);
const struct symbol *kernel_functions(size_t *count);
int kernel_read(uint64_t addr, void *buf, size_t len);
bool kernel_is_6_1(void);
void text_remember(void);
bool text_holds(uint64_t addr);
bool text_compare(bool show);
bool text_is_restored(void);

/* ---- a point that can be hooked, and code for it --------------------------- */

struct point {
	uint64_t site;
	uint32_t len;		/* total length of the instructions to overwrite, at least 5
				 * bytes */
	uint8_t old[ILK_FOOTPRINT_MAX];
	uint32_t rip[8];	/* offsets of @rip_count RIP-relative displacements */
	uint32_t rip_count;
	bool has_fentry;
};

int endbr_bytes (const uint8_t *bytes);
/*
 * Finds the first point of a function, after ENDBR and fentry. If @size is not 0, refuses the point
 * if a jump in the function's @size bytes might lead into its footprint.
 */
bool point_find (uint64_t function, uint64_t size, struct point *point);

struct code {
	uint64_t at;
	uint32_t len;
	uint8_t bytes[512];
};

void code_bytes(struct code *code, const void *bytes, uint32_t len);
void code_jump(struct code *code, uint8_t opcode, uint64_t target);
void code_start(struct code *code, uint64_t at);
void code_count(struct code *code, uint64_t counter);
void code_gate(struct code *code, uint64_t gate, uint32_t skip);
uint32_t code_count_bytes(uint64_t counter);
uint32_t code_call(struct code *code, const struct ilk_info *info, uint64_t fn, uint32_t iid,
		   uint64_t dropped);
void code_finish(struct code *code, const struct point *point);

/* ---- calls of /dev/ilk ------------------------------------------------------ */

int ilk_open(struct ilk_info *info);
void unwind_by_sp(struct ilk_orc *orc, uint16_t offset, int16_t cfa);
int ilk_reserve(int fd, struct ilk_reserve_patch *patches, uint32_t patch_count,
		struct ilk_reserve_hook *hooks, uint32_t hook_count);
int ilk_prepare(int fd, struct ilk_prepare_patch *patches, uint32_t patch_count,
		struct ilk_prepare_hook *hooks, uint32_t hook_count);
int ilk_arm(int fd, struct ilk_arm *arm);
/* Claims the rings. Return: size of one CPU's ring, or a negative errno. */
int64_t ilk_claim(int fd, uint64_t bytes, uint32_t mode, uint64_t window_ns);
int ilk_disarm(int fd, uint32_t what, struct ilk_disarm *result);
/* Returns the status of the patch @id. If @id is 0, returns that of the first patch, if there is
 * one. */
struct ilk_patch_status patch_status(int fd, uint32_t id);
uint32_t ilk_pending(int fd);
void ilk_settle(int fd);
struct ilk_counter ilk_counter(int fd, uint32_t iid);
uint32_t ilk_instrument(int fd, const char *name, uint64_t *fn);
int module_load(const char *path, const char *options);
int module_unload(const char *name);

/*
 * Arenas are modules that provide memory for code; they are in @arena_folder. arenas_load() loads
 * enough modules for @bytes, and returns how many it could load; ilk_reserve() loads modules as
 * needed. arenas_unload() waits up to a minute until the modules are unused, unloads them, and
 * returns how many are still loaded.
 */
extern const char *arena_folder;
bool arena_is_loaded(uint32_t n);
uint32_t arenas_load(uint64_t bytes);
uint32_t arenas_unload(void);
/* Reserves all free memory of the driver's own arena. */
void own_arena_fill(int fd);

/* A hooked point: one patch and one hook, with the plan filled in. */
struct hooked {
	struct point point;
	struct code code;
	struct ilk_reserve_patch slot;
	struct ilk_reserve_hook cells;
	struct ilk_prepare_patch patch;
	struct ilk_prepare_hook hook;
};

void hooked_plan(struct hooked *hooked, uint32_t tactic);

/* Reserves a slot for a patch at @point, emits code that counts hits, and fills in the arguments of
 * PREPARE. */
void hook_counter(int fd, struct hooked *hooked, const struct point *point, bool near,
		  uint32_t tactic);

/* Prepares a patch that calls the instrument at each hit of the target. Defined in ilk-selftest.c.
 * */
void hook_instrument(int fd, struct hooked *hooked, const char *name);

/* ---- the system call that is hit an exact number of times ----------------------- */

extern long target_number;
extern struct point target_point;

void find_target(void);
uint64_t find_padding(uint8_t *old);	/* address of padding in front of the target, or 0 */
void *hit_target(void *times);
void hit(long times);		/* hits the target @times times in each of two threads */

/* ---- results of the tests, as TAP --------------------------------------------- */

void check(bool ok, const char *what, ...) __attribute__((format(printf, 2, 3)));
void die(const char *why, ...) __attribute__((format(printf, 1, 2), noreturn));
int check_summary(void);
void must(int ret, const char *what);
uint64_t now_ns(void);

#define TRACING "/sys/kernel/tracing/"
bool write_file(const char *path, const char *words);
/* Returns the number in a file, or -1 if it cannot be read. */
int read_number(const char *path);
/* Returns MemAvailable in KiB. */
long available_kib(void);
/* Reads /dev/kmsg to its end. Return: whether a message contains @words. */
bool log_says(int log, const char *words);
uint32_t find_points(struct point *points, uint32_t want, bool sweep, uint32_t *refused);

/* ---- tests, and helpers, that other files define ----------------------------------- */

void expect_refusal(int fd, struct hooked *hooked, uint32_t refusal, const char *what);
void test_refusals(void);
void test_kprobes(void);
void test_race(const char *folder, int rounds);
void test_limits(void);
void test_hostile(int rounds);
void test_churn(int rounds);
void test_storm(int rounds, uint32_t patches);
void test_kill(void);
void test_bounce(void);
void test_grace(void);
void test_clones(void);
void test_switch(int rounds);
void test_idle(void);
void test_memory(const char *folder);
void test_areas(void);
void test_rings(int rounds);
void test_clocks(void);
void test_measured_samples(void);
void test_intervals(void);
void test_services(void);
void test_notify(void);
void test_isolation(void);
/* Reads each of the driver's debugfs files to its end. */
void read_shown(void);
void test_unloads(const char *folder);
void arena_remember(void);
void test_arena(void);
void test_torn_out(const char *folder);
void test_arena_torn_out(void);
void test_poison(const char *folder);

#endif /* ILK_SELFTEST_H */
