gilk help report
gilk run --help
