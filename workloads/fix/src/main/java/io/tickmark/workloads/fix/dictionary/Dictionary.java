package io.tickmark.workloads.fix.dictionary;

import io.tickmark.workloads.fix.dictionary.Definition.Group;
import io.tickmark.workloads.fix.dictionary.Definition.Need;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The messages of the session and of market data: which fields they have, of what type, in what
 * order in repeating groups. Other messages may have any fields. Immutable; any thread.
 */
public final class Dictionary {
    /** Tags from here on are defined by users. */
    private static final int FIRST_OF_USERS = 5000;

    private static final Definition ANY =
            new Definition(new Group(List.of(), Map.of()), false, List.of(), List.of(), List.of());

    private static final Map<String, Dictionary> ALL = DictionaryText.builtIn();

    private final int lastTag;
    private final Definition[] definitions = new Definition[128];
    private final ValueType[] types = new ValueType[FIRST_OF_USERS];
    private final Map<Integer, Set<String>> values;

    private Dictionary(
            final int lastTag,
            final Map<Character, Definition> messages,
            final Map<Integer, ValueType> types,
            final Map<Integer, Set<String>> values) {
        this.lastTag = lastTag;
        this.values = Map.copyOf(values);
        java.util.Arrays.fill(definitions, ANY);
        messages.forEach((type, definition) -> definitions[type] = definition);
        types.forEach((tag, type) -> this.types[tag] = type);
    }

    /**
     * The dictionary of a version.
     *
     * @param beginString value of field 8
     * @return the dictionary
     * @throws IllegalArgumentException if there is none for this version
     */
    public static Dictionary of(final String beginString) {
        final Dictionary dictionary = ALL.get(beginString);
        if (dictionary == null) {
            throw new IllegalArgumentException("no dictionary of " + beginString);
        }
        return dictionary;
    }

    /**
     * The content of a message.
     *
     * @param type value of field 35 where it is one character, else 0
     * @return the definition; one without fields that is not complete where the type is not known
     */
    public Definition message(final char type) {
        return type < definitions.length ? definitions[type] : ANY;
    }

    /**
     * Whether the version defines a tag, or leaves it to users.
     *
     * @param tag the number
     * @return true if so
     */
    public boolean isGivenOut(final int tag) {
        return tag <= lastTag || tag >= FIRST_OF_USERS;
    }

    /**
     * Whether a value is of its field's type.
     *
     * @param tag the field
     * @param bytes the value is in
     * @param at where it begins
     * @param length its bytes, at least one
     * @return true if so, or if nothing is known about the field
     */
    public boolean isOfType(final int tag, final byte[] bytes, final int at, final int length) {
        return tag >= FIRST_OF_USERS || types[tag] == null || types[tag].fits(bytes, at, length);
    }

    /**
     * Whether a value is one of those that its field has; not on a hot path.
     *
     * @param tag the field
     * @param bytes the value is in
     * @param at where it begins
     * @param length its bytes
     * @return true if so, or if the field may have any
     */
    public boolean isValue(final int tag, final byte[] bytes, final int at, final int length) {
        final Set<String> allowed = values.get(tag);
        return allowed == null
                || allowed.contains(
                        new String(
                                bytes, at, length, java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    /** Data types of FIX fields, as far as their values look different. */
    private enum ValueType {
        /** A whole number, with a sign or without. */
        INT {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                final int sign = bytes[at] == '-' ? 1 : 0;
                return areDigits(bytes, at + sign, length - sign);
            }
        },
        /** A whole number that is not negative: Length, NumInGroup, SeqNum. */
        COUNT {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return areDigits(bytes, at, length);
            }
        },
        /** Digits with one point among them or none, with a sign or without: Price, Qty, Amt. */
        FLOAT {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                int points = 0;
                int digits = 0;
                for (int i = bytes[at] == '-' ? 1 : 0; i < length; i++) {
                    if (bytes[at + i] == '.') {
                        points++;
                    } else if (isDigit(bytes[at + i])) {
                        digits++;
                    } else {
                        return false;
                    }
                }
                return points <= 1 && digits > 0;
            }
        },
        /** One character. */
        CHAR {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return length == 1;
            }
        },
        /** {@code Y} or {@code N}; other letters are invalid values. */
        BOOLEAN {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return true;
            }
        },
        /** {@code YYYYMMDD-HH:MM:SS}, with decimals or without. */
        TIMESTAMP {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return length > DATE_LENGTH
                        && bytes[at + DATE_LENGTH] == '-'
                        && DATE.fits(bytes, at, DATE_LENGTH)
                        && TIME.fits(bytes, at + DATE_LENGTH + 1, length - DATE_LENGTH - 1);
            }
        },
        /** {@code YYYYMMDD}. */
        DATE {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return length == DATE_LENGTH
                        && areDigits(bytes, at, DATE_LENGTH)
                        && isBetween(bytes, at + 4, 1, 12)
                        && isBetween(bytes, at + 6, 1, 31);
            }
        },
        /** {@code HH:MM:SS}, with decimals or without. */
        TIME {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return length >= TIME_LENGTH
                        && bytes[at + 2] == ':'
                        && bytes[at + 5] == ':'
                        && isBetween(bytes, at, 0, 23)
                        && isBetween(bytes, at + 3, 0, 59)
                        && isBetween(bytes, at + 6, 0, 60)
                        && (length == TIME_LENGTH
                                || bytes[at + TIME_LENGTH] == '.'
                                        && areDigits(
                                                bytes,
                                                at + TIME_LENGTH + 1,
                                                length - TIME_LENGTH - 1));
            }
        },
        /** {@code YYYYMM}, and then a day, or a week as {@code w1} to {@code w5}, or nothing. */
        MONTH {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                if (length < 6 || !areDigits(bytes, at, 6) || !isBetween(bytes, at + 4, 1, 12)) {
                    return false;
                }
                return length == 6
                        || length == 8
                                && (isBetween(bytes, at + 6, 1, 31)
                                        || bytes[at + 6] == 'w'
                                                && bytes[at + 7] >= '1'
                                                && bytes[at + 7] <= '5');
            }
        },
        /** Any text. */
        TEXT {
            @Override
            boolean fits(final byte[] bytes, final int at, final int length) {
                return true;
            }
        };

        private static final int DATE_LENGTH = 8;
        private static final int TIME_LENGTH = 8;

        /** Whether a value that is not empty is of this type. */
        abstract boolean fits(byte[] bytes, int at, int length);

        private static boolean areDigits(final byte[] bytes, final int at, final int length) {
            for (int i = at; i < at + length; i++) {
                if (!isDigit(bytes[i])) {
                    return false;
                }
            }
            return length > 0;
        }

        private static boolean isDigit(final byte value) {
            return value >= '0' && value <= '9';
        }

        /** Two digits. */
        private static boolean isBetween(
                final byte[] bytes, final int at, final int least, final int most) {
            final int number = (bytes[at] - '0') * 10 + bytes[at + 1] - '0';
            return areDigits(bytes, at, 2) && number >= least && number <= most;
        }
    }

    /** Reads {@code dictionary.txt}, which documents its format. Single-threaded. */
    private static final class DictionaryText {
        private static final String ANY_VERSION = "*";
        private static final String INCOMPLETE = "...";

        private final Map<String, Integer> lastTags = new HashMap<>();
        private final Map<Integer, ValueType> types = new HashMap<>();
        private final Map<Integer, Set<String>> values = new HashMap<>();
        private final Map<String, List<String>> blocks = new HashMap<>();
        private final Map<String, Map<Character, Definition>> messages = new HashMap<>();
        private final Map<Character, List<Need>> needs = new HashMap<>();

        private DictionaryText() {}

        /** One dictionary for each version, by BeginString. */
        static Map<String, Dictionary> builtIn() {
            try (InputStream in = DictionaryText.class.getResourceAsStream("dictionary.txt")) {
                return new DictionaryText()
                        .read(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Map<String, Dictionary> read(final String text) {
            final List<List<String>> lines =
                    text.replace("\n ", " ")
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(line -> List.of(line.split(" +")))
                            .toList();
            // a message may refer to later definitions
            lines.stream().filter(line -> !"message".equals(line.getFirst())).forEach(this::line);
            lines.stream().filter(line -> "message".equals(line.getFirst())).forEach(this::line);
            final Map<String, Dictionary> read = new HashMap<>();
            lastTags.forEach((version, last) ->
                    read.put(version, new Dictionary(last, messages.get(version), types, values)));
            return Map.copyOf(read);
        }

        private void line(final List<String> words) {
            final String second = words.get(1);
            final List<String> rest = words.subList(2, words.size());
            switch (words.getFirst()) {
                case "last" -> {
                    lastTags.put(second, Integer.parseInt(rest.getFirst()));
                    messages.put(second, new HashMap<>());
                }
                case "type" -> {
                    final ValueType type = ValueType.valueOf(second.toUpperCase(Locale.ROOT));
                    rest.forEach(tag -> types.put(Integer.valueOf(tag), type));
                }
                case "values" -> values.put(Integer.valueOf(second), Set.copyOf(rest));
                case "block" -> blocks.put(second, rest);
                case "needs" ->
                        needs.computeIfAbsent(second.charAt(0), type -> new ArrayList<>())
                                .add(need(rest));
                case "message" -> message(second.charAt(0), rest);
                default -> throw new IllegalArgumentException("dictionary.txt: " + words);
            }
        }

        private static Need need(final List<String> words) {
            final String[] because = words.getLast().split("=");
            return new Need(
                    Integer.parseInt(words.getFirst()),
                    Integer.parseInt(because[0]),
                    Arrays.stream(because[1].split(","))
                            .map(value -> value.charAt(0))
                            .collect(Collectors.toList()));
        }

        private void message(final char type, final List<String> words) {
            final Deque<String> fields = new ArrayDeque<>(expanded(words.subList(1, words.size())));
            final boolean isComplete = !fields.remove(INCOMPLETE);
            final List<Integer> required = new ArrayList<>();
            final List<Integer> requiredToo = new ArrayList<>();
            final Definition definition =
                    new Definition(
                            group(fields, required, requiredToo),
                            isComplete,
                            required,
                            requiredToo,
                            needs.getOrDefault(type, List.of()));
            messages.forEach((version, all) -> {
                if (ANY_VERSION.equals(words.getFirst()) || version.equals(words.getFirst())) {
                    all.put(type, definition);
                }
            });
        }

        private List<String> expanded(final List<String> words) {
            final List<String> all = new ArrayList<>();
            for (final String word : words) {
                if (word.startsWith("@")) {
                    all.addAll(expanded(blocks.get(word.substring(1))));
                } else {
                    all.add(word);
                }
            }
            return all;
        }

        /** Up to the closing bracket or the end; only the first field of an entry is required. */
        private static Group group(
                final Deque<String> words,
                final List<Integer> required,
                final List<Integer> requiredToo) {
            final List<Integer> tags = new ArrayList<>();
            final Map<Integer, Group> groups = new HashMap<>();
            for (String word = words.poll();
                    word != null && !")".equals(word);
                    word = words.poll()) {
                final int tag = Integer.parseInt(word.replaceAll("[*+(]", ""));
                tags.add(tag);
                if (word.contains("*")) {
                    required.add(tag);
                }
                if (word.contains("+")) {
                    requiredToo.add(tag);
                }
                if (word.endsWith("(")) {
                    groups.put(tag, group(words, new ArrayList<>(), new ArrayList<>()));
                }
            }
            return new Group(tags, groups);
        }
    }
}
