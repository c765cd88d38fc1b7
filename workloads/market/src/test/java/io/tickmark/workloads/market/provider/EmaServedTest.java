package io.tickmark.workloads.market.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmInvalidUsageException.ErrorCode;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.provider.EmaProvider.EmaAnswer;
import io.tickmark.workloads.market.rssl.EmaRefusalsTest;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.ItemFeed;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class EmaServedTest {
    private static final int SNAPSHOTS = 100;
    private static final long LOGIN = 99;

    private final NanoClock clock = () -> 1;
    private final FieldDictionary dictionary = FieldDictionary.own();
    private final MessageFile.Messages messages = MessageFile.own(dictionary).messages(6);
    private final List<Object> handles = new ArrayList<>();
    private final List<Object> submitted = new ArrayList<>();
    private final ProviderCounts counts = ProviderCounts.COLUMNS.zero();
    private final AtomicInteger waiting = new AtomicInteger();
    private final OmmProvider provider = provider();
    private final EmaProvider.EmaServed served =
            new EmaProvider.EmaServed(
                    new ItemFeed(
                            clock, new TickBursts(100, 0, 100, 1), new TickBursts(0, 0, 100, 1)),
                    new EmaSink(
                            provider,
                            new EmaContent(dictionary, TimeUnit.NANOSECONDS),
                            1,
                            LongUnaryOperator.identity(),
                            new EncodeTime(clock, null)),
                    counts,
                    new EmaProvider.EmaServed.Library(
                            provider,
                            1,
                            LOGIN,
                            waiting,
                            handle -> handle == this.closedByTheOtherSide));
    private OmmException refusal;
    private long closedByTheOtherSide;

    private OmmProvider provider() {
        return (OmmProvider)
                Proxy.newProxyInstance(
                        OmmProvider.class.getClassLoader(),
                        new Class<?>[] {OmmProvider.class},
                        (proxy, method, arguments) -> {
                            if (refusal != null) {
                                throw refusal;
                            }
                            submitted.add(arguments[0]);
                            handles.add(arguments[1]);
                            return null;
                        });
    }

    @Test
    void shouldSubmitToTheHandlesThatWereAskedWith() {
        served.request(5_000_000_007L, "A", messages, true);
        served.sendImages(1);
        served.sendBursts(1, TickBursts.MOST_IN_A_TURN);
        assertThat(handles).containsExactly(5_000_000_007L, 5_000_000_007L);
    }

    /** The library, which ends their streams by itself, calls no client. */
    @Test
    void shouldForgetSnapshotsOnceTheyAreSent() {
        served.request(1, "A", messages, true);
        for (long handle = 2; handle < 2 + SNAPSHOTS; handle++) {
            served.request(handle, "B", messages, false);
            served.generic(handle, 1);
            served.sendImages(2);
        }
        assertThat(served.feed().imagesSent()).isEqualTo(1 + SNAPSHOTS);
        assertThat(served.items()).hasSize(2);
    }

    @Test
    void shouldSendNoSnapshotThatWasClosedBeforeItsTurn() {
        served.request(1, "A", messages, false);
        served.close(1, clock.nanoTime());
        served.request(2, "B", messages, false);
        served.sendImages(2);
        assertThat(handles).containsExactly(2L);
    }

    @Test
    void shouldKeepNoNumbersOfStreamsThatAreNotOpen() {
        served.generic(1, 1);
        served.generic(1, 5);
        served.settle();
        assertThat(counts.genericsLost().get()).isZero();
    }

    private static PostMsg post(final ComplexType posted) {
        final PostMsg made =
                EmaFactory.createPostMsg()
                        .domainType(6)
                        .postId(3)
                        .solicitAck(true)
                        .publisherId(11, 12)
                        .payload(posted);
        return EmaFactory.createPostMsg(made); // a copy can be read
    }

    private static FieldList fields() {
        final FieldList fields = EmaFactory.createFieldList();
        fields.add(EmaFactory.createFieldEntry().uintValue(5, 6));
        return fields;
    }

    private void keepAnswers(final long handle) {
        EmaAnswer.of(post(fields()), handle, true, () -> {})
                .forEach(answer -> {
                    waiting.incrementAndGet();
                    served.answer(answer.copy());
                });
    }

    @Test
    void shouldKeepWhatAnswersAPostUntilABufferIsFree() {
        keepAnswers(7);
        assertThat(served.waitingBytes()).isGreaterThan(2 * ServedConsumer.HEADER_BYTES);
        refusal = EmaRefusalsTest.refusal(ErrorCode.NO_BUFFERS, "no buffers");
        served.sendWaiting();
        assertThat(served.noBuffer()).isEqualTo(1);
        assertThat(waiting).hasValue(2);
        assertThat(handles).isEmpty();

        refusal = null;
        served.sendWaiting();
        assertThat(handles).containsExactly(7L, 7L);
        assertThat(counts.reflected().get()).isEqualTo(1);
        assertThat(waiting).hasValue(0);
        assertThat(served.waitingBytes()).isZero();
    }

    @Test
    void shouldKeepTheRefusalOfAnotherItemUntilABufferIsFree() {
        served.request(7, "A", messages, true);
        served.sendImages(1);
        handles.clear();
        refusal = EmaRefusalsTest.refusal(ErrorCode.NO_BUFFERS, "no buffers");
        served.reissue(7, new EmaProvider.ItemReissue(6, "B", false, true));
        served.sendWaiting();
        assertThat(waiting).hasValue(1);

        refusal = null;
        served.sendWaiting();
        assertThat(handles).containsExactly(7L);
        assertThat(waiting).hasValue(0);
        assertThat(counts.refused().get()).isEqualTo(1);
        assertThat(counts.reflected().get()).isZero();
    }

    private void refuseAnotherItemOn(final long handle) {
        served.reissue(handle, new EmaProvider.ItemReissue(6, "B", false, true));
        assertThat(waiting.get()).isPositive();
    }

    private void assertThatNothingWaitsOrWasLost() {
        assertThat(waiting).hasValue(0);
        assertThat(served.waitingBytes()).isZero();
        served.sendWaiting();
        assertThat(counts.unsent().get()).isZero();
    }

    /** The library takes nothing for a stream that has ended: that had counted as dropped. */
    @Test
    void shouldForgetTheAnswersOfAStreamThatIsClosed() {
        served.request(7, "A", messages, true);
        served.request(8, "C", messages, true);
        refuseAnotherItemOn(7);
        keepAnswers(7);
        refuseAnotherItemOn(8);
        served.close(7, clock.nanoTime());
        served.sendWaiting();
        assertThat(handles).containsExactly(8L);
        assertThatNothingWaitsOrWasLost();
    }

    @Test
    void shouldForgetTheAnswersOfAStreamThatHasEndedWithItsSnapshot() {
        served.request(7, "A", messages, false);
        refuseAnotherItemOn(7);
        served.sendImages(1);
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "no such handle");
        served.sendWaiting();
        assertThatNothingWaitsOrWasLost();
    }

    /** The library's thread has ended the stream, and ours is not told yet. */
    @Test
    void shouldNotCountAnAnswerAsDroppedWhoseStreamIsJustClosing() {
        served.request(7, "A", messages, true);
        refuseAnotherItemOn(7);
        closedByTheOtherSide = 7;
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "no such handle");
        served.sendWaiting();
        assertThatNothingWaitsOrWasLost();
    }

    /** The library's thread passed it on before ours sent the image. */
    @Test
    void shouldAnswerARequestOnAStreamThatHasEndedWithItsSnapshot() {
        served.request(7, "A", messages, false);
        served.sendImages(1);
        handles.clear();
        served.reissue(7, new EmaProvider.ItemReissue(6, "", false, true));
        served.sendWaiting();
        assertThat(handles).containsExactly(7L);
        assertThat(submitted).last().isInstanceOf(StatusMsg.class);
        assertThat(counts.refused().get()).isEqualTo(1);

        served.reissue(7, new EmaProvider.ItemReissue(6, "", false, true));
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "no such handle");
        served.sendWaiting();
        assertThatNothingWaitsOrWasLost();
    }

    @Test
    void shouldCountAnAnswerThatTheLibraryRefusesOnAnOpenStreamAsDropped() {
        served.request(7, "A", messages, true);
        refuseAnotherItemOn(7);
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "it is what it is");
        served.sendWaiting();
        assertThat(waiting).hasValue(0);
        assertThat(counts.unsent().get()).isEqualTo(1);
    }

    /** The library's thread answers posts at once where nothing waits: by the same rule. */
    @Test
    void shouldCountAnAnswerThatIsRefusedAtOnceAsDroppedOnlyWhereItsStreamGoesOn() {
        served.request(7, "A", messages, true);
        served.request(8, "B", messages, true);
        served.request(9, "C", messages, false);
        served.sendImages(3);
        served.close(8, clock.nanoTime());
        served.refusedAtOnce(8);
        served.refusedAtOnce(9);
        closedByTheOtherSide = 7;
        served.refusedAtOnce(7);
        assertThat(counts.unsent().get()).isZero();

        closedByTheOtherSide = 0;
        served.refusedAtOnce(7);
        served.refusedAtOnce(LOGIN);
        assertThat(counts.unsent().get()).isEqualTo(2);
    }

    /** Such as one that the library's thread passed on while ours sent the image. */
    @Test
    void shouldNotCountAWaitingAnswerAsDroppedWhoseStreamHasEndedBefore() {
        served.request(7, "A", messages, false);
        served.sendImages(1);
        served.forgetSnapshots();
        keepAnswers(7);
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "no such handle");
        served.sendWaiting();
        assertThatNothingWaitsOrWasLost();
    }

    @Test
    void shouldBeDoneWithAnswersToAPosterThatHasGone() {
        keepAnswers(7);
        refusal = EmaRefusalsTest.refusal(ErrorCode.INVALID_ARGUMENT, "no such handle");
        served.sendWaiting();
        assertThat(waiting).hasValue(0);
        assertThat(served.noBuffer()).isZero();

        keepAnswers(8);
        served.forgetAnswers();
        assertThat(waiting).hasValue(0);
        assertThat(served.waitingBytes()).isZero();
    }

    @Test
    void shouldReflectWhatAPostMayHold() {
        final UpdateMsg update =
                EmaFactory.createUpdateMsg().domainType(6).updateTypeNum(2).payload(fields());
        final RefreshMsg image =
                EmaFactory.createRefreshMsg()
                        .domainType(6)
                        .complete(true)
                        .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                        .payload(fields());
        for (final ComplexType posted : List.of(update, image, fields())) {
            final List<EmaAnswer> answers = EmaAnswer.of(post(posted), 7, true, () -> {});
            assertThat(answers).hasSize(2);
            assertThat(((AckMsg) answers.getFirst().message()).ackId()).isEqualTo(3);
            final EmaAnswer reflection = answers.getLast().copy();
            assertThat(reflection.isReflection()).isTrue();
            assertThat(reflection.message().payload().dataType()).isEqualTo(DataTypes.FIELD_LIST);
            switch (reflection.message()) {
                case final UpdateMsg reflected -> {
                    assertThat(reflected.publisherIdUserId()).isEqualTo(11);
                    assertThat(reflected.updateTypeNum()).isEqualTo(posted == update ? 2 : 0);
                    assertThat(posted).isNotSameAs(image);
                }
                default -> {
                    assertThat(((RefreshMsg) reflection.message()).publisherIdUserId())
                            .isEqualTo(11);
                    assertThat(posted).isSameAs(image);
                }
            }
        }
    }

    @Test
    void shouldReflectNothingOfAPostThatHasNoWatchersOrNoContent() {
        final boolean[] dropped = {false};
        assertThat(EmaAnswer.of(post(fields()), 7, false, () -> dropped[0] = true)).hasSize(1);
        assertThat(dropped[0]).isTrue();
        dropped[0] = false;
        final StatusMsg status =
                EmaFactory.createStatusMsg()
                        .domainType(6)
                        .state(OmmState.StreamState.CLOSED, OmmState.DataState.SUSPECT);
        assertThat(EmaAnswer.of(post(status), 7, true, () -> dropped[0] = true)).hasSize(1);
        assertThat(dropped[0]).isTrue();
    }
}
