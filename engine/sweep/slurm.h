// Computes the points of a sweep that have no result as array jobs of Slurm, on a folder that the
// nodes share.
//
// A script, `slurm.sh` in the sweep's folder, is submitted with `sbatch --array`; a task computes
// one point. The queue is asked until it holds the jobs no more; what has no result then is
// submitted again, kTries times in all. Partition, account and time come from Slurm's own variables
// (SBATCH_PARTITION and the like). Jobs that have been submitted go on when this process ends; a
// sweep that is continued then may compute a point twice, with the same result.
//
// Errors: process-start (no sbatch), slurm-refused (what sbatch or squeue answered), those of
// files::write. Cancel: through the stop_token, which also ends the jobs. Thread rule: the calling
// thread.
#pragma once

#include "engine/sweep/workers.h"

namespace marquetry::sweep {

struct SlurmParams {
    std::vector<std::string> worker; ///< as in LocalParams
    std::function<void(std::size_t done, std::size_t all)> progress = {};
    double pollSeconds = 2;
};

Result<SweepReport> runOnSlurm(const std::string& folder, const Sweep& sweep,
                               const SlurmParams& params, std::stop_token stop = {});

} // namespace marquetry::sweep
