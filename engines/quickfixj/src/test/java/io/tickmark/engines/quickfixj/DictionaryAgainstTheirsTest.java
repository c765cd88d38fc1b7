package io.tickmark.engines.quickfixj;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.dictionary.Definition;
import io.tickmark.workloads.fix.dictionary.Definition.Group;
import io.tickmark.workloads.fix.dictionary.Dictionary;
import io.tickmark.workloads.fix.session.Tags;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import quickfix.ConfigError;
import quickfix.DataDictionary;

/** The dictionary of the session layer agrees with QuickFIX/J's about FIX 4.4. */
class DictionaryAgainstTheirsTest {
    private static final int LAST_TAG = 956;

    private static final Dictionary OURS = Dictionary.of("FIX.4.4");
    private static DataDictionary theirs;

    @BeforeAll
    static void load() throws ConfigError {
        theirs = new DataDictionary("FIX44.xml");
    }

    private static Set<Integer> tags(final Group group) {
        return allTags().filter(tag -> group.place(tag) > 0).collect(Collectors.toSet());
    }

    private static Stream<Integer> allTags() {
        return IntStream.rangeClosed(1, LAST_TAG).boxed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"V", "W", "X"})
    void shouldKnowTheFieldsOfMarketData(final String type) {
        final Definition ours = OURS.message(type.charAt(0));
        assertThat(tags(ours.body()))
                .isEqualTo(
                        allTags()
                                .filter(tag -> theirs.isMsgField(type, tag))
                                .collect(Collectors.toSet()));
        assertThat(Stream.concat(ours.required().stream(), ours.requiredToo().stream()))
                .containsExactlyInAnyOrderElementsOf(
                        allTags().filter(tag -> theirs.isRequiredField(type, tag)).toList());
        compareGroups(type, ours.body(), theirs);
    }

    /** Ours also has the additions of later versions. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "2", "3", "4", "5", "A"})
    void shouldKnowTheFieldsOfTheSession(final String type) {
        final Definition ours = OURS.message(type.charAt(0));
        assertThat(tags(ours.body()))
                .containsAll(allTags().filter(tag -> theirs.isMsgField(type, tag)).toList());
        assertThat(ours.required())
                .containsExactlyInAnyOrderElementsOf(
                        allTags().filter(tag -> theirs.isRequiredField(type, tag)).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIX42.xml", "FIX44.xml", "FIX50SP2.xml", "FIXT11.xml"})
    void shouldKnowWhichFieldsCountGroups(final String version) throws Exception {
        final Document document;
        try (InputStream in = DataDictionary.class.getResourceAsStream("/" + version)) {
            document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
        final Set<String> groups =
                elements(document, "group")
                        .map(group -> group.getAttribute("name"))
                        .collect(Collectors.toSet());
        final Map<String, Integer> numbers =
                elements(document, "field")
                        .filter(field -> field.hasAttribute("number"))
                        .collect(
                                Collectors.toMap(
                                        field -> field.getAttribute("name"),
                                        field -> Integer.valueOf(field.getAttribute("number"))));
        assertThat(groups).isNotEmpty();
        assertThat(groups).allMatch(name -> Tags.isGroupCount(numbers.get(name)));
        final Set<Integer> counts = groups.stream().map(numbers::get).collect(Collectors.toSet());
        assertThat(fieldsOfMessages(document))
                .filteredOn(name -> Tags.isGroupCount(numbers.get(name)))
                .as("fields that are no counts here")
                .allMatch(name -> counts.contains(numbers.get(name)));
    }

    private static Stream<String> fieldsOfMessages(final Document document) {
        return elements(document, "field")
                .filter(field -> !field.hasAttribute("number"))
                .map(field -> field.getAttribute("name"))
                .distinct();
    }

    private static Stream<Element> elements(final Document document, final String name) {
        final NodeList found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    }

    private static void compareGroups(
            final String type, final Group ours, final DataDictionary with) {
        for (final int tag : tags(ours)) {
            final DataDictionary.GroupInfo group = with.getGroup(type, tag);
            assertThat(ours.group(tag) != null)
                    .as("group %d of %s", tag, type)
                    .isEqualTo(group != null);
            if (group != null) {
                final List<Integer> order =
                        Arrays.stream(group.getDataDictionary().getOrderedFields())
                                .boxed()
                                .toList();
                assertThat(
                                tags(ours.group(tag)).stream()
                                        .sorted(
                                                java.util.Comparator.comparingInt(
                                                        ours.group(tag)::place)))
                        .as("order in group %d of %s", tag, type)
                        .containsExactlyElementsOf(order);
                compareGroups(type, ours.group(tag), group.getDataDictionary());
            }
        }
    }

    @Test
    void shouldTakeTheSameValues() {
        for (final int tag : allTags().filter(DictionaryAgainstTheirsTest::isRestricted).toList()) {
            for (char c = '!'; c <= '~'; c++) {
                final byte[] value = {(byte) c};
                final boolean isTheirs =
                        theirs.hasFieldValue(tag)
                                ? theirs.isFieldValue(tag, String.valueOf(c))
                                : c == 'Y' || c == 'N';
                assertThat(OURS.isValue(tag, value, 0, 1)).as("%d=%s", tag, c).isEqualTo(isTheirs);
            }
        }
    }

    private static boolean isRestricted(final int tag) {
        // for EncryptMethod ours only accepts 0: FIX has abandoned its own encryption
        return tag != 98 && !OURS.isValue(tag, new byte[] {'~'}, 0, 1);
    }

    @Test
    void shouldKnowTheTypesOfTheFields() {
        final Set<Integer> used =
                Stream.of('0', '1', '2', '3', '4', '5', 'A', 'V', 'W', 'X')
                        .flatMap(type -> all(OURS.message(type).body()))
                        .filter(theirs::isField)
                        .collect(Collectors.toSet());
        for (final int tag : used) {
            final String type = theirs.getFieldType(tag).name();
            assertThat(probe(tag)).as("%d is %s", tag, type).isEqualTo(expected(tag, type));
        }
    }

    private static Stream<Integer> all(final Group group) {
        return tags(group).stream()
                .flatMap(tag ->
                        group.group(tag) == null
                                ? Stream.of(tag)
                                : Stream.concat(Stream.of(tag), all(group.group(tag))));
    }

    /** Which of some values are valid. */
    private static String probe(final int tag) {
        final StringBuilder fits = new StringBuilder();
        for (final String value :
                List.of(
                        "7",
                        "77",
                        "-7",
                        "1.5",
                        "x",
                        "xy",
                        "20261118",
                        "202611",
                        "09:30:00",
                        "20261118-09:30:00")) {
            final byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
            if (OURS.isOfType(tag, bytes, 0, bytes.length)) {
                fits.append(value).append(' ');
            }
        }
        return fits.toString();
    }

    private static String expected(final int tag, final String type) {
        return switch (type) {
            case "NUMINGROUP", "LENGTH", "SEQNUM" -> "7 77 20261118 202611 ";
            case "INT" ->
                    tag == 108 || tag == 264 // no negative heartbeats, no negative depth
                            ? "7 77 20261118 202611 "
                            : "7 77 -7 20261118 202611 ";
            case "FLOAT", "PRICE", "QTY", "AMT", "PERCENTAGE", "PRICEOFFSET" ->
                    "7 77 -7 1.5 20261118 202611 ";
            case "CHAR" -> "7 x ";
            case "UTCTIMESTAMP" -> "20261118-09:30:00 ";
            case "UTCDATEONLY", "UTCDATE", "LOCALMKTDATE" -> "20261118 ";
            case "UTCTIMEONLY" -> "09:30:00 ";
            case "MONTHYEAR", "MONTH-YEAR" -> "20261118 202611 ";
            default -> "7 77 -7 1.5 x xy 20261118 202611 09:30:00 20261118-09:30:00 ";
        };
    }
}
