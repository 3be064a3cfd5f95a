# Each machine is ill in one way: what is not well of it, and what mends that.
doctor ()
{
  machine "$1" "$PWD/$1" && GILK_FIXTURE_ROOT=$PWD/$1 gilk doctor -t 'exec:gilkd-of-fixture --stdio' "$2" 2>&1 | sed '1,/^$/d'
}
doctor well --facts
doctor signed -q | grep signatures
for name in old-kernel later-kernel other-architecture not-root container lockdown-by-secure-boot \
  lockdown-by-command-line modules-disabled enforced-unsigned enforced-by-build enforced-key-unknown \
  enforced-key-known signature-damaged addresses-hidden no-kcore not-mounted no-driver no-driver-dkms no-headers \
  no-headers-fedora wrong-compiler clang-kernel no-compiler driver-without-headers others died-before kernel-integrity untried-hardware little-memory other-clock; do
  echo "== $name"
  doctor "$name" -q | grep -v '^exec:\|^  ok \|^$'
done
