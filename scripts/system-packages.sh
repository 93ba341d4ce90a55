#!/bin/sh
# Brings redis-server where that is one plain command (Debian or Ubuntu, as root); says how elsewhere is loadlab's own job.
command -v redis-server >/dev/null 2>&1 && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || exit 0
echo "Installing redis-server (once) …"
# --no-install-recommends, and no start of a server on the default port: the lab runs its own.
printf '#!/bin/sh\nexit 101\n' > /tmp/loadlab-policy-rc.d && chmod +x /tmp/loadlab-policy-rc.d
if [ ! -e /usr/sbin/policy-rc.d ]; then
    ln -s /tmp/loadlab-policy-rc.d /usr/sbin/policy-rc.d
    trap 'rm -f /usr/sbin/policy-rc.d /tmp/loadlab-policy-rc.d' EXIT
fi
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server; } >/tmp/loadlab-apt.log 2>&1 || {
    tail -n 5 /tmp/loadlab-apt.log >&2
    echo "loadlab: apt-get could not install redis-server (log: /tmp/loadlab-apt.log)" >&2
    exit 3
}
