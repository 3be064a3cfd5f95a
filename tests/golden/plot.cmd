gilk plot s.gilk --run 1 --histogram --hook reader-sleeps --svg h.svg --png h.png --pdf h.pdf
gilk plot s.gilk --run 1 --group comm --svg g.svg
gilk plot s.gilk --rate --svg r.svg --dark
gilk plot s.gilk --run 1 --series pid --hook writer-sleeps --json --png s.png
head -c 4 h.pdf; echo
for f in h.svg g.svg r.svg; do grep -c '<svg' $f; done
for f in h.png s.png; do head -c 4 $f | tail -c 3; echo; done
