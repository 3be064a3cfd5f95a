/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture.c - reads packet times from a capture with libpcap
 */
#include "core/store/gilk-capture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/pack/gilk-open-uncompressed.h"

#define SECOND       G_GINT64_CONSTANT (1000000000)
/* Rejects later times: the limit (year 2106) keeps time differences in ns within 64 bits. */
#define SECONDS_MAX  (G_GINT64_CONSTANT (1) << 32)
/* A packet takes 8 bytes of memory. */
#define PACKETS_MAX  100000000u
#define CHECK_EVERY    4096

typedef struct {
  pcap_t            *pcap;
  struct bpf_program program;
  gboolean           filtered;
} Reader;

void
gilk_capture_free (GilkCapture *capture)
{
  if (capture == NULL)
    return;
  g_free (capture->unix_ns);
  g_free (capture->damage);
  g_free (capture);
}

static void
reader_clear (Reader *reader)
{
  if (reader->filtered)
    pcap_freecode (&reader->program);
  g_clear_pointer (&reader->pcap, pcap_close);
}

/* Opens only a regular file: a pipe may neither end nor report an error. */
static FILE *
open_file (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat about;
  FILE *file;

  if (fd >= 0 && fstat (fd, &about) == 0 && !S_ISREG (about.st_mode))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("%s is not a file. Save the capture with “tcpdump -w FILE” and name that file."), path);
      close (fd);
      return NULL;
    }
  file = fd >= 0 ? fdopen (fd, "rb") : NULL;
  if (file == NULL)
    {
      gilk_unreadable (path, errno, error);
      if (fd >= 0)
        close (fd);
    }

  return file;
}

static gboolean
open_capture (Reader *reader, const char *path, GError **error)
{
  FILE *file = open_file (path, error);
  char why[PCAP_ERRBUF_SIZE] = "";

  if (file != NULL)
    file = gilk_open_uncompressed (file, path, error);
  if (file == NULL)
    return FALSE;
  reader->pcap = pcap_fopen_offline_with_tstamp_precision (file, PCAP_TSTAMP_PRECISION_NANO, why);
  if (reader->pcap == NULL)
    {
      fclose (file);
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("Cannot read %s as a packet capture: %s. Make one with “tcpdump -w FILE”."),
                   path, why);
    }

  return reader->pcap != NULL;
}

static gboolean
set_filter (Reader *reader, const char *filter, GError **error)
{
  if (filter == NULL)
    return TRUE;
  if (pcap_compile (reader->pcap, &reader->program, filter, 1, PCAP_NETMASK_UNKNOWN) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Invalid filter “%s” for this capture: %s. Use tcpdump's syntax, e.g. “tcp port 80”."),
                   filter, pcap_geterr (reader->pcap));
      return FALSE;
    }
  reader->filtered = TRUE;

  return TRUE;
}

static gint64
find_common_divisor (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }

  return a;
}

static gboolean
add_time (GilkCapture *capture, GArray *times, const struct timeval *tv)
{
  gint64 at;

  if (tv->tv_sec < 0 || tv->tv_sec >= SECONDS_MAX || tv->tv_usec < 0 || tv->tv_usec >= SECOND)
    return FALSE;
  at = tv->tv_sec * SECOND + tv->tv_usec;       /* nanoseconds, as requested from libpcap */
  if (times->len > 0)
    {
      gint64 before = g_array_index (times, gint64, times->len - 1);

      capture->same += at == before;
      capture->backwards += at < before;
    }
  capture->resolution_ns = find_common_divisor (capture->resolution_ns, tv->tv_usec);
  g_array_append_val (times, at);

  return TRUE;
}

/* Reads all packets; stores the reason for an early end in capture->damage. FALSE with @error only
 * if cancelled or if there are too many packets. */
static gboolean
read_packets (Reader *reader, GilkCapture *capture, GArray *times, GCancellable *cancellable,
              GError **error)
{
  struct pcap_pkthdr *header;
  const u_char *bytes;
  guint64 seen;
  int got = 1;

  for (seen = 0; (got = pcap_next_ex (reader->pcap, &header, &bytes)) == 1; seen++)
    {
      if (seen % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Reading the capture was cancelled."));
          return FALSE;
        }
      if (reader->filtered && pcap_offline_filter (&reader->program, header, bytes) == 0)
        {
          capture->skipped++;
          continue;
        }
      if (times->len >= PACKETS_MAX)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                       _("The capture has more than %u packets. Use a filter, or cut it with “tcpdump -r FILE -w "
                         "PART”."), PACKETS_MAX);
          return FALSE;
        }
      if (!add_time (capture, times, &header->ts))
        {
          capture->damage = g_strdup_printf (_("packet %" PRIu64 " has an impossible time"),
                                             seen + 1);
          return TRUE;
        }
    }
  if (got == PCAP_ERROR)
    capture->damage = g_strdup (pcap_geterr (reader->pcap));

  return TRUE;
}

GilkCapture *
gilk_capture_read (const char   *path,
                   const char   *filter,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autoptr(GilkCapture) capture = g_new0 (GilkCapture, 1);
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  Reader reader = { NULL };
  gboolean ok = open_capture (&reader, path, error) && set_filter (&reader, filter, error) &&
    read_packets (&reader, capture, times, cancellable, error);

  reader_clear (&reader);
  if (!ok)
    return NULL;
  if (capture->damage != NULL && strstr (capture->damage, "interface") != NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s has packets of several interfaces that differ, and only one interface can be read (%s). "
                     "Extract one: “tshark -r FILE -Y 'frame.interface_id == 0' -F pcap -w PART”."), path, capture->damage);
      return NULL;
    }
  if (times->len == 0 && capture->damage != NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s has no packets that can be read (%s). Capture again, and stop tcpdump with Ctrl-C."),
                   path, capture->damage);
      return NULL;
    }

  capture->n = times->len;
  capture->unix_ns = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&times), FALSE);
  if (capture->n < 2)
    capture->resolution_ns = 0;
  else if (capture->resolution_ns == 0)
    capture->resolution_ns = SECOND;

  return g_steal_pointer (&capture);
}
