gilk report s.gilk
