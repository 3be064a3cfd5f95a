# What is written to a folder that is not there, to a file as if it were one, and to a folder itself.
for file in nowhere/x.out "no where/x.out" s.gilk/x.out .; do
  for command in "gilk run --hook pipe_write:entry --for 1s -o" "gilk coverage --for 1s pipe_write -o" "gilk layout pipe_write -o" \
                 "gilk export --csv s.gilk -o" "gilk export s.gilk --sqlite" "gilk plot s.gilk --rate --svg" \
                 "gilk report s.gilk --prometheus"; do
    echo "$command $file"
    $command "$file"
    echo "exit $?"
  done
done
gilk --json export s.gilk --sqlite nowhere/x.out
ls
