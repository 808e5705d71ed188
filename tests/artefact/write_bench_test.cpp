// The memory of benches as hardware that writes finds it: a small writer in Verilog, right and with
// faults, in both simulators.
#include "engine/artefact/bench_output.h"
#include "engine/artefact/simulator.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/design/weight_image.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace marquetry::hdl {
namespace {

/// Takes a frame of x, writes it to the image from the byte PLACE on, reads it from there, and
/// gives it to y. FAULT: what it does wrong.
constexpr const char* kWriter = R"(
module writer_top #(parameter B = 8, WORDS = 300, PLACE = 8192, FAULT = 0) (
    input aclk, aresetn, start, output reg done, output busy, output reg [63:0] cycles,
    output reg error,
    input [63:0] s_axis_x_tdata, input s_axis_x_tvalid, s_axis_x_tlast, output s_axis_x_tready,
    output [63:0] m_axis_y_tdata, output m_axis_y_tvalid, m_axis_y_tlast, input m_axis_y_tready,
    output reg [39:0] m_axi_araddr, output reg [7:0] m_axi_arlen, output [2:0] m_axi_arsize,
    output [1:0] m_axi_arburst, output [3:0] m_axi_arcache, output [2:0] m_axi_arprot,
    output reg m_axi_arvalid, input m_axi_arready,
    input [8*B-1:0] m_axi_rdata, input [1:0] m_axi_rresp, input m_axi_rlast, m_axi_rvalid,
    output m_axi_rready,
    input [63:0] weights_base, input reload_weights, output reg [63:0] stalls,
    output [63:0] stalls_loads, stalls_stores,
    output reg [39:0] m_axi_awaddr, output reg [7:0] m_axi_awlen, output [2:0] m_axi_awsize,
    output [1:0] m_axi_awburst, output [3:0] m_axi_awcache, output [2:0] m_axi_awprot,
    output reg m_axi_awvalid, input m_axi_awready,
    output reg [8*B-1:0] m_axi_wdata, output reg [B-1:0] m_axi_wstrb, output m_axi_wlast,
    m_axi_wvalid, input m_axi_wready,
    input [1:0] m_axi_bresp, input m_axi_bvalid, output m_axi_bready);
    localparam TAKE = 1, WRITE = 2, READ = 3, GIVE = 4;
    integer state, word, left, owed, lane, k;
    reg [7:0] sent [0:8*WORDS-1];
    reg [7:0] got [0:8*WORDS-1];
    reg [39:0] at;
    wire [39:0] first = weights_base[39:0] + PLACE, last = first + 8 * WORDS;
    wire [39:0] begins = FAULT == 7 ? first : first - first % B;
    integer burst;
    always @* begin
        burst = (last - at + B - 1) / B;
        if (FAULT != 2 && burst > (4096 - at % 4096) / B) burst = (4096 - at % 4096) / B;
        if (burst > 16) burst = 16;
        for (lane = 0; lane < B; lane = lane + 1) begin
            m_axi_wstrb[lane] = at + lane >= first && at + lane < last;
            m_axi_wdata[8*lane +: 8] = m_axi_wstrb[lane] ? sent[at + lane - first] : 8'hxx;
        end
    end
    assign busy = state != 0;
    assign stalls_loads = 0, stalls_stores = stalls;
    assign s_axis_x_tready = state == TAKE;
    assign m_axis_y_tvalid = state == GIVE;
    assign m_axis_y_tlast = word == WORDS - 1;
    genvar g;
    generate for (g = 0; g < 8; g = g + 1)
        assign m_axis_y_tdata[8*g +: 8] = got[8*word + g];
    endgenerate
    assign m_axi_arsize = $clog2(B), m_axi_awsize = FAULT == 6 ? 0 : $clog2(B);
    assign m_axi_arburst = 1, m_axi_awburst = 1, m_axi_arcache = 3, m_axi_awcache = 3;
    assign m_axi_arprot = 0, m_axi_awprot = 0, m_axi_rready = 1, m_axi_bready = 1;
    assign m_axi_wvalid = state == WRITE && left != 0;
    assign m_axi_wlast = FAULT == 3 ? left == 2 : left == 1;
    wire moves = (s_axis_x_tvalid && s_axis_x_tready) || (m_axis_y_tvalid && m_axis_y_tready) ||
        (m_axi_wvalid && m_axi_wready) || m_axi_rvalid;
    wire begins_burst = state == WRITE && !m_axi_awvalid && left == 0 && at < last && owed < 4;
    always @(posedge aclk)
        if (!aresetn) begin
            state <= 0; done <= 0; error <= 0; cycles <= 0; stalls <= 0; owed <= 0;
            m_axi_arvalid <= 0; m_axi_awvalid <= 0; left <= 0; word <= 0;
        end else begin
            if (busy) cycles <= cycles + 1;
            if (busy && !moves) stalls <= stalls + 1;
            if (m_axi_bvalid && m_axi_bresp[1]) error <= 1;
            owed <= owed + begins_burst - m_axi_bvalid;
            if (start) begin
                state <= TAKE; word <= 0; done <= 0; cycles <= 0; stalls <= 0;
            end
            if (m_axi_awvalid && (m_axi_awready || FAULT == 4)) m_axi_awvalid <= 0;
            if (m_axi_arvalid && m_axi_arready) m_axi_arvalid <= 0;
            case (state)
            TAKE: if (s_axis_x_tvalid) begin
                for (k = 0; k < 8; k = k + 1) sent[8*word + k] <= s_axis_x_tdata[8*k +: 8];
                word <= word + 1;
                at <= begins; left <= 0;
                if (s_axis_x_tlast) state <= WRITE;
            end
            WRITE: begin
                if (begins_burst) begin
                    m_axi_awvalid <= 1; m_axi_awaddr <= at; m_axi_awlen <= burst - 1; left <= burst;
                end
                if (m_axi_wvalid && (m_axi_wready || (FAULT == 8 && owed == 2))) begin
                    at <= at + B; left <= left - 1;
                end
                if (at >= last && left == 0 && !m_axi_awvalid && (owed == 0 || FAULT == 5)) begin
                    state <= READ; at <= begins;
                end
            end
            READ: begin
                if (!m_axi_arvalid && left == 0 && at < last) begin
                    m_axi_arvalid <= 1; m_axi_araddr <= at; m_axi_arlen <= burst - 1; left <= burst;
                end
                if (m_axi_rvalid) begin
                    for (k = 0; k < B; k = k + 1)
                        if (at + k >= first && at + k < last) got[at + k - first] <= m_axi_rdata[8*k +: 8];
                    if (m_axi_rlast != (left == 1)) error <= 1;
                    at <= at + B; left <= left - 1;
                end
                if (at >= last && left == 0) begin state <= GIVE; word <= 0; end
            end
            GIVE: if (m_axis_y_tready) begin
                word <= word + 1;
                if (m_axis_y_tlast) begin state <= 0; word <= 0; done <= 1; end
            end
            endcase
        end
endmodule
)";

constexpr std::int64_t kWeightBytes = 8192;
constexpr std::int64_t kImageBytes = 16384;
constexpr int kVectors = 3;

struct Writer {
    int beatBytes = 8;
    std::int64_t place = 8192; ///< from the base on
    int fault = 0;
    std::int64_t words = 300; ///< of a frame
};

RtlPlan planOf(const Writer& writer) {
    RtlPlan plan;
    plan.name = "writer";
    for (auto* streams : {&plan.loads, &plan.stores}) {
        StreamPlan stream;
        stream.name = streams == &plan.loads ? "x" : "y";
        stream.tensor.pixels = writer.words;
        stream.tensor.channels = 8;
        stream.beats = writer.words;
        streams->push_back(stream);
    }
    MemoryPort port;
    port.beatBits = 8 * writer.beatBytes;
    port.latency = 20;
    port.imageBursts = kWeightBytes / (design::kBurstBeats * writer.beatBytes);
    port.imageBytes = kImageBytes;
    port.writes = true;
    plan.memory = port;
    return plan;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string hardware(const Writer& writer) {
    return replaced(kWriter, "B = 8, WORDS = 300, PLACE = 8192, FAULT = 0",
                    cat("B = ", writer.beatBytes, ", WORDS = ", writer.words,
                        ", PLACE = ", writer.place, ", FAULT = ", writer.fault));
}

class WriteBenches : public testing::Test {
protected:
    void build(Simulator simulator, const Writer& writer, bool cpp) {
        const RtlPlan plan = planOf(writer);
        const DesignNames names = designNames(plan);
        std::filesystem::create_directories(folder_ / "tb");
        std::filesystem::create_directories(folder_ / "memory");
        std::filesystem::create_directories(folder_ / "vectors");
        std::ofstream(folder_ / "tb/hardware.v") << hardware(writer);
        std::ofstream(folder_ / "tb/bench.v") << writeAxisTestbench(designBench(plan, names));
        std::ofstream(folder_ / "tb/bench.cpp") << writeVerilatorTestbench(plan, names);
        std::ofstream(folder_ / "memory/weights.bin") << std::string(kImageBytes, '\0');
        for (const char* file : {"vectors/in_x.hex", "vectors/out_y.hex"}) {
            std::ofstream out(folder_ / file);
            for (std::uint64_t k = 1; k <= static_cast<std::uint64_t>(kVectors * writer.words); ++k)
                out << std::hex << k * 0x9e3779b97f4a7c15u << "\n";
        }
        simulator_ = simulator;
        input_ = {cpp ? "tb/bench.cpp" : "tb/bench.v", cpp ? "writer_top" : "writer_tb"};
        if (!cpp)
            input_.vectors = kVectors;
        input_.modules = {"tb/hardware.v"};
        for (auto& command : buildCommands(simulator, input_, Waveform::None)) {
            if (cpp && command.front() == "verilator")
                command.insert(command.end(), {"-Wno-fatal", "-Wno-lint"});
            const auto ran = runProcess({command, folder_.string()});
            ASSERT_TRUE(ran && ran->exitCode == 0) << (ran ? ran->output : format(ran.error()));
        }
    }

    BenchOutput run(const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"+dir=vectors", cat("+vectors=", kVectors)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto ran = runProcess(
            {runCommand(simulator_, input_, Waveform::None, arguments), folder_.string()});
        EXPECT_TRUE(ran) << format(ran.error());
        if (!ran)
            return {};
        BenchOutput output = readBench(ran->output);
        EXPECT_TRUE(output.ended) << ran->output;
        return output;
    }

    /// The nominal memory, and five random ones.
    void expectRight() {
        const BenchOutput nominal = run({"+gaps=0", "+memory=0", "+seed=1"});
        EXPECT_TRUE(nominal.pass && nominal.mismatchCount == 0);
        ASSERT_FALSE(nominal.cycles.empty());
        nominal_ = nominal.cycles.front();
        for (int seed = 1; seed <= 5; ++seed) {
            const BenchOutput random = run({"+gaps=1", "+memory=1", cat("+seed=", seed)});
            EXPECT_TRUE(random.pass && random.mismatchCount == 0) << seed;
        }
    }

    /// Some seed of some memory shows it.
    std::string shown() {
        for (const char* memory : {"+memory=0", "+memory=1"})
            for (int seed = 1; seed <= 3; ++seed) {
                const BenchOutput output = run({"+gaps=1", memory, cat("+seed=", seed)});
                if (!output.mismatches.empty())
                    return output.mismatches.front().what;
            }
        return "";
    }

    test::TemporaryFolder folder_;
    Simulator simulator_ = Simulator::Icarus;
    SimulatorInput input_;
    std::int64_t nominal_ = 0;
};

struct Fault {
    Writer writer;
    const char* what;
};
const std::vector<Fault> kFaults = {{{8, 5120, 0}, "address of a write"},
                                    {{8, 16384, 0}, "address of a write"},
                                    {{16, 8192 + 3976, 2}, "address of a write"},
                                    {{8, 8192, 3}, "wlast"},
                                    {{8, 8192, 4}, "a write that is not held"},
                                    {{8, 8192, 5, 16}, "element"},
                                    {{8, 8192, 6}, "form of a write"},
                                    {{16, 8192 + 8, 7}, "address of a write"},
                                    {{8, 8192, 8}, "a beat that is not held"}};

} // namespace

TEST_F(WriteBenches, KeepWhatIsWrittenInIcarus) {
    for (const Writer& writer : {Writer{8, 8192, 0}, Writer{4, 8192 + 4088, 0},
                                 Writer{16, 8192 + 24, 0}, Writer{128, 8192 + 56, 0}}) {
        build(Simulator::Icarus, writer, false);
        expectRight();
    }
}

TEST_F(WriteBenches, KeepWhatIsWrittenInVerilator) {
    const auto expectedAlike = [&](const Writer& writer) {
        build(Simulator::Icarus, writer, false);
        expectRight();
        const std::int64_t icarus = nominal_;
        build(Simulator::Verilator, writer, true);
        expectRight();
        EXPECT_EQ(nominal_, icarus) << "clocks of the nominal memory";
    };
    expectedAlike({16, 8192 + 24, 0});
    build(Simulator::Verilator, {8, 8192 + 8, 0}, false);
    expectRight();
}

TEST_F(WriteBenches, ShareTheRateWithReads) {
    build(Simulator::Icarus, {16, 8192, 0}, false);
    expectRight();
    // The image is written and read: 2 × 2400 bytes, at 8 a clock, beside x and y.
    constexpr std::int64_t kWords = Writer().words;
    EXPECT_GE(nominal_, 4 * kWords);
    EXPECT_LE(nominal_, 4 * kWords + 20 * 30) << "at most 30 bursts, of which each waits";
}

TEST_F(WriteBenches, SeeFaultsInIcarus) {
    for (const Fault& fault : kFaults) {
        SCOPED_TRACE(fault.writer.fault);
        build(Simulator::Icarus, fault.writer, false);
        EXPECT_EQ(shown(), fault.what);
    }
}

TEST_F(WriteBenches, SeeFaultsInVerilator) {
    for (const std::size_t k : {5U, 8U}) {
        SCOPED_TRACE(kFaults[k].writer.fault);
        build(Simulator::Verilator, kFaults[k].writer, true);
        EXPECT_EQ(shown(), kFaults[k].what);
    }
}

TEST_F(WriteBenches, AnswerABurstWithAnError) {
    build(Simulator::Icarus, {8, 8192, 0}, false);
    EXPECT_TRUE(run({"+memory=1", "+memory_write_error=3"}).pass) << "the flag is expected";
    EXPECT_FALSE(run({"+memory=1", "+memory_write_error=1000000"}).pass) << "it does not come";
    build(Simulator::Verilator, {8, 8192, 0}, true);
    EXPECT_FALSE(run({"+memory=1", "+memory_write_error=3"}).pass);
    EXPECT_TRUE(run({"+memory=1", "+memory_write_error=1000000"}).pass);
}

} // namespace marquetry::hdl
