/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late-libraries.c - source of a library that only refers to all libraries that are loaded late
 * (gilk-library.h): the build of a package finds by it which packages gilk needs
 */
#include <capstone/capstone.h>
#include <curl/curl.h>
#include <microhttpd.h>
#include <pcap/pcap.h>

extern const void *const gilk_late_libraries[];

const void *const gilk_late_libraries[] = {
  (const void *) cs_disasm_iter, (const void *) curl_easy_perform, (const void *) MHD_start_daemon, (const void *) pcap_next_ex,
};
