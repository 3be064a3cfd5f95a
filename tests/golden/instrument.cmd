gilk instrument new bytes-read; echo "exit $?"
ls bytes-read
head -n 12 bytes-read/bytes-read.c
cat bytes-read/Kbuild
grep -c template bytes-read/*
gilk instrument new bytes-read; echo "exit $?"
gilk instrument new Bytes; echo "exit $?"
gilk instrument new task; echo "exit $?"
gilk instrument new count; echo "exit $?"
gilk instrument new nowhere/bytes; echo "exit $?"
gilk instrument frob bytes-read; echo "exit $?"
gilk instrument test bytes-read -t local; echo "exit $?"
gilk instrument test missing --json -t lab:6.1; echo "exit $?"
gilk instrument install missing; echo "exit $?"
mkdir empty
gilk instrument remove empty; echo "exit $?"
gilk instrument new --json json-too; echo "exit $?"
