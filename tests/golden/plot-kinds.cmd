for kind in histogram ecdf series rate heat spectrum autocorrelation; do
  gilk plot p.gilk -r 1 --hook asleep --kind $kind --out $kind.svg
  gilk plot p.gilk -r 1 --hook asleep --kind $kind --field asleep --log xy --out $kind.png --dark
done
gilk plot p.gilk -r 1 --hook asleep --hook asleep@2 --hook asleep@p.gilk --hook asleep@p.gilk:1 --kind ecdf --field asleep --out e.pdf
gilk plot p.gilk -r 1 --hook asleep --by comm --kind histogram --field asleep --log x --out b.pdf
gilk plot p.gilk -r 1 --hook asleep --by cpu --kind ecdf --out c.pdf
gilk plot p.gilk -r 1 --hook asleep --by comm --if 'cpu == 1' --kind ecdf --out s.pdf
gilk plot p.gilk -r 1 --hook asleep --group comm --if 'asleep >= 5000' --if 'cpu == 1 and asleep < 100000' --out g.pdf
gilk plot p.gilk -r 1 --hook asleep --if 'comm == sort' --kind heat --from 2 --to 3 --out i.pdf
for hook in one same wide empty; do gilk plot p.gilk -r 1 --hook $hook --kind heat --field asleep --out $hook.svg; done
gilk plot p.gilk -r 1 --hook signed --kind histogram --field delta --log xy --out signed.svg
for f in *.svg; do head -c 5 $f; echo " $f"; done
for f in *.pdf; do head -c 4 $f; echo " $f"; done
