gilk report s.gilk --run 1
