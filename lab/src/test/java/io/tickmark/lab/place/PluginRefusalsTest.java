package io.tickmark.lab.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which plug-in an error is due to, and why; the words are the JVM's. */
class PluginRefusalsTest {
    @TempDir private Path folder;

    /** The first one only names what the second one calls, implements or extends. */
    @BeforeEach
    void build() throws IOException {
        jar("a.jar", "mine/Other.class", "io/tickmark/transport/Transport");
        jar("b.jar", "mine/Engine.class", "io/tickmark/spi/Gone");
    }

    private void jar(final String name, final String entry, final String content)
            throws IOException {
        try (JarOutputStream out =
                new JarOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            out.putNextEntry(new JarEntry(entry));
            out.write(content.getBytes(StandardCharsets.ISO_8859_1));
            out.closeEntry();
        }
    }

    private Optional<String> refusal(final LinkageError error) {
        error.setStackTrace(
                new StackTraceElement[] {
                    new StackTraceElement("mine.Engine", "open", "Engine.java", 1)
                });
        return new Plugins(Optional.of(folder)).refusal(new IllegalStateException(error));
    }

    private void assertRefused(final LinkageError error, final String clause) {
        assertThat(refusal(error))
                .contains(
                        ("The plug-in %s was built for another version of tickmark, as it %s: rebuild it as docs/migrating.md"
                                        + " says, or take it out.")
                                .formatted(folder.resolve("b.jar"), clause));
    }

    @Test
    void shouldNameWhatIsMissing() {
        assertRefused(
                new NoClassDefFoundError("io/tickmark/spi/Gone"),
                "needs io.tickmark.spi.Gone, which is not in this one");
        assertRefused(
                new NoSuchMethodError(
                        "'io.tickmark.kernel.Value io.tickmark.transport.Transport.of(int, long)'"),
                "needs the method io.tickmark.kernel.Value io.tickmark.transport.Transport.of(int, long),"
                        + " which is not in this one");
        assertRefused(
                new NoSuchMethodError(
                        "'void io.tickmark.transport.Transport.<init>(java.lang.String, boolean)'"),
                "needs the constructor io.tickmark.transport.Transport(java.lang.String, boolean),"
                        + " which is not in this one");
        assertRefused(
                new NoSuchFieldError(
                        "Class io.tickmark.transport.Transport does not have member field 'int SIZE'"),
                "needs the field int SIZE of io.tickmark.transport.Transport, which is not in this one");
    }

    @Test
    void shouldNameWhatThePluginHasToImplement() {
        assertRefused(
                new AbstractMethodError(
                        "Receiver class mine.Engine does not define or inherit an implementation of the resolved"
                                + " method 'abstract boolean isLost()' of interface io.tickmark.transport.Transport."),
                "does not implement boolean isLost() of io.tickmark.transport.Transport, which this one requires");
        assertRefused(
                new AbstractMethodError("Method mine/Engine.isLost()Z is abstract"),
                "does not implement isLost, which this one requires");
    }

    @Test
    void shouldNameWhatIsDifferent() {
        assertRefused(
                new IncompatibleClassChangeError(
                        "Found interface io.tickmark.transport.Transport, but class was expected"),
                "uses io.tickmark.transport.Transport, which is different in this one");
    }

    /** Their own classes do not fit together, or a class of ours could not be initialized. */
    @Test
    void shouldNotBlameTheVersionForWhatIsNotOurs() {
        assertThat(
                        refusal(
                                new NoSuchMethodError(
                                        "'io.tickmark.transport.Transport mine.Other.made()'")))
                .isEmpty();
        assertThat(
                        refusal(
                                new NoClassDefFoundError(
                                        "Could not initialize class io.tickmark.transport.Transport")))
                .isEmpty();
    }
}
