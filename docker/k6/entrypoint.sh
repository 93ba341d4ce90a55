#!/bin/sh
# Runs k6 so that its summary reaches the host: the image's own user cannot write a folder of the host's user, and k6
# then loses the summary and exits with 0. Here k6 writes as root, and what is new is given to the folder's owner.
set -u
results=/results
mark=$(mktemp)

# In the background, so that a signal is passed on at once; the terminal sends its own Ctrl-C to both.
k6 "$@" <&0 &
k6=$!
trap 'kill -TERM "$k6" 2>/dev/null' TERM
if [ -t 0 ]; then trap : INT; else trap 'kill -INT "$k6" 2>/dev/null' INT; fi
wait "$k6"
code=$?
# A signal ends the wait, not k6.
while kill -0 "$k6" 2>/dev/null; do
  wait "$k6"
  code=$?
done

new=$(find "$results" -type f -newer "$mark" 2>/dev/null)
find "$results" -user 0 -newer "$mark" ! -path "$results" -exec chown -h "$(stat -c %u:%g "$results")" {} + 2>/dev/null
case "${1:-} $code" in
  'run 0' | 'run 99') # passed, or a threshold was crossed: either way there is a summary
    if [ -z "$new" ]; then
      echo "loadlab: k6 ended with $code, but left no summary in $results: is the folder of the host mounted there?" >&2
      exit 1
    fi
    ;;
esac
exit "$code"
