gilk report s.gilk >/dev/full
