// The parts of EGraphView around the picture: toolbar, actions, menus, tooltips, exports.
#include "widgets/canvas/export_menu.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/egraph/search_panel.h"
#include "widgets/models/pin_menu.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

namespace marquetry::widgets {

using egraph::EClassId;
using egraph::ENodeId;

namespace {

constexpr const char* kOverviewText = "e-graph, overview\n";
constexpr const char* kFocusText = "e-graph, focus\n";

QToolButton* textButton(const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QLabel* makeLegend(QWidget* parent) {
    auto* legend = new QLabel(parent);
    legend->setTextFormat(Qt::RichText);
    legend->setWordWrap(true);
    legend->setAccessibleName(QObject::tr("Legend"));
    return legend;
}

} // namespace

void EGraphView::createToolbar() {
    overviewButton_ =
        textButton(tr("Overview"), tr("The whole e-graph, one block per e-class"), this);
    focusButton_ =
        textButton(tr("Focus"), tr("What lies around the selection and the design"), this);
    for (QToolButton* button : {overviewButton_, focusButton_})
        button->setCheckable(true);
    overviewButton_->setChecked(true);
    connect(overviewButton_, &QToolButton::clicked, this, [this] { setMode(Mode::Overview); });
    connect(focusButton_, &QToolButton::clicked, this, [this] { setMode(Mode::Focus); });
    hops_ = new QSpinBox(this);
    hops_->setRange(0, 9);
    hops_->setValue(1);
    hops_->setPrefix(tr("hops "));
    hops_->setAccessibleName(tr("Hops around the selection"));
    hops_->setToolTip(tr("How far around the selection the focus reaches (Alt+Up, Alt+Down)"));
    connect(hops_, &QSpinBox::valueChanged, this, [this] { schedule(0); });
    createSearch();
    backButton_ = textButton(tr("◂"), tr("Back to what was shown before (Alt+Left)"), this);
    backButton_->setAccessibleName(tr("Back"));
    connect(backButton_, &QToolButton::clicked, this, &EGraphView::goBack);
    forwardButton_ = textButton(tr("▸"), tr("Forward again (Alt+Right)"), this);
    forwardButton_->setAccessibleName(tr("Forward"));
    connect(forwardButton_, &QToolButton::clicked, this, &EGraphView::goForward);
    auto* fit = textButton(tr("Fit"), tr("Show everything (F)"), this);
    connect(fit, &QToolButton::clicked, canvas_, &CanvasView::fit);
    auto* save = textButton(tr("Export"), tr("Save or copy this picture"), this);
    save->setMenu(createExportMenu());
    save->setPopupMode(QToolButton::InstantPopup);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{backButton_, forwardButton_,
                                                           overviewButton_, focusButton_, hops_})
        bar->addWidget(widget);
    bar->addWidget(search_, 1);
    bar->addWidget(fit);
    bar->addWidget(save);
    auto* middle = new QHBoxLayout;
    middle->addWidget(canvas_, 3);
    middle->addWidget(found_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    filters_ = new FilterBar(this);
    connect(filters_, &FilterBar::changed, this, [this] {
        if (found_->isVisibleTo(this))
            searchTimer_.start();
        schedule(0);
    });
    column->addLayout(bar);
    column->addWidget(filters_);
    column->addLayout(middle, 1);
    column->addLayout(createFoot());
    setFocusProxy(canvas_);
}

QLayout* EGraphView::createFoot() {
    legend_ = makeLegend(this);
    count_ = new ElidedLabel(this);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    count_->setAccessibleName(tr("How much is shown"));
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(8, 1, 8, 3);
    foot->setSpacing(0);
    foot->addWidget(legend_);
    foot->addWidget(count_);
    return foot;
}

void EGraphView::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(tr("Find in the e-graph"), QKeySequence::Find, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    add(tr("One hop more"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { hops_->stepUp(); });
    add(tr("One hop less"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { hops_->stepDown(); });
    add(tr("Back to what was shown"), QKeySequence(Qt::ALT | Qt::Key_Left), [this] { goBack(); });
    add(tr("Forward to what was shown"), QKeySequence(Qt::ALT | Qt::Key_Right),
        [this] { goForward(); });
    add(tr("Expand or fold what is selected"), QKeySequence(Qt::CTRL | Qt::Key_Return), [this] {
        const Subject subject = subjectOf(keyInPicture(selection_->subject()));
        if (const auto* eclass = std::get_if<EClassId>(&subject))
            expandOrFold(*eclass);
        else if (const auto* node = std::get_if<ENodeId>(&subject))
            expandOrFold(index().egraph()->eclassOf(*node));
    });
}

void EGraphView::connectCanvas() {
    connect(canvas_, &CanvasView::clicked, this,
            [this](quint32 key) { selection_->select(subjectOf(key)); });
    connect(canvas_, &CanvasView::doubleClicked, this, &EGraphView::onDoubleClick);
    connect(canvas_, &CanvasView::hovered, this, &EGraphView::showTip);
    connect(canvas_, &CanvasView::painted, this, &EGraphView::updateLabels, Qt::QueuedConnection);
    connect(canvas_, &CanvasView::menuRequested, this, [this](quint32 key, QPoint place) {
        const Subject subject = subjectOf(key);
        if (!isEmpty(subject))
            selection_->select(subject);
        ViewMenu::show(createMenu(selection_->subject()), canvas_, place);
    });
}

QMenu* EGraphView::createMenu(const Subject& subject) {
    auto* menu = new QMenu(this);
    addPinActions(menu, this, index(), subject);
    if (!isEmpty(subject)) {
        connect(menu->addAction(tr("Focus on this")), &QAction::triggered, this,
                [this, subject] { focusOn(subject); });
        addExpansion(menu, subject);
        addCard(menu, subject);
        addCopyId(menu, subject);
        menu->addSeparator();
    }
    connect(menu->addAction(tr("Fit")), &QAction::triggered, canvas_, &CanvasView::fit);
    QMenu* exports = createExportMenu();
    exports->setParent(menu, exports->windowFlags());
    menu->addMenu(exports);
    return menu;
}

void EGraphView::addExpansion(QMenu* menu, const Subject& subject) {
    const Subject shown = subjectOf(keyInPicture(subject));
    if (mode_ != Mode::Focus || isEmpty(shown))
        return;
    const auto* node = std::get_if<ENodeId>(&shown);
    const EClassId eclass =
        node != nullptr ? index().egraph()->eclassOf(*node) : std::get<EClassId>(shown);
    const std::vector<std::size_t>* block = focus_.blockOf(eclass);
    if (block == nullptr)
        return;
    const std::size_t hidden = focus_.classes[block->front()].hidden;
    QString text;
    if (block->size() > 1)
        text = tr("Unfold %1 e-classes").arg(block->size());
    else if (expanded_.contains(eclass))
        text = tr("Show fewer e-nodes");
    else if (hidden > 0)
        text = tr("Show %1 more e-nodes").arg(hidden);
    else if (unfolded_.contains(eclass))
        text = tr("Fold again");
    if (!text.isEmpty())
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, eclass] { expandOrFold(eclass); });
}

/// Of the rule that made the e-node, or is selected.
void EGraphView::addCard(QMenu* menu, const Subject& subject) {
    QString rule;
    const auto& names = index().snapshot().ruleNames;
    if (const auto* name = std::get_if<RuleName>(&subject))
        rule = QString::fromStdString(name->name);
    else if (const auto* node = std::get_if<ENodeId>(&subject); node && index().exists(*node))
        if (const egraph::RuleId id = index().egraph()->origin(*node).rule;
            id.index() < names.size())
            rule = QString::fromStdString(names[id.index()]);
    if (!rule.isEmpty())
        connect(menu->addAction(tr("Show the card of %1").arg(rule)), &QAction::triggered, this,
                [this, rule] { Q_EMIT cardRequested(rule); });
}

QMenu* EGraphView::createExportMenu() {
    auto* menu = new QMenu(tr("Export"), this);
    addExports(menu, this, tr("Export the e-graph"), QStringLiteral("egraph"),
               {{tr("PNG…"), "png"},
                {tr("PNG, 2×…"), "png", 2},
                {tr("SVG…"), "svg"},
                {tr("Text…"), "txt"}});
    connect(menu->addAction(tr("Copy picture")), &QAction::triggered, this,
            [this] { copyImage(canvas_->picture(false), 2); });
    connect(menu->addAction(tr("Copy text")), &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(toText()); });
    return menu;
}

Status EGraphView::exportTo(const QString& path, double scale) const {
    const QString suffix = QFileInfo(path).suffix();
    if (suffix == QLatin1String("svg"))
        return saveSvg(canvas_->picture(true), path);
    if (suffix == QLatin1String("txt"))
        return saveText(toText(), path);
    return savePng(canvas_->picture(false), path, scale);
}

void EGraphView::updateLabels() {
    count_->showText(countText());
    backButton_->setEnabled(canGoBack());
    forwardButton_->setEnabled(canGoForward());
    const Theme& theme = themeOf(palette());
    const auto sample = [&](Role role, const char* mark, const QString& text) {
        return QStringLiteral("<span style=\"color:%1\">%2</span> %3")
            .arg(theme[role].name(), QString::fromUtf8(mark), text);
    };
    const QString gap = QStringLiteral("&nbsp;&nbsp; ");
    QString sorts;
    if (mode_ == Mode::Overview)
        sorts = gap + sample(Role::UnitTint, "■", tr("unit")) + gap +
                sample(Role::ValueTint, "■", tr("value")) + gap +
                sample(Role::StoredTint, "■", tr("stored"));
    legend_->setText(sample(Role::Chosen, "■", tr("chosen")) + gap +
                     sample(Role::Shared, "┅", tr("shared unit")) + gap +
                     sample(Role::Ink, "⌾", tr("pinned")) + gap +
                     sample(Role::Selected, "▢", tr("selected")) + gap +
                     sample(Role::Linked, "▢", tr("related")) + sorts);
}

void EGraphView::showTip(std::uint32_t key, QPoint place) {
    const QString tip = tipOf(key);
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(place + QPoint(14, 14), tip, canvas_);
}

QString EGraphView::tipOf(std::uint32_t key) const {
    const Subject subject = subjectOf(key);
    const auto* eclass = std::get_if<EClassId>(&subject);
    if (const auto bundle = bundleOfKey(key))
        return bundleTip(*bundle);
    if (isGroup(key)) {
        const SceneBox* frame = canvas_->scene().boxOf(key);
        return frame == nullptr ? QString() : tr("%1 e-classes").arg(frame->title);
    }
    if (isStub(key))
        return tr("More e-nodes of c%1: a double click shows them").arg(eclass->value());
    const std::vector<std::size_t>* block =
        eclass != nullptr && mode_ == Mode::Focus ? focus_.blockOf(*eclass) : nullptr;
    return block != nullptr && block->size() > 1 ? chainTip(*block) : tipOfSubject(subject);
}

QString EGraphView::bundleTip(std::size_t place) const {
    if (place >= bundled_.made.bundles.size())
        return {};
    const OverviewBundle& bundle = bundled_.made.bundles[place];
    const OverviewGroup& group = bundled_.made.groups[bundle.group];
    return tr("<b>%1</b> in %2<br>%3 e-classes with %4 e-nodes: a double click focuses on the "
              "oldest, filters show fewer")
        .arg(QString::fromStdString(bundle.name).toHtmlEscaped(),
             QString::fromStdString(group.name).toHtmlEscaped(),
             grouped(static_cast<std::int64_t>(bundle.eclasses)),
             grouped(static_cast<std::int64_t>(bundle.enodes)));
}

QString EGraphView::chainTip(const std::vector<std::size_t>& block) const {
    QString text =
        tr("<b>A chain of %1 e-classes</b>: a double click unfolds it").arg(block.size());
    for (const std::size_t c : block) {
        const FocusClass& eclass = focus_.classes[c];
        const QString name =
            QString::fromStdString(termName(*index().egraph(), eclass.shown.front()));
        text += QStringLiteral("<br>c%1 %2").arg(eclass.id.value()).arg(name.toHtmlEscaped());
        if (eclass.hidden > 0)
            text += QStringLiteral(" +%1").arg(eclass.hidden);
    }
    return text;
}

QString EGraphView::tipOfSubject(const Subject& subject) const {
    const egraph::FrozenEGraph* view = index().egraph();
    if (view == nullptr || !index().exists(subject))
        return {};
    const auto* node = std::get_if<ENodeId>(&subject);
    const EClassId eclass =
        node != nullptr ? view->eclassOf(*node) : view->find(std::get<EClassId>(subject));
    QString text =
        QStringLiteral("<b>%1</b>").arg(describe(subject, index().snapshot()).toHtmlEscaped());
    if (node != nullptr)
        text += QStringLiteral("<br>in c%1<br>origin: %2")
                    .arg(eclass.value())
                    .arg(originText(index().snapshot(), view->origin(*node)).toHtmlEscaped());
    else
        text += QStringLiteral("<br>%1 e-nodes, used by %2")
                    .arg(view->enodes(eclass).size())
                    .arg(view->parents(eclass).size());
    if (const std::string unit = index().unitName(eclass); !unit.empty())
        text += QStringLiteral("<br>unit %1%2")
                    .arg(QString::fromStdString(unit).toHtmlEscaped(),
                         index().shared(eclass) ? QStringLiteral(", shared") : QString());
    if (const design::SharingCandidate* candidate = index().candidate(eclass))
        text += QStringLiteral("<br>") + QString::fromStdString(candidate->reason).toHtmlEscaped();
    return text;
}

QString EGraphView::classText(EClassId id, std::span<const ENodeId> shown,
                              std::size_t hidden) const {
    const egraph::FrozenEGraph& view = *index().egraph();
    QString text = QStringLiteral("c%1 %2")
                       .arg(id.value())
                       .arg(QString::fromStdString(view.language().sortName(view.sort(id))));
    if (const std::string unit = index().unitName(id); !unit.empty())
        text += QStringLiteral(" \"%1\"").arg(QString::fromStdString(unit));
    if (index().shared(id))
        text += QStringLiteral(" shared");
    if (index().pinned(id))
        text += QStringLiteral(" pinned");
    for (const ENodeId node : shown) {
        text += QStringLiteral("\n  %1n%2 %3")
                    .arg(QLatin1String(index().chosen(node) ? "*" : " "))
                    .arg(node.value())
                    .arg(QString::fromStdString(termName(view, node)));
        for (const EClassId child : view.children(node))
            text += QStringLiteral(" c%1").arg(child.value());
        if (index().pinned(node))
            text += QStringLiteral(" pinned");
    }
    if (hidden > 0)
        text += QStringLiteral("\n   +%1 more").arg(hidden);
    return text + QLatin1Char('\n');
}

bool EGraphView::isText(std::string_view bytes) {
    return bytes.starts_with(kFocusText) || bytes.starts_with(kOverviewText);
}

QString EGraphView::toText() const {
    QString text = QString::fromLatin1(mode_ == Mode::Focus ? kFocusText : kOverviewText);
    text += countText() + QLatin1Char('\n');
    if (index().egraph() == nullptr)
        return text;
    const ShownPart part(index(), filters_->filter());
    if (mode_ == Mode::Focus)
        for (const FocusClass& eclass : focus_.classes)
            text += classText(eclass.id, eclass.shown, eclass.hidden);
    else
        for (const EClassId id : part.eclasses())
            text += classText(id, index().egraph()->enodes(id), 0);
    if (!isEmpty(selection_->subject()))
        text += QStringLiteral("selected: %1\n")
                    .arg(describe(selection_->subject(), index().snapshot()));
    return text;
}

} // namespace marquetry::widgets
