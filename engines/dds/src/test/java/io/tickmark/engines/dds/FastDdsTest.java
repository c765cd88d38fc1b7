package io.tickmark.engines.dds;

import com.eprosima.xmlschemas.fastrtps_profiles.HistoryQosKindPolicyType;
import com.eprosima.xmlschemas.fastrtps_profiles.ReliabilityQosKindPolicyType;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import us.ihmc.pubsub.Domain;
import us.ihmc.pubsub.DomainFactory;
import us.ihmc.pubsub.DomainFactory.PubSubImplementation;
import us.ihmc.pubsub.attributes.ParticipantProfile;
import us.ihmc.pubsub.attributes.PublisherAttributes;
import us.ihmc.pubsub.attributes.SubscriberAttributes;
import us.ihmc.pubsub.common.MatchingInfo;
import us.ihmc.pubsub.participant.Participant;
import us.ihmc.pubsub.publisher.Publisher;
import us.ihmc.pubsub.subscriber.Subscriber;
import us.ihmc.pubsub.subscriber.SubscriberListener;

/** The other end is Fast DDS of eProsima, in this process. */
@SuppressWarnings("deprecation") // the way to choose this implementation
class FastDdsTest {
    @BeforeEach
    void needTheLibrary() {
        CycloneNeeds.library();
    }

    @ParameterizedTest
    @CsvSource({"RELIABLE, '?reliable'", "BEST_EFFORT, ''"})
    void shouldBeEchoedByFastDds(final ReliabilityQosKindPolicyType kind, final String parameters)
            throws Exception {
        final int domainId = OurEnd.domain();
        final Domain domain = DomainFactory.getDomain(PubSubImplementation.FAST_RTPS);
        final Participant participant = participant(domain, domainId);
        try (Exchange exchange = OurEnd.bind("dds://" + domainId + parameters)) {
            final OctetsType type = new OctetsType();
            final PublisherAttributes sends =
                    PublisherAttributes.create()
                            .topicDataType(type)
                            .topicName("tickmark_reply")
                            .reliabilityKind(kind)
                            .historyQosPolicyKind(HistoryQosKindPolicyType.KEEP_LAST)
                            .historyDepth(500);
            final SubscriberAttributes hears =
                    SubscriberAttributes.create()
                            .topicDataType(type)
                            .topicName("tickmark")
                            .reliabilityKind(kind)
                            .historyQosPolicyKind(HistoryQosKindPolicyType.KEEP_LAST)
                            .historyDepth(500);
            final Publisher publisher = domain.createPublisher(participant, sends);
            final Echo echo = new Echo(publisher);
            domain.createSubscriber(participant, hears, echo);
            Waiting.until(
                    "both directions matched",
                    () ->
                            exchange.publication().subscriberCount() > 0
                                    && exchange.subscription().isConnected());
            OurEnd.sendUntilEchoed(exchange, 200, false);
            echo.rethrow();
        } finally {
            domain.removeParticipant(participant);
        }
    }

    private static Participant participant(final Domain domain, final int domainId)
            throws IOException {
        return domain.createParticipant(
                ParticipantProfile.create()
                        .domainId(domainId)
                        .name("echo")
                        .bindToAddressRestrictions(
                                false, List.of(InetAddress.getByName("127.0.0.1"))));
    }

    /** Echoes received samples. */
    private static final class Echo implements SubscriberListener<OctetsType.Octets> {
        private final Publisher publisher;
        private final AtomicReference<IOException> failure = new AtomicReference<>();
        private final OctetsType.Octets data = new OctetsType.Octets();

        Echo(final Publisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public void onNewDataMessage(final Subscriber<OctetsType.Octets> subscriber) {
            try {
                while (subscriber.takeNextData(data, null)) {
                    publisher.write(data);
                }
            } catch (final IOException e) {
                failure.set(e);
            }
        }

        @Override
        public void onSubscriptionMatched(
                final Subscriber<OctetsType.Octets> subscriber, final MatchingInfo info) {}

        void rethrow() throws IOException {
            if (failure.get() != null) {
                throw failure.get();
            }
        }
    }
}
