#!/bin/sh
# Runs one Action in an execution root: execute KIND REQUEST POLICY. What is run stands in the inputs.
# Beside this file, the toolchain's repository of a machine says where its oracle_rules is; that is no input, since it
# is another place on every machine. Without it, it is the one on the path.
place="$(dirname "$(readlink -f "$0")")/location"
if [ -r "$place" ]; then
    { read -r python; read -r package; } < "$place"
    PYTHONPATH="$package" exec "$python" -P -s -B -c "import sys; from oracle_rules.cli import main; sys.exit(main())" execute "$@"
fi
exec oracle-rules execute "$@"
