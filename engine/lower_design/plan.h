// What the hardware of a schedule is made of, before any text: names, widths, and the constants of
// every step.
//
// The plan only rearranges what the schedule says; the writers of modules read it and decide
// nothing about function or time. Widths are bits; addresses are words unless they say "groups": an
// address in groups counts runs of as many lanes as a unit writes in a clock (E), so word = group
// address / (lanes / E).
// Complexity: linear in the schedule. Thread rule: pure.
#pragma once

#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "engine/design/schedule_loop.h"
#include "engine/design/weight_image.h"
#include "engine/lower_design/move_plan.h"
#include "engine/lower_design/row_plan.h"
#include "engine/support/checked_math.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Loop levels of the compute nest, outermost first. Blocks are the outermost loop of steps with
/// external weights, and lie inside the pixels of the others.
enum Level : std::size_t { OuterBlock, Frame, Py, Px, Block, Wy, Wx, Ky, Kx, Word, kLevels };

using PerLevel = std::array<std::int64_t, kLevels>;

/// A quantity that is affine in the loop counters, kept in a register: its first value and what
/// is added when the loop of a level advances and all inner ones start again.
struct Affine {
    std::int64_t start = 0;
    PerLevel delta{};
};

Affine affine(std::int64_t start, const PerLevel& strides, const PerLevel& bounds);

/// Of the blocks of a step.
inline Level blockLevel(const design::ComputeStep& step) {
    return step.external ? OuterBlock : Block;
}

/// One compute step as the sequencer runs it.
struct StepPlan {
    std::size_t step = 0; ///< index in the schedule
    std::size_t unit = 0;
    PerLevel bounds{};
    Affine input;              ///< word of the input's slot
    Affine row;                ///< input row, for the padding test
    Affine column;             ///< input column; of a unit that takes several words, the first's
    Affine weight;             ///< word of the unit's weight memory
    Affine addend;             ///< group of the addend's slot
    Affine scale;              ///< word of the write-back's memory
    std::int64_t outStart = 0; ///< groups
    std::int64_t outPixel = 0; ///< groups from the last one of a pixel to the next pixel
    std::int64_t outRow = 0;   ///< likewise from the last pixel of a row to the next row
    std::int64_t outWidth = 1; ///< pixels of a row
    /// Groups of a pixel, in an outer block, less one; they lie side by side.
    std::int64_t outLast = 0;
    std::int64_t outKept = 0;   ///< of the last ones those that the stored pixel has, less one
    std::int64_t outBlock = 0;  ///< likewise from the last pixel to the next of the outer blocks
    std::int64_t outPixels = 1; ///< of the results of all frames
    std::int64_t outBlocks = 1; ///< outer ones
    std::int64_t wait = 0;      ///< clocks behind a reduction before the next one begins
    bool external = false;      ///< its weights come through the ring of its unit
    std::int64_t inHeight = 1;
    std::int64_t inWidth = 1;
    std::int64_t lastRow = 0; ///< the furthest that windows reach
    std::int64_t lastColumn = 0;
    /// Of each word that is read at once, from the first one's.
    std::vector<std::int64_t> rowOffsets, columnOffsets;
    std::int64_t tail = 0;  ///< a bit for each word behind a run that its last iteration takes
    std::int64_t drain = 1; ///< cycles
    /// The step after it is joined to it: it starts so many cycles after this one.
    std::optional<std::int64_t> followedAfter;
    bool beside = false; ///< runs in a queue beside calls
    /// The number of the follower that runs it: it is joined to the step before it, or beside.
    std::optional<std::size_t> follower;
    std::size_t inSlot = 0;
    std::size_t outSlot = 0;
    std::optional<std::size_t> addSlot;
    /// Positions in the unit's lists of modes.
    std::size_t requantBefore = 0, activationBefore = 0, requantAfter = 0, activationAfter = 0;
    std::size_t addendMode = 0, addition = 0;
    std::size_t padMode = 0;
    bool poolSum = false;
};

struct SlotPlan {
    bool used = false;
    std::string name;
    int addressBits = 1;    ///< as readers and writers count
    int wordBits = 1;       ///< of a word's place
    std::int64_t wraps = 0; ///< places, where addresses behind them begin again; 0: nowhere
    std::int64_t storedLanes = 8;
    std::int64_t turns = 1;
    std::int64_t reach = 1;     ///< words that are read at once
    std::int64_t wordLanes = 8; ///< that units take of each
    std::optional<design::SlotWindow> window{};
    std::int64_t rounds = 0;          ///< from a row of a window to the next, in words of a turn
    std::int64_t banks = 1;           ///< of writeLanes lanes, in all turns
    std::int64_t turnBanks = 1;       ///< of one turn
    std::int64_t memoriesPerBank = 1; ///< side by side, the last one may be narrower
    int bankBits = 8;
    int memoryBits = 8;
    bool lutRam = false;
    bool computeReads = false;              ///< is the input of some step of the leader
    std::vector<std::size_t> followerReads; ///< of which followers some step reads its input
};

struct AddendSource {
    std::size_t slot = 0;
    ir::Scalar scalar = ir::Scalar::I8;
    auto operator<=>(const AddendSource&) const = default;
};

/// What a write-back that scales adds to a value: nothing, a stored one, or both times a factor,
/// which `stage` then requantises.
struct AddMode {
    enum class Kind : std::uint8_t { None, Sum, Weighted } kind = Kind::None;
    design::RequantStage stage;
    std::int64_t addendMul = 0;
    bool operator==(const AddMode&) const = default;
};

/// A write-back that scales. The modes of its requantisations are all enabled: one that changes
/// nothing stands for none.
struct WriteBackPlan {
    cost::WriteBackForm form;
    std::int64_t words = 0;         ///< of numbers per channel
    int addressBits = 1;            ///< of its words
    std::int64_t tables = 0;        ///< of 256 entries
    std::vector<AddMode> additions; ///< distinct
};

/// A stream unit's only call: extents in pixels, of the padded input unless they say otherwise.
struct StreamUnitPlan {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t outHeight = 1; ///< of the convolution's result before pooling, those visited
    std::int64_t outWidth = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t pool = 1;
    std::int64_t channels = 1;
    std::int64_t rows = 1;
    std::int64_t blocks = 1;   ///< groups of rows that go through the write-back one after another
    std::int64_t interval = 1; ///< clocks per pixel
    std::int64_t latency = 0;  ///< of the kernel, in pixels
    bool padded = false;

    int blockBits() const { return bitsFor(blocks); }
    int columnBits() const { return bitsFor(outWidth / pool); }
    int poolIndexBits() const { return columnBits() + blockBits(); }
};

/// How the weights of a unit come from external memory.
struct LoadedWeights {
    std::int64_t beats = 1;    ///< of a word
    std::int64_t together = 1; ///< beats that are written at once
    std::int64_t beatBits = 64;
    std::int64_t resident = 0;  ///< words
    std::int64_t ringWords = 0; ///< behind them

    std::int64_t parts() const { return ceilDiv(beats, together); }
};

struct UnitPlan {
    std::string name;
    std::string module; ///< asked for
    bool pass = false;
    std::optional<StreamUnitPlan> stream{};
    std::int64_t parallel = 1;
    std::int64_t span = 1;       ///< words that it takes at once
    std::int64_t maskLanes = 8;  ///< lanes that are told from the padding together
    std::int64_t writeLanes = 1; ///< E: results that leave in a clock
    std::int64_t groups = 1;     ///< parallel / writeLanes
    int groupBits = 0;           ///< log2(lanes / writeLanes): low bits of group addresses
    std::optional<WriteBackPlan> writeBack{};
    int operandBits = 8;
    bool operandSigned = true;
    int weightBits = 8;
    bool weightSigned = true;
    int weightAddressBits = 1;
    std::int64_t weightWords = 0;
    bool lutWeights = false; ///< their memory is built of LUTs
    bool pairsRows = false;  ///< two rows share multipliers
    bool holds = false;      ///< moves write to its weights
    std::optional<LoadedWeights> loaded{};
    bool leads = false;                  ///< runs steps of the leader
    std::optional<std::size_t> follower; ///< runs steps of that one
    int resultBits = 8;                  ///< widest slot written
    design::LaneFunction laneFunction = design::LaneFunction::None;
    std::vector<std::int64_t> padValues; ///< distinct; of the steps that read outside their input
    std::vector<std::size_t> inSlots;
    std::vector<std::size_t> outSlots;
    std::vector<design::RequantStage> requantsBefore; ///< distinct; a disabled one is a mode too
    std::vector<design::ActivationStage> activationsBefore;
    std::vector<AddendSource> addends; ///< distinct; empty: no step adds
    bool adds = false;
    bool addsAlways = true; ///< every step adds
    bool poolsMax = false;
    bool poolsSum = false;
    std::int64_t largestPool = 1;
    std::vector<design::RequantStage> requantsAfter;
    std::vector<design::ActivationStage> activationsAfter;
    std::vector<std::string> layers; ///< of its calls, for comments
    std::int64_t cycles = 0;         ///< of all its calls

    /// Results leave a group after the other.
    bool serial() const { return groups > 1; }
    int serialBits() const { return serial() ? bitsFor(groups) : 0; }
    /// Has multipliers and a memory of weights.
    bool multiplies() const { return !pass && !stream; }
    bool lanewise() const { return laneFunction != design::LaneFunction::None; }
    /// Accumulates what the words of a window give.
    bool reduces() const { return multiplies() || lanewise(); }
    /// Of a schedule of so many lanes: also the weights in a word of its memory.
    std::int64_t multipliers(std::int64_t lanes) const {
        return !multiplies() ? 0 : weightRows() * span * lanes;
    }
    /// Of a word of its weights, which moves write one by one.
    std::int64_t weightRows() const { return lanewise() ? 1 : parallel; }
};

/// A step of the schedule in which a stream moves the next so many pixels.
struct StreamPart {
    std::size_t step = 0;
    std::int64_t pixels = 1;
    design::ByteRange bytes = {}; ///< in external memory
};

struct StreamPlan {
    std::vector<StreamPart> parts; ///< more than one of what is moved in bands, or in groups
    bool external = false;         ///< to or from external memory, and no port of the top
    design::Queue queue = design::Queue::Calls; ///< or that of transfers
    std::string port;                           ///< as declared, or the value's name
    std::string name;   ///< identifier, no other stream's in any case of letters
    std::string module; ///< asked for
    std::size_t slot = 0;
    design::StoredTensor tensor; ///< of all frames, of all parts
    int elementBits = 8;         ///< in the stream
    std::int64_t perBeat = 8;    ///< elements
    std::int64_t perCycle = 1;   ///< elements
    std::int64_t beats = 1;
    std::int64_t cycles = 0;
    std::optional<std::int64_t> followedAfter = {}; ///< clocks until the step joined to it
};

/// A run of words of a unit as the loader gets it (design/weight_image.h).
struct LoadRun {
    std::size_t unit = 0;
    std::int64_t words = 0;
    std::int64_t fill = 0; ///< beats behind them, which are dropped
};

/// The read port of external memory, and what comes through it.
struct MemoryPort {
    int beatBits = 64;
    std::int64_t queueBeats = 64;
    std::int64_t milliBytesPerClock = 8000; ///< of the nominal memory
    std::int64_t latency = 0;               ///< likewise
    std::int64_t residentBursts = 0;
    std::int64_t imageBursts = 0;           ///< with those that runs read
    std::int64_t imageBytes = 0;            ///< with external tensors
    bool writes = false;                    ///< some step stores an external tensor
    std::int64_t moveBeats = 0;             ///< of the queue of external tensors that are loaded
    std::int64_t runBursts = 0;             ///< that a run reads
    std::vector<design::BurstRange> ranges; ///< in which it reads them
    std::vector<LoadRun> resident, external;
};

struct RtlPlan {
    std::string name; ///< prefix of what every module asks for
    std::int64_t lanes = 8;
    std::int64_t frames = 1;     ///< of a run
    std::vector<SlotPlan> slots; ///< index: SlotId
    std::vector<UnitPlan> units; ///< index: UnitId; units without a call stay unnamed
    std::vector<StepPlan> computes;
    std::vector<StreamPlan> loads;
    std::vector<StreamPlan> stores;
    std::vector<StreamPlan> externalLoads, externalStores; ///< one for each value and slot
    /// Sequencers beside the leader: of joined calls and of the second queue, and one for each
    /// queue behind it.
    std::size_t followers() const { return std::max<std::size_t>(queuesBeside, joins ? 1 : 0); }
    bool ordered() const { return !order.empty(); }
    /// A follower runs calls with external weights.
    bool fetchesBeside() const;
    /// Steps that tables have, and where a step is among them.
    std::size_t places() const { return stepNames.size() - (loop ? loop->repeated() : 0); }
    std::size_t placeOf(std::size_t step) const { return loop ? loop->placeOf(step) : step; }
    /// First those of the top's streams.
    std::vector<const StreamPlan*> loaders() const;
    std::vector<const StreamPlan*> storers() const;
    /// Some mover or unit of rows runs in that queue.
    bool movesIn(design::Queue queue) const;
    std::vector<MovePlan> moves;
    std::vector<RowPlan> rows;
    std::vector<std::int64_t> stepCycles;
    std::int64_t cycles = 0;
    std::vector<std::string> stepNames; ///< for comments: "load x", "conv1 on u0", "store y"
    std::optional<MemoryPort> memory{};
    design::MemoryWaits
        waiting;             ///< of `cycles`, those in which some step waits for external memory
    bool joins = false;      ///< some step is joined to another
    bool joinsLoads = false; ///< some of them to a load
    std::size_t queuesBeside = 0;               ///< behind that of transfers
    bool transfers = false;                     ///< some step runs in the queue of transfers
    std::vector<design::StepOrder> order;       ///< by step; empty: they run one after another
    std::optional<design::ScheduleLoop> loop{}; ///< rounds of steps, which tables have once
    bool pads = false;
    std::int64_t span = 1;   ///< the most words that a unit takes at once
    bool multiplies = false; ///< some unit has multipliers
    bool reduces = false;    ///< some unit accumulates
    bool scales = false;     ///< some write-back has numbers per channel
    bool waits = false;      ///< some reduction waits for the results of the one before
    bool spreads = false;    ///< rows of some step's result lie apart
    bool trims = false;      ///< some unit gives more rows than the stored pixel has
    int scaleBits = 1;
    bool streams = false; ///< some unit is a stream unit
    bool adds = false;
    bool pools = false;
    bool choosesAddend = false; ///< some slot is read as an addend and otherwise
    bool choosesInput = false;  ///< some unit reads from two slots or more
    int inputBits = 1;          ///< widths of the sequencer's registers
    int rowBits = 1;
    int columnBits = 1;
    int weightBits = 1;
    int addendBits = 1;
    int outBits = 1;
    int stepBits = 1;  ///< of a step in tables
    int begunBits = 1; ///< of one of all
    int slotBits = 1;
    int unitBits = 1;
};

/// A queue's name in signals.
std::string signalOf(design::Queue queue);

/// The schedule has passed check().
RtlPlan makePlan(const design::Schedule& schedule);

} // namespace marquetry::hdl
