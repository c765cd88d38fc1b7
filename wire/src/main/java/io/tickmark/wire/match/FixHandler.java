package io.tickmark.wire.match;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.Garbled;
import org.agrona.DirectBuffer;

/** Takes the FIX messages of all streams. */
interface FixHandler {
    /** A whole message; the framer says where it lies. */
    void onMessage(FixStream stream, DirectBuffer buffer, FixFramer framer, long timeNs);

    /** Bytes that are no message. */
    void onGarbled(FixStream stream, Garbled reason, long position);

    /** A message was cut: its other part is not in the capture. */
    void onCut(FixStream stream);
}
