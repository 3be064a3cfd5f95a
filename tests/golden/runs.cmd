gilk runs s.gilk
gilk runs --json s.gilk
