#include "engine/vendor/readme.h"

#include "engine/support/quote.h"
#include "engine/support/text_stream.h"
#include "engine/vendor/software.h"

namespace marquetry::vendor {

std::string readmeText(const Project& project, const Readme& readme) {
    TextOut out;
    out << "# " << plainText(project.name) << " for " << readme.tools << "\n\n";
    out << "Top module `" << project.top << "`, " << plainText(project.device.name) << ", clock `"
        << project.clock << "` " << plainNumber(project.clockMhz) << " MHz. In this folder:\n\n";
    for (const std::string& command : readme.commands)
        out << "    " << command << "\n";
    out << "\n";
    for (const std::string& remark : readme.remarks)
        out << "- " << remark << "\n";
    if (hasSoftware(project))
        out << "- `sw/` is a driver of the registers in C"
            << (framesCanMove(project) ? ", with examples" : "") << ".\n";
    out << "- Made by Marquetry " << plainText(project.version);
    if (project.command.empty())
        out << " of what was chosen in its window: no command line finds that\n";
    else
        out << ":\n\n      " << printable(project.command) << "\n";
    return out.str();
}

std::string plainNumber(double value) {
    TextOut out;
    out << value;
    return out.str();
}

} // namespace marquetry::vendor
