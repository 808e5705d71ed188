#include "widgets/inspector/inspector_view.h"

#include "engine/session/next_change.h"
#include "widgets/inspector/report_builder.h"
#include "widgets/models/pin_menu.h"
#include "widgets/rules/rule_scene.h"
#include "widgets/theme/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr int kLeastPicture = 160; ///< pixels in width

} // namespace

InspectorView::InspectorView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), browser_(new QTextBrowser(this)) {
    setAccessibleName(tr("Inspector"));
    browser_->setAccessibleName(tr("About the selection"));
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->document()->setDocumentMargin(10);
    createButtons();
    connect(browser_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& url) { follow(url.toString(QUrl::PrettyDecoded)); });
    connect(selection_, &SelectionModel::changed, this, &InspectorView::refresh);
    setFocusProxy(browser_);
    applyStyle();
    refresh();
}

void InspectorView::createButtons() {
    const auto button = [this](const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setToolTip(tip);
        made->setAccessibleName(text);
        return made;
    };
    pin_ = button(tr("Pin"), tr("Pin what is selected (Space in the views)"));
    neverShare_ =
        button(tr("Never share"), tr("Find the best design that does not share this unit"));
    whatIf_ = button(tr("What if unshared"), tr("Compare with the design in which it is not"));
    focus_ = button(tr("Focus"), tr("Show it in the e-graph"));
    copy_ = button(tr("Copy as Markdown"), tr("Copy this page to the clipboard"));
    const auto arrow = [this](Qt::ArrowType type, const QString& name, const QKeySequence& keys) {
        auto* made = new QToolButton(this);
        made->setArrowType(type);
        made->setAutoRaise(true);
        made->setAccessibleName(name);
        made->setToolTip(name);
        made->setShortcut(keys);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    back_ = arrow(Qt::LeftArrow, tr("Back to the last selection"),
                  QKeySequence(Qt::ALT | Qt::Key_Left));
    forward_ = arrow(Qt::RightArrow, tr("Forward"), QKeySequence(Qt::ALT | Qt::Key_Right));
    connect(back_, &QToolButton::clicked, selection_, &SelectionModel::back);
    connect(forward_, &QToolButton::clicked, selection_, &SelectionModel::forward);
    connect(pin_, &QPushButton::clicked, this, [this] {
        if (!choices_.empty())
            requestPin(this, choices_.front());
    });
    connect(neverShare_, &QPushButton::clicked, this, [this] {
        const auto found = std::ranges::find_if(choices_, [](const PinChoice& choice) {
            return choice.pin.kind == design::PinKind::NeverShare;
        });
        if (found != choices_.end())
            requestPin(this, *found);
    });
    connect(whatIf_, &QPushButton::clicked, this, &InspectorView::askWhatIf);
    connect(focus_, &QPushButton::clicked, this,
            [this] { Q_EMIT focusRequested(selection_->subject()); });
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(toMarkdown(report_));
        Q_EMIT message(tr("copied \"%1\"").arg(report_.title));
    });

    auto* top = new QHBoxLayout;
    top->setContentsMargins(4, 2, 4, 0);
    top->addWidget(back_);
    top->addWidget(forward_);
    top->addStretch(1);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(6, 4, 6, 6);
    grid->setSpacing(4);
    grid->addWidget(pin_, 0, 0);
    grid->addWidget(neverShare_, 0, 1);
    grid->addWidget(whatIf_, 1, 0);
    grid->addWidget(focus_, 1, 1);
    grid->addWidget(copy_, 2, 0, 1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(browser_, 1);
    column->addLayout(grid);
}

void InspectorView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    phase_ = snapshot->phase;
    if (shown_ != selection_->index())
        refresh();
    else
        updateWhatIf();
}

void InspectorView::refresh() {
    shown_ = selection_->index();
    report_ = makeReport(*shown_, selection_->subject());
    choices_ = pinChoices(*shown_, selection_->subject());
    showReport();
    updateButtons();
}

void InspectorView::showReport() {
    const QString html = toHtml(report_, drawRule());
    if (html == html_)
        return;
    const int place = html_.left(40) == html.left(40) ? browser_->verticalScrollBar()->value() : 0;
    html_ = html;
    browser_->setHtml(html_);
    browser_->verticalScrollBar()->setValue(place);
}

/// As wide as the page has room for; its size in the page.
QSize InspectorView::drawRule() {
    if (report_.equation.isEmpty())
        return {};
    const int room = width() - browser_->verticalScrollBar()->sizeHint().width() -
                     qCeil(2 * browser_->document()->documentMargin());
    const Picture picture =
        rulePicture(report_.equation, std::max(kLeastPicture, room), themeOf(palette()));
    QImage image = renderImage(picture, devicePixelRatioF());
    image.setDevicePixelRatio(devicePixelRatioF());
    browser_->document()->addResource(QTextDocument::ImageResource, QUrl(kRulePicture), image);
    return picture.size.toSize();
}

void InspectorView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!report_.equation.isEmpty())
        showReport();
}

std::optional<QString> InspectorView::droppableRule() const {
    const auto* rule = std::get_if<RuleName>(&selection_->subject());
    if (rule == nullptr || !shown_->ruleId(rule->name).valid() || shown_->design() == nullptr)
        return std::nullopt;
    return QString::fromStdString(rule->name);
}

/// The pin that asks for the opposite of how the unit at hand is shared.
std::optional<design::Pin> InspectorView::opposite() const {
    const egraph::EClassId eclass = unitClassOf(*shown_, selection_->subject());
    const design::SharingCandidate* candidate =
        eclass.valid() ? shown_->candidate(eclass) : nullptr;
    if (candidate == nullptr)
        return std::nullopt;
    design::Pin pin;
    pin.kind = candidate->shared ? design::PinKind::NeverShare : design::PinKind::Share;
    pin.target = shown_->unitName(eclass);
    return pin;
}

void InspectorView::askWhatIf() {
    if (const auto rule = droppableRule())
        Q_EMIT withoutRuleRequested(*rule);
    else if (const auto pin = opposite())
        Q_EMIT whatIfRequested(*pin);
}

void InspectorView::updateWhatIf() {
    const session::Snapshot& snapshot = shown_->snapshot();
    const auto what = opposite();
    if (std::holds_alternative<RuleName>(selection_->subject())) {
        const auto rule = droppableRule();
        const bool resting = phase_ == session::Phase::Ready || phase_ == session::Phase::Writing;
        const bool asked =
            rule && snapshot.withoutRule && *rule == text(snapshot.withoutRule->rule);
        whatIf_->setText(tr("What if without it"));
        whatIf_->setToolTip(tr("Search for the best design without this rule"));
        whatIf_->setEnabled(rule && resting && !asked);
        return;
    }
    whatIf_->setToolTip(tr("Compare with the design in which it is not"));
    whatIf_->setEnabled(what.has_value());
    whatIf_->setText(what && what->kind == design::PinKind::Share ? tr("What if shared")
                                                                  : tr("What if unshared"));
}

void InspectorView::updateButtons() {
    updateWhatIf();
    const auto never = std::ranges::find_if(choices_, [](const PinChoice& choice) {
        return choice.pin.kind == design::PinKind::NeverShare;
    });
    pin_->setEnabled(!choices_.empty());
    pin_->setText(!choices_.empty() && choices_.front().pinned() ? tr("Unpin") : tr("Pin"));
    pin_->setToolTip(choices_.empty() ? tr("Pins name units and their terms")
                                      : choices_.front().text);
    neverShare_->setEnabled(never != choices_.end());
    neverShare_->setText(never != choices_.end() && never->pinned() ? tr("Allow sharing")
                                                                    : tr("Never share"));
    focus_->setEnabled(!selection_->linked().eclasses.empty());
    back_->setEnabled(selection_->canGoBack());
    forward_->setEnabled(selection_->canGoForward());
}

void InspectorView::applyStyle() {
    const Theme& theme = themeOf(palette());
    browser_->document()->setDefaultStyleSheet(
        QStringLiteral("h2 { font-size: 13pt; margin: 2px 0 6px 0; color: %1; }"
                       "h3 { font-size: 9.5pt; margin: 12px 0 2px 0; color: %2; }"
                       "td { color: %1; } td.name { color: %2; } .note { color: %2; }"
                       "a { color: %3; text-decoration: none; }")
            .arg(theme[Role::Ink].name(), theme[Role::Muted].name(),
                 theme.palette.color(QPalette::Link).name()));
    drawRule();
    browser_->setHtml(html_);
}

void InspectorView::follow(const QString& link) {
    const bool zooms = link.startsWith(kZoomPrefix);
    const auto subject = parseLink(zooms ? link.mid(kZoomPrefix.size()) : link);
    if (subject && selection_->index()->exists(*subject) && zooms)
        Q_EMIT focusRequested(*subject);
    else if (subject && selection_->index()->exists(*subject))
        selection_->select(*subject);
    else
        Q_EMIT message(tr("%1 is not part of the present snapshot").arg(link));
}

QString InspectorView::toText() const {
    return widgets::toText(report_);
}

void InspectorView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        applyStyle();
    QWidget::changeEvent(event);
}

} // namespace marquetry::widgets
