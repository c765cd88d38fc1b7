package io.tickmark.engines.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.Durability;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchiveGuaranteesTest {
    @ParameterizedTest
    @CsvSource({
        "archive:, D1",
        "archive:?sync=1, D2",
        "archive:?members=3, D3",
        "archive:?members=3&sync=2, D4",
        "archive:?members=3&quorum=3, D3",
        "archive:?members=3&quorum=1, D1",
        "archive:?members=3&quorum=1&sync=1, D2",
        "archive:?members=4&quorum=2, D1",
        "archive:?members=4&quorum=3, D3"
    })
    void shouldPromiseAQuorumOnlyWhereMostMembersMustHaveAMessage(
            final String channel, final Durability durability) {
        assertThat(new ArchiveTransport().guarantees(ChannelUri.parse(channel)).durability())
                .isEqualTo(durability);
    }
}
