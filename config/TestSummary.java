import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Sums up all test reports (JUnit's XML, as surefire, failsafe and vitest write it) under {@code
 * <module>/target/<name>-reports/}: {@code java TestSummary.java ROOT STATUS_OF_THE_BUILD [all|some|SINCE]}. The last
 * line printed is {@code N passed, N failed, N skipped}. Exit code 1 when a test failed, when a test class that
 * should have run left no report, when the build failed, when no test ran, and with {@code CI=true} when one was
 * skipped, except for want of something that './tickmark test' has no package for: of that the test says that it is
 * 'not in the package lists'.
 *
 * <p>A test that failed and then passed when all others had ended has passed. It is listed with what it said as 'on 2nd
 * try': either it is not made for a busy machine, or it found a defect that is seldom seen. One
 * that names the seed of what it drew has failed: the next seed is another test.
 *
 * <p>The last argument says which classes should have run: those of all modules that the project's {@code pom.xml}
 * names, only what the reports name (the default), or those of the modules that were built since a file was made.
 * Surefire is told
 * to go on after a failure, and then it goes on after the death of its JVM as well: a class without a report is the
 * only trace of that.
 */
final class TestSummary {
    /** The counts of one module's tests. */
    private static final class Module {
        private int passed;
        private int failed;
        private int skipped;
        private double seconds;
    }

    private static final int MOST_CHARACTERS = 400;
    private static final Pattern MODULE = Pattern.compile("<module>\\s*([^<]*?)\\s*</module>");
    private static final Pattern DRAWN = Pattern.compile("\\bseed -?[0-9]");
    private static final String TEST = "Test.java";
    private static final String WITHOUT_PACKAGE = "not in the package lists";

    private final Map<String, Module> modules = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> secondTries = new ArrayList<>();
    private final List<String> skips = new ArrayList<>();
    private final List<String> notRun = new ArrayList<>();
    private int avoidable;
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
        summary.lookForWhatDidNotRun(root, reports, args.length > 2 ? args[2] : "some");
        System.exit(summary.print(Integer.parseInt(args[1])));
    }

    private static boolean isReport(final Path root, final Path path) {
        return root.relativize(path).toString().matches("(?!.*node_modules).*/target/[^/]*-reports/[^/]*\\.xml");
    }

    private void lookForWhatDidNotRun(final Path root, final List<Path> reports, final String which) throws IOException {
        if (which.equals("some")) {
            return;
        }
        // A class whose tests are all in nested classes has reports of those alone.
        final Set<String> reported = new TreeSet<>();
        for (final Path report : reports) {
            final String file = report.getFileName().toString().replaceFirst("^TEST-", "").replaceFirst("\\.xml$", "");
            reported.add(root.relativize(report).getParent().getParent().getParent() + ":" + file.replaceFirst("\\$.*", ""));
        }
        for (final String module : MODULE.matcher(Files.readString(root.resolve("pom.xml"))).results().map(match -> match.group(1)).toList()) {
            final List<String> missing = new ArrayList<>(testClasses(root.resolve(module)));
            final int all = missing.size();
            missing.removeIf(name -> reported.contains(module + ":" + name));
            if (!modules.containsKey(module) && all > 0) {
                if (which.equals("all") || isNewer(root.resolve(module).resolve("target/test-classes"), Path.of(which))) {
                    notRun.add(module + ": none of its test classes (" + all + ") left a report: it or a module that it needs could not be built,"
                            + " or its JVM died, see above");
                }
            } else {
                missing.forEach(name -> notRun.add(module + ": " + name + " left no report: its JVM died or was stopped, see above"));
            }
        }
    }

    private static boolean isNewer(final Path folder, final Path than) throws IOException {
        return Files.isDirectory(folder) && Files.getLastModifiedTime(folder).compareTo(Files.getLastModifiedTime(than)) >= 0;
    }

    /** Names of the test classes of a module, and of its page. */
    private static List<String> testClasses(final Path module) throws IOException {
        final List<String> names = new ArrayList<>();
        final Path sources = module.resolve("src/test/java");
        if (Files.isDirectory(sources)) {
            final List<Path> files;
            try (Stream<Path> all = Files.find(sources, 99, (path, attributes) -> attributes.isRegularFile() && path.toString().endsWith(TEST))) {
                files = all.sorted().toList();
            }
            for (final Path file : files) {
                final String name = sources.relativize(file).toString().replace('/', '.');
                final String simple = file.getFileName().toString().replaceFirst("\\.java$", "");
                if (!Pattern.compile("\\b(abstract\\s+class|@?interface)\\s+" + simple + "\\b").matcher(Files.readString(file)).find()) {
                    names.add(name.substring(0, name.length() - ".java".length()));
                }
            }
        }
        if (Files.isDirectory(module.resolve("src/test/page"))) {
            names.add("page");
        }
        return names;
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
                    case "flakyFailure", "flakyError" -> outcome = again(outcome, test, attribute(xml, "message"));
                    case "skipped" -> {
                        final String message = attribute(xml, "message"); // a dynamic test has its reason in the text
                        outcome = skipped(outcome, test, message.isEmpty() ? xml.getElementText() : message);
                    }
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

    /** What was found with a seed that is drawn is found, whatever the next seed says. */
    private String again(final String outcome, final String test, final String message) {
        if (DRAWN.matcher(message).find()) {
            return failed(outcome, test, message);
        }
        secondTries.add(test + ": " + oneLine(message));
        return outcome;
    }

    private String skipped(final String outcome, final String test, final String message) {
        if (!outcome.equals("passed")) {
            return outcome;
        }
        skips.add(test + ": " + (message.isEmpty() ? "no reason given" : oneLine(message)));
        avoidable += message.contains(WITHOUT_PACKAGE) ? 0 : 1;
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
        secondTries.forEach(line -> System.out.println("on 2nd try: " + line));
        skips.forEach(line -> System.out.println("skipped: " + line));
        notRun.forEach(line -> System.out.println("not run: " + line));
        final boolean ci = "true".equals(System.getenv("CI"));
        final boolean none = all.passed + all.failed == 0;
        if (none) {
            System.out.println("No test ran.");
        }
        if (buildStatus != 0 && all.failed == 0 && notRun.isEmpty()) {
            System.out.println("The build failed, though no test did: see above.");
        }
        if (ci && avoidable > 0) {
            System.out.println("CI=true: a skipped test is a failure, unless what it needs is not in the package lists.");
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", all.passed, all.failed, all.skipped);
        if (System.out.checkError()) {
            System.err.println("The summary cannot be written to standard output: send it where there is room.");
            return 1;
        }
        return all.failed > 0 || buildStatus != 0 || none || unreadable || !notRun.isEmpty() || ci && avoidable > 0 ? 1 : 0;
    }
}
