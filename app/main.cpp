#include "app/cli/cli.h"
#include "app/cli/signals.h"

#ifdef MARQUETRY_HAS_WINDOW
#include "app/render.h"
#include "app/report_pictures.h"
#include "app/window_main.h"
#include "widgets/graph_layout/layout_worker.h"

#include <cstring>
#else
#include <cstdio>
#endif

namespace {

int run(int argc, char** argv) {
    using namespace marquetry;
#ifdef MARQUETRY_HAS_WINDOW
    if (cli::asksForWindow(argc, argv))
        return app::runWindow(argc, argv);
    if (app::asksForPicture(argc, argv))
        return app::runRender(argc, argv);
    return cli::runCli(argc, argv, app::reportPicturesOffscreen);
#else
    if (cli::asksForWindow(argc, argv)) {
        std::fputs("error: this build has no window; see marquetry --help\n", stderr);
        return cli::kInputError;
    }
    return cli::runCli(argc, argv);
#endif
}

} // namespace

int main(int argc, char** argv) {
    using namespace marquetry;
#ifdef MARQUETRY_HAS_WINDOW
    if (argc == 2 && std::strcmp(argv[1], widgets::kLayoutWorkerFlag) == 0) {
        cli::unblockSignals();
        return widgets::runLayoutWorker();
    }
#endif
    cli::endOnSignals();
    const int status = run(argc, argv);
    cli::yieldToSignals();
    return status;
}
