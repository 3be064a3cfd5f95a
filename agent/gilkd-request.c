// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-request.c - table of requests and their handlers
 *
 * One table, so that the valid lengths of a request are checked in one place before its handler
 * reads a byte.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd.h"

static void do_hello(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct gilk_hello_answer answer = {
		.version = GILK_WIRE_VERSION,
		.abi = ILK_ABI_VERSION,
		.pid = getpid(),
		.driver = gilkd_driver_exists(),
	};
	struct gilk_hello hello;
	struct utsname name;

	memcpy(&hello, payload, sizeof(hello));
	gilkd_session_end(d);
	if (hello.version != GILK_WIRE_VERSION || hello.abi != ILK_ABI_VERSION) {
		gilkd_fail(d, EPROTO, "The agent on the target uses protocol %u.%u, the client "
				      "%u.%u; install the same release of Gilk on both sides.",
			   GILK_WIRE_VERSION, ILK_ABI_VERSION, hello.version, hello.abi);
		return;
	}

	answer.nonce = hello.nonce;
	if (!uname(&name)) {
		snprintf(answer.release, sizeof(answer.release), "%.63s", name.release);
		snprintf(answer.machine, sizeof(answer.machine), "%.15s", name.machine);
		snprintf(answer.hostname, sizeof(answer.hostname), "%.63s", name.nodename);
	}
	d->in_session = true;
	d->started_ms = gilkd_now_ms();
	gilkd_audit_log(&d->audit, "session begun");
	gilkd_answer(d, &answer, sizeof(answer));
}

static void do_bye(struct gilkd *d, uint8_t *payload, size_t length)
{
	gilkd_session_end(d);
	gilkd_answer(d, NULL, 0);
}

static void do_ping(struct gilkd *d, uint8_t *payload, size_t length)
{
	gilkd_answer(d, payload, length);
}

static void do_lease(struct gilkd *d, uint8_t *payload, size_t length)
{
	uint32_t ms;

	memcpy(&ms, payload, sizeof(ms));
	if (!d->in_session || ms > GILK_WIRE_LEASE_MS_MAX) {
		gilkd_fail(d, EINVAL, "Cannot wait %u ms for a client; ask for at most %u, after "
				      "HELLO.",
			   ms, GILK_WIRE_LEASE_MS_MAX);
		return;
	}
	d->lease_ms = ms;
	gilkd_answer(d, NULL, 0);
}

/* Nothing to do: any input renews the lease. */
static void do_renew_lease(struct gilkd *d, uint8_t *payload, size_t length)
{
}

static const struct handler {
	uint16_t type;
	uint32_t min, max;	/* payload bytes */
	void (*handle)(struct gilkd *d, uint8_t *payload, size_t length);
} handlers[] = {
	{ GILK_HELLO, sizeof(struct gilk_hello), sizeof(struct gilk_hello), do_hello },
	{ GILK_BYE, 0, 0, do_bye },
	{ GILK_PING, 0, GILK_WIRE_PAYLOAD_MAX, do_ping },
	{ GILK_LEASE, 4, 4, do_lease },
	{ GILK_RENEW_LEASE, 0, 0, do_renew_lease },
	{ GILK_GET_FILE, 4, 4, gilkd_do_get_file },
	{ GILK_GET_SECTIONS, 1, GILKD_NAME_MAX, gilkd_do_get_sections },
	{ GILK_GET_TYPES, 0, GILKD_NAME_MAX, gilkd_do_get_types },
	{ GILK_READ_TEXT, 0, GILK_WIRE_PAYLOAD_MAX, gilkd_do_read_text },
	{ GILK_DOCTOR, 0, 0, gilkd_do_doctor },
	{ GILK_KERNEL_LOG, 0, 0, gilkd_do_kernel_log },
	{ GILK_DRIVER_LOAD, 0, 0, gilkd_do_driver_load },
	{ GILK_DRIVER_UNLOAD, 0, 0, gilkd_do_driver_unload },
	{ GILK_DRIVER_INFO, 0, 0, gilkd_do_driver_info },
	{ GILK_INSTRUMENTS, 0, 0, gilkd_do_instruments },
	{ GILK_INSTRUMENT_FILES, 0, 0, gilkd_do_instrument_files },
	{ GILK_INSTRUMENT_LOAD, 1, GILKD_NAME_MAX, gilkd_do_instrument_load },
	{ GILK_INSTRUMENT_UNLOAD, 1, GILKD_NAME_MAX, gilkd_do_instrument_unload },
	{ GILK_RESERVE, sizeof(struct gilk_batch), GILK_WIRE_PAYLOAD_MAX, gilkd_do_reserve },
	{ GILK_PREPARE, sizeof(struct gilk_batch), GILK_WIRE_PAYLOAD_MAX, gilkd_do_prepare },
	{ GILK_ARM, 0, 0, gilkd_do_arm },
	{ GILK_DISARM, sizeof(struct ilk_disarm), GILK_WIRE_PAYLOAD_MAX, gilkd_do_disarm },
	{ GILK_STATUS, sizeof(struct ilk_status), sizeof(struct ilk_status), gilkd_do_status },
	{ GILK_COUNTERS, 4, GILK_WIRE_PAYLOAD_MAX, gilkd_do_counters },
	{ GILK_CLOCKS, 4, 4, gilkd_do_clocks },
	{ GILK_MEASURE, sizeof(struct ilk_measure), sizeof(struct ilk_measure), gilkd_do_measure },
	{ GILK_INTERVALS, sizeof(struct ilk_intervals), sizeof(struct ilk_intervals) + ILK_INTERVALS_MAX, gilkd_do_intervals },
	{ GILK_INTERVAL_TIMES, 0, 0, gilkd_do_interval_times },
	{ GILK_MEMORY, sizeof(struct ilk_area), GILK_WIRE_PAYLOAD_MAX, gilkd_do_memory },
	{ GILK_MEMORY_READ, sizeof(struct ilk_memory_read), GILK_WIRE_PAYLOAD_MAX, gilkd_do_memory_read },
	{ GILK_USER_READ, sizeof(struct gilk_user_read) + 1, sizeof(struct gilk_user_read) + GILK_WIRE_PATH_MAX,
	  gilkd_do_user_read },
	{ GILK_USER_BIND, sizeof(struct gilk_user_bind) + sizeof(struct ilk_user_point) + 1, GILK_WIRE_PAYLOAD_MAX,
	  gilkd_do_user_bind },
	{ GILK_WATCH, sizeof(struct ilk_watch), ILK_WATCHES_MAX * sizeof(struct ilk_watch), gilkd_do_watch },
	{ GILK_WATCH_STATUS, sizeof(struct ilk_watch_status), ILK_WATCHES_MAX * sizeof(struct ilk_watch_status),
	  gilkd_do_watch_status },
	{ GILK_EVENTS, sizeof(struct gilk_events) + sizeof(struct ilk_event_counter),
	  sizeof(struct gilk_events) + ILK_EVENTS_MAX * sizeof(struct ilk_event_counter), gilkd_do_events },
	{ GILK_CRASH, sizeof(struct ilk_crash), sizeof(struct ilk_crash), gilkd_do_crash },
	{ GILK_PIN, sizeof(struct ilk_pin), sizeof(struct ilk_pin), gilkd_do_pin },
	{ GILK_SAMPLES_START, sizeof(struct gilk_samples_start), sizeof(struct gilk_samples_start),
	  gilkd_do_samples_start },
	{ GILK_SAMPLES_FREEZE, 0, 0, gilkd_do_samples_freeze },
	{ GILK_RINGS, 0, 0, gilkd_do_rings },
	{ GILK_SAMPLES_STOP, 0, 0, gilkd_do_samples_stop },
	{ GILK_CALLS, sizeof(struct gilk_calls), sizeof(struct gilk_calls), gilkd_do_calls },
};

/* Answers d->request, whatever it is. @payload is 8-byte aligned and may be modified. */
void gilkd_dispatch(struct gilkd *d, uint8_t *payload, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		const struct handler *h = &handlers[i];

		if (h->type != d->request.type)
			continue;
		if (length < h->min || length > h->max)
			gilkd_fail(d, EINVAL, "Malformed request %u: %zu bytes. Client and agent "
					      "may be of different versions.", h->type, length);
		else
			h->handle(d, payload, length);
		return;
	}

	gilkd_fail(d, ENOSYS, "The agent on the target does not know request %u; install the same "
		   "release of Gilk on both sides.", d->request.type);
}
