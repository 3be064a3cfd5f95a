// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-request.c - starts and ends sessions, and passes requests to their handlers
 *
 * There is one table of requests, so that the valid lengths of a request are checked in one place
 * before its handler reads a byte.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd-facts.h"
#include "gilkd.h"

void gilkd_init(struct gilkd *d, int in, int out)
{
	*d = (struct gilkd){
		.client = { .in = in, .out = out, .audit.fd = -1 },
		.driver = { .client = &d->client, .device = -1 },
		.kcore = { .client = &d->client, .fd = -1, .file = -1 },
		.vmlinux = { .fd = -1 },
		.opener = { .socket = -1, .keep_mapped_fd = -1 },
		.prober = { .socket = -1, .samples = &d->samples },
		.uprober = { .socket = -1, .samples = &d->samples },
	};
	gilkd_samples_init(&d->samples, &d->driver);
	gilkd_bpf_init(&d->bpf, &d->samples, &d->opener, &d->prober, &d->uprober);
}

/*
 * Ends the session, if there is one. When the device is closed, the driver restores all text that
 * this session changed; when kprobes are closed, the kernel does. Arena modules that were loaded
 * for the session are unloaded later.
 */
void gilkd_session_end(struct gilkd *d)
{
	gilkd_samples_end(&d->samples);
	gilkd_bpf_end(&d->bpf);
	gilkd_driver_close(&d->driver);
	gilkd_opener_release(&d->opener);
	if (d->client.in_session && d->client.audit.live)
		gilkd_audit_log(&d->client.audit, "session ended; the driver restores %u patches",
				d->client.audit.live);
	else if (d->client.in_session)
		gilkd_audit_log(&d->client.audit, "session over");
	d->client.audit.prepared = d->client.audit.live = 0;
	if (d->client.in_session && !d->vmlinux.client)
		gilkd_arenas_release(&d->arenas);
	gilkd_kcore_close(&d->kcore);
	d->client.in_session = false;
	d->client.lease_ms = 0;
}

static void do_hello(struct gilkd *d, uint8_t *payload, size_t length)
{
	struct gilk_hello_answer answer = {
		.version = GILK_WIRE_VERSION,
		.abi = ILK_ABI_VERSION,
		.pid = getpid(),
		.driver = !d->vmlinux.client && gilkd_driver_exists(),
	};
	struct gilk_hello hello;
	struct utsname name;

	memcpy(&hello, payload, sizeof(hello));
	gilkd_session_end(d);
	if (hello.version != GILK_WIRE_VERSION || hello.abi != ILK_ABI_VERSION) {
		gilkd_fail(&d->client, EPROTO, "The agent on the target uses protocol %u.%u, the "
					       "client %u.%u; install the same release of Gilk "
					       "on both sides.", GILK_WIRE_VERSION, ILK_ABI_VERSION,
			   hello.version, hello.abi);
		return;
	}

	if (d->vmlinux.why) {
		gilkd_fail(&d->client, d->vmlinux.error, d->vmlinux.why, d->vmlinux.name, strerror(d->vmlinux.error));
		return;
	}
	answer.nonce = hello.nonce;
	if (d->vmlinux.client) {
		snprintf(answer.release, sizeof(answer.release), "%s", d->vmlinux.release);
		snprintf(answer.machine, sizeof(answer.machine), "x86_64");
		snprintf(answer.hostname, sizeof(answer.hostname), "%.63s", d->vmlinux.name);
	} else if (!uname(&name)) {
		snprintf(answer.release, sizeof(answer.release), "%.63s", name.release);
		snprintf(answer.machine, sizeof(answer.machine), "%.15s", name.machine);
		snprintf(answer.hostname, sizeof(answer.hostname), "%.63s", name.nodename);
	}
	d->client.in_session = true;
	d->client.started_ms = gilkd_now_ms();
	gilkd_audit_log(&d->client.audit, "session begun");
	gilkd_answer(&d->client, &answer, sizeof(answer));
}

static void do_bye(struct gilkd *d, uint8_t *payload, size_t length)
{
	gilkd_session_end(d);
	gilkd_answer(&d->client, NULL, 0);
}

static void do_ping(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	gilkd_answer(client, payload, length);
}

static void do_lease(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	uint32_t ms;

	memcpy(&ms, payload, sizeof(ms));
	if (!client->in_session || ms > GILK_WIRE_LEASE_MS_MAX) {
		gilkd_fail(client, EINVAL, "Cannot set the session's timeout to %u ms; ask for at "
					   "most %u ms, and only after HELLO.",
					   ms, GILK_WIRE_LEASE_MS_MAX);
		return;
	}
	client->lease_ms = ms;
	gilkd_answer(client, NULL, 0);
}

/* Handles RENEW_LEASE, which needs no action, because any input renews the lease. */
static void do_renew_lease(struct gilkd_client *client, uint8_t *payload, size_t length)
{
}

/*
 * Handles USE: chooses whether the driver or BPF serves requests about hooks. Fails without a
 * session, because the choice lasts until the session ends.
 */
static void do_use(struct gilkd *d, uint8_t *payload, size_t length)
{
	const struct gilk_use *use = (const struct gilk_use *)payload;

	if (!d->client.in_session || use->way > GILK_WAY_BPF || use->pad ||
	    (use->way != GILK_WAY_BPF && use->ring_bytes)) {
		gilkd_fail(&d->client, EINVAL, "The agent does not know hooking method %u; install "
					       "the same release of Gilk on both sides.",
			   use->way);
		return;
	}
	if (d->samples.running || d->driver.holds || gilkd_bpf_holds(&d->bpf)) {
		gilkd_fail(&d->client, EBUSY, "The session has hooks or maps, or reads samples; stop "
					      "reading and free the hooks before you choose another "
					      "way to hook.");
		return;
	}
	gilkd_bpf_end(&d->bpf);
	gilkd_driver_close(&d->driver);
	if (use->way == GILK_WAY_BPF && !gilkd_bpf_start(&d->bpf, use->ring_bytes))
		return;
	gilkd_answer(&d->client, NULL, 0);
}

/* Refuses requests about tracepoints, timers and event counters, which need GILK_WAY_BPF. */
static void refuse_events(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	gilkd_fail(client, EOPNOTSUPP, "The driver does not support watchpoints, tracepoints, "
				       "timers, event counters or hooks in user programs; use BPF.");
}

static const struct handler {
	uint16_t type;
	uint32_t min, max;	/* payload size */
	/*
	 * handler if the agent serves the file of a kernel that does not run; if @for_files is set,
	 * the other members apply instead
	 */
	void (*vmlinux)(struct gilkd_vmlinux *vmlinux, uint8_t *payload, size_t length);
	bool for_files;
	/*
	 * handler of a session that uses BPF (GILK_WAY_BPF). If NULL, a request with a @driver
	 * handler is refused; for all other requests, the same handler is called as without BPF
	 */
	void (*bpf)(struct gilkd_bpf *bpf, uint8_t *payload, size_t length);
	/* handler of any other session: exactly one of the following members is set */
	void (*client)(struct gilkd_client *client, uint8_t *payload, size_t length);
	void (*driver)(struct gilkd_driver *driver, uint8_t *payload, size_t length);
	void (*samples)(struct gilkd_samples *samples, uint8_t *payload, size_t length);
	void (*kcore)(struct gilkd_kcore *kcore, uint8_t *payload, size_t length);
	void (*agent)(struct gilkd *d, uint8_t *payload, size_t length);
} handlers[] = {
	{ GILK_HELLO, sizeof(struct gilk_hello), sizeof(struct gilk_hello), .agent = do_hello, .for_files = true },
	{ GILK_BYE, 0, 0, .agent = do_bye, .for_files = true },
	{ GILK_PING, 0, GILK_WIRE_PAYLOAD_MAX, .client = do_ping, .for_files = true },
	{ GILK_LEASE, 4, 4, .client = do_lease, .for_files = true },
	{ GILK_RENEW_LEASE, 0, 0, .client = do_renew_lease, .for_files = true },
	{ GILK_GET_FILE, 4, 4, .client = gilkd_do_get_file, .vmlinux = gilkd_vmlinux_do_get_file },
	{ GILK_GET_SECTIONS, 1, GILKD_NAME_MAX, .client = gilkd_do_get_sections },
	{ GILK_GET_TYPES, 0, GILKD_NAME_MAX, .client = gilkd_do_get_types, .vmlinux = gilkd_vmlinux_do_get_types },
	{ GILK_READ_TEXT, 0, GILK_WIRE_PAYLOAD_MAX, .kcore = gilkd_do_read_text, .for_files = true },
	{ GILK_TEXT_SUMS, 0, GILK_WIRE_PAYLOAD_MAX, .kcore = gilkd_do_text_sums, .for_files = true },
	{ GILK_DOCTOR, 0, 0, .agent = gilkd_do_doctor },
	{ GILK_KERNEL_LOG, 0, 0, .client = gilkd_do_kernel_log },
	{ GILK_DRIVER_LOAD, 0, 0, .agent = gilkd_do_driver_load, .bpf = gilkd_bpf_do_refuse },
	{ GILK_DRIVER_UNLOAD, 0, 0, .agent = gilkd_do_driver_unload, .bpf = gilkd_bpf_do_refuse },
	{ GILK_DRIVER_INFO, 0, 0, .driver = gilkd_do_driver_info, .bpf = gilkd_bpf_do_info },
	{ GILK_INSTRUMENTS, 0, 0, .driver = gilkd_do_instruments, .bpf = gilkd_bpf_do_nothing },
	{ GILK_INSTRUMENT_FILES, 0, 0, .client = gilkd_do_instrument_files,
	  .bpf = gilkd_bpf_do_nothing },
	{ GILK_INSTRUMENT_LOAD, 1, GILKD_NAME_MAX, .client = gilkd_do_instrument_load,
	  .bpf = gilkd_bpf_do_refuse },
	{ GILK_INSTRUMENT_UNLOAD, 1, GILKD_NAME_MAX, .client = gilkd_do_instrument_unload,
	  .bpf = gilkd_bpf_do_refuse },
	{ GILK_RESERVE, sizeof(struct gilk_batch), GILK_WIRE_PAYLOAD_MAX,
	  .agent = gilkd_do_reserve, .bpf = gilkd_bpf_do_reserve },
	{ GILK_PREPARE, sizeof(struct gilk_batch), GILK_WIRE_PAYLOAD_MAX,
	  .agent = gilkd_do_prepare, .bpf = gilkd_bpf_do_prepare },
	{ GILK_ARM, 0, 0, .agent = gilkd_do_arm, .bpf = gilkd_bpf_do_arm },
	{ GILK_DISARM, sizeof(struct ilk_disarm), GILK_WIRE_PAYLOAD_MAX, .agent = gilkd_do_disarm,
	  .bpf = gilkd_bpf_do_disarm },
	{ GILK_STATUS, sizeof(struct ilk_status), sizeof(struct ilk_status),
	  .driver = gilkd_do_status, .bpf = gilkd_bpf_do_status },
	{ GILK_COUNTERS, 4, GILK_WIRE_PAYLOAD_MAX, .driver = gilkd_do_counters,
	  .bpf = gilkd_bpf_do_counters },
	{ GILK_CLOCKS, 4, 4, .driver = gilkd_do_clocks, .bpf = gilkd_bpf_do_clocks },
	{ GILK_MEASURE, sizeof(struct ilk_measure), sizeof(struct ilk_measure),
	  .driver = gilkd_do_measure },
	{ GILK_INTERVALS, sizeof(struct ilk_intervals), sizeof(struct ilk_intervals) + ILK_INTERVALS_MAX,
	  .driver = gilkd_do_intervals, .bpf = gilkd_bpf_do_intervals },
	{ GILK_INTERVAL_TIMES, 0, 0, .driver = gilkd_do_interval_times,
	  .bpf = gilkd_bpf_do_interval_times },
	{ GILK_MEMORY, sizeof(struct ilk_area), GILK_WIRE_PAYLOAD_MAX, .driver = gilkd_do_memory,
	  .bpf = gilkd_bpf_do_memory },
	{ GILK_MEMORY_READ, sizeof(struct ilk_memory_read), GILK_WIRE_PAYLOAD_MAX,
	  .driver = gilkd_do_memory_read, .bpf = gilkd_bpf_do_memory_read },
	{ GILK_USER_READ, sizeof(struct gilk_user_read) + 1, sizeof(struct gilk_user_read) + GILK_WIRE_PATH_MAX,
	  .agent = gilkd_do_user_read },
	{ GILK_USER_BIND, sizeof(struct gilk_user_bind) + sizeof(struct gilk_user_point) + 1, GILK_WIRE_PAYLOAD_MAX,
	  .agent = gilkd_do_user_bind },
	{ GILK_WATCH_STATUS, sizeof(struct gilk_watch_status), GILK_WATCHES_MAX * sizeof(struct gilk_watch_status),
	  .client = refuse_events, .bpf = gilkd_bpf_do_watch_status },
	{ GILK_WATCH_BIND, sizeof(struct gilk_watch_point), GILK_WATCHES_MAX * sizeof(struct gilk_watch_point),
	  .client = refuse_events, .bpf = gilkd_bpf_do_watch_bind },
	{ GILK_EVENTS, sizeof(struct gilk_events) + sizeof(struct gilk_event_counter),
	  sizeof(struct gilk_events) + GILK_EVENTS_MAX * sizeof(struct gilk_event_counter), .client = refuse_events,
	  .bpf = gilkd_bpf_do_events },
	{ GILK_CRASH, sizeof(struct ilk_crash), sizeof(struct ilk_crash),
	  .driver = gilkd_do_crash },
	{ GILK_PIN, sizeof(struct ilk_pin), sizeof(struct ilk_pin), .driver = gilkd_do_pin },
	{ GILK_SAMPLES_START, sizeof(struct gilk_samples_start), sizeof(struct gilk_samples_start),
	  .samples = gilkd_do_samples_start },
	{ GILK_SAMPLES_FREEZE, 0, 0, .samples = gilkd_do_samples_freeze },
	{ GILK_RINGS, 0, 0, .samples = gilkd_do_rings },
	{ GILK_SAMPLES_STOP, 0, 0, .samples = gilkd_do_samples_stop },
	{ GILK_USE, sizeof(struct gilk_use), sizeof(struct gilk_use), .agent = do_use },
	{ GILK_EVENT_BIND, sizeof(struct gilk_event_point),
	  GILK_EVENTS_BIND_MAX * sizeof(struct gilk_event_point), .client = refuse_events,
	  .bpf = gilkd_bpf_do_event_bind },
	{ GILK_CALLS, sizeof(struct gilk_calls), sizeof(struct gilk_calls),
	  .samples = gilkd_do_calls },
};

static void call_handler(const struct handler *h, struct gilkd *d, uint8_t *payload, size_t length)
{
	if (d->vmlinux.client && !h->for_files)
		(h->vmlinux ? h->vmlinux : gilkd_vmlinux_do_refuse)(&d->vmlinux, payload, length);
	else if (d->bpf.live && h->bpf)
		h->bpf(&d->bpf, payload, length);
	else if (d->bpf.live && h->driver)
		gilkd_bpf_do_refuse(&d->bpf, payload, length);
	else if (h->client)
		h->client(&d->client, payload, length);
	else if (h->driver)
		h->driver(&d->driver, payload, length);
	else if (h->samples)
		h->samples(&d->samples, payload, length);
	else if (h->kcore)
		h->kcore(&d->kcore, payload, length);
	else
		h->agent(d, payload, length);
}

/* Answers any request of the client. @payload is 8-byte aligned; handlers may modify it. */
void gilkd_dispatch(struct gilkd *d, uint8_t *payload, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		const struct handler *h = &handlers[i];

		if (h->type != d->client.request.type)
			continue;
		if (length < h->min || length > h->max)
			gilkd_fail(&d->client, EINVAL, "Malformed request %u: %zu bytes. Client "
						       "and agent may be of different versions.",
				   h->type, length);
		else
			call_handler(h, d, payload, length);
		return;
	}

	gilkd_fail(&d->client, ENOSYS, "The agent on the target does not know request %u; "
				       "install the same release of Gilk on both sides.",
		   d->client.request.type);
}
