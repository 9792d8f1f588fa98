. /tmp/wt/tmp-atlas/env.sh
nice -n 10 python -m boardspace run /tmp/wt/tmp-atlas/big.toml --out /tmp/wt/tmp-atlas/big --workers 2 > /tmp/wt/tmp-atlas/big.log 2>&1 && nice -n 10 python -m boardspace publish /tmp/wt/tmp-atlas/big --out /tmp/wt/tmp-atlas/bigrel >> /tmp/wt/tmp-atlas/big.log 2>&1 && echo DONE >> /tmp/wt/tmp-atlas/big.log
