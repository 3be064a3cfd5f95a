gilk plot programs.gilk --map depth --svg d.svg && grep -c '<svg' d.svg
gilk plot programs.gilk --map sizes --png s.png && test -s s.png
gilk plot programs.gilk --map sizes --hook writes --log xy --dark --pdf s.pdf && test -s s.pdf
