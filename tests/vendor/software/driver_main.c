/* The driver against the model: prints what is wrong, and then how much. */
#include "model.h"
#include "toy_dma.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int wrong;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++wrong;                                                                               \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
        }                                                                                          \
    } while (0)

static struct toy_device device;
static struct toy_dma dma;
static uint64_t image[6], bias[4], scores[4];
static int relaxed;

static void relax(void *context)
{
    (void)context;
    ++relaxed;
}

static enum toy_status open_model(enum model_fault fault)
{
    struct toy_bus bus = model_control();
    bus.relax = relax;
    model_reset(fault);
    dma.channel[TOY_STREAM_IMAGE] = model_dma(0);
    dma.channel[TOY_STREAM_BIAS] = model_dma(1);
    dma.channel[TOY_STREAM_SCORES] = model_dma(0);
    return toy_init(&device, &bus);
}

static enum toy_status load(void)
{
    const uint64_t address[TOY_STREAMS] = {(uintptr_t)image, (uintptr_t)bias, (uintptr_t)scores};
    return toy_load(&dma, address);
}

static void identity(void)
{
    struct toy_bus none = {NULL, NULL, NULL, NULL};
    EXPECT(open_model(NO_FAULT) == TOY_OK);
    EXPECT(open_model(WRONG_BUILD_FAULT) == TOY_WRONG_BUILD);
    EXPECT(open_model(WRONG_DESIGN_FAULT) == TOY_WRONG_DESIGN);
    EXPECT(open_model(NO_HARDWARE_FAULT) == TOY_WRONG_BUILD);
    EXPECT(toy_init(NULL, &none) == TOY_BAD_ARGUMENT);
    EXPECT(toy_init(&device, &none) == TOY_BAD_ARGUMENT);
}

static void frames(void)
{
    struct toy_counters counters;
    EXPECT(open_model(NO_FAULT) == TOY_OK && toy_dma_init(&dma, 10) == TOY_OK);
    for (unsigned frame = 1; frame <= 5; ++frame) {
        for (unsigned k = 0; k < 6; ++k)
            image[k] = UINT64_C(0x0123456789abcdef) * (k + frame);
        bias[0] = frame, bias[1] = 2, bias[2] = UINT64_MAX;
        memset(scores, 0, sizeof scores);
        EXPECT(load() == TOY_OK && toy_start(&device) == TOY_OK);
        EXPECT(toy_start(&device) == TOY_BUSY);
        relaxed = 0;
        EXPECT(toy_wait(&device, 100) == TOY_OK && relaxed > 0);
        EXPECT(toy_dma_wait(&dma, 100) == TOY_OK);
        for (unsigned k = 0; k < 4; ++k)
            EXPECT(scores[k] == 3 * image[k] + bias[k % 3]);
        EXPECT(toy_wait(&device, 0) == TOY_TIMEOUT); /* done was cleared */
        toy_counters(&device, &counters);
        EXPECT(counters.frames == frame && counters.cycles > 0 && counters.cycles < 1000);
        EXPECT(counters.stalls[TOY_STREAM_IMAGE] == 11 && counters.stalls[TOY_STREAM_BIAS] == 22 &&
               counters.stalls[TOY_STREAM_SCORES] == 33);
    }
}

static void long_counter(void)
{
    struct toy_counters counters;
    EXPECT(open_model(HANG_FAULT) == TOY_OK);
    model_set_cycles(UINT64_C(0x1fffffff0), 20);
    EXPECT(toy_start(&device) == TOY_OK);
    for (int k = 0; k < 4; ++k) {
        static uint64_t last;
        toy_counters(&device, &counters);
        EXPECT(counters.cycles >= UINT64_C(0x1fffffff0) && counters.cycles < UINT64_C(0x200001000));
        EXPECT(counters.cycles > last);
        last = counters.cycles;
    }
}

static void bounds_and_aborts(void)
{
    EXPECT(open_model(HANG_FAULT) == TOY_OK && toy_dma_init(&dma, 10) == TOY_OK);
    EXPECT(load() == TOY_OK && toy_start(&device) == TOY_OK);
    relaxed = 0;
    EXPECT(toy_wait(&device, 50) == TOY_TIMEOUT && relaxed == 50);
    EXPECT(toy_dma_wait(&dma, 50) == TOY_TIMEOUT);
    EXPECT(toy_abort(&device, 50) == TOY_OK && toy_error(&device) == TOY_ERROR_ABORTED);
    EXPECT(toy_dma_init(&dma, 10) == TOY_OK);
    model_set_fault(NO_FAULT);
    EXPECT(load() == TOY_OK && toy_start(&device) == TOY_OK && toy_wait(&device, 50) == TOY_OK);
    EXPECT(toy_abort(&device, 0) == TOY_OK); /* of hardware that is idle */
    EXPECT(toy_wait(&device, 50) == TOY_TIMEOUT); /* there is no frame to wait for */
    EXPECT(open_model(SILENT_FAULT) == TOY_OK && toy_start(&device) == TOY_OK);
    EXPECT(toy_abort(&device, 50) == TOY_OK && toy_error(&device) == TOY_ERROR_ABORTED);
    EXPECT(open_model(DEAF_FAULT) == TOY_OK && toy_start(&device) == TOY_OK);
    EXPECT(toy_abort(&device, 50) == TOY_TIMEOUT);
}

static void failures(void)
{
    EXPECT(open_model(SHORT_FAULT) == TOY_OK && toy_dma_init(&dma, 10) == TOY_OK);
    EXPECT(load() == TOY_OK && toy_start(&device) == TOY_OK && toy_wait(&device, 50) == TOY_FAILED);
    EXPECT(toy_error(&device) == TOY_ERROR_INPUT_LENGTH);
    EXPECT(strstr(toy_error_text(toy_error(&device)), "TLAST") != NULL);
    EXPECT(strcmp(toy_error_text(200), "unknown error") == 0);
    EXPECT(open_model(DMA_FAULT) == TOY_OK);
    EXPECT(load() == TOY_FAILED); /* the DMAs do not run yet */
    EXPECT(toy_dma_init(&dma, 10) == TOY_OK && load() == TOY_OK);
    EXPECT(toy_dma_wait(&dma, 50) == TOY_FAILED);
}

static void interrupts_and_restarts(void)
{
    struct toy_counters counters;
    EXPECT(open_model(NO_FAULT) == TOY_OK && toy_dma_init(&dma, 10) == TOY_OK);
    toy_enable_interrupts(&device, TOY_INTERRUPT_STATUS_DONE_MASK);
    toy_auto_restart(&device, true);
    EXPECT(load() == TOY_OK && toy_start(&device) == TOY_OK && !model_interrupt());
    EXPECT(toy_wait(&device, 100) == TOY_OK && model_interrupt());
    EXPECT(toy_take_interrupts(&device) == TOY_INTERRUPT_STATUS_DONE_MASK && !model_interrupt());
    EXPECT(toy_start(&device) == TOY_BUSY); /* the next frame is under way, and stays so */
    EXPECT(load() == TOY_OK && toy_wait(&device, 100) == TOY_OK);
    toy_auto_restart(&device, false);
    EXPECT(load() == TOY_OK && toy_wait(&device, 100) == TOY_OK);
    toy_counters(&device, &counters);
    EXPECT(counters.frames == 3);
    EXPECT(toy_start(&device) == TOY_OK); /* nothing followed */
    toy_enable_interrupts(&device, 0);
    EXPECT(toy_abort(&device, 50) == TOY_OK && !model_interrupt());
}

/* Registers that are memory. */
static void addresses(void)
{
    static uint32_t words[64];
    const struct toy_bus bus = toy_bus_at(words);
    EXPECT(toy_init(&device, &bus) == TOY_WRONG_BUILD);
    words[0x20 / 4] = 0x10000;
    words[0x24 / 4] = 0x89abcdef;
    EXPECT(toy_init(&device, &bus) == TOY_WRONG_DESIGN);
    words[0x28 / 4] = 0x01234567;
    EXPECT(toy_init(&device, &bus) == TOY_TIMEOUT); /* it is never idle */
    words[0] = 4;
    toy_auto_restart(&device, true);
    EXPECT(words[0] == 128);
}

int main(void)
{
    identity();
    frames();
    long_counter();
    bounds_and_aborts();
    failures();
    interrupts_and_restarts();
    EXPECT(model_misuses() == 0);
    addresses();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
