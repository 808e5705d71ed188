// TextRecorder: a paint device that keeps the texts painted on it, and nothing else.
//
// Sizes and places are pixels of the device, after all transformations. Thread rule: window's
// thread.
#pragma once

#include <QFontInfo>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QRectF>
#include <QString>

#include <vector>

namespace marquetry::test {

struct PaintedText {
    QString text;
    double pixels = 0; ///< of the font
    QRectF place;      ///< from ascent to descent
};

class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& changed) override {
        if (changed.state() & DirtyTransform)
            transform_ = changed.transform();
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF& place, const QTextItem& item) override {
        const QRectF here(place.x(), place.y() - item.ascent(), item.width(),
                          item.ascent() + item.descent());
        texts.push_back({item.text(), QFontInfo(item.font()).pixelSize() * transform_.m22(),
                         transform_.mapRect(here)});
    }
    Type type() const override { return User; }

    std::vector<PaintedText> texts;

private:
    QTransform transform_;
};

class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : size_(size) {}

    QPaintEngine* paintEngine() const override { return &engine_; }
    const std::vector<PaintedText>& texts() const { return engine_.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    QSize size_;
    mutable TextEngine engine_;
};

} // namespace marquetry::test
