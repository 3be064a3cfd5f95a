gilk report --run 1 --stages cat,tr,sed,grep --json s.gilk | grep -A12 '"pipeline"'
gilk report --run 1 --stages grep,sed,tr,cat s.gilk | tail -n 4
gilk report --run 1 --stages cat,,sed s.gilk 2>&1 >/dev/null
gilk report --run 1 --stages sed,sed s.gilk 2>&1 >/dev/null
gilk report --run 1 --stages cat,foo s.gilk 2>&1 >/dev/null
gilk report --run 1 --stages cat,tr,sde s.gilk 2>&1 >/dev/null
