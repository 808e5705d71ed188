#include "widgets/graph_layout/layout_client.h"

#include "widgets/graph_layout/layout_worker.h"

#include <QCoreApplication>

namespace marquetry::widgets {

namespace {

constexpr int kKillWaitMs = 1000;

} // namespace

LayoutClient::LayoutClient(QObject* parent)
    : QObject(parent),
      program_(QCoreApplication::applicationFilePath()),
      arguments_{QString::fromLatin1(kLayoutWorkerFlag)} {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, [this] {
        discard();
        fail("layout-timeout", tr("the layout took longer than %1 ms").arg(timeoutMs_));
    });
}

LayoutClient::~LayoutClient() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->kill();
    process_->waitForFinished(kKillWaitMs);
}

void LayoutClient::setProgram(const QString& program, const QStringList& arguments) {
    discard();
    program_ = program;
    arguments_ = arguments;
}

qint64 LayoutClient::processId() const {
    return process_ ? process_->processId() : 0;
}

void LayoutClient::discard() {
    received_.clear();
    if (!process_)
        return;
    process_->disconnect(this);
    process_->kill();
    // A process is reaped by its QProcess: let it end on its own time, not on ours.
    QProcess* old = process_.release();
    if (old->state() == QProcess::NotRunning) {
        old->deleteLater();
        return;
    }
    connect(old, &QProcess::finished, old, &QObject::deleteLater);
    // What was still to be written fails when it is killed; only a failed start ends it, too.
    connect(old, &QProcess::errorOccurred, old, [old](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            old->deleteLater();
    });
}

void LayoutClient::start() {
    ++starts_;
    process_ = std::make_unique<QProcess>();
    process_->setProgram(program_);
    process_->setArguments(arguments_);
    process_->setProcessChannelMode(QProcess::SeparateChannels);
    process_->setStandardErrorFile(QProcess::nullDevice());
    connect(process_.get(), &QProcess::readyReadStandardOutput, this, &LayoutClient::onOutput);
    connect(process_.get(), &QProcess::finished, this, &LayoutClient::onEnded);
    connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        const QString reason = process_->errorString();
        process_.release()->deleteLater();
        fail("layout-start", tr("cannot run \"%1\": %2").arg(program_, reason));
    });
    process_->start();
}

std::uint64_t LayoutClient::request(ClusterGraph graph) {
    if (busy())
        discard();
    graph.ticket = ++lastTicket_;
    pending_ = graph.ticket;
    const QByteArray message = framed(encode(graph));
    shape_ = std::move(graph);
    timer_.start(timeoutMs_);
    if (!process_)
        start();
    if (process_)
        process_->write(message);
    return pending_;
}

void LayoutClient::cancel() {
    if (!busy())
        return;
    pending_ = 0;
    timer_.stop();
    discard();
}

void LayoutClient::fail(const char* code, const QString& message) {
    timer_.stop();
    if (pending_ == 0)
        return;
    pending_ = 0;
    Q_EMIT failed(makeError(code, message.toStdString(),
                            "the view shows a simpler layout until the next one"));
}

void LayoutClient::onOutput() {
    received_ += process_->readAllStandardOutput();
    bool broken = false;
    while (const auto payload = takeFrame(received_, broken)) {
        const auto drawing = decodeDrawing(*payload);
        const bool fits =
            drawing && drawing->ticket == pending_ &&
            (!drawing->error.isEmpty() || (drawing->nodes.size() == shape_.nodes.size() &&
                                           drawing->clusters.size() == shape_.clusters.size() &&
                                           drawing->edges.size() == shape_.edges.size()));
        if (!fits) {
            broken = true;
            break;
        }
        if (!drawing->error.isEmpty()) {
            fail("layout-graph", drawing->error);
            return;
        }
        timer_.stop();
        pending_ = 0;
        Q_EMIT finished(*drawing);
    }
    if (broken) {
        discard();
        fail("layout-answer", tr("the layout worker sent something that is no layout"));
    }
}

void LayoutClient::onEnded() {
    const int code = process_->exitCode();
    const bool crashed = process_->exitStatus() == QProcess::CrashExit;
    process_.release()->deleteLater();
    received_.clear();
    fail("layout-crash", crashed ? tr("the layout worker crashed")
                                 : tr("the layout worker ended with code %1").arg(code));
}

} // namespace marquetry::widgets
