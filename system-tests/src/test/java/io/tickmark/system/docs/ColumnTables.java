package io.tickmark.system.docs;

import io.tickmark.kernel.loop.Column;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables of the counts that roles declare: their names in a result, and what is said of them. */
final class ColumnTables {
    private static final Pattern MAIN = Pattern.compile(".*/src/main/java/(.*)\\.java");

    /** A record of columns and its comment. */
    private static final Pattern RECORD =
            Pattern.compile(
                    "/\\*\\*((?:[^*]++|\\*(?!/))*+)\\*/\\s*"
                            + "(?:(?:public|private) )?record \\w+\\(\\s*@Column\\b");

    private static final Pattern DESCRIBED = Pattern.compile("@param (\\w+) ([^@]*)");

    private ColumnTables() {}

    /** The sources of such records, by the names of their files. */
    static Map<String, Path> sources() {
        try (Stream<Path> files =
                Files.find(
                        Repository.ROOT,
                        30,
                        (file, _) -> MAIN.matcher(file.toString()).matches())) {
            return files.filter(file -> RECORD.matcher(Repository.read(file)).find())
                    .collect(
                            Collectors.toMap(
                                    file -> file.getFileName().toString().replace(".java", ""),
                                    file -> file));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those columns of a record that a result shows or speaks of. */
    static String of(final Path source) {
        final Map<String, String> described = described(source);
        final MarkdownTable table =
                new MarkdownTable("name", "what it counts", "where it is not 0");
        for (final RecordComponent each : components(source)) {
            final Column column = each.getAnnotation(Column.class);
            final String names =
                    Stream.of(column.metric(), column.metricPerSecond(), column.count())
                            .filter(name -> !name.isEmpty())
                            .distinct()
                            .map(MarkdownTable::code)
                            .collect(Collectors.joining(", "));
            final String said =
                    said("warning: ", column.warning()) + said("failure: ", column.failure());
            if (!names.isEmpty() || !said.isEmpty()) {
                if (!described.containsKey(each.getName())) {
                    throw new IllegalStateException(
                            "%s has no @param that says what '%s' counts"
                                    .formatted(Repository.name(source), each.getName()));
                }
                table.row(names, described.get(each.getName()), said);
            }
        }
        return table.toString();
    }

    /** For several; an example that the role appends is left out. */
    private static String said(final String kind, final String sentence) {
        return sentence.isEmpty()
                ? ""
                : kind
                        + sentence.replaceAll("\\{[^{|}]*\\|([^{|}]*)}", "$1")
                                .replaceFirst("%d", "N")
                                .replaceFirst("(?<=\\S)%s\\.$", ".")
                                .replaceAll("%(?:\\.\\d)?[dsf]", "\u2026")
                                .replace("%%", "%");
    }

    private static Map<String, String> described(final Path source) {
        final Matcher comment = RECORD.matcher(Repository.read(source));
        final Map<String, String> described = new TreeMap<>();
        if (comment.find()) {
            final Matcher matcher = DESCRIBED.matcher(ConstantTables.plain(comment.group(1)));
            while (matcher.find()) {
                described.put(matcher.group(1), matcher.group(2));
            }
        }
        return described;
    }

    private static RecordComponent[] components(final Path source) {
        try {
            final Class<?> of =
                    Class.forName(
                            MAIN.matcher(source.toString()).replaceFirst("$1").replace('/', '.'));
            return Stream.concat(Stream.of(of), Arrays.stream(of.getDeclaredClasses()))
                    .filter(Class::isRecord)
                    .map(Class::getRecordComponents)
                    .filter(all -> all.length > 0 && all[0].isAnnotationPresent(Column.class))
                    .findFirst()
                    .orElseThrow();
        } catch (final ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
