gilk coverage --help
