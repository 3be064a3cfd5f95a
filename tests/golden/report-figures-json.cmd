gilk report p.gilk -r 1 --hook torn --quantiles --ecdf --field asleep --json
gilk report p.gilk --compare asleep@1 asleep --field asleep --json | sed -n '/"compare"/,$p'
gilk report p.gilk -r 1 --hook arrivals --spectrum --json | sed -n '/"spectra"/,$p'
gilk report p.gilk -r 1 --hook asleep --outliers 1 --field asleep --json | sed -n '/"outliers"/,$p'
