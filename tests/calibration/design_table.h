// The table of synthesised examples: predicted figures beside simulated and synthesised ones.
//
// A row is an example with its options; the rows of the repository's examples are listed in
// design_examples.cpp, in the order of the table. The file has a line
// "example,options,cycles,simulated,lut,lut made,ff,ff made,bram,bram made,dsp,dsp made,path ps"
// for each row. Units: cycles, cells of the 7 series (design_synthesis.h), picoseconds. Thread
// rule: pure but for readDesignTable, which reads a file.
#pragma once

#include "tests/calibration/design_synthesis.h"

#include <string>
#include <vector>

namespace marquetry::test {

struct DesignExample {
    std::string file;      ///< from the top level
    std::string options;   ///< of `export` and `explore`, parted by spaces
    bool heldOut = false;  ///< no price is fitted to it
    bool quick = false;    ///< explored in about a second
    bool external = false; ///< some weights come from external memory while it runs

    std::string name() const;   ///< of the file, without its suffix
    std::string device() const; ///< the option's
    std::string limit() const;  ///< of DSP blocks; empty: the device's
};

const std::vector<DesignExample>& designExamples();

/// As a command; relative to the top level's absolute path.
DesignCommand commandOf(const DesignExample& example, const std::string& program,
                        const std::string& sources);

struct DesignRow {
    std::string file;
    std::string options;
    SynthesisedDesign design;

    bool is(const DesignExample& example) const {
        return file == example.file && options == example.options;
    }
};

/// No rows where there is no file.
std::vector<DesignRow> readDesignTable(const std::string& path);
/// The rows of examples, in their order.
std::string designTableText(const std::vector<DesignRow>& rows);

/// Of LUTs or flip-flops, predicted ÷ made.
struct DesignRatios {
    std::size_t rows = 0;
    double median = 1, least = 1, greatest = 1;
    std::size_t close = 0; ///< within 15 %
};
DesignRatios designRatios(const std::vector<DesignRow>& rows, double device::Resources::*amount,
                          bool heldOut);

/// The table and its summary in Markdown.
std::string designMarkdown(const std::vector<DesignRow>& rows);

/// A page's part that designMarkdown gives stands between these lines.
inline const std::string kDesignTableBegin = "<!-- table of tests/data/designs/synthesis.csv -->\n";
inline const std::string kDesignTableEnd = "<!-- end of the table -->\n";

/// The page with that part replaced; empty where it has none.
std::string withDesignTable(const std::string& page, const std::vector<DesignRow>& rows);

} // namespace marquetry::test
