"""A service to measure: it sends back each datagram that it gets, after WORK_MS milliseconds of work."""

import socket
import sys
import time

WORK_MS = 1

service = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
service.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    message, sender = service.recvfrom(65536)
    until = time.perf_counter() + WORK_MS / 1000
    while time.perf_counter() < until:
        pass
    service.sendto(message, sender)
