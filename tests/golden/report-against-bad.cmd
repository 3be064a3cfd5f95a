gilk report packets.gilk --against none.pcap 2>&1 >/dev/null; echo $?
gilk report packets.gilk --against packets.gilk 2>&1 >/dev/null; echo $?
gilk report packets.gilk --against packets.pcap --filter 'tcp prot 1' 2>&1 >/dev/null; echo $?
gilk report packets.gilk --against packets.pcap --filter 'tcp port 22' 2>&1 >/dev/null; echo $?
gilk report packets.gilk --against packets.pcap --hook none 2>&1 >/dev/null; echo $?
gilk report packets.gilk --filter 'tcp port 22' 2>&1; echo $?
gilk report packets.gilk --against packets.pcap --held-up 0s 2>&1 >/dev/null; echo $?
gilk report packets.gilk --against packets.pcap --held-up long 2>&1 >/dev/null; echo $?
gilk report packets.gilk --hook ip --png p.png 2>&1; echo $?
gilk report s.gilk --run 2 --against packets.pcap 2>&1 >/dev/null; echo $?
gilk report s.gilk --run 1 --against packets.pcap 2>&1 >/dev/null
