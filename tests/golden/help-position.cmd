gilk position --help
