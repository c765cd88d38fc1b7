package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The sample engine is not part of the product: it is built as its user would, with its test, and
 * its test is run.
 */
class SampleEngineTest {
    private static final Path SAMPLE = Path.of("../samples/engine");

    @TempDir Path classes;

    @Test
    void shouldKeepTheContract() throws Exception {
        assertThat(
                        ToolProvider.getSystemJavaCompiler()
                                .run(
                                        null,
                                        null,
                                        null,
                                        "-d",
                                        classes.toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        SAMPLE.resolve("LoopTransport.java").toString(),
                                        SAMPLE.resolve("LoopContractTest.java").toString()))
                .isZero();
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        try (URLClassLoader sample =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL(), SAMPLE.toUri().toURL()},
                        getClass().getClassLoader())) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(
                                            selectClass(
                                                    sample.loadClass("sample.LoopContractTest")))
                                    .build(),
                            listener);
        }

        final TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isGreaterThan(15);
    }
}
