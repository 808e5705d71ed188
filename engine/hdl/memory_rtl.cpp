#include "engine/hdl/modules.h"

#include "engine/cost/buffer_cost.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

std::string memoryModuleName(const RtlPlan& plan, bool lutRam) {
    return plan.name + (lutRam ? "_lut_memory" : "_block_memory");
}

} // namespace

std::string dualPortMemory(bool lutRam) {
    return cat(R"(    input  wire aclk,
    input  wire re,
    input  wire [ADDRESS-1:0] raddr,
    output reg  [WIDTH-1:0] q,
    input  wire we,
    input  wire [ADDRESS-1:0] waddr,
    input  wire [WIDTH-1:0] wdata
);

    (* ram_style = ")",
               lutRam ? "distributed" : "block", R"(" *)
    reg [WIDTH-1:0] memory [0:DEPTH-1];

    always @(posedge aclk) begin
        if (we)
            memory[waddr] <= wdata;
        if (re)
            q <= memory[raddr];
    end

`ifndef SYNTHESIS
    integer i;
    initial begin
        q = {WIDTH{1'b0}};
        for (i = 0; i < DEPTH; i = i + 1)
            memory[i] = {WIDTH{1'b0}};
    end
`endif
)");
}

Module memoryModule(const RtlPlan& plan, bool lutRam) {
    Module m;
    m.name = memoryModuleName(plan, lutRam);
    m.comment = {"Memory: simple dual port, registered read of the old value.",
                 cat("Cycles: 1 per read. Resources: ", lutRam ? "LUT" : "block",
                     " RAM for DEPTH words of WIDTH bits.")};
    m.parameters = {"WIDTH = 32", "DEPTH = 512", "ADDRESS = 9"};
    m.body = dualPortMemory(lutRam);
    return m;
}

Module weightsModule(const UnitPlan& unit) {
    Module m;
    m.name = unit.module + "_weights";
    m.comment = {cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ", unit.parallel,
                     " rows, every call in its own run of words."),
                 cat("Bank scheme: ", unit.banksPerRow, " read-only banks of ",
                     cost::kWeightBankBits, " bits per row, each filled from its memory file."),
                 cat("Cycles: 1 per read. Resources: ", unit.parallel * unit.banksPerRow,
                     " block RAMs of ", unit.weightWords, " x ", cost::kWeightBankBits, " bits.")};
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, unit.weightAddressBits, "address"}};
    Body body;
    Body reads;
    for (std::int64_t row = 0; row < unit.parallel; ++row)
        for (std::int64_t bank = 0; bank < unit.banksPerRow; ++bank) {
            const std::string at = cat(row, "_", bank);
            m.ports.push_back({Direction::OutputReg, cost::kWeightBankBits, "q_" + at});
            body.line("(* ram_style = \"block\" *)");
            body.line("reg ", range(cost::kWeightBankBits), "bank_", at,
                      " [0:", unit.weightWords - 1, "];");
            body.line("initial $readmemh(\"", weightFileName(unit, row, bank), "\", bank_", at,
                      ");");
            reads.line("always @(posedge aclk)");
            reads.line("    q_", at, " <= bank_", at, "[address];");
        }
    m.body = body.text() + reads.text();
    return m;
}

Module slotModule(const RtlPlan& plan, const design::Schedule& schedule, std::size_t index) {
    const SlotPlan& slot = plan.slots[index];
    const design::Slot& form = schedule.slots[index];
    const int wordBits = static_cast<int>(slot.storedLanes) * form.elementBits;
    Module m;
    m.name = slot.module;
    const std::int64_t memories = slot.banks * slot.memoriesPerBank;
    m.comment = {cat("Activation slot \"", form.name, "\": ", form.depth, " words of ",
                     slot.storedLanes, " elements of ", form.elementBits, " bits."),
                 cat("Bank scheme: ", slot.banks, " banks of ", form.writeLanes,
                     " neighbouring lanes, ", form.depth, " words each; every lane is a wire."),
                 cat("Cycles: 1 per read. Resources: ", memories, " memories of ", form.depth,
                     " x ", slot.memoryBits, " bits in ", slot.lutRam ? "LUT" : "block", " RAM.")};
    for (const design::StoredTensor& tensor : schedule.tensors)
        if (tensor.slot.index() == index)
            m.comment.push_back(cat("Holds ", tensor.name, ": words ", tensor.base, " to ",
                                    tensor.base + tensor.words() - 1, "."));
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, 1, "re"},
               {Direction::Input, slot.addressBits, "raddr"},
               {Direction::Output, wordBits, "q"},
               {Direction::Input, static_cast<int>(slot.banks), "we"},
               {Direction::Input, slot.addressBits, "waddr"},
               {Direction::Input, wordBits, "wdata"}};
    Body body;
    for (std::int64_t bank = 0; bank < slot.banks; ++bank)
        for (std::int64_t k = 0; k < slot.memoriesPerBank; ++k) {
            const int first = static_cast<int>(k) * slot.memoryBits;
            const int width = std::min(slot.memoryBits, slot.bankBits - first);
            const int low = static_cast<int>(bank) * slot.bankBits + first;
            const int high = low + width - 1;
            const std::string enable = slice("we", static_cast<int>(slot.banks),
                                             static_cast<int>(bank), static_cast<int>(bank));
            body.line(memoryModuleName(plan, slot.lutRam), " #(.WIDTH(", width, "), .DEPTH(",
                      form.depth, "), .ADDRESS(", slot.addressBits, ")) bank_", bank, "_", k, " (");
            body.line("    .aclk(aclk), .re(re), .raddr(raddr), .q(",
                      slice("q", wordBits, high, low), "),");
            body.line("    .we(", enable, "), .waddr(waddr), .wdata(",
                      slice("wdata", wordBits, high, low), "));");
        }
    m.body = body.text();
    return m;
}

} // namespace marquetry::hdl
