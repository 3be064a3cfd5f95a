/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-names.c - lists functions that are refused because of their name
 *
 * Some code must not be hooked although no section marks it: the path from an int3 to ilk's
 * handler, functions that ilk calls while it changes text, and code that runs at another address,
 * on another stack, without per-CPU data or without an IDT. The driver computes its own list for
 * the running kernel and enforces it; while the driver is loaded, its list is part of the kernel's
 * kprobes blacklist.
 */
#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-function-private.h"

typedef struct {
  const char *pattern;      /* name of a function; may contain one '*', but not as its first
                             * character */
  guint       refusal;
} NameRule;

static const NameRule rules[] = {
  /* Functions on the path from int3 to the handler: a trap here would recurse for ever. */
  { "notify_die", GILK_REFUSAL_OWN_PATH },
  { "atomic_notifier_call_chain", GILK_REFUSAL_OWN_PATH },
  { "notifier_call_chain", GILK_REFUSAL_OWN_PATH },
  { "__rcu_read_lock", GILK_REFUSAL_OWN_PATH },
  { "__rcu_read_unlock", GILK_REFUSAL_OWN_PATH },
  { "rcu_read_unlock_special", GILK_REFUSAL_OWN_PATH },
  { "rcu_read_unlock_strict", GILK_REFUSAL_OWN_PATH },
  { "rcu_is_watching", GILK_REFUSAL_OWN_PATH },
  { "trace_rcu_watching", GILK_REFUSAL_OWN_PATH },
  { "trace_rcu_dyntick", GILK_REFUSAL_OWN_PATH },
  { "lock_acquire", GILK_REFUSAL_OWN_PATH },
  { "lock_release", GILK_REFUSAL_OWN_PATH },
  { "__kasan_check_read", GILK_REFUSAL_OWN_PATH },
  { "__kasan_check_write", GILK_REFUSAL_OWN_PATH },
  { "kasan_check_range", GILK_REFUSAL_OWN_PATH },
  /* Functions that synchronise all CPUs. */
  { "on_each_cpu*", GILK_REFUSAL_OWN_PATH },
  { "smp_call_function*", GILK_REFUSAL_OWN_PATH },
  { "generic_exec_single", GILK_REFUSAL_OWN_PATH },
  { "generic_smp_call_function_single_interrupt", GILK_REFUSAL_OWN_PATH },
  { "__smp_call_single_queue", GILK_REFUSAL_OWN_PATH },
  { "send_call_function_single_ipi", GILK_REFUSAL_OWN_PATH },
  { "native_send_call_func_*", GILK_REFUSAL_OWN_PATH },
  { "flush_smp_call_function_queue", GILK_REFUSAL_OWN_PATH },
  { "__flush_smp_call_function_queue", GILK_REFUSAL_OWN_PATH },
  { "llist_add_batch", GILK_REFUSAL_OWN_PATH },
  { "irq_work_*", GILK_REFUSAL_OWN_PATH },
  { "__irq_work_queue_local", GILK_REFUSAL_OWN_PATH },
  { "arch_irq_work_raise", GILK_REFUSAL_OWN_PATH },
  { "multi_cpu_stop", GILK_REFUSAL_OWN_PATH },
  { "cpu_stopper_thread", GILK_REFUSAL_OWN_PATH },
  /* Functions that map the kernel's text a second time, writable. */
  { "vmap", GILK_REFUSAL_OWN_PATH },
  { "vunmap", GILK_REFUSAL_OWN_PATH },
  { "vmap_pages_range*", GILK_REFUSAL_OWN_PATH },
  { "vmap_small_pages_range*", GILK_REFUSAL_OWN_PATH },
  { "__vmap_pages_range*", GILK_REFUSAL_OWN_PATH },
  { "flush_tlb_kernel_range", GILK_REFUSAL_OWN_PATH },
  { "flush_tlb_all", GILK_REFUSAL_OWN_PATH },
  { "do_kernel_range_flush", GILK_REFUSAL_OWN_PATH },
  { "do_flush_tlb_all", GILK_REFUSAL_OWN_PATH },
  /* The kernel's own functions for text patching. */
  { "text_poke*", GILK_REFUSAL_OWN_PATH },
  { "__text_poke", GILK_REFUSAL_OWN_PATH },
  { "smp_text_poke*", GILK_REFUSAL_OWN_PATH },
  { "poke_int3_handler", GILK_REFUSAL_OWN_PATH },
  { "kprobe_exceptions_notify", GILK_REFUSAL_OWN_PATH },
  /* Functions that are called at the end of a hit. */
  { "preempt_schedule_notrace", GILK_REFUSAL_OWN_PATH },
  { "dynamic_preempt_schedule_notrace", GILK_REFUSAL_OWN_PATH },
  { "do_sync_core", GILK_REFUSAL_OWN_PATH },

  { "__SCT__*", GILK_REFUSAL_THUNK },
  { "__x86_indirect_*", GILK_REFUSAL_THUNK },
  { "__x86_return_*", GILK_REFUSAL_THUNK },
  { "srso_*", GILK_REFUSAL_THUNK },
  { "retbleed_*", GILK_REFUSAL_THUNK },
  { "its_return_thunk", GILK_REFUSAL_THUNK },
  { "hypercall_page", GILK_REFUSAL_THUNK },
  { "xen_hypercall_*", GILK_REFUSAL_THUNK },
  { "entry_untrain_ret", GILK_REFUSAL_THUNK },

  /* Functions that run on another stack or at another address. */
  { "__switch_to_asm", GILK_REFUSAL_ENTRY },
  { "__switch_to", GILK_REFUSAL_ENTRY },
  { "ret_from_fork*", GILK_REFUSAL_ENTRY },
  { "secondary_startup_64*", GILK_REFUSAL_ENTRY },
  { "startup_64*", GILK_REFUSAL_ENTRY },
  { "start_cpu0", GILK_REFUSAL_ENTRY },
  { "start_secondary", GILK_REFUSAL_ENTRY },
  { "cpu_bringup_and_idle", GILK_REFUSAL_ENTRY },
  { "machine_kexec", GILK_REFUSAL_ENTRY },
  { "machine_real_restart", GILK_REFUSAL_ENTRY },
  { "stop_this_cpu", GILK_REFUSAL_ENTRY },
  { "verify_cpu", GILK_REFUSAL_ENTRY },
  { "sev_verify_cbit", GILK_REFUSAL_ENTRY },
  { "soft_restart_cpu", GILK_REFUSAL_ENTRY },
  /* Functions that run on a starting or waking CPU without an IDT: a trap resets the machine. */
  { "early_setup_idt", GILK_REFUSAL_ENTRY },
  { "set_bringup_idt_handler*", GILK_REFUSAL_ENTRY },
  { "setup_ghcb", GILK_REFUSAL_ENTRY },
  { "snp_register_ghcb_early", GILK_REFUSAL_ENTRY },
  { "cc_platform_has", GILK_REFUSAL_ENTRY },
  { "amd_cc_platform_has", GILK_REFUSAL_ENTRY },
  { "intel_cc_platform_has", GILK_REFUSAL_ENTRY },
  { "cpu_init_secondary", GILK_REFUSAL_ENTRY },
  { "cpu_init_exception_handling", GILK_REFUSAL_ENTRY },
  { "get_cpu_entry_area", GILK_REFUSAL_ENTRY },
  { "cr4_init", GILK_REFUSAL_ENTRY },
  { "cr4_set_bits", GILK_REFUSAL_ENTRY },
  { "cr4_update_irqsoff", GILK_REFUSAL_ENTRY },
  { "native_write_cr4", GILK_REFUSAL_ENTRY },
  { "native_write_msr", GILK_REFUSAL_ENTRY },
  { "native_write_gdt_entry", GILK_REFUSAL_ENTRY },
  { "native_load_tr_desc", GILK_REFUSAL_ENTRY },
  { "load_current_idt", GILK_REFUSAL_ENTRY },
  { "native_load_idt", GILK_REFUSAL_ENTRY },
  { "memset", GILK_REFUSAL_ENTRY },
  { "__memset", GILK_REFUSAL_ENTRY },
  { "memset_erms", GILK_REFUSAL_ENTRY },
  { "memset_orig", GILK_REFUSAL_ENTRY },
  { "restore_processor_state", GILK_REFUSAL_ENTRY },
  { "__restore_processor_state", GILK_REFUSAL_ENTRY },
  { "wakeup_long64", GILK_REFUSAL_ASM },
  { "do_suspend_lowlevel", GILK_REFUSAL_ASM },
  { "swsusp_arch_suspend", GILK_REFUSAL_ASM },
  { "restore_image", GILK_REFUSAL_ASM },
  { "restore_registers", GILK_REFUSAL_ASM },
  { "core_restore_code", GILK_REFUSAL_ASM },
  { "relocate_kernel", GILK_REFUSAL_ASM },
  { "identity_mapped", GILK_REFUSAL_ASM },
  { "virtual_mapped", GILK_REFUSAL_ASM },
  { "swap_pages", GILK_REFUSAL_ASM },
  { "__vmx_vcpu_run*", GILK_REFUSAL_ASM },
  { "vmx_vmenter", GILK_REFUSAL_ASM },
  { "vmx_do_*_irqoff", GILK_REFUSAL_ASM },
  { "__svm_*vcpu_run", GILK_REFUSAL_ASM },
  { "___bpf_prog_run", GILK_REFUSAL_INDIRECT_JUMP },
};

static const char *const generated_modules[] = {
  "bpf", "__builtin__ftrace", "__builtin__kprobes",
};

static gboolean
matches_pattern (const char *pattern, const char *name)
{
  const char *star = strchr (pattern, '*');
  gsize head, tail, length;

  if (star == NULL)
    return strcmp (pattern, name) == 0;

  head = (gsize) (star - pattern);
  if (strncmp (pattern, name, head) != 0)
    return FALSE;

  star++;
  tail = strlen (star);
  length = strlen (name);
  return length >= head + tail && strcmp (name + length - tail, star) == 0;
}

guint
gilk_function_name_refusal (const char *name, const char *module)
{
  for (guint i = 0; i < G_N_ELEMENTS (generated_modules); i++)
    if (strcmp (module, generated_modules[i]) == 0)
      return GILK_REFUSAL_GENERATED;

  if (strcmp (module, "ilk") == 0)
    return GILK_REFUSAL_OWN_PATH;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (rules[i].pattern[0] == name[0] && matches_pattern (rules[i].pattern, name))
      return rules[i].refusal;

  return GILK_REFUSAL_NONE;
}

gboolean
gilk_function_has_text (const GilkFunction *function)
{
  return function->refusal != GILK_REFUSAL_INIT &&
         function->refusal != GILK_REFUSAL_GENERATED;
}

gsize
gilk_function_cold_base (const char *name)
{
  const char *at = g_strrstr (name, ".cold");
  const char *rest;

  if (at == NULL || at == name)
    return 0;

  rest = at + strlen (".cold");
  if (*rest == '.')
    {
      rest++;
      if (*rest == '\0')
        return 0;
      while (g_ascii_isdigit (*rest))
        rest++;
    }

  return *rest == '\0' ? (gsize) (at - name) : 0;
}
