// LayoutClient: asks the layout worker, one graph at a time; the newest request wins.
//
// A request while another is under way kills the worker and starts a new one, because dot cannot be
// cancelled; otherwise the process is kept warm. Every request ends in exactly one of: finished(),
// failed(), or being overtaken by a newer one.
// Errors (failed): layout-start (the program cannot be run), layout-crash (it ended),
// layout-timeout, layout-answer (it sent something else), layout-graph (dot refused).
// Thread rule: window's thread; never blocks but for the kill of the destructor.
#pragma once

#include "engine/support/diagnostic.h"
#include "widgets/graph_layout/cluster_graph.h"

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <memory>

namespace marquetry::widgets {

class LayoutClient : public QObject {
    Q_OBJECT
public:
    static constexpr int kTimeoutMs = 10'000;

    /// `program` is run with `arguments`; standard: the running executable, --layout-worker.
    explicit LayoutClient(QObject* parent = nullptr);
    ~LayoutClient() override;

    void setProgram(const QString& program, const QStringList& arguments);
    void setTimeout(int milliseconds) { timeoutMs_ = milliseconds; }

    /// Starts a layout; the ticket is in the graph that comes back.
    std::uint64_t request(ClusterGraph graph);
    /// Forgets the request under way.
    void cancel();
    bool busy() const { return pending_ != 0; }
    /// Of the worker, 0 when none runs; for tests and the log.
    qint64 processId() const;
    int starts() const { return starts_; }

Q_SIGNALS:
    void finished(const marquetry::widgets::ClusterDrawing& drawing);
    void failed(const marquetry::Diagnostic& diagnostic);

private:
    void start();
    void discard();
    void fail(const char* code, const QString& message);
    void onOutput();
    void onEnded();

    QString program_;
    QStringList arguments_;
    int timeoutMs_ = kTimeoutMs;
    std::unique_ptr<QProcess> process_;
    QByteArray received_;
    ClusterGraph shape_; ///< of the request under way: the answer must have its counts
    std::uint64_t pending_ = 0;
    std::uint64_t lastTicket_ = 0;
    int starts_ = 0;
    QTimer timer_;
};

} // namespace marquetry::widgets
