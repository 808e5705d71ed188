// How long a stop or the end of the time takes to be felt, beside its goals. Processor time from
// the request to the return; of time limits, all of the run on the wall.
//
//   stop_times EXAMPLES
#include "tests/banking/memory_helpers.h"
#include "tests/bench/goals.h"
#include "tests/milp/hard_cover.h"
#include "tests/session/large_program.h"
#include "tests/session/session_harness.h"
#include "tests/term_extract/random_problem.h"

#include "engine/egraph/saturate.h"
#include "engine/egraph/workload.h"
#include "engine/milp/solve.h"
#include "engine/spacetime/schedule.h"
#include "engine/term_extract/extract.h"

#include <memory>

namespace marquetry::bench {
namespace {

using session::Phase;

constexpr double kEndless = 1e9;

template <class Work>
void stopped(const std::string& what, double afterSeconds, double goalSeconds, Work work) {
    if (const auto took = test::effortAfterStop(Figures::effort(afterSeconds), work))
        report(what + ", stopped after " + std::to_string(int(1e3 * afterSeconds)) + " ms", *took,
               goalSeconds);
}

void saturation() {
    const auto workload = egraph::makeWorkload("ac16");
    egraph::SaturationParams params;
    params.maxEnodes = 100'000'000;
    params.maxSeconds = kEndless;
    for (const double after : {0.02, 0.1, 0.3, 1.5}) {
        egraph::EGraph graph(workload->language);
        addTerms(graph, *workload);
        stopped("saturation", after, 0.05, [&](std::stop_token stop) {
            egraph::saturate(graph, workload->rules, params, stop);
        });
    }
}

void solvers() {
    const milp::Model cover = milp::hardCover(400, 800, 3);
    stopped("MILP", 0.7, 5, [&](std::stop_token stop) { (void)milp::solve(cover, {}, stop); });
    milp::SolveParams second;
    second.seconds = 1;
    report("MILP of one second", test::spanOf([&] { (void)milp::solve(cover, second, {}); }), 5);
    const term_extract::SelectionProblem hard = term_extract::hardProblem();
    stopped("exact extraction", 0.3, 15, [&](std::stop_token stop) {
        (void)term_extract::extract(hard, {.seconds = kEndless}, stop);
    });
    report("exact extraction of one second",
           test::spanOf([&] { (void)term_extract::extract(hard, {.seconds = 1}, {}); }), 15);
}

void accesses() {
    const ir::MemoryProgram memory = banking::memoryOf(
        "array a : i32[64, 4096]; for i in 0 .. 4096 par 1024 { read a[?r(i), i]; }");
    banking::AccessParams params;
    params.seconds = 0.05;
    report("a look of 50 ms at half a million pairs of lanes",
           test::effortOf([&] { (void)banking::accessPattern(memory, params); }), 2);
}

void schedules(const std::string& examples) {
    auto parsed = frontend::parseFile(examples + "/streams/camera/camera.mq");
    if (!parsed)
        return;
    const auto program = frontend::selectStream(*std::move(parsed), "camera_8x8");
    const auto clocks = spacetime::clocksFor(*program, {1, 60});
    const device::Device device = banking::deviceNamed("xc7k160t");
    spacetime::ScheduleParams params;
    params.statesWithin = 0.5;
    stopped("schedule of a camera", 0.2, 0.5, [&](std::stop_token stop) {
        (void)spacetime::schedule(*program, *clocks, device, params, stop);
    });
}

void exploring(session::Harness& harness, double seconds) {
    harness.run(session::OpenText{session::largeProgram(), "large.mq"});
    const test::Effort begin = test::Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID);
    harness.run(session::Run{});
    while (harness.session().latest()->phase != Phase::Ready &&
           test::Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID) - begin < Figures::effort(seconds))
        test::breathe();
}

void sessions() {
    for (const double after : {0.0, 0.05, 0.1, 0.15, 0.2}) {
        const std::string when = ", after " + std::to_string(int(1e3 * after)) + " ms";
        auto ending = std::make_unique<session::Harness>();
        exploring(*ending, after);
        report("end of a session that explores" + when,
               test::effortOfProcess([&] { ending->destroy(); }), 0.05);
        session::Harness harness;
        exploring(harness, after);
        report("pause" + when, test::effortOfProcess([&] { harness.run(session::Pause{}); }), 0.05);
        report("stop of that", test::effortOfProcess([&] {
                   harness.run(session::StopRun{});
                   harness.session().post(session::StopRun{});
                   harness.waitFor(Phase::Ready);
               }),
               0.05);
    }
    session::Harness harness;
    harness.explored(64);
    harness.session().post(session::Verify{"", "verilator", 3, 1});
    harness.waitFor(Phase::Verifying);
    report("stop of a verification", test::spanOf([&] { harness.run(session::StopRun{}); }), 5);
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    using namespace marquetry;
    if (argc < 2) {
        std::fprintf(stderr, "usage: stop_times EXAMPLES\n");
        return 2;
    }
    bench::saturation();
    bench::solvers();
    bench::accesses();
    bench::schedules(argv[1]);
    bench::sessions();
    return 0;
}
