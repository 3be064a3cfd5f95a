# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# modules.sh - builds ilk.ko, the instruments and the test modules for one kernel
#
# kbuild writes beside the sources, so it works on a copy of these folders:
#   $build/lab/RELEASE/src/{ilk,instruments,tests/kmod}
# The finished modules are in $build/lab/RELEASE/modules. They are built again if a digest of all
# inputs has changed.

MODULE_DIRS='ilk instruments tests/kmod'

out_dir ()
{
  echo "$build/lab/$1"
}

module_sources ()
{
  local dir
  for dir in $MODULE_DIRS; do
    if [ -f "$root/$dir/Kbuild" ] || [ -f "$root/$dir/Makefile" ]; then
      find "$root/$dir" -type f \( -name '*.[chS]' -o -name 'Kbuild*' -o -name Makefile -o -name '*.lds*' \) \
        ! -name '*.mod.c' -printf "$dir/%P\n"
    fi
  done | sort
}

# module_digest RELEASE: prints a digest of the sources and of the kernel for which they are built.
module_digest ()
{
  { cat "$(kernel_root "$1")/.package" 2>/dev/null || uname -v
    echo "${GILK_MODULE_DEBUG-}"
    module_sources | (cd "$root" && xargs -r sha256sum) } | sha256sum | cut -d' ' -f1
}

# Copies changed files and removes deleted ones, so that make sees true mtimes.
mirror_sources ()
{
  local src=$1 list file
  mkdir -p "$src"
  list=$(module_sources)
  (cd "$src" && find . -type f \( -name '*.[chS]' -o -name 'Kbuild*' -o -name Makefile \) ! -name '*.mod.c' -printf '%P\n') |
    grep -vxF -f <(echo "$list") | while read -r file; do rm -f "${src:?}/$file"; done || true
  while read -r file; do
    [ -n "$file" ] || continue
    mkdir -p "$src/$(dirname "$file")"
    cmp -s "$root/$file" "$src/$file" || cp "$root/$file" "$src/$file"
  done <<<"$list"
}

# Prints PATH with the kernel's own compiler in front.
compiler_path ()
{
  local toolchain
  toolchain=$(cat "$(kernel_root "$1")/.toolchain" 2>/dev/null) || true
  echo "${toolchain:+$toolchain/usr/bin:}$PATH"
}

# make_modules RELEASE FOLDER WHAT [SYMBOLS [WORD...]]: builds the modules in FOLDER, called WHAT in
# messages, with SYMBOLS, a Module.symvers. There is no BTF: 6.1's headers cannot make it, and
# 6.12's need pahole, whose output for our per-CPU data the kernel then rejects with a warning. We
# do not need it. There are no debug data: they take a third of the build, and no lab gets them
# (initramfs.sh). GILK_MODULE_DEBUG=-g keeps them for gdb.
make_modules ()
{
  local release=$1 folder=$2 what=$3 symbols=${4:-} log words
  shift "$(($# < 4 ? $# : 4))"
  log=$(out_dir "$release")/build.log
  words=$(cat "$(kernel_root "$release")/.make" 2>/dev/null) || true
  # Without plugins: with LLVM's, each of some 150 calls of nm takes 0.2 s longer.
  [ -n "$words" ] || set -- "NM=nm --plugin /dev/null" "$@"
  # Make does not notice that the versions of the driver's symbols have changed.
  [ -z "$symbols" ] || [ ! "$symbols" -nt "$folder/Module.symvers" ] || rm -f "$folder/Module.symvers"
  # shellcheck disable=SC2086
  if ! PATH=$(compiler_path "$release") make -C "$(header_dir "$release")" $words M="$folder" -j"$(nproc)" \
         KBUILD_EXTRA_SYMBOLS="$symbols" CONFIG_DEBUG_INFO_BTF_MODULES= \
         KCFLAGS="${GILK_WERROR:+-Werror} ${GILK_MODULE_DEBUG:--g0}" "$@" modules >"$log" 2>&1; then
    grep -E 'error|warning|undefined|not found' "$log" | head -n 20 >&2 || tail -n 10 "$log" >&2
    die "The modules in $what do not build for $release. The whole log is $log."
  fi
  grep -E 'warning:' "$log" >&2 || true
}

build_modules ()
{
  local release=$1 out src dir digest symbols
  out=$(out_dir "$release")
  src=$out/src
  digest=$(module_digest "$release")
  [ "$digest" != "$(cat "$out/digest" 2>/dev/null)" ] || return 0
  rm -f "$out/digest"
  mirror_sources "$src"
  rm -rf "$out/modules.new"
  mkdir -p "$out/modules.new"
  for dir in $MODULE_DIRS; do
    [ -d "$src/$dir" ] || continue
    say "building $dir for $release"
    symbols=''
    [ "$dir" = ilk ] || symbols=$src/ilk/Module.symvers
    make_modules "$release" "$src/$dir" "$dir" "$symbols"
    find "$src/$dir" -name '*.ko' -exec cp -t "$out/modules.new" {} +
  done
  rm -rf "$out/modules"
  mv "$out/modules.new" "$out/modules"
  echo "$digest" >"$out/digest"
}

# build FLAVOUR: builds the modules and prints their folder.
cmd_build ()
{
  local release
  need make make
  release=$(cmd_fetch "${1:?}") || exit 1
  with_lock "$build/lab/lock.$release" build_modules "$release"
  echo "$(out_dir "$release")/modules"
}

# module FLAVOUR FOLDER: builds the instrument in FOLDER, such as made by "gilk instrument new", for
# that kernel and the driver of this tree; prints the module's file.
cmd_module ()
{
  local release folder name work module
  folder=$(cd "${2:?}" 2>/dev/null && pwd) || die "There is no folder $2."
  [ -f "$folder/Kbuild" ] || die "$folder has no Kbuild. Make such a folder with: gilk instrument new NAME"
  cmd_build "${1:?}" >/dev/null
  release=$(cmd_fetch "$1") || exit 1
  name=$(basename "$folder")
  work=$(out_dir "$release")/own/$name
  rm -rf "$work"
  mkdir -p "$work"
  cp "$folder"/*.c "$folder/Kbuild" "$work"
  find "$folder" -maxdepth 1 -name '*.h' -exec cp -t "$work" {} +
  say "building $name for $release"
  make_modules "$release" "$work" "$folder" "$(out_dir "$release")/src/ilk/Module.symvers" ILK="$root/ilk"
  module=$(find "$work" -maxdepth 1 -name '*.ko')
  [ "$(echo "$module" | wc -w)" = 1 ] || die "$folder/Kbuild is to make one module."
  echo "$module"
}
