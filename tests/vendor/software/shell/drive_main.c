/* The driver against the hardware: frames, aborts, errors, interrupts, counters. */
#include "sim.h"
#include "toy_board.h"

#include <stdio.h>

#define POLLS 2000u

static int wrong;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++wrong;                                                                               \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
        }                                                                                          \
    } while (0)

static struct toy_board board;
static struct toy_device device;
static uint64_t address[TOY_STREAMS];

static uint32_t frames(void)
{
    struct toy_counters counters;
    toy_counters(&device, &counters);
    return counters.frames;
}

static void good_frame(void)
{
    const uint32_t before = frames();
    struct toy_counters counters;
    uint64_t clocks;
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    clocks = sim_clock_count();
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_OK);
    clocks = sim_clock_count() - clocks;
    EXPECT(toy_dma_wait(&board.dma, POLLS) == TOY_OK);
    toy_counters(&device, &counters);
    EXPECT(counters.frames == before + 1);
    EXPECT(counters.cycles > 0 && counters.cycles < clocks);
    for (int i = 0; i < TOY_STREAMS; ++i)
        EXPECT(counters.stalls[i] <= counters.cycles);
}

static void aborted_frame(int polls)
{
    const uint32_t before = frames();
    EXPECT(toy_load(&board.dma, address) == TOY_OK && toy_start(&device) == TOY_OK);
    if (toy_wait(&device, (uint32_t)polls) == TOY_TIMEOUT) {
        EXPECT(toy_start(&device) == TOY_BUSY);
        EXPECT(toy_abort(&device, POLLS) == TOY_OK);
        EXPECT(frames() != before || toy_error(&device) == TOY_ERROR_ABORTED);
    }
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

/* An input of one beat too few. */
static void short_frame(void)
{
    const struct toy_bus *bus = &board.dma.channel[0];
    const uint32_t before = frames();
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    bus->write(bus->context, 0x28, toy_frame_bytes[0] - 8);
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_FAILED);
    EXPECT(toy_error(&device) == TOY_ERROR_INPUT_LENGTH && frames() == before);
    EXPECT(toy_abort(&device, POLLS) == TOY_OK);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

/* A source that says nothing: the abort is asked for twice. */
static void silent_frame(void)
{
    const struct toy_bus *bus = &board.dma.channel[0];
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    bus->write(bus->context, 0x00, 4); /* reset of the first input's DMA, before it gave anything */
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, 50) == TOY_TIMEOUT);
    EXPECT(toy_abort(&device, 50) == TOY_OK);
    EXPECT(toy_error(&device) == TOY_ERROR_ABORTED);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

/* The same, and nobody aborts: the watchdog does. */
static void watched_frame(void)
{
    const struct toy_bus *bus = &board.dma.channel[0];
    toy_watchdog(&device, 500);
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    bus->write(bus->context, 0x00, 4);
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_FAILED);
    EXPECT(toy_error(&device) == TOY_ERROR_WATCHDOG);
    EXPECT(toy_waiting(&device) == TOY_WAITING_INPUTS_MASK);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
    good_frame();
    EXPECT(toy_waiting(&device) == 0);
    toy_watchdog(&device, 0);
}

static void interrupts(void)
{
    toy_enable_interrupts(&device, TOY_INTERRUPT_STATUS_DONE_MASK);
    EXPECT(!sim_interrupt());
    good_frame();
    EXPECT(sim_interrupt());
    EXPECT(toy_take_interrupts(&device) == TOY_INTERRUPT_STATUS_DONE_MASK && !sim_interrupt());
    toy_enable_interrupts(&device, 0);
    good_frame();
    EXPECT(!sim_interrupt());
}

static void restarts(void)
{
    const uint32_t before = frames();
    toy_auto_restart(&device, true);
    EXPECT(toy_load(&board.dma, address) == TOY_OK && toy_start(&device) == TOY_OK);
    for (uint32_t frame = 1; frame <= 3; ++frame) {
        EXPECT(toy_dma_wait(&board.dma, POLLS) == TOY_OK);
        EXPECT(toy_wait(&device, POLLS) == TOY_OK && frames() == before + frame);
        if (frame == 2)
            toy_auto_restart(&device, false);
        if (frame < 3)
            EXPECT(toy_load(&board.dma, address) == TOY_OK);
        if (frame == 2 && toy_start(&device) == TOY_BUSY)
            continue; /* it was let in before the switch was off */
    }
    EXPECT(toy_abort(&device, POLLS) == TOY_OK && toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

int drive_main(void);

int drive_main(void)
{
    (void)toy_board_open(&board, 0, NULL);
    for (unsigned i = 0; i < TOY_STREAMS; ++i)
        address[i] = board.address + 4096u * i;
    EXPECT(toy_init(&device, &board.control) == TOY_OK);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
    for (int frame = 0; frame < 5; ++frame)
        good_frame();
    for (int polls = 0; polls < 12; ++polls) {
        aborted_frame(polls);
        good_frame();
    }
    short_frame();
    good_frame();
    silent_frame();
    good_frame();
    watched_frame();
    good_frame();
    interrupts();
    restarts();
    good_frame();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
