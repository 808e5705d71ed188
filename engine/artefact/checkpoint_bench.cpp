#include "engine/artefact/checkpoint_bench.h"

#include "engine/artefact/bench_text.h"

#include <algorithm>
#include <map>

namespace marquetry::hdl {

namespace {

/// Of the design's top, all of them wires or registers of it.
struct Signal {
    std::string name;
    int bits = 1;
    std::string wire = name; ///< in the top
};

class CheckpointWriter {
public:
    CheckpointWriter(const design::Schedule& schedule, const RtlPlan& plan,
                     const CheckpointBench& bench)
        : schedule_(schedule), plan_(plan), bench_(bench), all_(checkpointsOf(schedule)) {
        for (std::size_t s = 0; s < plan.slots.size(); ++s)
            if (isWatched(s))
                slots_.push_back(s);
    }

    std::string name() const { return plan_.name + "_checkpoints"; }

    std::string module() {
        keep();
        count();
        look();
        std::string ports;
        for (const Signal& signal : signals())
            ports += cat(ports.empty() ? "" : ",\n", "    input ", range(signal.bits), signal.name);
        return cat("// What ", bench_.top, " is given to store while vector ", bench_.vector,
                   " runs.\n// verilator lint_off WIDTH\nmodule ", name(), " (\n", ports, ");\n",
                   b_.text(), "endmodule\n// verilator lint_on WIDTH\n");
    }

    std::string bind() const {
        return cat("bind ", bench_.top, " ", name(), " checkpoints (", connections(""), ");\n");
    }

    std::string instance() const {
        return cat("    ", name(), " checkpoints (", connections(bench_.core + "."), ");\n");
    }

private:
    bool isWatched(std::size_t slot) const {
        return plan_.slots[slot].used && std::ranges::any_of(all_, [&](const Checkpoint& c) {
                   return schedule_.tensor(c.tensor).slot.index() == slot;
               });
    }

    int wordBits(std::size_t slot) const {
        return static_cast<int>(plan_.slots[slot].storedLanes) * schedule_.slots[slot].elementBits;
    }

    std::vector<Signal> signals() const {
        std::vector<Signal> all = {{"aclk"},
                                   {"aresetn"},
                                   {"start"},
                                   {"busy"},
                                   {"step", plan_.begunBits, plan_.ordered() ? "begun" : "step"}};
        for (const std::size_t s : slots_) {
            const SlotPlan& slot = plan_.slots[s];
            all.push_back({slot.name + "_we", static_cast<int>(slot.turnBanks)});
            all.push_back({slot.name + "_waddr", slot.wordBits});
            all.push_back({slot.name + "_wdata", wordBits(s)});
        }
        return all;
    }

    std::string connections(const std::string& inside) const {
        std::string text;
        for (const Signal& signal : signals())
            text += cat(text.empty() ? "" : ", ", ".", signal.name, "(", inside, signal.wire, ")");
        return text;
    }

    /// A memory for each slot, of whole words.
    void keep() {
        for (const std::size_t s : slots_)
            b_.line("reg ", range(wordBits(s)), plan_.slots[s].name,
                    " [0:", schedule_.slots[s].depth - 1, "];");
        b_.line("always @(posedge aclk) begin");
        for (const std::size_t s : slots_) {
            const SlotPlan& slot = plan_.slots[s];
            const int bits = wordBits(s) / static_cast<int>(slot.turnBanks);
            for (int bank = 0; bank < static_cast<int>(slot.turnBanks); ++bank) {
                const std::string part = cat("[", (bank + 1) * bits - 1, ":", bank * bits, "]");
                b_.line("    if (", slot.name, "_we", slot.turnBanks > 1 ? cat("[", bank, "]") : "",
                        ")");
                b_.line("        ", slot.name, "[", slot.name, "_waddr]", part, " <= ", slot.name,
                        "_wdata", part, ";");
            }
        }
        b_.line("end");
    }

    /// The step that runs, now and up to three clocks ago. A step is looked at so many clocks
    /// behind its end: its last results are stored by then, and none of the next one, whose words
    /// are read two clocks behind its beginning.
    void count() {
        b_.line("integer vector, vector_1, vector_2, vector_3;");
        b_.line("reg ", range(plan_.begunBits), "step_1, step_2, step_3;");
        b_.line("reg busy_1, busy_2, busy_3;");
        b_.line("initial begin");
        b_.line("    vector = -1; vector_1 = -1; vector_2 = -1; vector_3 = -1;");
        b_.line("    step_1 = 0; step_2 = 0; step_3 = 0;");
        b_.line("    busy_1 = 1'b0; busy_2 = 1'b0; busy_3 = 1'b0;");
        b_.line("end");
        b_.line("always @(posedge aclk) if (aresetn) begin");
        b_.line("    if (start && !busy)");
        b_.line("        vector <= vector + 1;");
        for (const char* const of : {"vector", "step", "busy"})
            b_.line("    ", of, "_3 <= ", of, "_2; ", of, "_2 <= ", of, "_1; ", of, "_1 <= ", of,
                    ";");
        b_.line("end");
    }

    void look() {
        b_.line("always @(posedge aclk) begin");
        at(false, cat("busy_3 && (step_3 != step_2 || !busy_2) && vector_3 == ", bench_.vector),
           "step_3");
        at(true, cat("busy_2 && (step_3 != step_2 || !busy_3) && vector_2 == ", bench_.vector),
           "step_2");
        b_.line("end");
    }

    void at(bool reads, const std::string& condition, const char* step) {
        std::map<std::size_t, std::vector<std::size_t>> groups;
        for (std::size_t k = 0; k < all_.size(); ++k)
            if (all_[k].reads == reads)
                groups[all_[k].group].push_back(k);
        if (groups.empty())
            return;
        b_.line("    if (", condition, ")");
        b_.line("        case (", step, ")");
        for (const auto& [group, checkpoints] : groups) {
            b_.line("        ", group, ": begin");
            for (const std::size_t k : checkpoints) {
                const design::StoredTensor& tensor = schedule_.tensor(all_[k].tensor);
                const KeptWords kept = keptWords(schedule_, tensor.id);
                b_.line("            $writememh(\"", checkpointFile(k), "\", ",
                        plan_.slots[tensor.slot.index()].name, ", ", kept.first, ", ",
                        kept.first + kept.number - 1, ");");
            }
            b_.line("        end");
        }
        b_.line("        default: ;");
        b_.line("        endcase");
    }

    const design::Schedule& schedule_;
    const RtlPlan& plan_;
    const CheckpointBench& bench_;
    std::vector<Checkpoint> all_;
    std::vector<std::size_t> slots_;
    BenchText b_;
};

} // namespace

files::FolderFiles withCheckpoints(files::FolderFiles benches, const design::Schedule& schedule,
                                   const RtlPlan& plan, const CheckpointBench& bench) {
    CheckpointWriter writer(schedule, plan, bench);
    std::string& module = benches[kCheckpointFile] = writer.module();
    if (bench.simulator == Simulator::Verilator) {
        module += writer.bind();
        return benches;
    }
    std::string& text = benches[bench.file];
    text.insert(text.rfind("endmodule"), writer.instance());
    return benches;
}

} // namespace marquetry::hdl
