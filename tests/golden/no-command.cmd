gilk
