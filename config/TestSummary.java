import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Sums up all test reports (JUnit's XML, as surefire, failsafe and vitest write it) under {@code
 * <module>/target/<name>-reports/}: {@code java TestSummary.java ROOT STATUS_OF_THE_BUILD}. The last line
 * printed is {@code N passed, N failed, N skipped}. Exit code 1 when a test failed, when the build failed,
 * when no test ran, and with {@code CI=true} when one was skipped.
 */
final class TestSummary {
    /** What one module's tests came to. */
    private static final class Module {
        private int passed;
        private int failed;
        private int skipped;
        private double seconds;
    }

    private static final int MOST_CHARACTERS = 400;

    private final Map<String, Module> modules = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> skips = new ArrayList<>();
    private boolean unreadable;

    private TestSummary() {}

    public static void main(final String[] args) throws IOException {
        final TestSummary summary = new TestSummary();
        final Path root = Path.of(args[0]).toRealPath();
        final List<Path> reports;
        try (Stream<Path> files = Files.find(root, 8, (path, attributes) -> attributes.isRegularFile() && isReport(root, path))) {
            reports = files.sorted().toList();
        }
        reports.forEach(report -> summary.add(root, report));
        System.exit(summary.print(Integer.parseInt(args[1])));
    }

    private static boolean isReport(final Path root, final Path path) {
        return root.relativize(path).toString().matches("(?!.*node_modules).*/target/[^/]*-reports/[^/]*\\.xml");
    }

    private void add(final Path root, final Path report) {
        final Path inRoot = root.relativize(report);
        final String name = inRoot.subpath(0, inRoot.getNameCount() - 3).toString();
        final Module module = modules.computeIfAbsent(name, unused -> new Module());
        final XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(report)) {
            addCases(module, factory.createXMLStreamReader(in));
        } catch (final IOException | XMLStreamException e) {
            // A JVM that died leaves half a report; what it holds is counted, and the run is no success.
            unreadable = true;
            failures.add(inRoot + " is not whole: " + oneLine(e.getMessage()));
        }
    }

    private void addCases(final Module module, final XMLStreamReader xml) throws XMLStreamException {
        String test = "";
        String outcome = "";
        while (xml.hasNext()) {
            final int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "testcase" -> {
                        test = attribute(xml, "classname") + " > " + attribute(xml, "name");
                        outcome = "passed";
                        module.seconds += seconds(attribute(xml, "time"));
                    }
                    case "failure", "error" -> outcome = failed(outcome, test, attribute(xml, "message"));
                    case "skipped" -> outcome = skipped(outcome, test, attribute(xml, "message"));
                    default -> { }
                }
            } else if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("testcase")) {
                count(module, outcome);
            }
        }
    }

    private String failed(final String outcome, final String test, final String message) {
        if (!outcome.equals("failed")) {
            failures.add(test + ": " + oneLine(message));
        }
        return "failed";
    }

    private String skipped(final String outcome, final String test, final String message) {
        if (!outcome.equals("passed")) {
            return outcome;
        }
        skips.add(test + ": " + (message.isEmpty() ? "no reason given" : oneLine(message)));
        return "skipped";
    }

    private static void count(final Module module, final String outcome) {
        switch (outcome) {
            case "failed" -> module.failed++;
            case "skipped" -> module.skipped++;
            default -> module.passed++;
        }
    }

    private static String attribute(final XMLStreamReader xml, final String name) {
        final String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private static double seconds(final String time) {
        try {
            return Double.parseDouble(time.replace(",", ""));
        } catch (final NumberFormatException e) {
            return 0;
        }
    }

    private static String oneLine(final String text) {
        final String line = String.valueOf(text).strip().replaceAll("\\s+", " ");
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...";
    }

    private int print(final int buildStatus) {
        final Module all = new Module();
        System.out.printf("%n%-24s %8s %8s %8s %10s%n", "module", "passed", "failed", "skipped", "seconds");
        modules.forEach((name, module) -> {
            System.out.printf("%-24s %8d %8d %8d %10.1f%n", name, module.passed, module.failed, module.skipped, module.seconds);
            all.passed += module.passed;
            all.failed += module.failed;
            all.skipped += module.skipped;
        });
        failures.forEach(line -> System.out.println("failed:  " + line));
        skips.forEach(line -> System.out.println("skipped: " + line));
        final boolean ci = "true".equals(System.getenv("CI"));
        final boolean none = all.passed + all.failed == 0;
        if (none) {
            System.out.println("No test ran.");
        }
        if (buildStatus != 0 && all.failed == 0) {
            System.out.println("The build failed, though no test did: see above.");
        }
        if (ci && all.skipped > 0) {
            System.out.println("CI=true: a skipped test is a failure.");
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", all.passed, all.failed, all.skipped);
        return all.failed > 0 || buildStatus != 0 || none || unreadable || ci && all.skipped > 0 ? 1 : 0;
    }
}
