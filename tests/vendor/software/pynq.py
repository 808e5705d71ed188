"""What the driver in Python uses of PYNQ, over a model of the hardware.

The hardware is that of model.h, written from what the table of registers says. `FAULT` is one of
its faults; `MISUSES` lists what no driver should do.
"""

FAULT = ""
MISUSES = []
ALLOCATED = []


class Buffer(bytearray):
    pass


def allocate(shape, dtype):
    if dtype != "u1":
        MISUSES.append("buffer of %s" % dtype)
    ALLOCATED.append(Buffer(b"\xaa" * shape[0]))
    return ALLOCATED[-1]


class Channel:
    def __init__(self):
        self.buffer = None
        self.waited = False

    def transfer(self, buffer):
        if self.buffer is not None:
            MISUSES.append("transfer of a channel that has one")
        self.buffer = buffer

    def wait(self):
        if self.buffer is not None:
            raise RuntimeError("DMA channel not idle")


class Dma:
    def __init__(self):
        self.sendchannel = Channel()
        self.recvchannel = Channel()


class Registers:
    def __init__(self, dmas):
        self.dmas = dmas
        self.words = {0x20: 0x10000, 0x24: 0x89ABCDEF, 0x28: 0x01234567, 0x40: 11, 0x44: 22, 0x48: 33}
        self.busy = self.done = self.abort = self.restart = False
        self.enabled = self.pending = self.line = self.error = self.frames = 0
        self.cycles = self.kept = 0
        self.left = 0
        if FAULT == "build":
            self.words[0x20] = 0x10001
        if FAULT == "design":
            self.words[0x28] += 1

    def finish(self, error):
        self.busy, self.error = False, error
        self.done = self.done or error == 0
        self.frames += error == 0
        self.pending |= (2 if error else 1) & self.enabled

    def step(self):
        if self.abort:
            self.abort = False
            self.finish(2)
        if not self.busy:
            return
        self.cycles += 0x7FFFFFFF
        self.left -= 1
        image, bias = self.dmas[0].sendchannel, self.dmas[1].sendchannel
        scores = self.dmas[0].recvchannel
        if self.left > 0 or FAULT == "hang" or None in (image.buffer, bias.buffer, scores.buffer):
            return
        if FAULT == "short":
            self.finish(1)
            return
        for k in range(4):
            word = 3 * self.word(image.buffer, k) + self.word(bias.buffer, k % 3)
            if FAULT == "word" and k == 2:
                word ^= 0x100
            scores.buffer[8 * k:8 * k + 8] = (word & (1 << 64) - 1).to_bytes(8, "little")
        image.buffer = bias.buffer = scores.buffer = None
        self.finish(0)

    @staticmethod
    def word(buffer, k):
        return int.from_bytes(buffer[8 * k:8 * k + 8], "little")

    def read(self, offset):
        self.step()
        if offset == 0x00:
            return (2 * self.done | 4 * (not self.busy) | 16 * self.abort | 128 * self.restart)
        if offset == 0x18:
            self.kept = self.cycles >> 32
            return self.cycles & 0xFFFFFFFF
        known = {0x04: self.line, 0x08: self.enabled, 0x0C: self.pending, 0x10: self.error,
                 0x14: self.frames, 0x1C: self.kept}
        known.update(self.words)
        if offset not in known:
            MISUSES.append("read of 0x%x" % offset)
        return known.get(offset, 0)

    def write(self, offset, value):
        self.step()
        if offset == 0x00:
            self.done = self.done and not value & 2
            self.restart = bool(value & 128)
            self.abort = self.abort or (bool(value & 16) and self.busy)
            if value & 1:
                if self.busy:
                    MISUSES.append("start while busy")
                self.busy, self.left, self.cycles, self.error = True, 4, 0, 0
        elif offset == 0x04:
            self.line = value & 1
        elif offset == 0x08:
            self.enabled = value & 3
        elif offset == 0x0C:
            self.pending &= ~value
        else:
            MISUSES.append("write of 0x%x" % offset)


class Core:
    def __init__(self, mmio):
        self.mmio = mmio


class Overlay:
    def __init__(self, bitfile):
        self.bitfile = bitfile
        self.dma_0, self.dma_1 = Dma(), Dma()
        self.accelerator = Core(Registers([self.dma_0, self.dma_1]))
