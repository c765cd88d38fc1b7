package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFilesTest {
    @TempDir private Path root;
    private FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(root);
    }

    @Test
    void shouldReadTextWithoutTheLineEnd() {
        host.with("/sys/a", "some text\n");

        assertThat(host.files().text("/sys/a")).contains("some text");
    }

    @Test
    void shouldTakeBlankAndMissingFilesAsUnknown() {
        host.with("/sys/blank", " \n");

        assertThat(host.files().text("/sys/blank")).isEmpty();
        assertThat(host.files().text("/sys/missing")).isEmpty();
        assertThat(host.files().text("/sys")).as("a folder").isEmpty();
        assertThat(host.files().number("/sys/missing")).isEmpty();
        assertThat(host.files().keyed("/sys/missing", ":")).isEmpty();
        assertThat(host.files().names("/missing")).isEmpty();
        assertThat(host.files().linkName("/sys/blank")).isEmpty();
    }

    @Test
    void shouldReadTheNumberThatATextBeginsWith() {
        host.with("/a", "4096\n").with("/b", "12 kB").with("/c", "-1").with("/d", "max 7");

        assertThat(host.files().number("/a")).contains(4096L);
        assertThat(host.files().number("/b")).contains(12L);
        assertThat(host.files().number("/c")).contains(-1L);
        assertThat(host.files().number("/d")).isEmpty();
    }

    @Test
    void shouldFindTheChosenWord() {
        host.with("/a", "always [madvise] never\n").with("/b", "none\n").with("/c", "] odd [");

        assertThat(host.files().chosen("/a")).contains("madvise");
        assertThat(host.files().chosen("/b")).isEmpty();
        assertThat(host.files().chosen("/c")).isEmpty();
    }

    @Test
    void shouldKeepTheFirstOfEqualKeys() {
        host.with("/cpuinfo", "model name\t: one\nflags\t: a: b\n\nno key\nmodel name\t: two\n");

        assertThat(host.files().keyed("/cpuinfo", ":").orElseThrow())
                .containsEntry("model name", "one")
                .containsEntry("flags", "a: b")
                .hasSize(2);
    }

    @Test
    void shouldListNamesInOrder() {
        host.with("/net/lo/mtu", "1").with("/net/eth0/mtu", "1");

        assertThat(host.files().names("/net")).containsExactly("eth0", "lo");
    }

    @Test
    void shouldNameWhatALinkPointsTo() throws Exception {
        host.with("/drivers/virtio_net/bind", "");
        Files.createSymbolicLink(root.resolve("driver"), Path.of("drivers/virtio_net"));

        assertThat(host.files().linkName("/driver")).contains("virtio_net");
        assertThat(host.files().exists("/driver/bind")).isTrue();
    }
}
