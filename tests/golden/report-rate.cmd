gilk report s.gilk --rate
gilk report s.gilk --run 2 --rate
gilk report s.gilk --run 2 --rate --hook reads --json
gilk report s.gilk --run 1 --rate --hook sleeps
