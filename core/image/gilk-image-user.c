/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-user.c - the code of a user program or library as an image
 *
 * Its ELF symbols become a symbol table like a kernel's. Such a table has no sizes, so the end of
 * each function is added as a symbol named ".".
 */
#include "core/image/gilk-image-user.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-private.h"

#define IFUNC_TYPE 'i'           /* type of indirect functions in nm(1) */
#define SEARCH_BYTES      16384  /* size of the text that is searched for returns */
#define JUMP_BYTES   5
#define ENTRY_CFA_OFFSET 8           /* distance from a function's %rsp to its caller's, at entry */

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

/* When the kernel boots, it patches all returns to jump to one thunk, or to be ret instructions; a
 * sample of the text shows which. */
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

/* ---- reading ---- */

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
  /* The last function of a segment ends with the segment, whatever the size of its symbol is. */
  for (guint i = 0; i < elf->segments->len; i++)
    {
      const GilkElfSegment *segment = &g_array_index (elf->segments, GilkElfSegment, i);

      g_string_append_printf (text, "%016" PRIx64 " N .\n", segment->addr + segment->length);
    }
  if (!has_entry)
    g_string_append_printf (text, "%016" PRIx64 " T _start\n", elf->entry);
  if (elf->symbols->len > 0 || elf->entry != 0)
    return gilk_symbols_new_parse (text->str, text->len, error);

  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("%s has no function symbols: it is stripped. Install or build it with its symbols, or choose a library "
                 "that it calls."), path);
  return NULL;
}

static gboolean
read_code (GilkImage *image, uint64_t addr, gsize length, uint8_t *out, GCancellable *cancellable, GError **error)
{
  return gilk_target_program_read (gilk_image_target (image->user->kernel), image->user->path, &image->user->file,
                                   gilk_image_user_offset (image, addr), length, out, cancellable, error);
}

static GilkImage *
make_image (Source *source, GilkImage *kernel, const GilkElf *elf, GError **error)
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
    .read = read_code,
  };

  return image;
}

GilkImage *
gilk_image_new_user (GilkImage    *kernel,
                     const char   *path,
                     GCancellable *cancellable,
                     GError      **error)
{
  Source source = { .target = gilk_image_target (kernel), .path = path, .cancellable = cancellable };
  g_autoptr(GilkElf) elf = NULL;

  if (source.target == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("%s is on a target, and no target is connected. Connect to it first."), path);
      return NULL;
    }
  if (!gilk_target_program_file (source.target, path, &source.file, cancellable, error))
    return NULL;
  elf = gilk_elf_new (read_source, &source, source.file.bytes, path, error);

  return elf != NULL ? make_image (&source, kernel, elf, error) : NULL;
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
