gilk report p.gilk -r 1 --hook asleep --quantiles --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --hook asleep --ecdf --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --hook asleep --quantiles --field asleep --by comm | grep -E 'values|median'
gilk report p.gilk -r 1 --hook arrivals --spectrum; echo "exit $?"
gilk report p.gilk --compare asleep@1 asleep --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --compare torn one --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --hook asleep --outliers 2 --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --hook one --hook empty --quantiles --field asleep; echo "exit $?"
gilk report p.gilk -r 1 --hook signed --ecdf --field delta; echo "exit $?"
gilk report p.gilk -r 1 --hook asleep --quantiles --if 'asleep >= 5000 and comm == sort' --if 'asleep <= 90000' --field asleep | grep values
gilk export p.gilk --csv --run 1 --hook asleep --if 'asleep >= 5000 and comm == sort and asleep <= 90000' | wc -l
gilk report p.gilk -r 1 --hook asleep --histogram --if 'interval >= 0.001' --if 'asleep < 5000' --field asleep | grep values
gilk export p.gilk --csv --run 1 --hook asleep --if 'interval >= 0.001 and asleep < 5000' | wc -l
gilk report p.gilk --compare asleep@1,2 asleep@2 --field asleep; echo "exit $?"
gilk report p.gilk --compare asleep@1,1 asleep@2 --field asleep; echo "exit $?"
cp p.gilk q.gilk; gilk report p.gilk --compare asleep@1,2 asleep@q.gilk:1,2 --field asleep; echo "exit $?"
gilk report p.gilk --compare signed@1 arrivals@1; echo "exit $?"
