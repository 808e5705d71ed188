/* The driver of hardware with weights in memory: where they are, errors of the memory, aborts. */
#include "sim.h"
#include "toy_board.h"

#include <stdio.h>
#include <string.h>

#define POLLS 200000u

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
static uint8_t first[65536];

/* A frame of zeros; what it gives is always the same. */
static void good_frame(void)
{
    const int output = TOY_INPUTS;
    uint8_t *result = board.memory + (address[output] - board.address);
    struct toy_counters counters;
    memset(result, 0xaa, toy_frame_bytes[output]);
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_OK);
    EXPECT(toy_dma_wait(&board.dma, POLLS) == TOY_OK);
    toy_counters(&device, &counters);
    EXPECT(counters.cycles > 0 && counters.weight_waits <= counters.cycles);
    if (counters.frames == 1)
        memcpy(first, result, toy_frame_bytes[output]);
    EXPECT(memcmp(first, result, toy_frame_bytes[output]) == 0);
}

/* Weights where no memory is: the frame fails and says why. */
static void lost_frame(void)
{
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_FAILED);
    EXPECT(toy_error(&device) == TOY_ERROR_MEMORY_RESPONSE);
    EXPECT(toy_abort(&device, POLLS) == TOY_OK);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

/* A memory that answers nothing: the watchdog says that weights are waited for. */
static void unanswered_frame(void)
{
    toy_watchdog(&device, 5000);
    sim_silence(1);
    EXPECT(toy_load(&board.dma, address) == TOY_OK);
    EXPECT(toy_start(&device) == TOY_OK);
    EXPECT(toy_wait(&device, POLLS) == TOY_FAILED);
    EXPECT(toy_error(&device) == TOY_ERROR_WATCHDOG);
    EXPECT(toy_waiting(&device) & TOY_WAITING_WEIGHTS_MASK);
    sim_silence(0);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
    toy_watchdog(&device, 0);
}

static void aborted_frame(uint32_t polls)
{
    EXPECT(toy_load(&board.dma, address) == TOY_OK && toy_start(&device) == TOY_OK);
    if (toy_wait(&device, polls) == TOY_TIMEOUT) {
        EXPECT(toy_weights_at(&device, 0) == TOY_BUSY);
        EXPECT(toy_abort(&device, POLLS) == TOY_OK);
        EXPECT(toy_error(&device) == TOY_ERROR_ABORTED);
    }
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
}

int drive_main(void);

int drive_main(void)
{
    uint64_t weights;
    (void)toy_board_open(&board, 0, NULL);
    EXPECT(toy_load_weights(&board, "no such file", &weights) == -1);
    EXPECT(toy_load_weights(&board, "DESIGN.json", &weights) == -1);
    EXPECT(toy_load_weights(&board, "memory/weights.bin", &weights) == 0);
    for (unsigned i = 0; i < TOY_STREAMS; ++i)
        address[i] = board.address + 65536u * i;
    EXPECT(board.address + board.bytes == weights);
    EXPECT(toy_load_weights(&board, "memory/weights.bin", &weights) == 0);
    EXPECT(board.address + board.bytes == weights);
    EXPECT(toy_init(&device, &board.control) == TOY_OK);
    EXPECT(toy_dma_init(&board.dma, POLLS) == TOY_OK);
    EXPECT(toy_start(&device) == TOY_NO_WEIGHTS);
    EXPECT(toy_weights_at(&device, weights + 64) == TOY_BAD_ARGUMENT);
    EXPECT(toy_weights_at(&device, (uint64_t)1 << 40) == TOY_BAD_ARGUMENT);
    EXPECT(toy_weights_at(&device, 0) == TOY_OK);
    lost_frame();
    EXPECT(toy_weights_at(&device, weights) == TOY_OK);
    unanswered_frame();
    for (int frame = 0; frame < 3; ++frame)
        good_frame();
    unanswered_frame();
    good_frame();
    for (uint32_t polls = 0; polls < 8; ++polls) {
        aborted_frame(polls);
        good_frame();
    }
    EXPECT(toy_weights_at(&device, 4096) == TOY_OK); /* the image has gone: all is read again */
    lost_frame();
    EXPECT(toy_weights_at(&device, weights) == TOY_OK);
    good_frame();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
