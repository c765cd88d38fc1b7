package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.DomainTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageEncoderTest {
    private static final int STREAM = 17;
    private static final long TAKEN_NS = 123_456_789_000L;
    private static final long TAKEN_US = TAKEN_NS / 1000;
    private static final long INTENDED_NS = 123_456_700_123L;

    private final FieldDictionary dictionary = FieldDictionary.own();
    private final MessageFile.Messages messages =
            MessageFile.own(dictionary).messages(DomainTypes.MARKET_PRICE);
    private final MessageEncoder encoder = new MessageEncoder(dictionary, TimeUnit.MICROSECONDS);
    private final PayloadDecoder decoder = new PayloadDecoder(dictionary);
    private final Tracking tracking = new Tracking();
    private final PostHeader poster = new PostHeader(7, 0x7f000001L);
    private final Wire wire = new Wire();

    @TempDir Path folder;

    private Wire write(final MessageTemplate template) {
        return wire.write(
                template.maxBytes(0),
                iterator -> encoder.any(iterator, template, STREAM, tracking, poster));
    }

    @Test
    void shouldCarryNumberAndTimesInAnUpdate() {
        tracking.timed(5_000_000_000L, TAKEN_NS, INTENDED_NS);

        final Msg read = write(messages.updates().getFirst()).read(decoder);

        assertThat(read.msgClass()).isEqualTo(MsgClasses.UPDATE);
        assertThat(read.streamId()).isEqualTo(STREAM);
        assertThat(read.domainType()).isEqualTo(DomainTypes.MARKET_PRICE);
        assertThat(decoder.sequence(MessageKind.UPDATE)).isEqualTo(5_000_000_000L);
        assertThat(decoder.taken(MessageKind.UPDATE)).isEqualTo(TAKEN_US);
        assertThat(decoder.intendedNs()).isEqualTo(INTENDED_NS);
        assertThat(decoder.host()).isEqualTo(Fields.OWN_HOST);
        assertThat(decoder.fields()).isEqualTo(23 + 4);
        assertThat(decoder.unknownFields()).isZero();
    }

    @Test
    void shouldCarryNanosecondsWhereAskedFor() {
        final MessageEncoder nanos = new MessageEncoder(dictionary, TimeUnit.NANOSECONDS);
        final PayloadDecoder reader = new PayloadDecoder(dictionary);
        final MessageTemplate update = messages.updates().getFirst();

        wire.write(
                        update.maxBytes(0),
                        it -> nanos.update(it, update, 1, tracking.timed(1, 987_654_321_123L, 0)))
                .read(reader);

        assertThat(reader.taken(MessageKind.UPDATE)).isEqualTo(987_654_321_123L);
        assertThat(reader.intendedNs()).isZero();
    }

    @Test
    void shouldCarryNoTimeInAnUpdateWithoutLatencyData() {
        tracking.plain(3);

        write(messages.updates().getFirst()).read(decoder);

        assertThat(decoder.sequence(MessageKind.UPDATE)).isEqualTo(3);
        assertThat(decoder.taken(MessageKind.UPDATE)).isZero();
        assertThat(decoder.fields()).isEqualTo(23 + 1);
    }

    @Test
    void shouldDescribeTheItemInAnImage() {
        final ImageHeader header =
                new ImageHeader().of(ImageHeader.nameOf("TMK1"), 4).as(true, true);
        wire.write(
                messages.refresh().maxBytes(4),
                it -> encoder.refresh(it, messages.refresh(), STREAM, tracking.plain(9), header));

        final RefreshMsg read = (RefreshMsg) wire.read(decoder);

        assertThat(read.msgKey().name().toString()).isEqualTo("TMK1");
        assertThat(read.msgKey().serviceId()).isEqualTo(4);
        assertThat(read.checkSolicited()).isTrue();
        assertThat(read.checkRefreshComplete()).isTrue();
        assertThat(read.state().streamState()).isEqualTo(StreamStates.OPEN);
        assertThat(read.state().dataState()).isEqualTo(DataStates.OK);
        assertThat(decoder.sequence(MessageKind.REFRESH)).isEqualTo(9);
    }

    @Test
    void shouldEndTheStreamWithTheImageOfASnapshot() {
        final ImageHeader header =
                new ImageHeader().of(ImageHeader.nameOf("TMK1"), 4).as(true, false);
        wire.write(
                messages.refresh().maxBytes(4),
                it -> encoder.refresh(it, messages.refresh(), STREAM, tracking.plain(0), header));

        assertThat(((RefreshMsg) wire.read()).state().streamState())
                .isEqualTo(StreamStates.NON_STREAMING);
    }

    @Test
    void shouldPostAnUpdateAndReflectItWithItsPoster() {
        tracking.timed(2, TAKEN_NS, INTENDED_NS);
        final PostMsg post = (PostMsg) write(messages.posts().getFirst()).read(decoder);

        assertThat(post.checkPostComplete()).isTrue();
        assertThat(post.checkAck()).isFalse();
        assertThat(decoder.sequence(MessageKind.POST)).isEqualTo(2);
        assertThat(decoder.taken(MessageKind.POST)).isEqualTo(TAKEN_US);

        final Msg reflected = new ReflectedPost().of(post, 14, 1);
        reflected.streamId(3);
        final Wire back = new Wire();
        back.write(1 << 12, reflected::encode);
        final UpdateMsg update = (UpdateMsg) back.read(decoder);

        assertThat(update.streamId()).isEqualTo(3);
        assertThat(update.checkHasPostUserInfo()).isTrue();
        assertThat(update.postUserInfo().userId()).isEqualTo(7);
        assertThat(update.postUserInfo().userAddr()).isEqualTo(0x7f000001L);
        assertThat(decoder.taken(MessageKind.POST)).isEqualTo(TAKEN_US);
    }

    @Test
    void shouldCarryNumberAndTimeInAGenericMessage() {
        tracking.timed(8, TAKEN_NS, 0);

        final Msg read = write(messages.generics().getFirst()).read(decoder);

        assertThat(read.msgClass()).isEqualTo(MsgClasses.GENERIC);
        assertThat(decoder.sequence(MessageKind.GENERIC)).isEqualTo(8);
        assertThat(decoder.taken(MessageKind.GENERIC)).isEqualTo(TAKEN_US);
    }

    @Test
    void shouldLeaveOutWhatTheUsersDictionaryDoesNotHave() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path fields = folder.resolve(FieldDictionary.FIELD_FILE);
        Files.write(
                fields,
                Files.readAllLines(fields).stream().filter(l -> !l.startsWith("TM_")).toList());
        final FieldDictionary users =
                FieldDictionary.read(fields, folder.resolve(FieldDictionary.ENUM_FILE));
        final MessageEncoder toUsers = new MessageEncoder(users, TimeUnit.MICROSECONDS);
        final MessageTemplate update = messages.updates().getFirst();

        wire.write(
                        update.maxBytes(0),
                        it ->
                                toUsers.update(
                                        it,
                                        update,
                                        STREAM,
                                        tracking.timed(5, TAKEN_NS, INTENDED_NS)))
                .read(decoder);

        assertThat(users.hasIntendedTime()).isFalse();
        assertThat(users.hasSequences()).isFalse();
        assertThat(users.hasTime(MessageKind.UPDATE)).isTrue();
        assertThat(decoder.fields()).isEqualTo(23 + 1);
        assertThat(decoder.taken(MessageKind.UPDATE)).isEqualTo(TAKEN_US);
        assertThat(decoder.sequence(MessageKind.UPDATE)).isZero();
    }

    @Test
    void shouldCountFieldsThatTheReadersDictionaryDoesNotHave() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path fields = folder.resolve(FieldDictionary.FIELD_FILE);
        Files.write(
                fields,
                Files.readAllLines(fields).stream().filter(l -> !l.startsWith("BID ")).toList());
        final PayloadDecoder poor =
                new PayloadDecoder(
                        FieldDictionary.read(fields, folder.resolve(FieldDictionary.ENUM_FILE)));

        write(messages.updates().getFirst()).read(poor);

        assertThat(poor.unknownFields()).isEqualTo(1);
    }

    @Test
    void shouldWriteTheSameBytesPreEncoded() {
        for (final MessageKind kind : MessageKind.values()) {
            if (kind == MessageKind.REFRESH) {
                continue;
            }
            final MessageTemplate template = messages.of(kind).getLast();
            final PreEncoded once = encoder.preEncode(template, poster);
            tracking.plain(0x9abcdef0L);
            final TransportBytes buffer = new TransportBytes(once.length(tracking) + 10, 10);
            once.write(buffer, STREAM, tracking);

            assertThat(buffer.written()).isEqualTo(write(template).written());

            // fewer bytes would do for this number
            once.write(buffer.cleared(), STREAM + 1, tracking.plain(2));
            wire.put(buffer.written()).read(decoder);
            assertThat(wire.read().streamId()).isEqualTo(STREAM + 1);
            assertThat(decoder.sequence(kind)).isEqualTo(2);
            assertThat(decoder.taken(kind)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TimeUnit.class,
            names = {"MICROSECONDS", "NANOSECONDS"})
    void shouldCarryItsOwnTimesInEachCopyOfAPreEncodedMessage(final TimeUnit unit) {
        final MessageEncoder sender = new MessageEncoder(dictionary, unit);
        final PayloadDecoder reader = new PayloadDecoder(dictionary);
        final long step = unit.toNanos(1);
        for (final MessageKind kind :
                List.of(MessageKind.UPDATE, MessageKind.POST, MessageKind.GENERIC)) {
            for (final MessageTemplate template : messages.of(kind)) {
                final PreEncoded once = sender.preEncode(template, poster);
                // a clock just started, one of today, and one after a century
                for (final long takenNs : new long[] {step, TAKEN_NS, 3_153_600_000_123_456_000L}) {
                    tracking.timed(0x9abcdef0L, takenNs, takenNs - 1);
                    final TransportBytes buffer = new TransportBytes(once.length(tracking), 0);
                    once.write(buffer, STREAM, tracking);
                    wire.put(buffer.written()).read(reader);

                    assertThat(wire.read().streamId()).isEqualTo(STREAM);
                    assertThat(reader.sequence(kind)).isEqualTo(0x9abcdef0L);
                    assertThat(reader.taken(kind)).isEqualTo(takenNs / step);
                    assertThat(reader.intendedNs()).isEqualTo(takenNs - 1);
                    assertThat(reader.unknownFields()).isZero();
                }
            }
        }
    }

    @Test
    void shouldAllocateNothingForAMessage() {
        final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean)
                        java.lang.management.ManagementFactory.getThreadMXBean();
        sendSome(20_000);
        final long before = threads.getCurrentThreadAllocatedBytes();
        sendSome(10_000);
        final long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes).isLessThan(10_000); // less than a byte a message: the lambdas, once
    }

    @Test
    void shouldAllocateNothingForACopyOfAPreEncodedMessage() {
        final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean)
                        java.lang.management.ManagementFactory.getThreadMXBean();
        final PreEncoded once = encoder.preEncode(messages.updates().getFirst(), null);
        tracking.timed(1, TAKEN_NS, INTENDED_NS);
        final TransportBytes buffer = new TransportBytes(once.length(tracking), 0);
        copySome(once, buffer, 20_000);
        final long before = threads.getCurrentThreadAllocatedBytes();
        copySome(once, buffer, 10_000);
        final long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes).isLessThan(10_000);
    }

    private void copySome(final PreEncoded once, final TransportBytes buffer, final int count) {
        for (int i = 1; i <= count; i++) {
            once.write(buffer.cleared(), STREAM, tracking.timed(i, TAKEN_NS + i, INTENDED_NS + i));
        }
    }

    private void sendSome(final int count) {
        final MessageTemplate update = messages.updates().getFirst();
        final java.util.function.ToIntFunction<com.refinitiv.eta.codec.EncodeIterator> encode =
                it -> encoder.update(it, update, STREAM, tracking);
        for (int i = 1; i <= count; i++) {
            tracking.timed(i, TAKEN_NS + i, INTENDED_NS + i);
            wire.write(update.maxBytes(0), encode);
            if (Wire.decode(decoder, wire.read()) != CodecReturnCodes.SUCCESS) {
                throw new AssertionError();
            }
        }
    }
}
