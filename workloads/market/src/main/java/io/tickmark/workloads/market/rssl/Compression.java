package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.transport.CompressionTypes;

/** Compression of a connection. */
public enum Compression {
    /** None. */
    NONE(CompressionTypes.NONE),
    /** zlib. */
    ZLIB(CompressionTypes.ZLIB),
    /** LZ4. */
    LZ4(CompressionTypes.LZ4);

    private final int type;

    Compression(final int type) {
        this.type = type;
    }

    int type() {
        return type;
    }
}
