#!/bin/sh
# Brings redis-server where that is one plain command (Debian or Ubuntu, as root); says how elsewhere is loadlab's own job.
command -v redis-server >/dev/null 2>&1 && exit 0
# --unless-docker: servers will be containers where an engine answers.
[ "${1:-}" = --unless-docker ] && docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1 && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || exit 0
echo "Installing redis-server (once) …"
log=$(mktemp "${TMPDIR:-/tmp}/loadlab-apt.XXXXXXXX") || exit 3
# No start of a server on the default port: the lab runs its own.
if [ ! -e /usr/sbin/policy-rc.d ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
fi
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server; } >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "loadlab: apt-get could not install redis-server (log: $log)" >&2
    exit 3
}
rm -f "$log"
