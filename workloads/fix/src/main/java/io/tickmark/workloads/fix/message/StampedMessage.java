package io.tickmark.workloads.fix.message;

import io.tickmark.workloads.fix.session.BodyBytes;

/**
 * The message of one producer: the template's body with the stamp before it, written over for each
 * send. Single-threaded, allocates nothing after construction.
 */
public final class StampedMessage {
    private final byte[] type;
    private final BodyBytes body = new BodyBytes(512);
    private final int fanOut;
    private final int intended;
    private final int sent;
    private final int phase;
    private final int number;
    private final int fanOutNumber;
    private final int symbol;
    private final int symbolDigits;

    /**
     * A message.
     *
     * @param template with the market data
     * @param producer number of the producer, from 1
     * @param hostId of this host
     * @param varySymbols whether the last digits of the symbol are written over
     */
    public StampedMessage(
            final FixTemplate template,
            final int producer,
            final long hostId,
            final boolean varySymbols) {
        type = template.type();
        fanOut = field(StampTags.FAN_OUT, "N");
        intended = field(StampTags.INTENDED_NS, zeros(StampTags.TIME_DIGITS));
        sent = field(StampTags.SENT_NS, zeros(StampTags.TIME_DIGITS));
        final int identity =
                field(
                        StampTags.IDENTITY,
                        "%05d0".formatted(producer) + zeros(StampTags.NUMBER_DIGITS));
        phase = identity + StampTags.PRODUCER_DIGITS;
        number = phase + 1;
        fanOutNumber = field(StampTags.FAN_OUT_NUMBER, zeros(StampTags.NUMBER_DIGITS));
        field(StampTags.HOST, "%016x".formatted(hostId));
        final int begin = body.length();
        final byte[] fields = varySymbols ? template.fieldsWithNumberedSymbol() : template.fields();
        body.put(fields, 0, fields.length);
        symbol = begin + template.symbolDigitsAt();
        symbolDigits = varySymbols ? FixTemplate.SYMBOL_DIGITS : 0;
    }

    private static String zeros(final int count) {
        return "0".repeat(count);
    }

    private int field(final int tag, final String value) {
        body.field(tag, value);
        return body.length() - 1 - value.length();
    }

    /**
     * Writes the fields known before the send.
     *
     * @param kind part of the run
     * @param count number among all messages of the part
     * @param fansOut whether it fans out
     * @param fanOutCount number among those that fan out
     * @param intendedNs when it is wanted
     */
    public void prepare(
            final StampTags.Phase kind,
            final long count,
            final boolean fansOut,
            final long fanOutCount,
            final long intendedNs) {
        body.patch(fanOut, (byte) (fansOut ? 'Y' : 'N'));
        body.patch(phase, (byte) ('0' + kind.ordinal()));
        body.patch(number, StampTags.NUMBER_DIGITS, count);
        body.patch(fanOutNumber, StampTags.NUMBER_DIGITS, fanOutCount);
        body.patch(intended, StampTags.TIME_DIGITS, intendedNs);
    }

    /**
     * Writes the number of the symbol.
     *
     * @param which from 0
     */
    public void symbol(final int which) {
        body.patch(symbol, symbolDigits, which);
    }

    /**
     * Writes the time of the send.
     *
     * @param nowNs now
     */
    public void stampSent(final long nowNs) {
        body.patch(sent, StampTags.TIME_DIGITS, nowNs);
    }

    /**
     * MsgType.
     *
     * @return value of field 35
     */
    public byte[] type() {
        return type;
    }

    /**
     * The fields after the header.
     *
     * @return the body as it is now
     */
    public BodyBytes body() {
        return body;
    }
}
