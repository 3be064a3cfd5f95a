/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-user.c - makes an image of the code of a user program or library
 *
 * Its ELF symbols become a symbol table like a kernel's. Such a table lacks sizes, so the end of
 * each function is added as a symbol named ".".
 */
#include "core/image/gilk-image-user.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-debug.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-private.h"

#define IFUNC_TYPE 'i'           /* type of indirect functions in nm(1) */
#define SEARCH_BYTES      16384  /* number of bytes of kernel text in which to search for return
                                  * instructions */
#define JUMP_BYTES   5
#define COPY_MAX     ((uint64_t) 256 << 20)  /* maximum size of a program that is copied */
#define COPY_PIECE   ((gsize) 1 << 20)
#define ENTRY_CFA_OFFSET 8           /* at a function's entry, distance from %rsp to the frame base
                                      * (CFA) */

uint64_t
gilk_image_frameless_function (GilkImage *kernel)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (gilk_image_symbols (kernel), &count);

  for (guint i = 0; i < count; i++)
    {
      uint8_t entry[GILK_ORC_ENTRY_SIZE];
      GilkFrameBase base;
      int16_t offset;

      if (!gilk_symbol_is_text (&all[i]) || all[i].module != 0 || !gilk_image_orc (kernel, all[i].addr, entry, &base))
        continue;
      memcpy (&offset, entry, sizeof offset);
      if (base == GILK_FRAME_SP && offset == ENTRY_CFA_OFFSET)
        return all[i].addr;
    }

  return 0;
}

/* Returns the thunk to which the kernel's functions jump in order to return; 0: the functions have
 * ret instructions. The kernel patches all its returns in the same way at boot, so a sample of its
 * text is enough. */
uint64_t
gilk_image_return_thunk (GilkImage *image)
{
  GilkImage *kernel = image->user != NULL ? image->user->kernel : image;
  guint n_areas;
  const GilkArea *areas = gilk_image_text_areas (kernel, &n_areas);
  gsize looked = 0;

  for (guint i = 0; i < n_areas && looked < SEARCH_BYTES; i++)
    {
      const gsize length = MIN (areas[i].end - areas[i].start, SEARCH_BYTES - looked);
      const uint8_t *bytes = gilk_image_bytes (kernel, areas[i].start, length, NULL);

      looked += length;
      for (gsize at = 0; bytes != NULL && at + JUMP_BYTES <= length; at++)
        {
          int32_t distance;
          uint64_t target;

          memcpy (&distance, bytes + at + 1, sizeof distance);
          target = areas[i].start + at + JUMP_BYTES + (uint64_t) (int64_t) distance;
          if (bytes[at] == 0xe9 && gilk_image_is_return_thunk (kernel, target))
            return target;
        }
    }

  return 0;
}

/* ---- reading of the program's file ---- */

typedef struct {
  GilkTarget            *target;
  const char            *path;
  struct gilk_user_file  file;
  GCancellable          *cancellable;
} Source;

static gboolean
read_source (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error)
{
  const Source *source = data;

  return gilk_target_program_read (source->target, source->path, &source->file, offset, length, out,
                                   source->cancellable, error);
}

/* Formats the ELF symbols as lines of kallsyms. */
static GilkSymbols *
make_symbols (const GilkElf *elf, const char *path, GError **error)
{
  g_autoptr(GString) text = g_string_new (NULL);
  gboolean has_entry = elf->entry == 0;

  for (guint i = 0; i < elf->symbols->len; i++)
    {
      const GilkElfSymbol *s = &g_array_index (elf->symbols, GilkElfSymbol, i);
      const GilkElfSegment *code;

      has_entry = has_entry || s->addr == elf->entry;
      g_string_append_printf (text, "%016" PRIx64 " %c %s\n", s->addr,
                              s->is_ifunc ? IFUNC_TYPE : s->is_local ? 't' : 'T', s->name);
      code = gilk_elf_segment_at (elf->segments, s->addr);
      if (s->size > 0 && s->size < code->addr + code->length - s->addr)
        g_string_append_printf (text, "%016" PRIx64 " N .\n", s->addr + s->size);
    }
  /* Let the last function of a segment end with the segment, whatever the size of the function's
   * symbol is. */
  for (guint i = 0; i < elf->segments->len; i++)
    {
      const GilkElfSegment *segment = &g_array_index (elf->segments, GilkElfSegment, i);

      g_string_append_printf (text, "%016" PRIx64 " N .\n", segment->addr + segment->length);
    }
  if (!has_entry)
    g_string_append_printf (text, "%016" PRIx64 " T _start\n", elf->entry);
  if (elf->symbols->len > 0 || elf->entry != 0)
    return gilk_symbols_new_parse (text->str, text->len, error);

  return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
      _("%s has no function symbols: it is stripped. Install its debug package or give its debug data with --debug, "
        "build it with its symbols, or choose a library that it calls."), path);
}

static gboolean
read_code (GilkImage *image, uint64_t addr, gsize length, uint8_t *out, GCancellable *cancellable, GError **error)
{
  return gilk_target_program_read (gilk_image_target (image->user->kernel), image->user->path, &image->user->file,
                                   gilk_image_user_offset (image, addr), length, out, cancellable, error);
}

/* ---- the program's debug data ---- */

static gboolean
read_local (gpointer data, uint64_t offset, gsize length, uint8_t *out, GError **error)
{
  memcpy (out, g_mapped_file_get_contents (data) + offset, length);

  return TRUE;
}

/* Adds the symbols in the debug data: a stripped program has most of its symbols there. Missing
 * debug data are not an error: the image then has fewer functions. */
static void
add_symbols (GilkElf *elf, const char *path, const char *user_path)
{
  const GilkDebugWanted wanted = {
    .user_path = user_path, .build_id = elf->build_id, .program = path, .debug_link = elf->debug_link, .debug_crc = elf->debug_crc,
  };
  g_autofree char *found = elf->is_stripped ? gilk_debug_find (&wanted, NULL) : NULL;
  g_autoptr(GMappedFile) file = found != NULL ? g_mapped_file_new (found, FALSE, NULL) : NULL;

  if (file != NULL)
    gilk_elf_add_symbols (elf, read_local, file, g_mapped_file_get_length (file), found, NULL);
}

/* Returns whether the target's file is also on this machine, at the same path. */
static gboolean
is_on_this_machine (const GilkImageUser *user)
{
  const struct gilk_user_file *file = &user->file;
  g_autofree char *id = NULL;
  struct stat about;

  if (stat (user->path, &about) != 0 || !S_ISREG (about.st_mode) || (uint64_t) about.st_size != file->bytes)
    return FALSE;
  if (about.st_dev == file->device && about.st_ino == file->inode && (uint64_t) about.st_mtim.tv_sec == file->changed_s &&
      about.st_mtim.tv_nsec == file->changed_ns)
    return TRUE;
  id = *user->build_id != '\0' ? gilk_dwarf_build_id (user->path, NULL) : NULL;

  return g_strcmp0 (id, user->build_id) == 0;
}

/* Copies the program from the target to the file @fd. */
static gboolean
copy_program (GilkImage *image, int fd, GCancellable *cancellable, GError **error)
{
  const GilkImageUser *user = image->user;
  g_autofree uint8_t *piece = g_malloc (COPY_PIECE);

  for (uint64_t at = 0; at < user->file.bytes; at += COPY_PIECE)
    {
      const gsize length = (gsize) MIN (user->file.bytes - at, COPY_PIECE);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !gilk_target_program_read (gilk_image_target (user->kernel), user->path, &user->file, at, length, piece, cancellable,
                                     error))
        return FALSE;
      if (pwrite (fd, piece, length, (off_t) at) != (ssize_t) length)
        return gilk_fail (error, GILK_ERROR_FORMAT,
            _("Cannot copy %s to a temporary file: %s. Free some space, or set TMPDIR to another folder."),
            user->path, g_strerror (errno));
    }

  return TRUE;
}

/* Opens the debug data in a local copy of the program. The copy is unlinked at once and exists
 * only while it is open. */
static GilkDwarf *
open_copy (GilkImage *image, GCancellable *cancellable, GError **error)
{
  g_autofree char *copy = NULL;
  GilkDwarf *dwarf = NULL;
  int fd;

  if (image->user->file.bytes > COPY_MAX)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
        _("%s is larger than 256 MiB, so it is not copied from the target to read its "
          "debug data. Give a copy on this machine with --debug."), image->user->path);
  fd = g_file_open_tmp ("gilk-program-XXXXXX", &copy, error);
  if (fd < 0)
    return NULL;
  if (copy_program (image, fd, cancellable, error))
    dwarf = gilk_dwarf_open (copy, NULL, NULL, error);
  g_unlink (copy);
  close (fd);

  return dwarf;
}

/* Opens a program's debug data; called as a GilkDebugOpen. Prefers debug data in the program
 * itself, because these are certain to match. */
static GilkDwarf *
open_debug (const char *user_path, gpointer data, GCancellable *cancellable, GError **error)
{
  GilkImage *image = data;
  const GilkImageUser *user = image->user;
  const GilkDebugWanted wanted = {
    .user_path = user_path, .build_id = user->build_id, .program = user->path, .debug_link = user->debug_link,
    .debug_crc = user->debug_crc,
  };
  g_autofree char *found = NULL;

  if (user->has_debug)
    return is_on_this_machine (user) ? gilk_dwarf_open (user->path, NULL, NULL, error) : open_copy (image, cancellable, error);
  found = gilk_debug_find (&wanted, error);

  return found != NULL ? gilk_dwarf_open (found, NULL, NULL, error) : NULL;
}

/* ---- making of the image ---- */

static GilkImage *
make_image (Source *source, GilkImage *kernel, GilkElf *elf, GError **error)
{
  g_autoptr(GilkSymbols) symbols = make_symbols (elf, source->path, error);
  GArray *areas;
  GilkImage *image;

  if (symbols == NULL)
    return NULL;
  image = gilk_image_new_empty (NULL, symbols);
  areas = g_array_new (FALSE, FALSE, sizeof (GilkArea));
  for (guint i = 0; i < elf->segments->len; i++)
    {
      const GilkElfSegment *segment = &g_array_index (elf->segments, GilkElfSegment, i);

      gilk_image_add_region (image, 0, segment->addr, segment->addr + segment->length);
      gilk_areas_add (areas, GILK_AREA_TEXT, 0, segment->addr, segment->addr + segment->length);
    }
  gilk_image_seal (image, areas);
  image->user = g_new0 (GilkImageUser, 1);
  *image->user = (GilkImageUser) {
    .kernel = gilk_image_ref (kernel), .unwind_function = gilk_image_frameless_function (kernel), .path = g_strdup (source->path),
    .file = source->file, .segments = g_array_ref (elf->segments), .runtime = elf->runtime,
    .build_id = g_strdup (elf->build_id), .debug_link = g_steal_pointer (&elf->debug_link), .debug_crc = elf->debug_crc,
    .has_debug = elf->has_debug, .read = read_code,
  };
  gilk_debug_free (image->debug);
  image->debug = gilk_debug_new_program (gilk_image_debug (kernel), symbols, open_debug, image);

  return image;
}

GilkImage *
gilk_image_new_user (GilkImage    *kernel,
                     const char   *path,
                     GCancellable *cancellable,
                     GError      **error)
{
  Source source = { .target = gilk_image_target (kernel), .path = path, .cancellable = cancellable };
  g_autofree char *user_path = NULL;
  g_autoptr(GilkElf) elf = NULL;

  if (source.target == NULL)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
        _("%s is on a target, and no target is connected. Connect to it first."), path);
  if (!gilk_target_program_file (source.target, path, &source.file, cancellable, error))
    return NULL;
  elf = gilk_elf_new (read_source, &source, source.file.bytes, path, error);
  if (elf == NULL)
    return NULL;
  user_path = gilk_debug_user_path (gilk_image_debug (kernel));
  add_symbols (elf, path, user_path);

  return make_image (&source, kernel, elf, error);
}

gboolean
gilk_image_user_is_current (GilkImage    *image,
                            gboolean     *is_current,
                            GCancellable *cancellable,
                            GError      **error)
{
  struct gilk_user_file file;

  if (!gilk_target_program_file (gilk_image_target (image->user->kernel), image->user->path, &file, cancellable,
                                 error))
    return FALSE;
  *is_current = memcmp (&file, &image->user->file, sizeof file) == 0;

  return TRUE;
}

/* ---- accessors ---- */

const char *
gilk_image_user_path (GilkImage *image)
{
  return image->user != NULL ? image->user->path : NULL;
}

const struct gilk_user_file *
gilk_image_user_file (GilkImage *image)
{
  return &image->user->file;
}

uint64_t
gilk_image_user_offset (GilkImage *image, uint64_t addr)
{
  const GilkElfSegment *segment = gilk_elf_segment_at (image->user->segments, addr);

  return segment != NULL ? addr - segment->addr + segment->offset : 0;
}

guint
gilk_image_user_runtime (GilkImage *image)
{
  return image->user->runtime;
}

gboolean
gilk_image_user_is_ifunc (GilkImage *image, const char *name)
{
  const GilkSymbol *symbol = gilk_symbols_by_name (image->symbols, name, NULL);

  return symbol != NULL && symbol->type == IFUNC_TYPE;
}

const char *
gilk_image_module_name (GilkImage *image, uint32_t module)
{
  return image->user != NULL ? image->user->path : gilk_symbols_module (image->symbols, module);
}
