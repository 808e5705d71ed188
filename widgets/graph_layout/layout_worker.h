// The layout worker: Graphviz `dot` in a process of its own.
//
// Graphviz is not thread-safe, cannot be cancelled, and recreating its context is a use-after-free;
// so the executable, started with kLayoutWorkerFlag, reads graphs on stdin and writes drawings on
// stdout (widgets/graph_layout/cluster_graph.h) with one context for its life, and is killed when
// it is no longer wanted. Nodes have fixed sizes and no text, so no fonts are involved. Ends with 0
// at the end of its input, with 2 after a malformed message. Thread rule: owns the process.
#pragma once

namespace marquetry::widgets {

inline constexpr const char* kLayoutWorkerFlag = "--layout-worker";

int runLayoutWorker();

} // namespace marquetry::widgets
