/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-denied-rules.h - names of the functions where denied paths start and end
 *
 * Part of ilk-denied.c, with the reason for each. A name applies to every
 * function of that name, and to its parts (".cold", ".isra.0").
 */
#define DENY		(1u << 0)	/* never hooked */
#define FOLLOW		(1u << 1)	/* denied, together with all functions that it calls,
					 * recursively */
#define NO_IDT		(1u << 2)	/* like FOLLOW, but follows only calls that lead to a LIDT
					 * function */
#define LIDT		(1u << 3)	/* loads the IDT, or calls a function that loads it */
#define LAST		(1u << 4)	/* denied if a path leads to the function; its own calls
					 * are not followed */
#define OUT		(1u << 5)	/* not called while we handle a trap in kernel text */
#define NO_CLONE	(1u << 6)	/* never cloned */
#define FOLLOWED	(1u << 7)	/* the calls of the function have been followed */
#define COLD		(1u << 8)	/* part split off by the compiler; only the original
					 * function enters it */
#define NEEDED	(1u << 9)	/* if a kernel lacks the function, these rules must be reviewed
				 * for that kernel */

static struct rule {
	const char *name;
	u32 flags;
	bool found;
} rules[] = {
	/* Functions on the path of an int3 trap to our handler and back. */
	{ "exc_int3", FOLLOW | NEEDED },
	/* Called only for traps in user space. */
	{ "do_int3_user", OUT }, { "irqentry_enter_from_user_mode", OUT },
	{ "irqentry_exit_to_user_mode", OUT }, { "do_trap", OUT }, { "__ct_user_exit", OUT },
	{ "__ct_user_enter", OUT }, { "exit_to_user_mode_loop", OUT },
	{ "arch_exit_to_user_mode_prepare", OUT }, { "rcu_nocb_flush_deferred_wakeup", OUT },
	{ "__hrtimer_rearm_deferred", OUT },
	/*
	 * A trap in the kernel counts as an NMI, in which these functions are not called, or return
	 * at once.
	 */
	{ "__rcu_irq_enter_check_tick", OUT }, { "rcu_read_unlock_special", LAST },
	{ "preempt_schedule_thunk", OUT }, { "preempt_schedule_notrace_thunk", OUT },
	/* Bug reports. Only a trap that our handler does not handle leads to a report. */
	{ "die", OUT }, { "__die", OUT }, { "panic", OUT }, { "_printk", OUT },
	{ "__warn_printk", OUT }, { "__stack_chk_fail", OUT }, { "dump_stack", OUT },
	{ "dump_kprobe", OUT }, { "fortify_panic", OUT }, { "__fortify_panic", OUT },
	{ "warn_bogus_irq_restore", OUT }, { "lockdep_rcu_suspicious", OUT },
	{ "kasan_report", OUT }, { "debug_locks_off", OUT }, { "print_usage_bug", OUT },
	{ "kprobe_ftrace_kill", OUT }, { "static_key_enable", OUT },
	{ "__ubsan_handle_out_of_bounds", OUT }, { "__ubsan_handle_shift_out_of_bounds", OUT },
	{ "__ubsan_handle_load_invalid_value", OUT }, { "__ubsan_handle_type_mismatch_v1", OUT },
	{ "__ubsan_handle_divrem_overflow", OUT }, { "__ubsan_handle_builtin_unreachable", OUT },
	{ "__ubsan_handle_alignment_assumption", OUT },

	/*
	 * The function tracer and related tracers, called on the path of a trap; each first takes
	 * its guard against recursion.
	 */
	{ "ftrace_caller", FOLLOW }, { "ftrace_regs_caller", FOLLOW },
	{ "ftrace_graph_caller", FOLLOW }, { "return_to_handler", FOLLOW },
	{ "arch_ftrace_ops_list_func", FOLLOW }, { "ftrace_ops_list_func", FOLLOW },
	{ "ftrace_ops_assist_func", LAST | DENY },
	{ "function_trace_call", LAST | DENY }, { "function_stack_trace_call", LAST | DENY },
	{ "function_no_repeats_trace_call", LAST | DENY },
	{ "function_stack_no_repeats_trace_call", LAST | DENY },
	{ "function_args_trace_call", LAST | DENY }, { "function_profile_call", LAST | DENY }, { "stack_trace_call", LAST | DENY },
	{ "irqsoff_tracer_call", LAST | DENY }, { "wakeup_tracer_call", LAST | DENY },
	{ "perf_ftrace_function_call", LAST | DENY }, { "klp_ftrace_handler", LAST | DENY },
	{ "kprobe_ftrace_handler", LAST | DENY }, { "fprobe_handler", LAST | DENY },
	{ "fprobe_kprobe_handler", LAST | DENY }, { "fprobe_ftrace_entry", LAST | DENY },
	{ "fprobe_fgraph_entry", LAST | DENY }, { "function_test_events_call", LAST | DENY },
	{ "prepare_ftrace_return", FOLLOW }, { "ftrace_graph_func", FOLLOW },
	{ "function_graph_enter", FOLLOW }, { "function_graph_enter_ops", FOLLOW },
	{ "function_graph_enter_regs", FOLLOW }, { "trace_graph_entry_args", FOLLOW },
	{ "ftrace_return_to_handler", FOLLOW },
	{ "trace_graph_entry", FOLLOW }, { "trace_graph_return", FOLLOW },
	{ "trace_graph_thresh_return", FOLLOW }, { "profile_graph_entry", FOLLOW },
	{ "profile_graph_return", FOLLOW }, { "fprobe_exit_handler", DENY },
	{ "fprobe_return", DENY },
	/* BPF trampolines. Their guard against recursion is the program's count of active runs. */
	{ "__bpf_prog_enter", LAST | DENY }, { "__bpf_prog_exit", LAST | DENY },
	{ "__bpf_prog_enter_recur", LAST | DENY }, { "__bpf_prog_exit_recur", LAST | DENY },
	{ "__bpf_prog_enter_sleepable", LAST | DENY }, { "__bpf_prog_exit_sleepable", LAST | DENY },
	{ "__bpf_prog_enter_sleepable_recur", LAST | DENY },
	{ "__bpf_prog_exit_sleepable_recur", LAST | DENY },
	{ "__bpf_prog_enter_lsm_cgroup", LAST | DENY }, { "__bpf_prog_exit_lsm_cgroup", LAST | DENY },
	{ "__bpf_tramp_enter", LAST | DENY }, { "__bpf_tramp_exit", LAST | DENY },
	{ "bpf_trace_run", LAST }, { "bpf_prog_inc_misses_counter", FOLLOW },
	{ "migrate_disable", LAST | DENY }, { "migrate_enable", LAST | DENY },

	/*
	 * Functions that the probes of trace events call; the probes themselves are found
	 * through their event. The ring buffer and perf each have a guard; code before or
	 * after the guard is denied, because a trap there raises the same event again.
	 */
	{ "trace_event_buffer_commit", LAST }, { "perf_trace_run_bpf_submit", LAST | DENY },
	{ "perf_tp_event", LAST | DENY }, { "perf_swevent_put_recursion_context", DENY },
	/*
	 * The guards of the ring buffer and of perf let a trap write an event, because a trap
	 * counts as an NMI. So a trap must not be in a loop that restarts when another event was
	 * written in the meantime: the trap would restart it for ever. Such loops are in the ring
	 * buffers, in perf's counts, and in the kernel log, to which tp_printk prints events.
	 */
	{ "ring_buffer_lock_reserve", FOLLOW | NEEDED }, { "ring_buffer_unlock_commit", FOLLOW | NEEDED },
	{ "ring_buffer_discard_commit", FOLLOW }, { "ring_buffer_write", FOLLOW },
	{ "perf_output_begin", DENY }, { "perf_output_begin_forward", DENY },
	{ "perf_output_begin_backward", DENY }, { "perf_output_put_handle", DENY },
	{ "perf_output_end", DENY }, { "perf_swevent_event", DENY }, { "perf_swevent_set_period", DENY },
	{ "prb_reserve", FOLLOW }, { "prb_reserve_in_last", FOLLOW }, { "prb_commit", FOLLOW },
	{ "prb_final_commit", FOLLOW },
	/*
	 * A new event in perf's ring raises an interrupt, which wakes the ring's reader. A trap in
	 * this interrupt's handler would write an event and so raise the interrupt again, for ever.
	 * The functions that wake the reader are not denied.
	 */
	{ "irq_work_run", DENY }, { "irq_work_run_list", DENY }, { "irq_work_single", DENY },
	{ "perf_pending_irq", DENY }, { "perf_event_wakeup", DENY }, { "ring_buffer_wakeup", DENY },
	/*
	 * The clocks that the ring buffer reads through a pointer, at each
	 * event, including the events of __switch_to() (see below).
	 */
	{ "trace_clock_local", FOLLOW }, { "trace_clock", FOLLOW }, { "trace_clock_global", FOLLOW },
	/*
	 * Called after the ring buffer's guard was released. Writing a stack trace has a guard of
	 * its own.
	 */
	{ "trace_buffer_unlock_commit_regs", FOLLOW }, { "__ftrace_trace_stack", LAST | DENY },
	{ "ftrace_trace_userstack", LAST | DENY }, { "stack_trace_save_user", OUT },
	{ "output_printk", LAST | DENY }, { "ftrace_exports", LAST | DENY },
	/*
	 * Triggers are unguarded, except triggers that read the event: these run
	 * inside the ring buffer's guard.
	 */
	{ "event_triggers_call", FOLLOW }, { "event_triggers_post_call", FOLLOW },
	{ "traceon_trigger", FOLLOW }, { "traceoff_trigger", FOLLOW },
	{ "traceon_count_trigger", FOLLOW }, { "traceoff_count_trigger", FOLLOW },
	{ "stacktrace_trigger", FOLLOW }, { "stacktrace_count_trigger", FOLLOW },
	{ "snapshot_trigger", FOLLOW }, { "snapshot_count_trigger", FOLLOW },
	{ "update_max_tr", OUT }, { "__trace_array_puts", FOLLOW },
	{ "event_enable_trigger", FOLLOW }, { "event_enable_count_trigger", FOLLOW },
	{ "hist_enable_trigger", FOLLOW }, { "hist_enable_count_trigger", FOLLOW },
	{ "event_trigger_count", FOLLOW }, { "event_enable_count_func", FOLLOW },
	{ "filter_match_preds", LAST },
	{ "event_hist_trigger", LAST | DENY }, { "tracing_map_insert", LAST | DENY },
	{ "tracing_map_read_var_once", LAST | DENY }, { "tracing_map_update_sum", LAST | DENY },
	{ "hist_fn_call", LAST | DENY }, { "eprobe_trigger_func", LAST | DENY },

	/*
	 * Called on a CPU that comes up, or wakes: a trap before it has an IDT
	 * resets the machine.
	 */
	{ "startup_64", DENY }, { "secondary_startup_64", FOLLOW | NEEDED },
	{ "secondary_startup_64_no_verify", FOLLOW }, { "common_startup_64", FOLLOW },
	{ "early_setup_idt", FOLLOW }, { "verify_cpu", FOLLOW }, { "sev_verify_cbit", FOLLOW },
	{ "x86_64_start_kernel", OUT }, { "start_kernel", OUT },
	{ "start_secondary", NO_IDT | NEEDED }, { "restore_processor_state", NO_IDT },
	{ "__restore_processor_state", NO_IDT },
	{ "cpu_init_secondary", LIDT }, { "cpu_init_exception_handling", LIDT },
	{ "load_current_idt", LIDT }, { "native_load_idt", LIDT },
	{ "cpu_bringup_and_idle", DENY }, { "memset_erms", DENY }, { "memset_orig", DENY },

	/*
	 * Runs on the stack of the next task, while current is still the last
	 * task: an interrupt during a trap there cannot unwind the stack, and
	 * the unwinder warns.
	 */
	{ "__switch_to", FOLLOW | NEEDED },

	/*
	 * Functions that are copied elsewhere before they run, or run on another
	 * stack or address space.
	 */
	{ "__switch_to_asm", DENY }, { "ret_from_fork", DENY },
	{ "ret_from_fork_asm", DENY }, { "__x86_return_thunk", DENY },
	{ "retbleed_return_thunk", DENY }, { "srso_return_thunk", DENY },
	{ "restore_image", DENY }, { "core_restore_code", DENY }, { "restore_registers", DENY },
	{ "relocate_kernel", DENY }, { "swsusp_arch_suspend", DENY }, { "wakeup_long64", DENY },
	{ "do_suspend_lowlevel", DENY }, { "machine_kexec", DENY },
	{ "machine_real_restart", DENY }, { "stop_this_cpu", DENY },
	/*
	 * Called at the end of a hit, with the preempt count at 0: a hit in these functions
	 * would recurse for ever.
	 */
	{ "preempt_schedule_notrace", DENY }, { "dynamic_preempt_schedule_notrace", DENY },
	{ "kprobe_exceptions_notify", DENY }, { "atomic_notifier_call_chain", DENY },

	/*
	 * Never cloned. While a task is in one of these functions, the scan of ilk-stacks.c does
	 * not see the task: it is idle, dead or being switched, or its CPU is down. Or the task
	 * never leaves the function, so that the clone could never be freed.
	 */
	{ "__schedule", NO_CLONE | NEEDED }, { "schedule", NO_CLONE }, { "schedule_idle", NO_CLONE },
	{ "preempt_schedule_irq", NO_CLONE }, { "preempt_schedule_common", NO_CLONE },
	{ "finish_task_switch", NO_CLONE }, { "do_idle", NO_CLONE },
	{ "cpu_startup_entry", NO_CLONE }, { "do_exit", NO_CLONE | NEEDED }, { "do_task_dead", NO_CLONE },
	{ "make_task_dead", NO_CLONE }, { "kthread_exit", NO_CLONE }, { "kthread_do_exit", NO_CLONE },
	{ "cpuhp_report_idle_dead", NO_CLONE }, { "arch_cpu_idle_dead", NO_CLONE },
	{ "idle_task_exit", NO_CLONE }, { "play_dead", NO_CLONE }, { "play_dead_common", NO_CLONE },
	{ "native_play_dead", NO_CLONE }, { "hlt_play_dead", NO_CLONE },
	{ "mwait_play_dead", NO_CLONE }, { "acpi_idle_play_dead", NO_CLONE },
	{ "cpuidle_play_dead", NO_CLONE }, { "smp_kick_mwait_play_dead", NO_CLONE },
	{ "sev_es_play_dead", NO_CLONE }, { "acpi_mp_play_dead", NO_CLONE },
	{ "xen_pv_play_dead", NO_CLONE }, { "acpi_processor_ffh_play_dead", NO_CLONE },
	{ "intel_idle_enter_dead", NO_CLONE }, { "kthread", NO_CLONE }, { "kthreadd", NO_CLONE },
	{ "kthread_worker_fn", NO_CLONE }, { "worker_thread", NO_CLONE }, { "rescuer_thread", NO_CLONE },
	{ "smpboot_thread_fn", NO_CLONE }, { "irq_thread", NO_CLONE }, { "rcu_gp_kthread", NO_CLONE },
	{ "rcu_tasks_kthread", NO_CLONE }, { "kswapd", NO_CLONE }, { "kcompactd", NO_CLONE },
	{ "khugepaged", NO_CLONE }, { "kprobe_optimizer_thread", NO_CLONE },
};
