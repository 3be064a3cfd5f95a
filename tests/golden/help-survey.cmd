gilk survey --help
