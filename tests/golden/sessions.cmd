gilk sessions | sed 's/ *[0-9.]*.[kM]B/ SIZE/; s/ *SIZE/ SIZE/'
echo junk >junk.gilk
gilk sessions . | sed 's/ *[0-9.]*.[kM]B/ SIZE/; s/ *SIZE/ SIZE/'
gilk sessions nowhere
