#!/bin/sh
# Denies what comes from one Docker bridge the addresses that are not public, and the host itself.
#   egress.sh add BRIDGE [RESOLVER...]    RESOLVER: an address in these ranges that may be asked on port 53
#   egress.sh remove BRIDGE
# Needs root, and iptables with conntrack. Run it before the containers start, and again after a reboot, a restart of
# Docker, or a reload of the firewall. Docker leaves DOCKER-USER to the administrator and asks it first.
set -eu

# What webseam's own guard refuses; a test holds the lists to src/webseam/net/special.py. The first three of IPv6 are
# everything outside of 2000::/3, with ::1, fc00::/7, fe80::/10, ff00::/8 and NAT64's 64:ff9b::/96.
DENIED_4="0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
DENIED_6="::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"

usage() {
  echo "usage: egress.sh add BRIDGE [RESOLVER...] | egress.sh remove BRIDGE" >&2
  exit 2
}

[ $# -ge 2 ] || usage
action=$1 bridge=$2
shift 2
case $bridge in "" | -* | *[!A-Za-z0-9_.-]*) usage ;; esac
[ ${#bridge} -le 15 ] || usage # the kernel's limit for the name of an interface
case $action in add) ;; remove) [ $# -eq 0 ] || usage ;; *) usage ;; esac
for resolver in "$@"; do
  case $resolver in "" | *[!0-9a-fA-F.:]*) usage ;; esac
done
FORWARD="WS-OUT-$bridge" HOST="WS-HOST-$bridge"

remove() { # remove IPTABLES
  for pair in "DOCKER-USER $FORWARD" "INPUT $HOST"; do
    # shellcheck disable=SC2086 - two words
    set -- "$1" $pair
    while "$1" -w -C "$2" -i "$bridge" -j "$3" 2>/dev/null; do "$1" -w -D "$2" -i "$bridge" -j "$3"; done
    if "$1" -w -n -L "$3" >/dev/null 2>&1; then
      "$1" -w -F "$3"
      "$1" -w -X "$3"
    fi
  done
}

chain() { # chain IPTABLES NAME [RESOLVER...]: answers pass, and questions to the resolvers
  tool=$1 name=$2
  shift 2
  "$tool" -w -N "$name"
  "$tool" -w -A "$name" -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN
  for resolver in "$@"; do
    case "$tool $resolver" in "iptables "*:* | "ip6tables "*.*) continue ;; esac
    for protocol in udp tcp; do
      "$tool" -w -A "$name" -d "$resolver" -p "$protocol" --dport 53 -j RETURN
    done
  done
}

add() { # add IPTABLES DENIED [RESOLVER...]
  tool=$1 denied=$2
  shift 2
  chain "$tool" "$FORWARD" "$@"
  for block in $denied; do
    "$tool" -w -A "$FORWARD" -d "$block" -j REJECT
  done
  chain "$tool" "$HOST" "$@"
  "$tool" -w -A "$HOST" -j REJECT
  "$tool" -w -I DOCKER-USER 1 -i "$bridge" -j "$FORWARD"
  "$tool" -w -I INPUT 1 -i "$bridge" -j "$HOST"
}

# Nothing passes while the rules are made anew, nor afterwards when that failed half-way.
hold() { # hold IPTABLES
  "$1" -w -n -L DOCKER-USER >/dev/null 2>&1 || "$1" -w -N DOCKER-USER
  for chain in DOCKER-USER INPUT; do "$1" -w -I "$chain" 1 -i "$bridge" -j DROP; done
}

release() { # release IPTABLES
  for chain in DOCKER-USER INPUT; do
    while "$1" -w -C "$chain" -i "$bridge" -j DROP 2>/dev/null; do "$1" -w -D "$chain" -i "$bridge" -j DROP; done
  done
}

for tool in iptables ip6tables; do "$tool" -w -n -L INPUT >/dev/null; done # who may not, or has none, ends here
if [ "$action" = add ]; then
  for tool in iptables ip6tables; do hold "$tool"; done
fi
for tool in iptables ip6tables; do remove "$tool"; done
if [ "$action" = add ]; then
  add iptables "$DENIED_4" "$@"
  add ip6tables "$DENIED_6" "$@"
fi
for tool in iptables ip6tables; do release "$tool"; done
