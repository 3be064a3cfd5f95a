/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-unpack.c - decompresses files of debug data and their sections
 *
 * libelf maps files, so decompressed data are written to a temporary file, which is nameless and
 * disappears with its descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-open-uncompressed.h"
#include "core/debug/gilk-dwarf-private.h"

/* maximum size of a decompressed file, and of all decompressed sections of a file */
#define BYTES_MAX ((guint64) 8 << 30)
enum { SECTIONS_MAX = 1 << 16, PACKED_ZSTD = 2, PIECE = 1 << 16 };

gboolean
gilk_dwarf_set_damaged (const char *path,
                        const char *what,
                        GError    **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("%s is damaged: %s. Reinstall the debug package of exactly this kernel."), path, what);
}

/* ---- a temporary file ---- */

typedef struct {
  const char *path;        /* path of the compressed file */
  char       *name;  /* name of the temporary file before it was unlinked, for error messages */
  int         fd;          /* descriptor of the temporary file; -1: it could not be created */
  guint64     size;
} Temporary;

/* Creates a temporary file in $TMPDIR or /var/tmp. Avoids /tmp, which may be in memory, because a
 * kernel has a gigabyte of debug data. */
static gboolean
create_temporary (Temporary *temporary, const char *path, GError **error)
{
  const char *folder = g_getenv ("TMPDIR");

  temporary->path = path;
  temporary->size = 0;
  temporary->name = g_build_filename (folder != NULL ? folder : "/var/tmp", "gilk-debug-XXXXXX", NULL);
  temporary->fd = g_mkstemp_full (temporary->name, O_RDWR | O_CLOEXEC, 0600);
  if (temporary->fd < 0)
    return gilk_unwritable (temporary->name, errno, error);
  unlink (temporary->name);

  return TRUE;
}

/* Returns the descriptor if the file is complete (@whole); otherwise closes it and returns -1. */
static int
finish_temporary (Temporary *temporary, gboolean whole)
{
  if (!whole && temporary->fd >= 0)
    close (temporary->fd);
  g_free (temporary->name);

  return whole ? temporary->fd : -1;
}

static gboolean
append (Temporary *temporary, const char *bytes, gsize size, GError **error)
{
  while (size > 0)
    {
      const ssize_t n = write (temporary->fd, bytes, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return gilk_unwritable (temporary->name, errno, error);
      bytes += n;
      size -= (gsize) n;
      temporary->size += (guint64) n;
    }

  return TRUE;
}

/* Appends the whole @stream to the temporary file. Fails if @stream has more than @most bytes. */
static gboolean
append_stream (Temporary *temporary, FILE *stream, guint64 most, GError **error)
{
  const guint64 begin = temporary->size;
  char piece[PIECE];
  const char *fault;
  gsize n;

  while ((n = fread (piece, 1, sizeof piece, stream)) > 0)
    {
      if (temporary->size - begin + n > most)
        return gilk_dwarf_set_damaged (temporary->path, _("decompression yields more data than expected"),
                                       error);
      if (!append (temporary, piece, n, error))
        return FALSE;
    }
  if (!ferror (stream))
    return TRUE;
  fault = gilk_uncompressed_fault (errno);
  return gilk_fail (error, GILK_ERROR_FORMAT, _("Cannot read %s: %s."), temporary->path,
                    fault != NULL ? fault : g_strerror (errno));
}

/* ---- a file that is compressed as a whole ---- */

/* Opens the uncompressed contents of @file, and closes @file. Returns a descriptor; -1 on error. */
static int
open_uncompressed (const char *path, FILE *file, GError **error)
{
  FILE *stream = gilk_open_uncompressed (file);
  Temporary temporary;
  int fd;

  if (stream == file)
    {
      fd = fcntl (fileno (file), F_DUPFD_CLOEXEC, 0);
      if (fd < 0)
        gilk_unreadable (path, errno, error);
    }
  else
    fd = finish_temporary (&temporary, create_temporary (&temporary, path, error) &&
                                       append_stream (&temporary, stream, BYTES_MAX, error));
  fclose (stream);

  return fd;
}

int
gilk_dwarf_open_plain (const char *path,
                       GError    **error)
{
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat about;
  FILE *file;

  if (fd < 0 || fstat (fd, &about) != 0 || !S_ISREG (about.st_mode))
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("Cannot read %s: %s."), path,
                 fd < 0 ? g_strerror (errno) : _("the file is not a regular file"));
  else if ((guint64) about.st_size > BYTES_MAX)
    gilk_dwarf_set_damaged (path, _("the file is larger than 8 GiB"), error);
  else if ((file = fdopen (fd, "rb")) != NULL)
    return open_uncompressed (path, file, error);
  else
    gilk_unreadable (path, errno, error);
  if (fd >= 0)
    close (fd);

  return -1;
}

/* ---- compressed sections ---- */

gboolean
gilk_dwarf_check_sections (const char *path,
                           Elf        *elf,
                           gboolean   *packed_otherwise,
                           GError    **error)
{
  guint64 unpacked = 0;
  size_t names, n;
  gboolean has = FALSE;
  Elf_Scn *section = NULL;

  if (elf_getshdrstrndx (elf, &names) != 0 || elf_getshdrnum (elf, &n) != 0 || n > SECTIONS_MAX)
    return gilk_dwarf_set_damaged (path, _("the section headers cannot be read"), error);
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr head;
      GElf_Chdr packed;
      const char *name;

      if (gelf_getshdr (section, &head) == NULL || (name = elf_strptr (elf, names, head.sh_name)) == NULL)
        return gilk_dwarf_set_damaged (path, _("the section headers cannot be read"), error);
      has |= (strcmp (name, ".debug_info") == 0 || strcmp (name, ".zdebug_info") == 0) && head.sh_type != SHT_NOBITS;
      if ((head.sh_flags & SHF_COMPRESSED) == 0 || gelf_getchdr (section, &packed) == NULL)
        continue;
      unpacked = unpacked + packed.ch_size < unpacked ? G_MAXUINT64 : unpacked + packed.ch_size;
      *packed_otherwise |= packed.ch_type != ELFCOMPRESS_ZLIB;
    }
  if (unpacked > BYTES_MAX)
    return gilk_dwarf_set_damaged (path, _("the sections would decompress to more than 8 GiB"), error);
  if (!has)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has no debug data. Give the file of the debug package, or one that was built with "
                   "CONFIG_DEBUG_INFO."), path);

  return has;
}

static gboolean
append_section (Temporary *temporary, Elf_Scn *section, const GElf_Chdr *packed, GError **error)
{
  const Elf_Data *data = elf_rawdata (section, NULL);
  const guint64 begin = temporary->size;
  FILE *file = NULL;
  gboolean ok;

  if (packed->ch_type != PACKED_ZSTD)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("The debug data of %s are compressed in an unknown way (%u). Decompress them with “objcopy "
          "--decompress-debug-sections %s FILE”, and give FILE."), temporary->path,
        packed->ch_type, temporary->path);
  if (data != NULL && data->d_size > sizeof (Elf64_Chdr))
    file = fmemopen ((char *) data->d_buf + sizeof (Elf64_Chdr), data->d_size - sizeof (Elf64_Chdr), "rb");
  if (file == NULL)
    return gilk_dwarf_set_damaged (temporary->path, _("a compressed section is empty"), error);
  file = gilk_open_uncompressed (file);
  ok = append_stream (temporary, file, packed->ch_size, error);
  fclose (file);

  return ok && (temporary->size - begin == packed->ch_size ||
                gilk_dwarf_set_damaged (temporary->path, _("a compressed section contains less data than its header "
                                                           "says"), error));
}

/* Appends the decompressed contents of a section to the copy of the file, and adapts the section's
 * header in the copy. */
static gboolean
move_section (Temporary *temporary, Elf *elf, Elf_Scn *section, const GElf_Chdr *packed, GError **error)
{
  static const char zeros[16];
  const guint64 padding = -temporary->size % sizeof zeros;
  Elf64_Shdr head = *elf64_getshdr (section);
  const guint64 at = elf64_getehdr (elf)->e_shoff + elf_ndxscn (section) * sizeof head;

  if (!append (temporary, zeros, padding, error))
    return FALSE;
  head.sh_flags &= ~(guint64) SHF_COMPRESSED;
  head.sh_offset = temporary->size;
  head.sh_size = packed->ch_size;
  head.sh_addralign = packed->ch_addralign;
  if (!append_section (temporary, section, packed, error))
    return FALSE;
  if (pwrite (temporary->fd, &head, sizeof head, (off_t) at) != sizeof head)
    return gilk_unwritable (temporary->name, errno, error);

  return TRUE;
}

static gboolean
move_sections (Temporary *temporary, Elf *elf, GError **error)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr head;
      GElf_Chdr packed;

      if (gelf_getshdr (section, &head) != NULL && (head.sh_flags & SHF_COMPRESSED) != 0 &&
          gelf_getchdr (section, &packed) != NULL && packed.ch_type != ELFCOMPRESS_ZLIB &&
          !move_section (temporary, elf, section, &packed, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
append_file (Temporary *temporary, int fd, GError **error)
{
  char piece[PIECE];
  ssize_t n;

  while ((n = pread (fd, piece, sizeof piece, (off_t) temporary->size)) > 0)
    if (!append (temporary, piece, (gsize) n, error))
      return FALSE;

  return n == 0 || gilk_unreadable (temporary->path, errno, error);
}

gboolean
gilk_dwarf_unpack_sections (const char *path,
                            int         fd,
                            Elf        *elf,
                            int        *unpacked,
                            GError    **error)
{
  gboolean packed_otherwise = FALSE;
  Temporary temporary;

  *unpacked = -1;
  if (!gilk_dwarf_check_sections (path, elf, &packed_otherwise, error))
    return FALSE;
  if (!packed_otherwise)
    return TRUE;
  *unpacked = finish_temporary (&temporary, create_temporary (&temporary, path, error) &&
                                            append_file (&temporary, fd, error) && move_sections (&temporary, elf, error));

  return *unpacked >= 0;
}
