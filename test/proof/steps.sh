#!/usr/bin/env bash
# What several jobs of desktop-proof.yml do; sourced by their steps, in the project's folder.

as_admin() {
  if [ "$RUNNER_OS" = Windows ]; then "$@"; else sudo "$@"; fi
}

# set_policy NAME=VALUE…: of the machine, from now on.
set_policy() {
  as_admin "$(command -v node)" test/proof/set-policy.ts "$@"
}

# until_so SECONDS COMMAND…: again and again until it ends with 0; fails where it never does.
until_so() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 2
  done
}

# answers ADDRESS [OPTION…]: whether a server does, soon.
answers() {
  until_so 180 curl --fail --silent --output /dev/null "${@:2}" "$1/app"
}

# Of the central of this machine, for its server and its commands; with the certificate of a company, where there is one.
central_settings=(HOLDPOINT_DATA="$PWD/central" HOLDPOINT_HOST=0.0.0.0 HOLDPOINT_PORT=4880 HOLDPOINT_HOSTS=central.proof,host.lima.internal)
[ ! -e company.crt ] || central_settings+=(HOLDPOINT_CERTIFICATE=company.crt HOLDPOINT_KEY=company.key)

# start_central: on this machine, as https://central.proof:4880.
start_central() {
  local hosts=/etc/hosts
  [ "$RUNNER_OS" != Windows ] || hosts=/c/Windows/System32/drivers/etc/hosts
  echo '127.0.0.1 central.proof' | as_admin tee -a "$hosts"
  env "${central_settings[@]}" node server/app/main.ts central >central.log 2>&1 &
  answers https://central.proof:4880 --insecure
}

# at_central WORD…: a command of `holdpoint` there.
at_central() {
  env "${central_settings[@]}" node server/cli/holdpoint.ts "$@"
}

is_station() {
  at_central station list | grep --word-regexp "$1"
}

# enrol NAME [POLICY…]: the app on data of its own, until central lists it; it runs on as $app.
enrol() {
  local name=$1
  shift
  set_policy central=https://central.proof:4880 enrolment_code="$(at_central station code "$name")" station_name="$name" port=4871 "$@"
  export HOLDPOINT_DATA="$PWD/station-$name"
  "$HOLDPOINT_PROGRAM" &
  app=$!
  until_so 300 is_station "$name"
}
