/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-trace.h - trace events of the driver
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ilk

#if !defined(ILK_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define ILK_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(marker,
	TP_PROTO(u32 iid, u64 value, const char *name),
	TP_ARGS(iid, value, name),
	TP_STRUCT__entry(
		__field(u32, iid)
		__field(u64, value)
		__array(char, name, 16)
	),
	TP_fast_assign(
		__entry->iid = iid;
		__entry->value = value;
		memcpy(__entry->name, name, 16);
	),
	TP_printk("%s value=%lld iid=%u", __entry->name, (long long)__entry->value, __entry->iid)
);

#endif /* ILK_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ilk-trace
#include <trace/define_trace.h>
