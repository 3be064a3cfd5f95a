/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-service.h - writes BPF code for services of the driver (ilk/ilk-abi-services.h)
 *
 *   STACK   stores the stack in the same format as the driver. Stacks are compared only by a hash
 *           of 64 bits: with some thousand stacks in a run, a collision is practically impossible
 *   EVENT   reads the counter that the agent has opened for the key
 *   FREEZE  sets the limits of all rings to 0; the agent does not raise them again
 *
 * There is no BPF code for the other services, which change the kernel or emit an event of the
 * driver. gilk-bpf-code.c writes the code that moves a watchpoint.
 *
 * Threads: any.
 */
#pragma once

#include "core/emit/gilk-bpf-code.h"

G_BEGIN_DECLS

gboolean gilk_bpf_service_exists    (guint service);
/* Return whether the service's code needs the address of pt_regs in r6, or the CPU's number in
 * r7. */
gboolean gilk_bpf_service_uses_regs (guint service);
gboolean gilk_bpf_service_uses_cpu  (guint service);

/* Appends the code of @op, a call of a service for which gilk_bpf_service_exists() returns TRUE.
 * The service's result, if any, is in r0. The code changes r0 to r5. */
void gilk_bpf_service_put (GArray *insns, const GilkBpfPlace *place, const GilkOps *ops, const GilkOp *op);

G_END_DECLS
