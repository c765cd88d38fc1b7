package io.tickmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InProcessTest {
    private static final Path FOLDER = Path.of("/where/the/user/stands");

    /** What was not in a list of such options was made in the folder of the tests' process. */
    @ParameterizedTest
    @CsvSource({
        "compare a b --html=a.html --json",
        "compare a b --markdown a.md --junit a.xml",
        "report a --zip a.zip",
        "wire a.pcap --out a",
        "market certificate --out a.p12",
        "fix gateway --store-dir a",
        "store --store-directory a",
        "stream --out a --history a.db",
        "latency sub --out a",
    })
    void shouldMakeFilesWhereTheUserStands(final String line) {
        assertThat(whole(line))
                .isEqualTo(line.replaceAll("(--[a-z-]+[ =])(a[a-z0-9.]*)", "$1" + FOLDER + "/$2"))
                .contains(FOLDER.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "history --history postgresql://a/b",
        "market consumer --summary-file a --stats-file b --latency-file c",
        "compare a b --min-effect 5%",
        "nothing --out a",
    })
    void shouldLeaveWhatIsNoFileThereAsItWasTyped(final String line) {
        assertThat(whole(line)).isEqualTo(line);
    }

    private static String whole(final String line) {
        return String.join(" ", InProcess.whole(FOLDER, line.split(" ")));
    }
}
