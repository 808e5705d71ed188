#include "app/cli/commands.h"

#include <iostream>

namespace marquetry::cli {

/// The window is opened before arguments are read (main.cpp); what comes here asks for help.
void addOpenCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("open", "The window, and a file in it");
    command->add_option("FILE", "a program, a design (.json) or a session (.mqs)");
    command->add_option("--item", "the item of a program; the first by default")
        ->type_name("NAME")
        ->expected(1);
    command->callback([command] { std::cout << command->help(); });
}

} // namespace marquetry::cli
