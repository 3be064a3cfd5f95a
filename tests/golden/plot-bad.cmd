gilk plot s.gilk; echo "exit $?"
gilk plot s.gilk --rate; echo "exit $?"
gilk plot s.gilk --rate --size big --svg x.svg; echo "exit $?"
gilk plot s.gilk --histogram --svg x.svg; echo "exit $?"
gilk plot s.gilk --run 1 --histogram colour --hook writer-sleeps --svg x.svg; echo "exit $?"
gilk plot s.gilk --run 1 --group colour --svg x.svg; echo "exit $?"
gilk plot s.gilk --rate --svg nowhere/x.svg
ls
