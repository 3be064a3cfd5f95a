gilk layout --help
