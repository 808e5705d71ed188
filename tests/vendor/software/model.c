#include "model.h"

#include <string.h>

#define FRAME_POLLS 5

static const uint32_t expected_bytes[3] = {48, 32, 32};

static struct {
    enum model_fault fault;
    int busy, polls, done, aborting, restart, abort_polls;
    uint32_t enabled, pending, global, error, frames;
    uint64_t cycles, each;
    uint32_t kept;
    int misuses;
} hw;

/* Index: image, bias, scores. */
static struct {
    uint32_t control, status, low, high, length;
    int armed;
} dma[3];

void model_reset(enum model_fault fault)
{
    memset(&hw, 0, sizeof hw);
    memset(dma, 0, sizeof dma);
    hw.fault = fault;
    hw.each = 7;
    for (int i = 0; i < 3; ++i)
        dma[i].status = 1;
}

void model_set_fault(enum model_fault fault) { hw.fault = fault; }
int model_interrupt(void) { return hw.global && hw.pending != 0; }
int model_misuses(void) { return hw.misuses; }

void model_set_cycles(uint64_t cycles, uint64_t each)
{
    hw.cycles = cycles;
    hw.each = each;
}

static uint8_t *memory(int channel)
{
    return (uint8_t *)(uintptr_t)((uint64_t)dma[channel].high << 32 | dma[channel].low);
}

static void finish(uint32_t error)
{
    hw.busy = 0;
    hw.error = error;
    if (error == 0) {
        hw.done = 1;
        ++hw.frames;
    }
    hw.pending |= (error != 0 ? 2u : 1u) & hw.enabled;
    if (error == 0 && hw.restart) {
        hw.busy = 1;
        hw.polls = FRAME_POLLS;
    }
}

static void compute(void)
{
    uint64_t image[6], bias[3];
    memcpy(image, memory(0), sizeof image);
    memcpy(bias, memory(1), sizeof bias);
    for (int k = 0; k < 4; ++k) {
        uint64_t word = 3 * image[k] + bias[k % 3];
        if (hw.fault == WRONG_WORD_FAULT && k == 2)
            word ^= 0x100;
        memcpy(memory(2) + 8 * k, &word, sizeof word);
    }
    for (int i = 0; i < 3; ++i) {
        dma[i].armed = 0;
        dma[i].status |= 0x1002;
    }
}

static void advance(void)
{
    const int fed = dma[0].armed && dma[1].armed && dma[2].armed;
    if (hw.aborting && hw.fault != DEAF_FAULT &&
        (hw.aborting > 1 || (--hw.abort_polls <= 0 && hw.fault != SILENT_FAULT))) {
        hw.aborting = 0;
        finish(2);
        return;
    }
    if (!hw.busy || hw.aborting)
        return;
    hw.cycles += hw.each;
    if (hw.fault == HANG_FAULT || hw.fault == DEAF_FAULT ||
        hw.fault == SILENT_FAULT || !fed || --hw.polls > 0)
        return;
    if (hw.fault == SHORT_FAULT) {
        finish(1);
        return;
    }
    compute();
    finish(0);
}

static uint32_t control_read(void *context, uint32_t offset)
{
    (void)context;
    if (hw.fault == NO_HARDWARE_FAULT)
        return 0xffffffffu;
    advance();
    switch (offset) {
    case 0x00:
        return (hw.busy && hw.polls == FRAME_POLLS ? 1u : 0u) | (hw.done ? 2u : 0u) |
               (hw.busy || hw.aborting ? 0u : 4u) | (hw.aborting ? 16u : 0u) |
               (hw.restart ? 128u : 0u);
    case 0x04: return hw.global;
    case 0x08: return hw.enabled;
    case 0x0c: return hw.pending;
    case 0x10: return hw.error;
    case 0x14: return hw.frames;
    case 0x18:
        hw.kept = (uint32_t)(hw.cycles >> 32);
        return (uint32_t)hw.cycles;
    case 0x1c: return hw.kept;
    case 0x20: return hw.fault == WRONG_BUILD_FAULT ? 0x10001u : 0x10000u;
    case 0x24: return 0x89abcdefu;
    case 0x28: return hw.fault == WRONG_DESIGN_FAULT ? 0x01234566u : 0x01234567u;
    case 0x40: return 11;
    case 0x44: return 22;
    case 0x48: return 33;
    default: ++hw.misuses; return 0;
    }
}

static void start_or_abort(uint32_t value)
{
    if (value & 2u)
        hw.done = 0;
    hw.restart = (value & 128u) != 0;
    if ((value & 16u) && hw.aborting)
        hw.aborting = 2;
    if ((value & 16u) && hw.busy && !hw.aborting) {
        hw.aborting = 1;
        hw.abort_polls = 3;
    }
    if (value & 1u) {
        hw.misuses += hw.busy;
        hw.busy = 1;
        hw.polls = FRAME_POLLS;
        hw.cycles = hw.each > 7 ? hw.cycles : 0;
        hw.error = 0;
    }
}

static void control_write(void *context, uint32_t offset, uint32_t value)
{
    (void)context;
    advance();
    switch (offset) {
    case 0x00: start_or_abort(value); break;
    case 0x04: hw.global = value & 1u; break;
    case 0x08: hw.enabled = value & 3u; break;
    case 0x0c: hw.pending &= ~value; break;
    default: ++hw.misuses;
    }
}

/* MM2S of DMA 0, MM2S of DMA 1, S2MM of DMA 0; -1: there is none. */
static int channel_of(const int *number, uint32_t offset)
{
    if (offset < 0x30)
        return *number;
    return *number == 0 ? 2 : -1;
}

static uint32_t dma_read(void *context, uint32_t offset)
{
    const int channel = channel_of(context, offset);
    if (channel < 0)
        return 0;
    switch (offset % 0x30) {
    case 0x00: return dma[channel].control & ~4u;
    case 0x04:
        if (hw.fault == DMA_FAULT && dma[channel].armed)
            dma[channel].status |= 0x41;
        return dma[channel].status;
    default: ++hw.misuses; return 0;
    }
}

static void dma_reset(int number)
{
    for (int channel = number; channel < 3; channel += 2) {
        memset(&dma[channel], 0, sizeof dma[channel]);
        dma[channel].status = 1;
    }
}

static void dma_write(void *context, uint32_t offset, uint32_t value)
{
    const int number = *(const int *)context, channel = channel_of(context, offset);
    if (channel < 0) {
        ++hw.misuses;
        return;
    }
    switch (offset % 0x30) {
    case 0x00:
        if (value & 4u)
            dma_reset(number);
        else {
            dma[channel].control = value;
            dma[channel].status &= value & 1u ? ~1u : ~0u;
        }
        break;
    case 0x04: dma[channel].status &= ~(value & 0x7000u); break;
    case 0x18: dma[channel].low = value; break;
    case 0x1c: dma[channel].high = value; break;
    case 0x28:
        /* A transfer begins, which only a DMA that runs and has nothing to do can. */
        hw.misuses += dma[channel].armed || (dma[channel].status & 1u) != 0;
        hw.misuses += value != expected_bytes[channel];
        dma[channel].length = value;
        dma[channel].armed = 1;
        dma[channel].status &= ~2u;
        break;
    default: ++hw.misuses;
    }
}

struct toy_bus model_control(void)
{
    struct toy_bus bus = {NULL, control_read, control_write, NULL};
    return bus;
}

struct toy_bus model_dma(int number)
{
    static int numbers[2] = {0, 1};
    struct toy_bus bus = {&numbers[number], dma_read, dma_write, NULL};
    return bus;
}
