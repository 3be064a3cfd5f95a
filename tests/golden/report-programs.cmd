gilk report programs.gilk
