# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# programs.sh - installs programs of Debian packages in running labs
#
# A lab's archive contains what every lab needs, and no libraries. A program that a study needs is
# fetched with the packages of its libraries, without installing them. Only the files that its
# loader needs are copied to the lab, to their usual Debian paths.
#
#   $cache/programs/PACKAGE/     usr/ and lib*/: files to copy to a lab
#   $cache/programs/PACKAGE/.package   version and programs; written last

# Prints the packages of libraries that PACKAGE needs, recursively.
library_packages ()
{
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances "$1" | grep -E '^(lib|zlib)' | grep -v '<' | sort -u
}

# found_library TREE NAME: prints the library's path in the tree.
found_library ()
{
  find "$1/lib" "$1/usr/lib" -name "$2" 2>/dev/null | head -n 1
}

# needed_by FILE: prints names of its libraries and loader.
needed_by ()
{
  readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'
}

is_elf ()
{
  [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]
}

# keep_needed FROM TO FILE: copies FILE of the tree FROM, and all files with which it is loaded, to
# TO. Libraries go to one folder, which the loader searches by default.
keep_needed ()
{
  local from=$1 to=$2 queue=("$3") file name found
  mkdir -p "$to/bin" "$to/lib/x86_64-linux-gnu" "$to/lib64"
  cp "$3" "$to/bin/"
  found=$(found_library "$from" 'ld-linux-x86-64.so.2')
  cp -L "$found" "$to/lib64/ld-linux-x86-64.so.2"
  while [ ${#queue[@]} -gt 0 ]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    for name in $(needed_by "$file"); do
      [ ! -e "$to/lib/x86_64-linux-gnu/$name" ] || continue
      case $name in ld-linux*) continue ;; esac
      found=$(found_library "$from" "$name")
      [ -n "$found" ] || die "$(basename "$3") needs the library $name, which none of its packages has."
      cp -L "$found" "$to/lib/x86_64-linux-gnu/$name"
      queue+=("$found")
    done
  done
}

# fetch_program PACKAGE VERSION
fetch_program ()
{
  local package=$1 final=$cache/programs/$1 work program
  [ "$(cat "$final/.package" 2>/dev/null)" != "$2" ] || return 0
  need dpkg-deb dpkg
  need readelf binutils
  say "fetching $package and its libraries"
  work=$final.part.$$
  rm -rf "$final".part.*
  mkdir -p "$work/deb" "$work/from" "$work/to"
  # shellcheck disable=SC2046
  (cd "$work/deb" && apt-get -q -o APT::Sandbox::User= download "$package" \
     $(library_packages "$package") >apt.log 2>&1) ||
    { tail -n 5 "$work/deb/apt.log" >&2
      die "The package $package could not be fetched. Check the network; if apt's lists are old, run \"apt-get update\" as root."; }
  for program in "$work"/deb/*.deb; do
    dpkg-deb -x "$program" "$work/from" ||
      die "$(basename "$program") could not be unpacked. Is the disk with $cache full?"
  done
  for program in $(dpkg-deb -c "$work/deb/${package}"_*.deb |
                     sed -nE 's,^-rwx.* \./((usr/)?s?bin/[^ ]+)$,\1,p'); do
    is_elf "$work/from/$program" || continue
    keep_needed "$work/from" "$work/to" "$work/from/$program"
  done
  echo "$2" >"$work/to/.package"
  rm -rf "$final"
  mv "$work/to" "$final"
  rm -rf "$work"
}

# install NAME PACKAGE
cmd_install ()
{
  local name=${1:?} package=${2:-} version
  [ -n "$package" ] || die "install needs a package: lab/lab install $name tcpdump"
  need_running "$name"
  version=$(candidate machine "$package")
  if [ -z "$version" ]; then
    version=$(cat "$cache/programs/$package/.package" 2>/dev/null) ||
      die "apt does not know the package \"$package\". If its name is right, run \"apt-get update\" as root."
  fi
  with_lock "$cache/lock.program.$package" fetch_program "$package" "$version"
  tar -C "$cache/programs/$package" --exclude .package --owner=0 --group=0 -c . |
    "$build/lab/lab-ctl" -n "$CTL_PORTS" -i "$(lab_path "$name")" 'tar -x -C /'
}
