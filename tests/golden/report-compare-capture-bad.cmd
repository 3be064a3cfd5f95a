gilk report packets.gilk --compare-capture none.pcap 2>&1 >/dev/null; echo $?
gilk report packets.gilk --compare-capture packets.gilk 2>&1 >/dev/null; echo $?
gilk report packets.gilk --compare-capture packets.pcap --filter 'tcp prot 1' 2>&1 >/dev/null; echo $?
gilk report packets.gilk --compare-capture packets.pcap --filter 'tcp port 22' 2>&1 >/dev/null; echo $?
gilk report packets.gilk --compare-capture packets.pcap --hook none 2>&1 >/dev/null; echo $?
gilk report packets.gilk --filter 'tcp port 22' 2>&1; echo $?
gilk report packets.gilk --compare-capture packets.pcap --max-delay 0s 2>&1 >/dev/null; echo $?
gilk report packets.gilk --compare-capture packets.pcap --max-delay long 2>&1 >/dev/null; echo $?
gilk report packets.gilk --hook ip --png p.png 2>&1; echo $?
gilk report s.gilk --run 2 --compare-capture packets.pcap 2>&1 >/dev/null; echo $?
gilk report s.gilk --run 1 --compare-capture packets.pcap 2>&1 >/dev/null
