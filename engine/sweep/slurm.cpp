#include "engine/sweep/slurm.h"

#include "engine/support/files.h"
#include "engine/support/process.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>

namespace marquetry::sweep {

namespace {

/// Slurm numbers the tasks of an array below 1 001, unless its administrator says otherwise.
constexpr std::size_t kTasks = 1'000;
constexpr const char* kFirst = "MARQUETRY_FIRST_POINT";

constexpr std::string_view kScriptHead = "#!/bin/sh\n# A point of a sweep of Marquetry.\n";

std::string script(const std::vector<std::string>& worker) {
    std::string text(kScriptHead);
    text += "exec";
    for (const std::string& word : worker)
        text += " " + shellWord(word);
    return text + " $((" + kFirst + " + SLURM_ARRAY_TASK_ID))\n";
}

/// In names of files Slurm reads "%" as the beginning of a number of a job or task.
std::string filePattern(const std::string& path) {
    std::string pattern;
    for (const char c : path)
        pattern += c == '%' ? std::string("%%") : std::string(1, c);
    return pattern;
}

/// "0,3,5-9" of ascending numbers.
std::string ranges(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (std::size_t k = 0; k < numbers.size();) {
        std::size_t last = k;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[k]);
        if (last > k)
            text += "-" + std::to_string(numbers[last]);
        k = last + 1;
    }
    return text;
}

class SlurmRun {
public:
    SlurmRun(const std::string& folder, const Sweep& sweep, const SlurmParams& params,
             std::stop_token stop)
        : folder_(folder),
          sweep_(sweep),
          params_(params),
          stop_(std::move(stop)),
          outcomes_(outcomesOf(folder, sweep)) {}

    Result<SweepReport> run() && {
        const std::size_t before = openPoints(outcomes_).size();
        tell();
        for (int tries = 0; tries < kTries && !openPoints(outcomes_).empty() && !stopped();
             ++tries) {
            if (const Status submitted = submit(openPoints(outcomes_)); !submitted)
                return submitted.error();
            if (const Status waited = wait(); !waited)
                return waited.error();
        }
        if (stopped())
            cancel();
        if (const Status written = writeTable(folder_, table(sweep_, outcomes_)); !written)
            return written.error();
        SweepReport report;
        for (const std::size_t point : openPoints(outcomes_))
            report.failures.push_back({point, "its jobs left no result; see " + inQuotes(log())});
        report.computed = before - report.failures.size();
        return report;
    }

private:
    bool stopped() const { return stop_.stop_requested(); }
    std::string log() const { return folder_ + "/slurm.log"; }

    Status submit(const std::vector<std::size_t>& points) {
        jobs_.clear();
        const std::string path = folder_ + "/slurm.sh";
        const auto written =
            files::write(path, script(params_.worker),
                         {"the script of a sweep",
                          [](std::string_view text) { return text.starts_with(kScriptHead); },
                          {},
                          false});
        if (!written)
            return written.error();
        for (std::size_t from = 0; from < points.size();) {
            const std::size_t first = points[from] / kTasks * kTasks;
            std::vector<std::size_t> tasks;
            for (; from < points.size() && points[from] < first + kTasks; ++from)
                tasks.push_back(points[from] - first);
            if (const Status one = submitArray(path, first, tasks); !one)
                return one;
        }
        return ok();
    }

    Status submitArray(const std::string& path, std::size_t first,
                       const std::vector<std::size_t>& tasks) {
        const auto answer = runProcess(
            {.arguments = {"sbatch", "--parsable", "--job-name=marquetry", "--open-mode=append",
                           "--output=" + filePattern(log()), "--array=" + ranges(tasks), path},
             .environment = {{kFirst, std::to_string(first)}}},
            stop_);
        if (!answer)
            return answer.error();
        // "JOB" or "JOB;CLUSTER", behind whatever a site's plugins say.
        std::string last = answer->output;
        while (last.ends_with('\n'))
            last.pop_back();
        last = last.substr(last.rfind('\n') + 1);
        const std::string job = last.substr(0, last.find(';'));
        const bool isNumber = !job.empty() && std::ranges::all_of(job, [](unsigned char c) {
            return std::isdigit(c) != 0;
        });
        if (answer->exitCode != 0 || !isNumber)
            return refused("sbatch", *answer);
        jobs_.push_back(job);
        return ok();
    }

    static Diagnostic refused(const std::string& command, const ProcessResult& answer) {
        return makeError("slurm-refused",
                         command + " answered: " + printable(answer.output) + " (status " +
                             std::to_string(answer.exitCode) + ")",
                         "the points that have a result keep it; start the sweep again");
    }

    /// Until the queue holds the jobs no more.
    Status wait() {
        for (;;) {
            const auto queued = isQueued();
            if (!queued)
                return queued.error();
            gather();
            if (!*queued || openPoints(outcomes_).empty() || stopped())
                return ok();
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, stop_, std::chrono::duration<double>(params_.pollSeconds),
                           [] { return false; });
        }
    }

    /// A job that has left the queue long ago is one that squeue does not know.
    Result<bool> isQueued() const {
        std::string jobs;
        for (const std::string& job : jobs_)
            jobs += (jobs.empty() ? "" : ",") + job;
        const auto answer =
            runProcess({.arguments = {"squeue", "--noheader", "--format=%T", "--jobs=" + jobs}});
        if (!answer)
            return answer.error();
        if (answer->exitCode != 0 && answer->output.find("Invalid job id") == std::string::npos)
            return refused("squeue", *answer);
        return answer->exitCode == 0 && !answer->output.empty();
    }

    void gather() {
        bool news = false;
        for (const std::size_t point : openPoints(outcomes_)) {
            outcomes_[point] = outcomeOf(folder_, sweep_.points[point]);
            news |= outcomes_[point].has_value();
        }
        if (!news)
            return;
        [[maybe_unused]] const Status shown = writeTable(folder_, table(sweep_, outcomes_));
        tell();
    }

    void cancel() const {
        std::vector<std::string> command = {"scancel"};
        command.insert(command.end(), jobs_.begin(), jobs_.end());
        if (!jobs_.empty()) [[maybe_unused]]
            const auto ended = runProcess({.arguments = command});
    }

    void tell() const {
        if (params_.progress)
            params_.progress(outcomes_.size() - openPoints(outcomes_).size(), outcomes_.size());
    }

    const std::string& folder_;
    const Sweep& sweep_;
    const SlurmParams& params_;
    std::stop_token stop_;
    std::vector<std::optional<Outcome>> outcomes_;
    std::vector<std::string> jobs_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
};

} // namespace

Result<SweepReport> runOnSlurm(const std::string& folder, const Sweep& sweep,
                               const SlurmParams& params, std::stop_token stop) {
    return SlurmRun(folder, sweep, params, std::move(stop)).run();
}

} // namespace marquetry::sweep
