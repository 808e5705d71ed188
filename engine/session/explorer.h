// Explorer: one program on its way to a design — source, e-graph, saturation, extraction.
//
// Without threads and without decisions: the controller says what happens next. Nothing flows
// back: pins and settings go into extract() and never touch the e-graph.
//
// There is an e-graph for each width of stored words that is offered (rules/lanes.h). The one at
// hand grows step by step; search() grows the others as far. The one at hand becomes that of the
// design that is adopted.
// Errors of open: those of the front end and of lowering; then there is a source and diagnostics
// but no e-graph. A file may hold no design: opened, but not loaded(). An item that is a memory or
// a stream leaves the first design to explore.
// What throws changes nothing, but for iterate(): the e-graph is good for nothing then but to be
// given up.
// Cancel: openFile() of a network ends with the error "cancelled"; iterate() and search() end
// within 50 ms of work after the stop_token fires. Thread rule: belongs to one thread; what the
// accessors share is immutable.
#pragma once

#include "engine/egraph/saturate.h"
#include "engine/frontend/parser.h"
#include "engine/lower_design/lower_design.h"
#include "engine/session/setup.h"

#include <stop_token>

namespace marquetry::session {

class Explorer {
public:
    /// One to open another file with, whose versions are later.
    Explorer successor() const;
    /// Of a new explorer. `item` empty: the first.
    Status openFile(const std::string& path, const std::string& item, const Setup& with,
                    const std::stop_token& stop = {});
    Status openText(std::string text, const std::string& file, const std::string& item,
                    const Setup& with);
    /// A program that comes from no text. Errors: those of lowering.
    Status openProgram(std::shared_ptr<const ir::Program> program, const Setup& with);
    /// Something to say of the file beside its diagnostics; until another is opened.
    void warn(const Diagnostics& warnings);
    /// Back to the program as written, under other settings.
    Status restart(const Setup& with);

    bool loaded() const { return search_ != nullptr; }
    /// Gives up the e-graph and what was found; restart() makes another.
    void lose() noexcept;
    /// There was an e-graph of the program, and it was given up.
    bool lost() const { return lost_; }
    /// Requires loaded(). Raised limits take effect at the next iteration.
    void setLimits(const Setup& with);
    /// One iteration; true when saturation is over. Requires loaded().
    bool iterate(std::stop_token stop);
    /// Counts the terms, for somebody who watches.
    void countTerms(const std::stop_token& stop);
    /// Saturation may go on (it was stopped by a limit or a person, or has not ended).
    bool canIterate() const;
    void stopHere() { outcome_ = egraph::StopReason::Cancelled; }
    void resume() { outcome_.reset(); }

    /// The best design of the e-graphs of all widths of words and of depth-wise convolutions in
    /// groups up to each offered number of channels; does not change found(). Requires loaded().
    /// Errors: those of extract(), where they are those of every e-graph.
    Result<extract::ExtractResult> search(const extract::ExtractParams& params,
                                          std::stop_token stop);
    /// That of the e-graph at hand alone, likewise.
    Result<extract::ExtractResult> searchHere(const extract::ExtractParams& params,
                                              std::stop_token stop) const;
    /// The design of a point that search() has found. Errors: those of extractPoint().
    Result<std::shared_ptr<const design::Design>> searchPoint(const extract::ExtractParams& params,
                                                              const design::DesignPoint& point,
                                                              std::stop_token stop) const;
    /// What search(), searchHere() or searchPoint() found.
    void adopt(extract::ExtractResult result);
    /// There is no design any more, for this reason (may be empty).
    void drop(Diagnostics reason);

    const std::string& file() const { return file_; }
    const std::string& item() const { return item_; }
    const std::shared_ptr<const std::string>& source() const { return source_; }
    const std::shared_ptr<const ir::Program>& program() const { return program_; }
    /// The `memory` items of the file; may be all it has, then there is no program.
    const std::vector<ir::MemoryProgram>& memories() const { return memories_; }
    /// The `stream` items, in the same way.
    const std::vector<ir::StreamProgram>& streams() const { return streams_; }
    const Diagnostics& diagnostics() const { return diagnostics_; }
    const std::optional<egraph::StopReason>& outcome() const { return outcome_; }
    const std::vector<egraph::Iteration>& iterations() const;
    /// After each iteration, while the e-graph is small enough to count in passing.
    const std::vector<extract::TermCount>& terms() const;
    /// The e-graph for somebody else; then it is lost here. Requires loaded().
    std::unique_ptr<rules::Lowered> takeLowered();
    const rules::Lowered* lowered() const { return search_ ? &search_->lowered : nullptr; }
    /// Of the calls that may be streamed, by layer, as far as a search has priced them. Requires
    /// loaded().
    hdl::LayerCircuits streamCircuits() const;
    const extract::ExtractResult& found() const { return *found_; }
    /// The same, kept by whoever holds it; never null.
    const std::shared_ptr<const extract::ExtractResult>& sharedFound() const { return found_; }
    /// A limit on time has ended the growth of an e-graph, or the search for found().
    bool outOfTime() const;
    /// found() was made from an e-graph that has grown since, or never.
    bool outdated() const { return foundAt_ != version_; }
    /// Grows with every change of the e-graph, also across programs.
    std::uint64_t version() const { return version_; }

private:
    Status openModel(const std::string& path, const std::string& item, const Setup& with,
                     const std::stop_token& stop);

    /// What designs have in common whose terms are in one e-graph.
    struct Form {
        std::int64_t lanes = 0;
        std::int64_t groupedChannels = 0;
        template <class Of>
        static Form of(const Of& design) {
            return {design.lanes, design.groupedChannels};
        }
        auto operator<=>(const Form&) const = default;
    };

    struct Search {
        Search(rules::Lowered made, const egraph::SaturationParams& params)
            : lowered(std::move(made)), saturation(*lowered.egraph, lowered.rewrites, params) {}
        Form form() const { return Form::of(lowered.menu); }
        rules::Lowered lowered;
        egraph::Saturation saturation;
        std::vector<extract::TermCount> terms;
        std::optional<egraph::StopReason> outcome; ///< of one that is not at hand
    };
    using Found = Result<extract::ExtractResult>;

    static const std::shared_ptr<const extract::ExtractResult>& nothing();
    static void countTerms(Search& search, const std::stop_token& stop);

    void lowerOthers();
    void growOthers(const std::stop_token& stop);
    std::vector<const Search*> byForm() const;
    Found extracted(const Search& search, extract::ExtractParams params,
                    std::stop_token stop) const;
    void meetAbsentPins(const std::vector<const Search*>& searches, std::vector<Found>& found,
                        extract::ExtractParams params, std::stop_token stop) const;
    Found merged(const std::vector<const Search*>& searches, std::vector<Found> found,
                 const extract::ExtractParams& params, std::stop_token stop) const;
    void takeUp(const Form& form);

    Status load(Result<frontend::ParseResult> parsed, const Setup& with);
    bool namesOther() const;
    Status fail(Diagnostics errors);

    std::string file_;
    std::string item_;
    std::shared_ptr<const std::string> source_;
    std::shared_ptr<const ir::Program> program_;
    std::vector<ir::MemoryProgram> memories_;
    std::vector<ir::StreamProgram> streams_;
    Diagnostics warnings_;
    Diagnostics diagnostics_;
    Setup with_;
    std::unique_ptr<Search> search_;              ///< at hand
    std::vector<std::unique_ptr<Search>> others_; ///< of other forms, once search() made them
    bool counts_ = false;                         ///< somebody watches the number of terms
    bool lost_ = false;
    std::optional<egraph::StopReason> outcome_;
    std::shared_ptr<const extract::ExtractResult> found_ = nothing();
    /// Of the program's stream units, as extraction asks for them.
    std::shared_ptr<extract::StreamCircuits> circuits_ =
        std::make_shared<extract::StreamCircuits>();
    std::uint64_t version_ = 1;
    std::uint64_t foundAt_ = 0;
};

} // namespace marquetry::session
