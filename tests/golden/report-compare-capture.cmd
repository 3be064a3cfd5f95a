gilk report packets.gilk --compare-capture packets.pcap --filter 'tcp port 7007'
gilk report packets.gilk --compare-capture packets.pcap --hook ip --json | grep -A40 '"compare_capture"' | grep -v 'hurst\|spectra'
gilk report packets.gilk --compare-capture packets.pcap --hook ip --quiet --png p.png --svg p.svg >/dev/null && ls p.*
head -c 60000 packets.pcap >cut.pcap
gilk report packets.gilk --compare-capture cut.pcap --hook ip 2>&1 >/dev/null
