package io.tickmark.workloads.market;

import io.tickmark.workloads.market.data.FieldDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;

/** Dictionary files as large as real ones: our own with more fields, and a larger enumeration. */
public final class LargeDictionary {
    /** The first of the fields that are not in our own dictionary. */
    public static final int FIRST_FIELD = 10_000;

    /** Values of the enumeration of the first field; the library takes 2500. */
    public static final int ENUM_VALUES = 2_000;

    private LargeDictionary() {}

    /** Writes both files into a folder, with so many fields and bytes for the text of a value. */
    public static void write(final Path folder, final int fields, final int textBytes)
            throws IOException {
        FieldDictionary.writeOwn(folder);
        append(
                folder.resolve(FieldDictionary.FIELD_FILE),
                IntStream.range(FIRST_FIELD, FIRST_FIELD + fields)
                        .mapToObj(
                                "TM_%1$d \"FIELD %1$d\" %1$d NULL ENUMERATED 5 ( 3 ) ENUM 2"
                                        ::formatted)
                        .toList());
        append(
                folder.resolve(FieldDictionary.ENUM_FILE),
                List.of("TM_%1$d %1$d".formatted(FIRST_FIELD)));
        append(
                folder.resolve(FieldDictionary.ENUM_FILE),
                IntStream.range(0, ENUM_VALUES)
                        .mapToObj(
                                value -> "%d \"%s\" value".formatted(value, text(value, textBytes)))
                        .toList());
    }

    /** What is displayed for a value of the first field: its number with zeros before it. */
    public static String text(final int value, final int textBytes) {
        return "0".repeat(textBytes - Integer.toString(value).length()) + value;
    }

    private static void append(final Path file, final List<String> lines) throws IOException {
        Files.write(file, lines, StandardOpenOption.APPEND);
    }
}
