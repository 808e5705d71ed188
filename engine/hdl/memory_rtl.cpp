#include "engine/hdl/modules.h"

#include "engine/cost/buffer_cost.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

Module memoryBankModule(const RtlPlan& plan) {
    Module m;
    m.name = plan.name + "_memory_bank";
    m.comment = {"Memory bank: simple dual port, registered read of the old value.",
                 "Cycles: 1 per read. Resources: block RAM for DEPTH words of WIDTH bits."};
    m.parameters = {"WIDTH = 32", "DEPTH = 512", "ADDRESS = 9"};
    m.body = R"(    input  wire aclk,
    input  wire re,
    input  wire [ADDRESS-1:0] raddr,
    output reg  [WIDTH-1:0] q,
    input  wire we,
    input  wire [ADDRESS-1:0] waddr,
    input  wire [WIDTH-1:0] wdata
);

    (* ram_style = "block" *)
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
)";
    return m;
}

Module weightsModule(const UnitPlan& unit) {
    Module m;
    m.name = unit.module + "_weights";
    m.comment = {cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ", unit.parallel,
                     " rows, every call in its own run of words."),
                 cat("Bank scheme: ", unit.banksPerRow, " read-only banks of ", cost::kMaxBankBits,
                     " bits per row, each filled from its memory file."),
                 cat("Cycles: 1 per read. Resources: ", unit.parallel * unit.banksPerRow,
                     " block RAMs of ", unit.weightWords, " x ", cost::kMaxBankBits, " bits.")};
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, unit.weightAddressBits, "address"}};
    Body body;
    Body reads;
    for (std::int64_t row = 0; row < unit.parallel; ++row)
        for (std::int64_t bank = 0; bank < unit.banksPerRow; ++bank) {
            const std::string at = cat(row, "_", bank);
            m.ports.push_back({Direction::OutputReg, cost::kMaxBankBits, "q_" + at});
            body.line("(* ram_style = \"block\" *)");
            body.line("reg ", range(cost::kMaxBankBits), "bank_", at, " [0:", unit.weightWords - 1,
                      "];");
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
    m.comment = {cat("Activation slot \"", form.name, "\": ", form.depth, " words of ", slot.storedLanes,
                     " elements of ", form.elementBits, " bits."),
                 cat("Bank scheme: ", slot.groups * slot.banksPerGroup, " banks of ", slot.bankBits,
                     " bits, ", slot.groups, " groups of ", form.writeLanes,
                     " lanes written at once."),
                 cat("Cycles: 1 per read. Resources: ", slot.groups * slot.banksPerGroup,
                     " block RAMs of ", form.depth, " x ", slot.bankBits, " bits.")};
    for (const design::StoredTensor& tensor : schedule.tensors)
        if (tensor.slot.index() == index)
            m.comment.push_back(cat("Holds ", tensor.name, ": words ", tensor.base, " to ",
                                    tensor.base + tensor.words() - 1, "."));
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, 1, "re"},
               {Direction::Input, slot.addressBits, "raddr"},
               {Direction::Output, wordBits, "q"},
               {Direction::Input, static_cast<int>(slot.groups), "we"},
               {Direction::Input, slot.addressBits, "waddr"},
               {Direction::Input, wordBits, "wdata"}};
    Body body;
    const std::int64_t banks = slot.groups * slot.banksPerGroup;
    for (std::int64_t bank = 0; bank < banks; ++bank) {
        const int low = static_cast<int>(bank) * slot.bankBits;
        const std::string bits = slice("q", wordBits, low + slot.bankBits - 1, low);
        const auto group = static_cast<int>(bank / slot.banksPerGroup);
        body.line(plan.name, "_memory_bank #(.WIDTH(", slot.bankBits, "), .DEPTH(", form.depth,
                  "), .ADDRESS(", slot.addressBits, ")) bank_", bank, " (");
        body.line("    .aclk(aclk), .re(re), .raddr(raddr), .q(", bits, "),");
        body.line("    .we(", slice("we", static_cast<int>(slot.groups), group, group),
                  "), .waddr(waddr), .wdata(",
                  slice("wdata", wordBits, low + slot.bankBits - 1, low), "));");
    }
    m.body = body.text();
    return m;
}

} // namespace marquetry::hdl
