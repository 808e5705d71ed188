// Texts of an E-graph view as large as that of the window, measured as they are painted: sizes, and
// what is cut.
//
// Every picture is also written to <build>/pictures for people to look at.
#include "tests/support/text_recorder.h"
#include "window_fixture.h"

#include "engine/frontend/onnx/program_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/text/elided_label.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <map>

namespace marquetry::test {

namespace {

using widgets::EGraphView;

/// Explored once for all tests.
std::shared_ptr<const session::Snapshot> exploredExample(const std::string& example) {
    static std::map<std::string, std::shared_ptr<const session::Snapshot>> known;
    auto& entry = known[example];
    if (entry)
        return entry;
    auto file = frontend::onnx::readProgramFile(sourceFolder() + "/examples/" + example);
    if (!file)
        return nullptr;
    auto program = frontend::selectItem(std::move(file->parsed), "");
    if (!program)
        return nullptr;
    auto shown =
        session::exploreToShow(std::make_shared<const ir::Program>(*std::move(program)), {}, {});
    if (shown)
        entry = std::make_shared<const session::Snapshot>(*std::move(shown));
    return entry;
}

struct Look {
    const char* name;
    const char* example;
    QSize window;
    double pixelRatio;
    bool dark;
};

class EGraphText : public WindowFixture, public ::testing::WithParamInterface<Look> {
protected:
    void SetUp() override {
        WindowFixture::SetUp();
        window->setDark(GetParam().dark);
        window->resize(GetParam().window);
        openExample();
        auto* const inWindow = window->findChild<EGraphView*>();
        window->tabs()->setCurrentWidget(inWindow);
        ASSERT_TRUE(waitFor([&] { return inWindow->isVisible(); }));
        view = std::make_unique<EGraphView>(&selection);
        view->resize(inWindow->size());
        view->show();
        ASSERT_TRUE(waitForExposed(view.get()));
        const auto snapshot = exploredExample(GetParam().example);
        ASSERT_NE(snapshot, nullptr);
        show([&] { view->setSnapshot(snapshot); });
    }
    void TearDown() override { window->setDark(false); }

    template <class Act>
    void show(Act act) {
        QSignalSpy laidOut(view.get(), &EGraphView::layoutChanged);
        act();
        ASSERT_TRUE(!laidOut.isEmpty() || waitForNext(laidOut));
        ASSERT_TRUE(waitFor([&] { return !view->layoutClient()->busy(); }));
    }

    std::string at(const std::string& text) const {
        return "\"" + text + "\" of " + GetParam().example + ", " + mode;
    }

    /// What is on the canvas now: large enough, and within its box.
    void measureCanvas() {
        const widgets::CanvasView& canvas = *view->canvas();
        TextRecorder recorder(canvas.size());
        QPainter painter(&recorder);
        canvas.picture(false).paint(painter);
        painter.end();
        const widgets::Scene& scene = canvas.scene();
        const auto onScreen = [&](const widgets::SceneBox& box) {
            const widgets::Viewport& port = canvas.viewport();
            return QRectF(port.toScreen(box.rect.topLeft()), box.rect.size() * port.scale);
        };
        for (const PaintedText& text : recorder.texts()) {
            EXPECT_GE(text.pixels, 9) << at(text.text.toStdString());
            bool within = false;
            for (const auto* list : {&scene.boxes, &scene.frames})
                for (const widgets::SceneBox& box : *list)
                    within = within || (onScreen(box).adjusted(-1, -4, 1, 4).contains(text.place) &&
                                        saysOf(text.text, box));
            EXPECT_TRUE(within) << at(text.text.toStdString());
        }
    }

    /// Whether a text is one of the box, whole or cut, and what is cut can be read elsewhere.
    bool saysOf(const QString& text, const widgets::SceneBox& box) const {
        for (const QString& whole : {box.text, box.caption, box.title}) {
            if (text == whole)
                return true;
            const QString begin = text.endsWith(QChar(u'…')) ? text.chopped(1) : text;
            const bool part = begin != text || whole.startsWith(text + QStringLiteral(" · "));
            if (part && whole.startsWith(begin))
                return !view->tipOf(box.key).isEmpty();
        }
        return false;
    }

    /// The controls around it: nothing is cut but what says so.
    void measureControls() {
        for (const QWidget* child : view->findChildren<QWidget*>()) {
            if (!child->isVisibleTo(view.get()) || child->objectName().startsWith("qt_"))
                continue;
            EXPECT_GE(QFontInfo(child->font()).pixelSize(), 9) << child->metaObject()->className();
            const auto* label = qobject_cast<const QLabel*>(child);
            const auto* button = qobject_cast<const QToolButton*>(child);
            if (label != nullptr && label->wordWrap()) {
                EXPECT_GE(label->height(), label->heightForWidth(label->width()))
                    << at(label->text().toStdString());
            } else if (dynamic_cast<const widgets::ElidedLabel*>(label) != nullptr) {
                EXPECT_EQ(label->toolTip(), label->text());
            } else if (label != nullptr) {
                EXPECT_GE(label->width(), label->sizeHint().width())
                    << at(label->text().toStdString());
            } else if (button != nullptr && !button->text().isEmpty()) {
                EXPECT_GE(button->width(), button->sizeHint().width())
                    << at(button->text().toStdString());
            } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(child)) {
                EXPECT_GE(spin->width(), spin->sizeHint().width()) << at("hops");
            }
        }
        for (const QWidget* one :
             view->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            for (const QWidget* other :
                 view->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (one != other && one->isVisibleTo(view.get()) &&
                    other->isVisibleTo(view.get())) {
                    EXPECT_FALSE(one->geometry().intersects(other->geometry()))
                        << one->metaObject()->className() << " "
                        << other->metaObject()->className();
                }
    }

    void keepPicture() {
        const double ratio = GetParam().pixelRatio;
        QImage image((QSizeF(view->size()) * ratio).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        view->render(&image);
        const QString pictures = QString::fromStdString(buildFolder() + "/pictures");
        ASSERT_TRUE(QDir().mkpath(pictures));
        ASSERT_TRUE(image.save(QStringLiteral("%1/egraph_%2_%3.png")
                                   .arg(pictures, QString::fromLatin1(GetParam().name),
                                        QString::fromStdString(mode))));
    }

    void measureAtAllScales() {
        keepPicture();
        measureControls();
        view->canvas()->fit();
        for (int step = 0; step < 14; ++step) {
            measureCanvas();
            QTest::keyClick(view->canvas(), Qt::Key_Plus);
        }
        view->canvas()->fit();
    }

    widgets::SelectionModel selection;
    std::unique_ptr<EGraphView> view; ///< as large as that of the window
    std::string mode = "design";
};

} // namespace

TEST_P(EGraphText, IsLargeEnoughAndCutOnlyWithAnEllipsisAndATip) {
    measureAtAllScales();
    mode = "overview";
    show([&] { view->setMode(EGraphView::Mode::Overview); });
    measureAtAllScales();
    mode = "unit";
    const design::Design& design = *exploredExample(GetParam().example)->design;
    show([&] { view->focusOn(design.units.front().eclass); });
    measureAtAllScales();
    mode = "search";
    view->search("Tiled");
    ASSERT_TRUE(waitFor([&] { return !view->layoutClient()->busy(); }));
    measureAtAllScales();
}

INSTANTIATE_TEST_SUITE_P(
    Looks, EGraphText,
    ::testing::Values(
        Look{"vgg_1280", "vgg_cifar/vgg_cifar.mq", QSize(1280, 800), 1, false},
        Look{"vgg_1920_dark", "vgg_cifar/vgg_cifar.mq", QSize(1920, 1080), 1, true},
        Look{"resnet8_1280_dark", "networks/resnet8.onnx", QSize(1280, 800), 1, true},
        Look{"resnet8_1920", "networks/resnet8.onnx", QSize(1920, 1080), 1, false},
        Look{"resnet8_2560", "networks/resnet8.onnx", QSize(2560, 1440), 2, false},
        Look{"small_1280", "running_example/running_example.mq", QSize(1280, 800), 1, false},
        Look{"small_2560_dark", "running_example/running_example.mq", QSize(2560, 1440), 2, true}),
    [](const auto& given) { return std::string(given.param.name); });

} // namespace marquetry::test
