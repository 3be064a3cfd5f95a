gilk plot programs.gilk --kept depth --svg d.svg && grep -c '<svg' d.svg
gilk plot programs.gilk --kept sizes --png s.png && test -s s.png
gilk plot programs.gilk --kept sizes --hook writes --log xy --dark --pdf s.pdf && test -s s.pdf
