package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.StreamException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.Inbox;

/**
 * The consumer of a stream, and what it has received. Where it is opened again it goes on behind
 * the last message that came. One thread takes, the client's adds.
 */
final class StreamReader {
    /** The client gets more only as it processes, see {@link StreamParameters#credits}. */
    private final Inbox<Arrived> arrived =
            new Inbox<>(message -> message.body().length, Long.MAX_VALUE);

    private volatile OffsetSpecification from;
    private volatile int consumers;

    /** A message, and what tells the client that it was processed. */
    private record Arrived(MessageHandler.Context context, byte[] body) {}

    /** A message that was taken, and its place in the stream. */
    record StreamEntry(long offset, byte[] body) {}

    /** Reads nothing yet. */
    StreamReader(final OffsetSpecification first) {
        from = first;
    }

    /**
     * Opens the consumer.
     *
     * @param broken called when its connection has broken
     * @throws UserError where the server refuses
     */
    Consumer open(final StreamClient client, final String stream, final Runnable broken) {
        final int number = ++consumers;
        try {
            return StreamClient.patiently(
                    listener ->
                            client.consumer(stream, from)
                                    .messageHandler((context, message) -> {
                                        if (number == consumers) {
                                            from = OffsetSpecification.offset(context.offset() + 1);
                                            arrived.add(
                                                    new Arrived(
                                                            context, StreamClient.body(message)));
                                        }
                                    })
                                    .listeners(listener)
                                    .build(),
                    broken);
        } catch (final StreamException e) {
            throw client.refused("the stream '%s' accepts no consumer".formatted(stream), e);
        }
    }

    /** For those who wait for messages. */
    Inbox<?> inbox() {
        return arrived;
    }

    /** Takes the next message, without waiting; null where none has arrived. */
    StreamEntry next() {
        final Arrived next = arrived.poll();
        if (next == null) {
            return null;
        }
        next.context().processed();
        return new StreamEntry(next.context().offset(), next.body());
    }
}
