/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture.c - reads packet times from a capture
 *
 * libpcap reads pcap files and filters packets. It refuses pcapng files whose interfaces differ, so
 * gilk-pcapng.c reads those. The filter is compiled for each link type.
 */
#include "core/capture/gilk-capture.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-library.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-open-uncompressed.h"
#include "core/capture/gilk-pcapng.h"

#define SECOND       G_GINT64_CONSTANT (1000000000)
/* Maximum time of a packet, in seconds since 1970 (year 2106), so that differences of times in ns
 * fit into 64 bits. */
#define SECONDS_MAX  (G_GINT64_CONSTANT (1) << 32)
/* Maximum number of packets to read. Each takes 8 bytes of memory. */
#define PACKETS_MAX  100000000u
/* Maximum number of link types in a capture. Fewer than 300 are defined, and the filter is compiled
 * for each link type in use. */
#define LINKS_MAX    256u

#define PCAP_FUNCTIONS(F) \
  F (pcap_close) F (pcap_compile) F (pcap_datalink) F (pcap_datalink_val_to_name) F (pcap_fopen_offline) \
  F (pcap_fopen_offline_with_tstamp_precision) F (pcap_freecode) F (pcap_geterr) F (pcap_next_ex) F (pcap_offline_filter)

PCAP_FUNCTIONS (GILK_LIBRARY_POINTER)
static const GilkLibraryFunction pcap_functions[] = { PCAP_FUNCTIONS (GILK_LIBRARY_ENTRY) };

/* A link type, and the filter compiled for it. */
typedef struct {
  guint16            type;
  struct bpf_program program;
  char              *name;       /* name of the link type */
  char              *misfit;     /* why the filter does not fit the link type; NULL if it fits */
  guint64            unusable;   /* number of packets of this type; counted only if the filter does
                                  * not fit */
} Link;

typedef struct {
  const char *filter;            /* (nullable) */
  pcap_t     *pcap;              /* reads the capture if it is a pcap file; NULL: @pcapng reads
                                  * it */
  GilkPcapng *pcapng;
  GPtrArray  *links;             /* (element-type Link): link types found so far */
  guint64     timeless;          /* number of packets without a time */
} Reader;

void
gilk_capture_free (GilkCapture *capture)
{
  if (capture == NULL)
    return;
  gilk_free_all (capture->unix_ns, capture->unusable_why, capture->damage, capture);
}

static void
link_free (gpointer data)
{
  Link *link = data;

  sym_pcap_freecode (&link->program);
  gilk_free_all (link->name, link->misfit, link);
}

static void
reader_clear (Reader *reader)
{
  g_clear_pointer (&reader->links, g_ptr_array_unref);
  g_clear_pointer (&reader->pcap, sym_pcap_close);
  g_clear_pointer (&reader->pcapng, gilk_pcapng_free);
}

/* ---- filters ---- */

static Link *
add_link (Reader *reader, guint16 type, pcap_t *pcap)
{
  Link *link = g_new0 (Link, 1);
  const char *name = sym_pcap_datalink_val_to_name (sym_pcap_datalink (pcap));

  link->type = type;
  link->name = name != NULL ? g_strdup (name) : g_strdup_printf ("%u", type);
  if (sym_pcap_compile (pcap, &link->program, reader->filter, 1, PCAP_NETMASK_UNKNOWN) != 0)
    link->misfit = g_strdup (sym_pcap_geterr (pcap));
  g_ptr_array_add (reader->links, link);

  return link;
}

/* Opens an empty capture in memory, because libpcap converts a LINKTYPE_… to a DLT_… only when it
 * opens a file. */
static pcap_t *
open_empty (guint16 type)
{
  const struct pcap_file_header head = { .magic = 0xa1b2c3d4, .version_major = 2, .version_minor = 4, .snaplen = 1 << 18,
                                         .linktype = type };
  char why[PCAP_ERRBUF_SIZE];
  FILE *file = fmemopen ((gpointer) &head, sizeof head, "rb");
  pcap_t *pcap = file != NULL ? sym_pcap_fopen_offline (file, why) : NULL;

  if (pcap == NULL && file != NULL)
    fclose (file);

  return pcap;
}

/* Returns the entry of a link type; NULL if there are too many link types, or libpcap rejects this
 * one. */
static Link *
get_link (Reader *reader, guint16 type)
{
  pcap_t *pcap;
  Link *link;

  for (guint i = 0; i < reader->links->len; i++)
    {
      link = g_ptr_array_index (reader->links, i);
      if (link->type == type)
        return link;
    }
  pcap = reader->links->len < LINKS_MAX ? open_empty (type) : NULL;
  if (pcap == NULL)
    return NULL;
  link = add_link (reader, type, pcap);
  sym_pcap_close (pcap);

  return link;
}

/* Returns FALSE with @error if the filter fits none of the capture's link types. */
static gboolean
check_filter (const Reader *reader, GError **error)
{
  const Link *link = NULL;

  for (guint i = 0; i < reader->links->len; i++)
    {
      link = g_ptr_array_index (reader->links, i);
      if (link->misfit == NULL)
        return TRUE;
    }
  if (link != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Invalid filter “%s” for this capture: %s. Use tcpdump's syntax, e.g. “tcp port 80”."),
                 reader->filter, link->misfit);

  return link == NULL;
}

/* ---- opening ---- */

/* Opens a file. Refuses pipes and other special files, because reading them might never end. */
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

/* Opens @file as a pcap file, and takes over its ownership. Returns NULL, with the reason in @why,
 * if it is not a pcap file. */
static pcap_t *
open_pcap (FILE *file, char *why)
{
  pcap_t *pcap = sym_pcap_fopen_offline_with_tstamp_precision (file, PCAP_TSTAMP_PRECISION_NANO, why);

  if (pcap == NULL)
    fclose (file);

  return pcap;
}

/* Opens @file and reads its first block, which shows whether it is a pcapng capture. */
static GilkPcapng *
open_pcapng (FILE *file, char *why)
{
  g_autoptr(GilkPcapng) pcapng = gilk_pcapng_new (file);
  GilkPcapngPacket none;

  if (gilk_pcapng_next (pcapng, &none) != GILK_PCAPNG_DAMAGE)
    return g_steal_pointer (&pcapng);
  g_strlcpy (why, gilk_pcapng_damage (pcapng), PCAP_ERRBUF_SIZE);

  return NULL;
}

static gboolean
open_capture (Reader *reader, const char *path, GError **error)
{
  FILE *file = open_file (path, error);
  char why[PCAP_ERRBUF_SIZE] = "";
  const char *fault = NULL;
  int first;

  if (file == NULL)
    return FALSE;
  file = gilk_open_uncompressed (file);
  first = getc (file);
  if (first == EOF)
    fault = ferror (file) ? gilk_uncompressed_fault (errno) : NULL;
  else
    ungetc (first, file);
  if (first == GILK_PCAPNG_MAGIC)
    reader->pcapng = open_pcapng (file, why);
  else
    reader->pcap = open_pcap (file, why);
  if (reader->pcap != NULL && reader->filter != NULL)
    add_link (reader, 0, reader->pcap);
  if (reader->pcap == NULL && reader->pcapng == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Cannot read %s as a packet capture: %s. Make one with “tcpdump -w FILE”."),
                 path, fault != NULL ? fault : why);

  return reader->pcap != NULL || reader->pcapng != NULL;
}

/* ---- packets ---- */

static GilkPcapngBlock
read_pcap (Reader *reader, GilkPcapngPacket *packet)
{
  struct pcap_pkthdr *header;
  int got;

  errno = 0;
  got = sym_pcap_next_ex (reader->pcap, &header, &packet->bytes);
  if (got != 1)
    return got == PCAP_ERROR ? GILK_PCAPNG_DAMAGE : GILK_PCAPNG_END;
  packet->link_type = 0;
  packet->has_time = TRUE;
  packet->unix_ns = -1;
  /* tv_usec holds nanoseconds, as requested from libpcap. */
  if (header->ts.tv_sec >= 0 && header->ts.tv_sec < SECONDS_MAX && header->ts.tv_usec >= 0 && header->ts.tv_usec < SECOND)
    packet->unix_ns = header->ts.tv_sec * SECOND + header->ts.tv_usec;
  packet->length = header->len;
  packet->captured = header->caplen;

  return GILK_PCAPNG_PACKET;
}

static char *
describe_damage (const Reader *reader)
{
  const char *fault = reader->pcap != NULL ? gilk_uncompressed_fault (errno) : gilk_pcapng_damage (reader->pcapng);

  return g_strdup (fault != NULL ? fault : sym_pcap_geterr (reader->pcap));
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
add_time (GilkCapture *capture, GArray *times, gint64 at)
{
  if (at < 0 || at >= SECONDS_MAX * SECOND)
    return FALSE;
  if (times->len > 0)
    {
      gint64 before = g_array_index (times, gint64, times->len - 1);

      capture->same += at == before;
      capture->backwards += at < before;
    }
  capture->resolution_ns = find_common_divisor (capture->resolution_ns, at % SECOND);
  g_array_append_val (times, at);

  return TRUE;
}

/* Returns whether the packet's time is used; if not, counts the packet by reason: unusable, skipped
 * or without a time. */
static gboolean
is_wanted (Reader *reader, Link *link, const GilkPcapngPacket *packet, GilkCapture *capture)
{
  const struct pcap_pkthdr header = { .caplen = packet->captured, .len = packet->length };

  if (link != NULL && link->misfit != NULL)
    link->unusable++;
  else if (link != NULL && sym_pcap_offline_filter (&link->program, &header, packet->bytes) == 0)
    capture->skipped++;
  else if (!packet->has_time)
    reader->timeless++;
  else
    return TRUE;

  return FALSE;
}

/* Reads all packets. If reading must end early, stores the reason in capture->damage. Fails only if
 * cancelled, or if there are too many packets. */
static gboolean
read_packets (Reader *reader, GilkCapture *capture, GArray *times, GCancellable *cancellable,
              GError **error)
{
  GilkPcapngPacket packet;
  GilkPcapngBlock block;
  guint64 seen = 0;

  while (!g_cancellable_is_cancelled (cancellable))
    {
      Link *link = NULL;

      block = reader->pcap != NULL ? read_pcap (reader, &packet) : gilk_pcapng_next (reader->pcapng, &packet);
      if (block == GILK_PCAPNG_DAMAGE)
        capture->damage = describe_damage (reader);
      if (block == GILK_PCAPNG_DAMAGE || block == GILK_PCAPNG_END)
        return TRUE;
      if (block == GILK_PCAPNG_OTHER)
        continue;
      if (reader->filter != NULL && (link = get_link (reader, packet.link_type)) == NULL)
        {
          capture->damage = g_strdup (_("the capture has too many link types"));
          return TRUE;
        }
      if (block == GILK_PCAPNG_INTERFACE)
        continue;
      seen++;
      if (!is_wanted (reader, link, &packet, capture))
        continue;
      if (times->len >= PACKETS_MAX)
        return gilk_fail (error, GILK_ERROR_USAGE,
            _("The capture has more than %u packets. Use a filter, or copy a part of it with “tcpdump -r FILE -c COUNT -w "
              "PART”."), PACKETS_MAX);
      if (!add_time (capture, times, packet.unix_ns))
        {
          capture->damage = g_strdup_printf (_("packet %" PRIu64 " has an impossible time"), seen);
          return TRUE;
        }
    }
  return gilk_fail (error, GILK_ERROR_CANCELLED, _("Reading the capture was cancelled."));
}

static void
describe_unusable (const Reader *reader, GilkCapture *capture)
{
  g_autoptr(GStrvBuilder) reasons = g_strv_builder_new ();
  g_auto(GStrv) all = NULL;

  for (guint i = 0; i < reader->links->len; i++)
    {
      const Link *link = g_ptr_array_index (reader->links, i);
      g_autofree char *reason = g_strdup_printf (_("%" PRIu64 " packets of link type %s, to which the filter cannot "
                                                   "be applied (%s)"),
                                                 link->unusable, link->name, link->misfit);

      if (link->unusable > 0)
        g_strv_builder_add (reasons, reason);
      capture->unusable += link->unusable;
    }
  if (reader->timeless > 0)
    {
      g_autofree char *reason = g_strdup_printf (_("%" PRIu64 " without a time"), reader->timeless);

      g_strv_builder_add (reasons, reason);
      capture->unusable += reader->timeless;
    }
  all = g_strv_builder_end (reasons);
  if (capture->unusable > 0)
    capture->unusable_why = g_strjoinv (", ", all);
}

GilkCapture *
gilk_capture_read (const char   *path,
                   const char   *filter,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autoptr(GilkCapture) capture = g_new0 (GilkCapture, 1);
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  Reader reader = { .filter = filter, .links = g_ptr_array_new_with_free_func (link_free) };
  gboolean ok = gilk_library_load (GILK_PCAP_SONAME, pcap_functions, G_N_ELEMENTS (pcap_functions), error) &&
    open_capture (&reader, path, error) && check_filter (&reader, error) &&
    read_packets (&reader, capture, times, cancellable, error) && check_filter (&reader, error);

  describe_unusable (&reader, capture);
  reader_clear (&reader);
  if (!ok)
    return NULL;
  if (times->len == 0 && capture->damage != NULL)
    return gilk_fail_null (error, GILK_ERROR_FORMAT,
        _("%s has no packets that can be read (%s). Capture again, and stop tcpdump with Ctrl-C."),
        path, capture->damage);

  capture->n = times->len;
  capture->unix_ns = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&times), FALSE);
  if (capture->n < 2)
    capture->resolution_ns = 0;
  else if (capture->resolution_ns == 0)
    capture->resolution_ns = SECOND;

  return g_steal_pointer (&capture);
}
