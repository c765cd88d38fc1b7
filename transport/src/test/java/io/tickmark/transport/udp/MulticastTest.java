package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

class MulticastTest extends UdpFixture {
    private final Transport transport = new MulticastTransport();
    private final Collected first = new Collected();
    private final Collected second = new Collected();

    @Test
    void shouldReachEveryMemberOnceByOneSend() {
        final Subscription one = subscribe("mcast://239.255.77.2:0");
        final Subscription two = subscribe(one.channel().toString());
        final Publication publication = publish(one.channel().toString());

        Collected.offer(publication, "all");
        Collected.offer(publication, "again");

        assertThat(first.await(one, 2).messages()).containsExactly("all", "again");
        assertThat(second.await(two, 2).messages()).containsExactly("all", "again");
        assertThat(publication.facts()).containsEntry("sendCalls", 2L);
    }

    @Test
    void shouldNotHearAnotherGroupOnTheSamePort() {
        final Subscription ours = subscribe("mcast://239.255.77.3:0");
        final String port = ours.channel().authority().split(":")[1];
        final Subscription others = subscribe("mcast://239.255.77.4:" + port);

        Collected.offer(publish(others.channel().toString()), "others");
        Collected.offer(publish(ours.channel().toString()), "ours");

        assertThat(second.await(others, 1).messages()).containsExactly("others");
        assertThat(first.await(ours, 1).messages()).containsExactly("ours");
    }

    @Test
    void shouldAnswerByUnicastToTheOneHeardLast() {
        final Exchange bound = exchange("mcast://239.255.77.5:0", ExchangeSide.BIND);
        final Exchange member = exchange(bound.channel().toString(), ExchangeSide.CONNECT);
        final Subscription listener = subscribe(bound.channel().toString());
        assertThat(Collected.offer(member.publication(), "early"))
                .isEqualTo(Publication.NOT_CONNECTED);

        Collected.greet(bound);
        first.await(member.subscription(), 1);
        assertThat(Collected.offer(member.publication(), "answer")).isPositive();

        assertThat(second.await(bound.subscription(), 1).messages()).containsExactly("answer");
        final Collected heard = new Collected().await(listener, 1);
        assertThat(listener.poll(heard, 1)).isZero();
        assertThat(heard.messages()).hasSize(1);
    }

    @Test
    void shouldStayOnTheLoopbackInterfaceUnlessAnotherIsNamed() {
        final Publication publication = publish("mcast://239.255.77.6:4002");

        assertThat(publication.facts()).containsEntry("interface", "lo");
    }

    @Test
    @EnabledIf(
            value = "io.tickmark.transport.udp.HostNetwork#carriesIpv6Groups",
            disabledReason = "this host has no interface with a route to IPv6 groups")
    void shouldKeepIpv6GroupsOnThisHostUnlessAnInterfaceIsNamed() {
        final Publication publication = publish("mcast://[ff15::7708]:4002?ttl=3");

        if (!publication.facts().get("interface").equals("lo")) {
            assertThat(publication.facts()).containsEntry("hops", 0);
        }
    }

    @Test
    void shouldTakeAnInterfaceByNameOrByAddress() {
        final Publication byName = publish("mcast://239.255.77.7:4002?interface=lo&ttl=3");
        final Publication byAddress = publish("mcast://239.255.77.7:4002?interface=127.0.0.1");

        assertThat(byName.facts()).containsEntry("interface", "lo").containsEntry("hops", 3);
        assertThat(byAddress.facts()).containsEntry("interface", "lo").containsEntry("hops", 1);
    }

    @Test
    void shouldListTheInterfacesWhenOneIsUnknown() {
        final UserError error =
                catchThrowableOfType(
                        UserError.class, () -> publish("mcast://239.255.77.7:4002?interface=lo7"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageContaining("interface 'lo7' does not exist; known here: ");
    }

    @Test
    void shouldSendKernelBatchesToAGroup() {
        final Subscription one = subscribe("mcast://239.255.77.8:0?batch=3");
        final Subscription two = subscribe(one.channel().toString());
        final Publication publication = publish(one.channel().toString());

        Collected.offer(publication, "m1");
        Collected.offer(publication, "m2");
        Collected.offer(publication, "m3");

        assertThat(first.await(one, 3).messages()).containsExactly("m1", "m2", "m3");
        assertThat(second.await(two, 3).messages()).containsExactly("m1", "m2", "m3");
        assertThat(publication.facts()).containsEntry("sendCalls", 1L);
    }

    private Publication publish(final String channel) {
        return opened(transport.publication(ChannelUri.parse(channel), Topic.DEFAULT));
    }

    private Subscription subscribe(final String channel) {
        return opened(transport.subscription(ChannelUri.parse(channel), Topic.DEFAULT));
    }

    private Exchange exchange(final String channel, final ExchangeSide side) {
        return opened(transport.exchange(ChannelUri.parse(channel), Topic.DEFAULT, side, 1));
    }
}
