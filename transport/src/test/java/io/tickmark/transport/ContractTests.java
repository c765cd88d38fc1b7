package io.tickmark.transport;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the contract tests of an engine from a shell, for authors of an engine outside this project
 * whose build does not use JUnit.
 */
public final class ContractTests {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private ContractTests() {}

    /**
     * Runs classes that extend {@link TransportContractTest}, or that of stores; ends with exit
     * code 0 where all passed, 1 where one failed or none was found, 2 where a class is missing.
     *
     * @param args names of test classes
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    private static int run(final String... names) {
        final List<DiscoverySelector> classes = new ArrayList<>();
        for (final String name : names) {
            try {
                classes.add(selectClass(Class.forName(name)));
            } catch (final ClassNotFoundException | LinkageError e) {
                System.err.printf("%s cannot be loaded (%s); see the class path.%n", name, e);
                return USAGE;
            }
        }
        if (classes.isEmpty()) {
            System.err.println("Name the test classes to run, with their packages.");
            return USAGE;
        }
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request().selectors(classes).build(),
                        listener);
        final TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.err, true), 10);
        System.out.printf(
                "%d passed, %d failed, %d skipped%n",
                summary.getTestsSucceededCount(),
                summary.getTotalFailureCount(),
                summary.getTestsSkippedCount() + summary.getTestsAbortedCount());
        return summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0
                ? 0
                : FAILED;
    }
}
