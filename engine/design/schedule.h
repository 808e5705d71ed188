// The schedule: one form, four readers (cycle model, bank search, functional simulator, RTL).
//
// A schedule is a list of steps that begin one after another: load an input stream into a slot,
// compute one layer on a unit, copy elements in another order (design/move.h), compute a function
// of rows, store a slot to an output stream. Nothing else decides timing. Each begins when the one
// before has ended, but for a compute step that is joined to the load or the compute step before it
// (design/join.h), and for steps behind one that runs in another queue.
//
// Storage. A slot is one on-chip activation memory of `depth` words. A stored tensor with P pixels
// (H·W of an H × W × C tensor, rows of a matrix, 1 for a vector) and C channels takes
// P · ceil(C / lanes) words: element (p, c) is lane c mod lanes of word
// base + p · ceil(C / lanes) + c div lanes. Lanes past C hold no meaning and meet zero weights; a
// slot whose tensors all have fewer channels than lanes keeps only `storedLanes` of them: the
// others read as zero, and what is written there is lost.
//
// Batches. A run takes `frames` frames, one after another in every stream. A tensor is stored once
// for each of them, frame behind frame: frame f begins f times its words behind its base. A step is
// one for all frames, so that weights which come from outside serve all of them.
//
// Groups. The frames may come in groups, one behind the other, each with steps and tensors of its
// own, so that a group is begun before the one before has ended (design/frame_groups.h). A step is
// then one for the frames of its group, and rows are counted through the frames of the run.
//
// Compute nest, outermost first (loops of bound 1 vanish):
//   for frame in frames
//   for py in H/pool, px in W/pool       pooled output pixels, row-major
//     for block in rowBlocks             one block = `parallel` rows, computed at once
//       for wy in pool, wx in pool       the pool window
//         for ky in kernel               one row of it: kernel.horizontal · channelWords words,
//                                        which lie one after another
//           for words in span            L = span · lanes operands × `parallel` rows of weights
// A pixel is whole before the next one is begun, so that a call that reads it can run soon after
// (design/join.h). The position read is (y · stride.vertical + ky − pad.vertical, x ·
// stride.horizontal + kx − pad.horizontal) for pixel (y, x); where that lies outside the input,
// every lane reads as `padValue`. The words of a row are taken
// `span` at a time, the last of them may be fewer. One innermost iteration per clock. After the
// last iteration of a reduction the `parallel` accumulators go through the epilogue, all at once or
// a group of E at a time while the next reduction runs; where that has fewer words than there are
// groups, it begins so much later (cost/call_timing.h). After the last pixel of a pool window group
// g is written to lanes row mod lanes … of word base + pixel · outWords + row div lanes, row =
// block · parallel + g · E. E divides `parallel` and `lanes`, so that no group lies in two words;
// groups past the words of a pixel are written nowhere.
//
// Where the slot of the input has a window (SlotWindow), the words of `rows` rows of the kernel are
// taken at once, of each only the lanes that are stored, one behind the other: a whole window of
// few channels fills a unit. Rows of pixels lie so far apart that the words lie in turns one behind
// the other, too: rowWords mod T = run.
//
// A matrix–vector product is the nest with H = W = kernel = 1 and channelWords = the words of the
// whole stored vector (a flattened tensor needs no copy: its words are already in order, and the
// weights are packed to match). A tensor-wise pass has no reduction: parallel = lanes, one word per
// iteration, rowBlocks = the words of a pixel.
//
// A lane unit reduces windows lane by lane: lane l of a block is a channel of its own, with its own
// accumulator, so parallel = L, channelWords = 1 and a block reads the `span` words from the
// (block · span)-th on of each pixel of the window, in one iteration per (ky, kx). Of a depth-wise
// convolution it adds products with a word of L weights per (block, ky, kx); of a pool it keeps the
// maximum or the sum and has no weights.
//
// A stream unit's nest is another: for every pixel of the input with its padding, row-major,
// `interval` clocks; the first reads the pixel. Where the window that ends there is one of the
// convolution's, its rows go through the epilogue `parallel` at a time, one group per clock, and to
// their words once a pool window is whole. Pools keep one value per column and row.
//
// Weights of a unit live in one memory of words of parallel × L elements; a call's words are
// contiguous in nest order (block, ky, words). Row r, operand lane l of a word is element
// r · L + l; of a lane unit a word has L elements, one per lane. Elements past the
// tensor's extents are zero, and so are those of a row that lie outside its group of channels.
// What streams through a unit may meet a stored tensor instead of weights: moves bring it to where
// the weights are (design/held.h).
//
// Bands. Layers may be computed a part of their rows at a time (design/row_bands.h): a step for
// each band, of bands as tensors of their own. What only they read lies in a ring of rows: a slot
// in which row r of a value begins at word r · pitch modulo the depth. An input of the program that
// comes in bands is loaded by as many steps, rows one behind the other.
//
// Queues. Steps begin in the order of the list. A step of Queue::Calls is awaited by all behind it;
// where steps have an order, others only begin there, and run beside what comes behind them
// (design/step_queues.h).
//
// External weights. Of a call whose weights are external the blocks are the outermost loop, outside
// the frames, so that a block's weights are needed once a run, or once for every band: they come
// from external memory in the order in which they are needed (design/weight_image.h), and pass
// through the `ringWords` words behind the others in the unit's memory. The first pixel of a block
// waits for each word until it is there, the last one frees each word (design/weight_traffic.h).
//
// Cycles: see design/cycle_model.h. Thread rule: value types.
#pragma once

#include "engine/cost/row_function.h"
#include "engine/cost/write_back_form.h"
#include "engine/design/move.h"
#include "engine/ir/program.h"
#include "engine/support/strong_id.h"

#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::design {

using SlotId = StrongId<struct SlotTag>;
using TensorId = StrongId<struct StoredTensorTag>;
using UnitId = StrongId<struct DesignUnitTag>;

/// Of a slot that holds one tensor, an input, for one convolution: so many rows of the kernel are
/// read at once, each a run of so many words, of the stored lanes only.
struct SlotWindow {
    std::int64_t rows = 1;
    std::int64_t run = 1;

    std::int64_t words() const { return rows * run; }
    bool operator==(const SlotWindow&) const = default;
};

struct Slot {
    SlotId id;
    std::string name;
    int elementBits = 8;
    std::int64_t depth = 0; ///< words
    /// T, a power of two: word a is word a div T of the memories of turn a mod T, so that T
    /// neighbouring words can be read at once, whichever is the first.
    std::int64_t turns = 1;
    /// Lanes of a word that exist: a power of two, at most the schedule's lanes.
    std::int64_t storedLanes = 8;
    /// Smallest number of neighbouring lanes written at once; divides `storedLanes`. A turn has one
    /// bank per group: of the conflict-free schemes the one with the fewest banks
    /// (slot_accesses.h).
    std::int64_t writeLanes = 8;
    /// A bank is built of memories side by side, so wide at most (cost/buffer_cost.h).
    std::int64_t memoryBits = 32;
    bool lutRam = false;

    std::optional<SlotWindow> window = {};
    bool ring = false; ///< its words follow one another in a ring; whole turns

    bool operator==(const Slot&) const = default;
    /// Lanes that a unit takes of a word, and words that it takes at once.
    std::int64_t lanesTaken(std::int64_t lanes) const { return window ? storedLanes : lanes; }
    std::int64_t wordsTaken(std::int64_t span) const { return window ? window->words() : span; }
    std::int64_t banksOfTurn() const { return storedLanes / writeLanes; }
    std::int64_t banks() const { return turns * banksOfTurn(); }
    std::int64_t bankBits() const { return writeLanes * elementBits; }
    std::int64_t bankDepth() const { return (depth + turns - 1) / turns; }
    /// Addresses behind the end must be brought back: the bits of one do not do that by themselves.
    bool wraps() const { return ring && (depth & (depth - 1)) != 0; }
    int addressBits() const;
};

struct StoredTensor {
    TensorId id;
    ir::ValueId value; ///< the value whose elements are stored
    std::string name;
    ir::Scalar scalar = ir::Scalar::I8;
    SlotId slot;
    std::int64_t base = 0; ///< first word
    std::int64_t pixels = 1;
    std::int64_t height = 1; ///< pixels = height · width
    std::int64_t width = 1;
    std::int64_t channels = 1;
    std::int64_t wordsPerPixel = 1;
    /// From a row of pixels to the next; 0: they lie side by side.
    std::int64_t rowWords = 0;
    /// Of a band, or of a group of frames: the row of the value that its first one is.
    std::optional<std::int64_t> firstRow = {};

    std::int64_t pitch() const { return rowWords > 0 ? rowWords : width * wordsPerPixel; }
    std::int64_t words() const { return rowWords > 0 ? height * rowWords : pixels * wordsPerPixel; }
    /// The first word of a pixel, from the tensor's on.
    std::int64_t wordOf(std::int64_t pixel) const {
        return pixel / width * pitch() + pixel % width * wordsPerPixel;
    }
    std::int64_t elements() const { return pixels * channels; }
};

/// A memory outside the device, behind a read port of so many bytes.
struct ExternalMemory {
    std::int64_t beatBytes = 8;     ///< a power of two
    double bytesPerCycle = 8;       ///< that it gives at most; no more than a beat
    std::int64_t latencyCycles = 0; ///< from a request to its first beat
    bool operator==(const ExternalMemory&) const = default;
};

/// A value that external memory holds as a whole, behind the weights: its pixels row after row, as
/// a stream brings them. Steps store rows of it there and load them (design/external_tensors.h).
struct ExternalTensor {
    ir::ValueId value;
    std::int64_t base = 0;     ///< bytes, from where the first one begins
    std::int64_t rowBytes = 8; ///< a multiple of 8, as is a pixel
    std::int64_t rows = 1;

    std::int64_t bytes() const { return rows * rowBytes; }
    bool operator==(const ExternalTensor&) const = default;
};

/// A convolution with the weights of its only call inside (cost/stream_unit.h).
struct StreamTiming {
    std::int64_t interval = 1; ///< clocks per pixel of the padded input
    std::int64_t latency = 0;  ///< of its kernel, in pixels
};

struct LookUp {
    ir::ValueId entries;  ///< a weight
    bool isSigned = true; ///< what is looked up
    bool operator==(const LookUp&) const = default;
};

/// What writes a unit's results where a program scales them (design/write_back.h).
struct WriteBack {
    std::int64_t lanes =
        1; ///< E: results that leave in a clock; divides `parallel`, a power of two
    cost::WriteBackForm form;
    std::int64_t words = 0;     ///< of its memory of numbers per channel, each of `lanes` lanes
    std::vector<LookUp> tables; ///< index: ActivationStage::tableIndex
};

/// What each lane of a lane unit does with the elements of its window.
enum class LaneFunction : std::uint8_t { None, Products, Max, Sum };

/// A multiply–accumulate array of parallel × L multipliers, L = span · lanes, a lane unit of
/// L multipliers (laneFunction Products), or (pass, stream) none. A pool's lane unit is a
/// pass.
struct ScheduleUnit {
    UnitId id;
    std::string name;
    bool pass = false;
    std::int64_t parallel = 1;
    std::int64_t span = 1; ///< neighbouring stored words that it takes at once
    ir::Scalar operand = ir::Scalar::I8;
    ir::Scalar weight = ir::Scalar::I8;
    std::int64_t weightWords = 0;   ///< that stay in its weight memory, of all calls together
    std::int64_t ringWords = 0;     ///< behind them, through which external weights pass
    std::int64_t externalWords = 0; ///< of a run
    std::int64_t loadBeats = 1;     ///< of external memory that are written at once
    bool lutWeights = false;        ///< its weight memory, which is loaded, is built of LUTs
    bool pairsRows = false;         ///< two rows share multipliers (cost/unit_cost.h)
    bool holds = false;             ///< some of its weights are stored tensors
    std::optional<StreamTiming> stream = {};
    LaneFunction laneFunction = LaneFunction::None;
    std::optional<WriteBack> writeBack = {}; ///< none: a lane per row that only shifts

    bool lanewise() const { return laneFunction != LaneFunction::None; }
    /// Has a kernel's loops: takes several words for a result.
    bool reduces() const { return !pass || lanewise(); }
    /// Rows of a block, of a schedule of so many lanes.
    std::int64_t rows(std::int64_t lanes) const { return reduces() ? parallel : lanes; }
    /// Of a word of its memory, which are written one by one where it holds tensors.
    std::int64_t weightRows() const { return lanewise() ? 1 : parallel; }
    /// Weights in a word of its memory.
    std::int64_t weightElements(std::int64_t lanes) const { return weightRows() * span * lanes; }
    /// E: results that leave in a clock, of a schedule of so many lanes. Where nothing is scaled,
    /// as many as lie in a word whatever the block.
    std::int64_t writeLanes(std::int64_t lanes) const {
        return writeBack ? writeBack->lanes : std::gcd(parallel, lanes);
    }
    /// Clocks in which the results of a reduction leave; of a stream unit and of a pass that
    /// reduces nothing, all leave at once.
    std::int64_t groups(std::int64_t lanes) const {
        return reduces() && !stream ? parallel / writeLanes(lanes) : 1;
    }
    /// Words of its memory.
    std::int64_t memoryWords() const { return weightWords + ringWords; }
    /// Of all calls.
    std::int64_t packedWeights(std::int64_t lanes) const {
        return stream ? 0 : (weightWords + externalWords) * weightElements(lanes);
    }
};

enum class PoolKind : std::uint8_t { None, Max, Sum };

/// The operator of that name. Weights of one number per channel take the place of mul, add, shift.
struct RequantStage {
    bool enabled = false;
    std::int64_t mul = 1;
    std::int64_t shift = 0;
    std::int64_t zero = 0;
    ir::Scalar to = ir::Scalar::I8;
    std::int64_t add = 0;
    ir::Rounding round = ir::Rounding::Up;
    std::int64_t tie = 0;
    std::optional<ir::ValueId> muls = {};
    std::optional<ir::ValueId> adds = {};
    std::optional<ir::ValueId> shifts = {};
    bool operator==(const RequantStage&) const = default;
};

/// relu: max(x, 0); leaky: x ≥ 0 ? x : (x·num) >> shift; clip: min(max(x, lo), hi); table: an entry
/// of a weight.
struct ActivationStage {
    enum class Kind : std::uint8_t { None, Relu, Leaky, Clip, Table } kind = Kind::None;
    std::int64_t num = 0;
    std::int64_t shift = 0;
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::optional<LookUp> table = {};
    std::int64_t tableIndex = 0; ///< among the tables of its unit
    bool operator==(const ActivationStage&) const = default;
};

/// In order: bias, requant, activation, add or qadd, pool, requant, activation. Values between
/// stages are i32.
struct Epilogue {
    std::optional<ir::ValueId> bias = {}; ///< a number for each channel
    RequantStage requantBefore;
    ActivationStage activationBefore;
    std::optional<TensorId> addend; ///< same pixels and channels as the pixels before pooling
    /// Enabled: the sum is requantised, of the value times `mul` and the addend times `addendMul`.
    RequantStage weightedAdd = {};
    std::int64_t addendMul = 1;
    PoolKind pool = PoolKind::None;
    std::int64_t poolSize = 1; ///< window = stride
    RequantStage requantAfter;
    ActivationStage activationAfter;
    ir::Scalar result = ir::Scalar::I32; ///< element type written
    bool operator==(const Epilogue&) const = default;
};

/// From a stream, or rows of an external tensor.
struct LoadStep {
    std::string port; ///< the input's name, or the value's
    TensorId tensor;
    bool external = false;
    bool operator==(const LoadStep&) const = default;
};

struct ComputeStep {
    std::string layer;
    UnitId unit;
    TensorId input;
    TensorId output;
    std::optional<ir::ValueId> weight;
    std::optional<TensorId> held; ///< a stored tensor in place of a weight
    std::int64_t firstRow = 0;    ///< of the weight: of a batch
    /// The weight is the kernel of a 1-D stencil, with so much padding along channels (stencil.h).
    std::optional<std::int64_t> stencilPad;
    bool external = false;       ///< its weights are
    std::int64_t weightBase = 0; ///< first word of the unit's packed weights
    std::int64_t scaleBase = 0;  ///< first block in its write-back's memory
    std::int64_t rows = 1;       ///< output channels
    std::int64_t rowBlocks = 1;  ///< ceil(rows / parallel)
    std::int64_t height = 1;     ///< pixels visited before pooling; multiples of poolSize
    std::int64_t width = 1;
    ir::PerAxis kernel{1};
    ir::PerAxis stride{1};
    ir::PerAxis pad{0};            ///< rows above and columns left of the input
    std::int64_t padValue = 0;     ///< of the input's type
    std::int64_t groups = 1;       ///< of a convolution: a row reads its group's channels
    std::int64_t channelWords = 1; ///< stored words per (ky, kx)
    Epilogue epilogue;
    /// Joined to the step before it: starts so many clocks after that one did.
    std::optional<std::int64_t> joinedAfter;

    bool multiplies() const { return weight || held; }
    bool operator==(const ComputeStep&) const = default;
};

/// To a stream, or rows of an external tensor.
struct StoreStep {
    std::string port; ///< the output's name, or the value's
    TensorId tensor;
    ir::Type type; ///< as declared: the stream is row-major in this shape
    bool external = false;
};

/// A run of elements per clock from one slot to another, or to the weights of a unit. A layer may
/// take several of them.
struct MoveStep {
    std::string layer;
    UnitId unit; ///< that holds what is copied, or stands for the layer's moves in a design
    TensorId source;
    std::optional<TensorId> target; ///< none: the unit's weights
    Move move;                      ///< from the first lanes of both
    bool operator==(const MoveStep&) const = default;
};

/// Numbers of a unit of elements: a weight, or of an avgpool the factors of its pixels.
struct RowConstants {
    ir::ValueId value;
    int bits = 8;
    bool isSigned = true;
    bool operator==(const RowConstants&) const = default;
};

/// A function of each row of a tensor, or of its elements, by a unit of rows
/// (cost/row_timing.h). One of elements may write what it reads.
struct RowStep {
    std::string layer;
    UnitId unit; ///< stands for it in a design
    cost::RowFunction function = cost::RowFunction::Softmax;
    TensorId input;  ///< a row is a pixel
    TensorId output; ///< of the same extents
    std::int64_t shift = 0;
    cost::SecondOperand second = cost::SecondOperand::None;
    std::optional<TensorId> other = {};
    std::optional<RowConstants> constants = {};
    bool operator==(const RowStep&) const = default;
};

/// Layers first … last of a plan, which are computed in bands (design/row_bands.h).
struct LayerBands {
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t rows = 1; ///< of the first tensor in a band
    bool operator==(const LayerBands&) const = default;

    bool contains(std::size_t layer) const { return first <= layer && layer <= last; }
};

/// In-order queues. What moves as a whole and the calls that others wait for run in `Calls`; loads,
/// stores and moves of bands and of groups, and those of external rows, beside them in `Transfers`;
/// calls, functions of rows and moves to the weights that a unit holds beside both in `Second` or a
/// queue behind it, all of a unit in one.
enum class Queue : std::uint8_t { Calls, Transfers, Second };
inline constexpr std::size_t kMostQueues = 8;

constexpr std::size_t indexOf(Queue queue) {
    return static_cast<std::size_t>(queue);
}
/// The k-th queue of calls beside others.
constexpr Queue queueBeside(std::size_t k) {
    return static_cast<Queue>(indexOf(Queue::Second) + k);
}
constexpr bool isBeside(Queue queue) {
    return queue >= Queue::Second;
}

/// A step of a queue but `Calls` is awaited by those behind it in its queue and by those that say
/// so.
struct StepOrder {
    Queue queue = Queue::Calls;
    std::uint8_t awaited = 0; ///< a bit for each queue, by index, that is empty when it begins

    bool says(Queue other) const { return (awaited >> indexOf(other) & 1U) != 0; }
    void await(Queue other) { awaited |= static_cast<std::uint8_t>(1U << indexOf(other)); }
    void forget(Queue other) { awaited &= static_cast<std::uint8_t>(~(1U << indexOf(other))); }
    bool operator==(const StepOrder&) const = default;
};

using Step = std::variant<LoadStep, ComputeStep, StoreStep, MoveStep, RowStep>;

struct Schedule {
    std::string name;        ///< of the program; a valid identifier
    std::int64_t lanes = 8;  ///< power of two, ≥ 8
    std::int64_t frames = 1; ///< of a run
    std::int64_t groups = 1; ///< of frames, which they divide into
    std::vector<Slot> slots;
    std::vector<StoredTensor> tensors;
    std::vector<ScheduleUnit> units;
    std::vector<Step> steps;
    std::vector<StepOrder> order = {}; ///< by step; empty: all run one after another
    /// Where some call's weights are external: the weights of all units of products come from
    /// there, those that stay on the chip once; but not of units that hold tensors or stream.
    std::optional<ExternalMemory> memory = {};
    /// Of runs of one frame, and only where there is a memory.
    std::vector<ExternalTensor> externals = {};

    StepOrder orderOf(std::size_t step) const { return order.empty() ? StepOrder{} : order[step]; }
    /// Behind the last one that some step runs in; `Calls` and `Transfers` count in any case.
    std::size_t queues() const;
    /// Of a step, and of a stored tensor.
    std::int64_t framesAtOnce() const { return frames / groups; }
    const Slot& slot(SlotId id) const { return slots[id.index()]; }
    const StoredTensor& tensor(TensorId id) const { return tensors[id.index()]; }
    /// Of all its frames.
    std::int64_t storedWords(TensorId id) const { return framesAtOnce() * tensor(id).words(); }
    std::int64_t storedPixels(TensorId id) const { return framesAtOnce() * tensor(id).pixels; }
    const ScheduleUnit& unit(UnitId id) const { return units[id.index()]; }
    /// Of a word of a tensor in its slot.
    std::int64_t addressOf(const StoredTensor& tensor, std::int64_t word) const {
        const Slot& place = slot(tensor.slot);
        return place.ring ? (tensor.base + word) % place.depth : tensor.base + word;
    }
};

/// The layer whose step it is; null of loads and stores.
const std::string* layerOf(const Step& step);
/// What a step reads from slots and what it writes to one.
std::vector<TensorId> sourcesOf(const Step& step);
std::optional<TensorId> targetOf(const Step& step);

/// How the pixels of a tensor lie in its slot, in lanes from its first one.
PixelLayout layoutOf(const Schedule& schedule, TensorId tensor);
/// Its first lane.
std::int64_t firstLane(const Schedule& schedule, TensorId tensor);

/// Pixels that a step of a stream unit takes in: those of the input with its padding.
std::int64_t streamedPixels(const Schedule& schedule, const ComputeStep& step);

/// Lanes that a word of a tensor of so many channels needs: a power of two.
std::int64_t storedLanesFor(std::int64_t channels, std::int64_t lanes);

/// Packed weights of one unit (none of a stream unit): words of weightElements, first those that
/// stay in its memory, then the external ones, all calls in place; behind
/// them the constants of its row steps. `values` are the interpreter's tensors. Index: ValueId.
std::vector<std::int64_t> packWeights(const Schedule& schedule, UnitId unit,
                                      const ir::Program& program,
                                      const std::vector<ir::Tensor>& values);

} // namespace marquetry::design
