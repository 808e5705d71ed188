#include "engine/hdl/sequencer_control.h"

namespace marquetry::hdl {

namespace {

void states(Body& body, const ControlWidths& widths) {
    body.blank();
    body.line("localparam [1:0] IDLE = 2'd0, SETUP = 2'd1, RUN = 2'd2, DRAIN = 2'd3;");
    body.line("reg [1:0] state;");
    body.line("reg ", range(widths.drain), "drain_left;");
    body.line("wire drained = (state == DRAIN) & (drain_left == ", literal(widths.drain, 0), ");");
    body.line("always @(posedge aclk) begin");
    body.line("    if (state == DRAIN)");
    body.line("        drain_left <= drain_left - ", literal(widths.drain, 1), ";");
    body.line("    else");
    body.line("        drain_left <= drain;");
    body.line("end");
}

/// Pulses in the clock before the follower's set-up.
void followPulse(Body& body, const ControlWidths& widths) {
    body.blank();
    body.line("reg ", range(widths.follow), "follow_left;");
    body.line("assign follow = follow_left == ", literal(widths.follow, 2), ";");
    body.line("always @(posedge aclk) begin");
    body.line("    if (!aresetn)");
    body.line("        follow_left <= ", literal(widths.follow, 0), ";");
    body.line("    else if (setup)");
    body.line("        follow_left <= followed_after;");
    body.line("    else if (follow_left != ", literal(widths.follow, 0), ")");
    body.line("        follow_left <= follow_left - ", literal(widths.follow, 1), ";");
    body.line("end");
}

} // namespace

void followerControl(Body& body, const ControlWidths& widths) {
    states(body, widths);
    body.line("wire setup = state == SETUP;");
    body.line("wire run = state == RUN;");
    body.line("assign active = state != IDLE;");
    body.line("assign finished = drained;");
    body.blank();
    body.line("always @(posedge aclk) begin");
    body.line("    if (!aresetn | drained)");
    body.line("        state <= IDLE;");
    body.line("    else if (follow)");
    body.line("        state <= SETUP;");
    body.line("    else if (setup)");
    body.line("        state <= RUN;");
    body.line("    else if (run & nest_last)");
    body.line("        state <= DRAIN;");
    body.line("end");
}

void leaderControl(Body& body, const RtlPlan& plan, const ControlWidths& widths, bool computes) {
    const std::string nestLast = computes ? "nest_last" : "1'b0";
    const std::string lastStep =
        literal(plan.stepBits, static_cast<std::int64_t>(plan.stepNames.size()) - 1);
    states(body, widths);
    body.line("assign busy = state != IDLE;");
    body.line("assign setup = state == SETUP;");
    body.line("assign run = state == RUN;");
    body.line("wire run_last = run & (is_compute ? ", nestLast, " : stream_finished);");
    const std::string one = literal(plan.stepBits, 1);
    std::string computed = "drained";
    std::string advance = one;
    if (plan.joins) {
        followPulse(body, widths);
        body.line("wire followed = followed_after != ", literal(widths.follow, 0), ";");
        computed = "(followed ? follow_finished : drained)";
        advance = cat("(followed ? ", literal(plan.stepBits, 2), " : ", one, ")");
    }
    body.line("wire step_last = is_store ? run_last : ", computed, ";");
    body.blank();
    body.line("always @(posedge aclk) begin");
    body.line("    if (!aresetn) begin");
    body.line("        state <= IDLE;");
    body.line("        step <= ", literal(plan.stepBits, 0), ";");
    body.line("        done <= 1'b0;");
    body.line("        cycles <= 64'd0;");
    body.line("    end else if (!busy) begin");
    body.line("        if (start) begin");
    body.line("            state <= SETUP;");
    body.line("            step <= ", literal(plan.stepBits, 0), ";");
    body.line("            done <= 1'b0;");
    body.line("            cycles <= 64'd0;");
    body.line("        end");
    body.line("    end else begin");
    body.line("        if (~run | is_compute | stream_advance)");
    body.line("            cycles <= cycles + 64'd1;");
    body.line("        if (step_last) begin");
    body.line("            state <= step == ", lastStep, " ? IDLE : SETUP;");
    body.line("            done <= step == ", lastStep, ";");
    body.line("            step <= step + ", advance, ";");
    body.line("        end else if (setup)");
    body.line("            state <= RUN;");
    body.line("        else if (run_last)");
    body.line("            state <= DRAIN;");
    body.line("    end");
    body.line("end");
}

} // namespace marquetry::hdl
