package io.tickmark.workloads.fix.gateway;

import io.tickmark.wire.fix.FixFields;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.Tags;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bodies for subscribers by symbol, created once for each message and only when needed: the
 * full one without the producer's request id, and the incremental one (35=X), where each entry
 * states its change and its symbol. Single-threaded.
 */
final class Variants {
    static final byte[] SNAPSHOT = {'W'};
    static final byte[] INCREMENTAL = {'X'};

    /** MDUpdateAction "change", the first field of each entry of an incremental refresh. */
    private static final byte[] CHANGE = "279=1\u0001".getBytes(StandardCharsets.US_ASCII);

    private final BodyBytes plain = new BodyBytes(1024);
    private final BodyBytes incremental = new BodyBytes(1024);
    private final FixFields fields = new FixFields();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private boolean hasPlain;
    private boolean hasIncremental;
    private FanOutMessage message;

    Variants() {}

    void of(final FanOutMessage next) {
        message = next;
        hasPlain = false;
        hasIncremental = false;
    }

    /** Everything but the request id. */
    BodyBytes plain() {
        if (!hasPlain) {
            hasPlain = true;
            final byte[] bytes = message.body().array();
            final int length = message.body().length();
            plain.clear();
            if (message.requestField() < 0) {
                plain.put(message.body());
            } else {
                final int behind = message.requestField() + message.requestFieldLength();
                plain.put(bytes, 0, message.requestField());
                plain.put(bytes, behind, length - behind);
            }
        }
        return plain;
    }

    /**
     * Entries that change, each with the symbol; unchanged where the message is incremental
     * already.
     */
    BodyBytes incremental() {
        if (message.type().length == 1 && message.type()[0] == 'X') {
            return plain();
        }
        if (!hasIncremental) {
            hasIncremental = true;
            makeIncremental();
        }
        return incremental;
    }

    private void makeIncremental() {
        final BodyBytes full = plain();
        view.wrap(full.array(), 0, full.length());
        incremental.clear();
        fields.wrap(view, 0, full.length());
        boolean inGroup = false;
        int begin = fields.position();
        while (fields.next()) {
            final int end = fields.position();
            final boolean isEntry = inGroup && fields.tag() == Tags.MD_ENTRY_TYPE;
            if (isEntry) {
                incremental.put(CHANGE, 0, CHANGE.length);
            }
            if (inGroup || fields.tag() != Tags.SYMBOL) {
                incremental.put(full.array(), begin, end - begin);
            }
            if (isEntry) {
                putSymbol();
            }
            inGroup |= fields.tag() == Tags.NO_MD_ENTRIES;
            begin = end;
        }
    }

    private void putSymbol() {
        if (message.hasSymbol()) {
            final int begin = message.symbol() - "55=".length();
            incremental.put(message.body().array(), begin, message.symbolLength() + "55=".length());
            incremental.end();
        }
    }
}
