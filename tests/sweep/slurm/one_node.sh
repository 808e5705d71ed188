#!/usr/bin/env bash
# one_node.sh FOLDER COMMAND…: runs the command beside a Slurm of this machine alone, whose files are
# all in FOLDER, and ends Slurm again. Daemons and jobs are of the user who runs it; ports and sockets
# of this run alone. The status is the command's; 77 where Slurm cannot be started, with its logs on
# standard error.
set -euo pipefail
folder=$(realpath "$1")
shift
host=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir -p "$folder"/{spool,state}
sockets=$(mktemp -d) # names of sockets are short
dd if=/dev/urandom of="$folder/key" bs=1024 count=1 status=none
chmod 700 "$folder"
chmod 400 "$folder/key"

cat > "$folder/slurm.conf" <<EOF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$sockets/munge
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,defer_batch
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
# Nothing here is put into control groups, which containers may lack.
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nCgroupMountpoint=%s\n' "$folder" > "$folder/cgroup.conf"
export SLURM_CONF=$folder/slurm.conf

daemons=()
stop() {
    local pid
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$sockets"
}
trap stop EXIT

munged --foreground --force --key-file="$folder/key" --socket="$sockets/munge" \
    --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" \
    2>"$folder/munge.err" &
daemons+=($!)
for _ in $(seq 100); do [ -S "$sockets/munge" ] && break; sleep 0.1; done
slurmctld -D -i -c 2>"$folder/slurmctld.err" &
daemons+=($!)
slurmd -D 2>"$folder/slurmd.err" &
daemons+=($!)

for _ in $(seq 300); do
    sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle' && ready=yes && break
    sleep 0.1
done
if [ -z "${ready:-}" ]; then
    tail -n 20 "$folder"/*.err "$folder"/*.log >&2
    exit 77
fi
"$@"
