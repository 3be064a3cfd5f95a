gilk --help
