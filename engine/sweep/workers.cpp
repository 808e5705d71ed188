#include "engine/sweep/workers.h"

#include "engine/support/process.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace marquetry::sweep {

namespace {

/// A shell and our own processes say so of a command that a signal ended.
constexpr int kKilled = 128;

/// Between two tables for whoever watches.
constexpr std::chrono::seconds kShownEvery{1};

class LocalRun {
public:
    LocalRun(const std::string& folder, const Sweep& sweep, const LocalParams& params,
             std::stop_token stop)
        : folder_(folder),
          sweep_(sweep),
          params_(params),
          stop_(std::move(stop)),
          outcomes_(outcomesOf(folder, sweep)),
          open_(openPoints(outcomes_)) {}

    Result<SweepReport> run() && {
        tell();
        {
            std::vector<std::jthread> threads;
            const auto jobs =
                std::min<std::size_t>(static_cast<std::size_t>(params_.jobs), open_.size());
            for (std::size_t k = 0; k < jobs; ++k)
                threads.emplace_back([this] { work(); });
        }
        if (const Status written = writeTable(folder_, table(sweep_, outcomes_)); !written)
            return written.error();
        std::ranges::sort(report_.failures, {}, &Failure::point);
        return std::move(report_);
    }

private:
    void work() {
        for (std::size_t k = next_++; k < open_.size() && !stop_.stop_requested(); k = next_++)
            compute(open_[k]);
    }

    void compute(std::size_t point) {
        std::vector<std::string> command = params_.worker;
        command.push_back(std::to_string(point));
        std::string why;
        for (int tries = 0; tries < kTries; ++tries) {
            const auto ended = runProcess({.arguments = command}, stop_);
            if (auto outcome = outcomeOf(folder_, sweep_.points[point]))
                return keep(point, *std::move(outcome));
            why = ended ? reasonOf(*ended) : ended.error().front().message;
            if (stop_.stop_requested() || (ended && ended->exitCode <= kKilled))
                break;
        }
        const std::lock_guard lock(mutex_);
        report_.failures.push_back({point, why});
    }

    static std::string reasonOf(const ProcessResult& ended) {
        if (ended.exitCode > kKilled)
            return "its process was ended by signal " + std::to_string(ended.exitCode - kKilled) +
                   ", " + std::to_string(kTries) + " times";
        const std::size_t error = ended.output.find("error: ");
        const std::size_t from = error == std::string::npos ? 0 : error + 7;
        const std::string line = ended.output.substr(from, ended.output.find('\n', from) - from);
        return line.empty() ? "its process ended with status " + std::to_string(ended.exitCode)
                            : line;
    }

    /// The table is written for whoever watches; a last time at the end.
    void keep(std::size_t point, Outcome outcome) {
        const std::lock_guard lock(mutex_);
        outcomes_[point] = std::move(outcome);
        ++report_.computed;
        if (const auto now = std::chrono::steady_clock::now(); now - shown_ > kShownEvery) {
            shown_ = now;
            [[maybe_unused]] const Status shown = writeTable(folder_, table(sweep_, outcomes_));
        }
        tell();
    }

    void tell() const {
        if (params_.progress)
            params_.progress(outcomes_.size() - open_.size() + report_.computed, outcomes_.size());
    }

    const std::string& folder_;
    const Sweep& sweep_;
    const LocalParams& params_;
    std::stop_token stop_;
    std::vector<std::optional<Outcome>> outcomes_;
    std::vector<std::size_t> open_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    SweepReport report_;
    std::chrono::steady_clock::time_point shown_{};
};

} // namespace

Result<SweepReport> runLocally(const std::string& folder, const Sweep& sweep,
                               const LocalParams& params, std::stop_token stop) {
    return LocalRun(folder, sweep, params, std::move(stop)).run();
}

} // namespace marquetry::sweep
