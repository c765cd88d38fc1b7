package io.tickmark.wire.tcp;

/** Decides which receiver gets the bytes of a direction of a connection. */
@FunctionalInterface
public interface StreamFactory {
    /**
     * A direction that was not seen before.
     *
     * @param flow its addresses
     * @return who takes its bytes
     */
    ByteStream open(TcpFlow flow);
}
