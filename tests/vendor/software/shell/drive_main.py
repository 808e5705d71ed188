"""The driver in Python against the hardware: golden vectors, an abort, a frame after it."""

import sys

import toy_pynq

device = toy_pynq.open_overlay("toy.bit")
for number in range(5):
    print("wrong lines of vector %d: %d" % (number, device.check(sys.argv[1], number)))
counters = device.counters()
print("frames %d, cycles %s" % (counters["frames"], "some" if counters["cycles"] > 0 else "none"))
device.load({stream[0]: b"" for stream in toy_pynq.INPUTS})
device.start()
device.abort()
print("error %d" % device.error())
