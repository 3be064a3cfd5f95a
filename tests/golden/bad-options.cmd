for word in --fro=1s --hok=x --ringmode=drop --utnil=x -output=x.gilk -title=x --alow-changes --allow-crashs --jsno --taget=lab; do
  gilk run --hook pipe_write+0x10:pre "$word" --for 1s
  echo "exit $?"
done
ls
