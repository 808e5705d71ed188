// Types drawn as lanes × clocks: every slot says what a wave of the type holds there.
#include "engine/spacetime/wave.h"
#include "widgets/streams/circuit_rows.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include <numeric>

namespace marquetry::widgets {
namespace {

using spacetime::SeqType;

SeqType word() {
    return spacetime::atomType(ir::scalarStream(ir::Scalar::U8));
}

/// The middle of a slot of the only band.
QPointF middle(std::int64_t clock, std::int64_t lane) {
    return {70 + 46 * (static_cast<double>(clock) + 0.5),
            22 + 22 + 22 * (static_cast<double>(lane) + 0.5)};
}

TEST(SpaceTime, EverySlotSaysWhatAWaveOfTheTypeHolds) {
    using namespace spacetime;
    for (const SeqType& type :
         {tseq(3, 1, sseq(2, word())), tseq(2, 0, tseq(2, 1, word())), sseq(4, word()),
          tseq(2, 1, tseq(1, 1, sseq(3, word()))), sseq(2, tseq(2, 1, word()))}) {
        const std::int64_t start = 2;
        const SpaceTimePicture picture{{{QStringLiteral("x"), type, start}}, 0, {}};
        Slots words(static_cast<std::size_t>(atomCount(type)));
        std::iota(words.begin(), words.end(), 0);
        const Slots wave = toWave(type, words);
        EXPECT_EQ(endOf(picture), start + clocks(type));
        for (std::int64_t clock = 0; clock < start + 2 * clocks(type); ++clock)
            for (std::int64_t lane = 0; lane < lanes(type); ++lane) {
                const QString text = slotText(picture, middle(clock, lane));
                const std::int64_t own = clock - start;
                if (own < 0) {
                    EXPECT_TRUE(text.contains(QStringLiteral("before"))) << text.toStdString();
                    continue;
                }
                const std::int64_t at = own % clocks(type) * lanes(type) + lane;
                const std::int64_t value = wave[static_cast<std::size_t>(at)];
                const QString expected = value == kInvalid
                                             ? QStringLiteral("idle")
                                             : QStringLiteral("element %1 of frame %2")
                                                   .arg(value)
                                                   .arg(own / clocks(type));
                EXPECT_TRUE(text.contains(expected)) << toString(type) << ": " << text.toStdString()
                                                     << ", not " << expected.toStdString();
            }
    }
}

TEST(SpaceTime, AFrameOfMillionsOfClocksIsPaintedAsFastAsAScreenful) {
    using namespace spacetime;
    SpaceTimePicture picture{
        {{QStringLiteral("x"), tseq(std::int64_t{1} << 40, 0, sseq(64, word())), 0}},
        (std::int64_t{1} << 40) - 5,
        {}};
    QImage image(900, 300, QImage::Format_RGB32);
    QPainter painter(&image);
    paintSpaceTime(painter, picture, image.size(), lightTheme());
    painter.end();
    EXPECT_NE(image.pixelColor(100, 60), lightTheme()[Role::Background]);
    EXPECT_LT(heightOf(picture), 300) << "lanes that are left out take one line";
}

TEST(SpaceTime, ConsumersStandBelowTheirProducers) {
    using namespace spacetime;
    std::vector<session::StreamOperator> operators(3);
    operators[0].name = "%0";
    operators[0].type = tseq(4, 0, word());
    operators[0].starts = 0;
    operators[1].name = "%1";
    operators[1].text = "const [1]";
    operators[1].type = operators[0].type;
    operators[2].name = "%2";
    operators[2].text = "reshape";
    operators[2].type = tseq(2, 2, sseq(2, word()));
    operators[2].operands = {0, 1, 0};
    operators[2].starts = 5;
    operators[2].delay = 5;
    const SpaceTimePicture picture = pictureOf(operators, 2);
    ASSERT_EQ(picture.bands.size(), 3U) << "an operand that is used twice is drawn once";
    EXPECT_EQ(picture.bands[0].starts, 0);
    EXPECT_EQ(picture.bands[1].starts, 0) << "a generator starts when it is needed";
    EXPECT_EQ(picture.bands[2].starts, 5);
    EXPECT_TRUE(picture.bands[2].caption.contains(QStringLiteral("2 lanes")));
    EXPECT_FALSE(whyOf(operators[2]).isEmpty());
}

} // namespace
} // namespace marquetry::widgets
