// Parts of the control shell that beats of AXI4-Streams go through.
//
// Ports are the arguments' order below; aclk is the clock, aresetn a synchronous reset, low. A beat
// goes where valid and ready are both high. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// WIDTH: aclk, aresetn, put, put_data, room, room_next, valid, data, ready. Two beats: valid, data
/// and room come from registers alone, room_next is what room is after this clock.
rtl::ModulePtr beatBuffer(const std::string& name);

/// aclk, aresetn, in_valid, in_data, in_last, in_ready, last_part, out_valid, out_data, out_last,
/// out_ready, begun, wrong. `ratio` beats of `bits`, the first lowest, become one; the last of a
/// packet brings zeros above it. begun: a beat has some of its parts. wrong: the packet ended with
/// another part than that.
rtl::ModulePtr beatWidener(const std::string& name, int bits, int ratio);

/// aclk, aresetn, in_valid, in_data, in_last, in_ready, last_part, out_valid, out_data, out_last,
/// out_ready. A beat becomes `ratio` of `bits`, the lowest first; a packet's last one those up to
/// last_part. It holds nothing: what comes in stays until it has gone out.
rtl::ModulePtr beatNarrower(const std::string& name, int bits, int ratio);

/// WIDTH: aclk, aresetn, ending, forget, may_begin, tdata, tvalid, tlast, tready, begins, open,
/// waits, valid, data, last, ready. Takes packets that may begin, of which `begins` is the first
/// clock; while `ending`, what is taken is lost. forget: no packet is open any more.
rtl::ModulePtr packetSource(const std::string& name, const rtl::ModulePtr& buffer);

/// WIDTH: aclk, aresetn, running, valid, data, last, ready, tdata, tvalid, tlast, tready, clean,
/// filled, ended, waits. When it no longer runs, a beat of zeros ends the packet that is open.
/// clean: nothing is open or left here. filled: a packet's last beat comes. ended: a packet's last
/// beat goes.
rtl::ModulePtr packetSink(const std::string& name, const rtl::ModulePtr& buffer);

/// WIDTH: aclk, aresetn, clear, step, count.
rtl::ModulePtr eventCounter(const std::string& name);

} // namespace marquetry::hdl
