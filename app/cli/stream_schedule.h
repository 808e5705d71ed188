// A stream scheduled as the options say: what `schedule` shows and `export` writes.
//
// Errors: those of the front end, of the device and of spacetime/schedule.h; bad-throughput.
// Thread rule: main thread.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/session/schedule_stream.h"

namespace marquetry::cli {

/// The area model is that of devices with 6-input LUTs (engine/spacetime/area.h).
inline constexpr const char* kStreamDevice = "xc7k160t";

struct ScheduleOptions {
    std::string file;
    std::string item;
    std::string device = kStreamDevice;
    std::string throughput;
    std::int64_t clocks = 0;
    double seconds = session::kUsualScheduleSeconds;
    bool timeGiven = false; ///< the time is for the hardware too
    std::vector<std::string> without;
    std::string outputType; ///< pinned; empty: any
    std::string out;
    bool force = false;
    std::string egraph;
    double within = 10; ///< percent
    bool json = false;
};

struct Scheduled : session::ScheduledStream {
    std::string text; ///< of the program's file, byte for byte
};

/// What the options ask for. Errors: bad-throughput.
Result<session::StreamPace> paceOf(const ScheduleOptions& options);

/// Schedules the item of a program that has been read; `deadline`: for the timing of the kernels.
Result<Scheduled> findSchedule(const ScheduleOptions& options, frontend::ParseResult parsed,
                               datapath::Deadline deadline = datapath::kNoDeadline);

} // namespace marquetry::cli
