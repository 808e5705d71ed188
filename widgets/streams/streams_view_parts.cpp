// StreamsView: how its parts are made and joined.
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/elided_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace marquetry::widgets {

StreamsView::StreamsView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("streamsView"));
    setAccessibleName(tr("Streams"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(createBar());
    layout->addLayout(createRates());
    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Why there is no circuit"));
    verdict_->setContentsMargins(8, 2, 8, 2);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    verdict_->hide();
    layout->addWidget(verdict_);
    layout->addWidget(createBody(), 1);
    connectParts();
    setFocusProxy(slider_);
    showRates();
    showCircuit();
    showFront();
    showPlot();
    showTexts();
}

QLayout* StreamsView::createBar() {
    items_ = new ItemBox(tr("Stream"), tr("The stream whose circuit is shown"), this);
    summary_ = new ElidedLabel(this);
    summary_->setAccessibleName(tr("Area of the circuit shown"));
    summary_->setContentsMargins(6, 0, 0, 0);
    pinMenu_ = new QMenu(tr("Pin"), this);
    pin_ = new QToolButton(this);
    pin_->setText(tr("⌾ Pin"));
    pin_->setAccessibleName(tr("Pin the type of the output"));
    pin_->setToolTip(tr("Fix the lanes and clocks of the output at this throughput, so that it "
                        "fits what follows; the circuit is searched again"));
    pin_->setPopupMode(QToolButton::InstantPopup);
    pin_->setMenu(pinMenu_);
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export this view"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(makeExportMenu(this, tr("Export the stream"), QStringLiteral("stream")));
    for (QToolButton* button : {pin_, save})
        button->setFocusPolicy(Qt::TabFocus);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    bar->addWidget(items_);
    bar->addWidget(summary_, 1);
    bar->addWidget(pin_);
    bar->addWidget(save);
    return bar;
}

QLayout* StreamsView::createRates() {
    auto* name = new QLabel(tr("Throughput"), this);
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setAccessibleName(tr("Throughput"));
    slider_->setToolTip(tr("Elements of the output per clock: slower circuits use an operator "
                           "again, faster ones have more lanes"));
    slider_->setTracking(false);
    slider_->setPageStep(1);
    slider_->setTickPosition(QSlider::TicksBelow);
    slider_->setTickInterval(1);
    name->setBuddy(slider_);
    rate_ = new QLabel(this);
    rate_->setAccessibleName(tr("Throughput shown"));
    rate_->setMinimumWidth(230);
    rate_->setContentsMargins(8, 0, 0, 0);
    other_ = new QLineEdit(this);
    other_->setAccessibleName(tr("Another throughput"));
    other_->setToolTip(tr("Any throughput: N or N/M elements per clock, then Return. The slider "
                          "has the numbers of lanes that divide the stream."));
    other_->setPlaceholderText(tr("other: 1/5"));
    other_->setMaximumWidth(110);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 4);
    row->addWidget(name);
    row->addWidget(slider_, 1);
    row->addWidget(rate_);
    row->addWidget(other_);
    return row;
}

QTreeView* StreamsView::createTree(QAbstractItemModel* model, const QString& name) {
    auto* tree = new QTreeView(this);
    tree->setModel(model);
    tree->setAccessibleName(name);
    tree->setAlternatingRowColors(true);
    tree->setUniformRowHeights(true);
    tree->setAllColumnsShowFocus(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->header()->setStretchLastSection(false);
    return tree;
}

QWidget* StreamsView::createForms() {
    circuitModel_ = new QStandardItemModel(this);
    circuit_ = createTree(circuitModel_, tr("Operators of the circuit"));
    circuit_->header()->setMinimumSectionSize(30);
    drawing_ = new CanvasView(this);
    drawing_->setAccessibleName(tr("Drawing of the circuit"));
    forms_ = new QTabWidget(this);
    forms_->setDocumentMode(true);
    forms_->setAccessibleName(tr("The circuit"));
    forms_->addTab(circuit_, tr("Operators"));
    forms_->addTab(drawing_, tr("Drawing"));
    return forms_;
}

QWidget* StreamsView::createBody() {
    picture_ = new SpaceTimeWidget(this);
    frontModel_ = new QStandardItemModel(this);
    front_ = createTree(frontModel_, tr("Circuits worth their area at this throughput"));
    front_->setRootIsDecorated(false);
    front_->installEventFilter(this);
    axis_ = new QComboBox(this);
    axis_->setAccessibleName(tr("Resource on the vertical axis"));
    axis_->addItems({tr("LUT"), tr("FF"), tr("block RAM"), tr("DSP")});
    plot_ = new Plot(this);
    plot_->setAccessibleName(tr("Least area over throughput"));
    plot_->setToolTip(
        tr("Diamonds: the least area at each throughput tried. Dots: the front at the "
           "one at hand. Ring: the circuit shown. A click takes a throughput."));
    plot_->setPlaceholder(tr("The least area at each throughput appears here."));
    plot_->setColours(plotColours(palette(), categoryColour(7)));
    auto* areas = new QWidget(this);
    auto* column = new QVBoxLayout(areas);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(axis_, 0, Qt::AlignLeft);
    column->addWidget(plot_, 1);
    auto* low = new QSplitter(Qt::Horizontal, this);
    low->addWidget(areas);
    low->addWidget(front_);
    low->setSizes({420, 380});
    low->setChildrenCollapsible(false);
    auto* high = new QSplitter(Qt::Horizontal, this);
    high->addWidget(createForms());
    high->addWidget(picture_);
    high->setSizes({430, 470});
    high->setChildrenCollapsible(false);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(high);
    split->addWidget(low);
    split->setSizes({360, 230});
    split->setChildrenCollapsible(false);
    return split;
}

void StreamsView::connectParts() {
    connect(items_, &ItemBox::picked, this, &StreamsView::showRequested);
    const auto rateAt = [this](int value) {
        return shown_.rates.size() - 1 - static_cast<std::size_t>(value);
    };
    connect(slider_, &QSlider::valueChanged, this,
            [this, rateAt](int value) { askRate(rateAt(value)); });
    connect(slider_, &QSlider::sliderMoved, this, [this, rateAt](int value) {
        if (rateAt(value) < shown_.rates.size())
            rate_->setText(rateText(shown_.rates[rateAt(value)]));
    });
    connect(other_, &QLineEdit::returnPressed, this, &StreamsView::askTyped);
    connect(pinMenu_, &QMenu::aboutToShow, this, &StreamsView::fillPinMenu);
    connect(circuit_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &StreamsView::showOperator);
    connect(drawing_, &CanvasView::clicked, this, &StreamsView::pickOperator);
    connect(front_, &QTreeView::doubleClicked, this, &StreamsView::chooseRow);
    connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
        plot_->fit();
        showPlot();
    });
    connect(plot_, &Plot::clicked, this, &StreamsView::onPlotClicked);
}

} // namespace marquetry::widgets
