"""What the driver in Python uses of PYNQ, over the simulation: SIMULATION is its command."""

import os
import subprocess


def allocate(shape, dtype):
    return bytearray(shape[0])


class Simulation:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["SIMULATION"], "serve"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def read(self, offset):
        return int(self.ask("r", offset))

    def write(self, offset, value):
        assert self.ask("w", offset, value) == "ok"


class Channel:
    def __init__(self, simulation, number, sources, sends):
        self.simulation, self.number, self.sends = simulation, number, sends
        self.stream = number if sends else sources + number

    def transfer(self, buffer):
        self.buffer = buffer
        if self.sends:
            self.simulation.ask("send", self.number, bytes(buffer).hex())
        else:
            self.simulation.ask("recv", self.number, len(buffer))

    def wait(self):
        for _ in range(1000):
            if self.simulation.ask("busy", self.stream) == "0":
                break
        else:
            raise RuntimeError("DMA channel not idle")
        if not self.sends:
            self.buffer[:] = bytes.fromhex(self.simulation.ask("got", self.number))


class Part:
    pass


class Overlay:
    def __init__(self, bitfile):
        self.simulation = Simulation()
        self.accelerator = Part()
        self.accelerator.mmio = self.simulation
        for k in range(2):
            dma = Part()
            dma.sendchannel = Channel(self.simulation, k, 2, True)
            dma.recvchannel = Channel(self.simulation, k, 2, False)
            setattr(self, "dma_%d" % k, dma)
