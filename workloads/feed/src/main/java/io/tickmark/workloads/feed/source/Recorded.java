package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Recorded prices: a CSV file with the head {@code symbol,bid,ask,last,size}, one message a line,
 * in the order of replay. Prices have two decimals at most, sizes none.
 *
 * @param names of the symbols, in the order in which they first appear
 * @param messages in the order of the file
 */
record Recorded(List<String> names, List<Message> messages) {
    private static final String HEAD = "symbol,bid,ask,last,size";
    private static final int FIELDS = 5;
    private static final int MAX_MESSAGES = 2_000_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/=+-]{1,24}");
    private static final int DECIMALS = 2;
    private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf(20_000_000);

    /** One line; prices in hundredths. */
    record Message(int symbol, int bid, int ask, int last, int size) {}

    Recorded {
        names = List.copyOf(names);
        messages = List.copyOf(messages);
    }

    static Recorded read(final Path file) {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return read(lines, file.toString());
        } catch (final IOException e) {
            throw UserError.usage(
                    "--source %s: cannot be read: %s.".formatted(file, IoReason.of(e)));
        }
    }

    /** Reads lines; {@code name} is for errors. */
    static Recorded read(final BufferedReader lines, final String name) throws IOException {
        final Map<String, Integer> symbols = new LinkedHashMap<>();
        final List<Message> messages = new ArrayList<>();
        if (!HEAD.equals(lines.readLine())) {
            throw UserError.usage("%s line 1: must be '%s'.".formatted(name, HEAD));
        }
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            final String place = name + " line " + (messages.size() + 2);
            if (messages.size() == MAX_MESSAGES) {
                throw UserError.usage(
                        "%s: more than %d messages; give a shorter file."
                                .formatted(place, MAX_MESSAGES));
            }
            messages.add(message(line, place, symbols));
        }
        if (messages.isEmpty()) {
            throw UserError.usage(name + ": holds no message.");
        }
        return new Recorded(new ArrayList<>(symbols.keySet()), messages);
    }

    private static Message message(
            final String line, final String place, final Map<String, Integer> symbols) {
        final String[] fields = line.split(",", -1);
        if (fields.length != FIELDS || !NAME.matcher(fields[0]).matches()) {
            throw UserError.usage(
                    "%s: must be a symbol and four numbers, as in 'ABC,10.01,10.03,10.02,300'."
                            .formatted(place));
        }
        Integer symbol = symbols.get(fields[0]);
        if (symbol == null) {
            if (symbols.size() == FeedSettings.MAX_SYMBOLS) {
                throw UserError.usage(
                        "%s: more than %d symbols.".formatted(place, FeedSettings.MAX_SYMBOLS));
            }
            symbol = symbols.size();
            symbols.put(fields[0], symbol);
        }
        return new Message(
                symbol,
                price(fields[1], place),
                price(fields[2], place),
                price(fields[3], place),
                size(fields[4], place));
    }

    /** Refuses what would be another price, or another size, in the feed. */
    private static int price(final String text, final String place) {
        final BigDecimal price = number(text, place);
        if (price.scale() > DECIMALS) {
            throw UserError.usage(
                    ("%s: '%s' has more than two decimals, and the feed has hundredths: round it, or multiply all prices of its"
                                    + " symbol.")
                            .formatted(place, text));
        }
        return price.movePointRight(DECIMALS).intValueExact();
    }

    private static int size(final String text, final String place) {
        final BigDecimal size = number(text, place);
        if (size.scale() > 0) {
            throw UserError.usage(
                    "%s: '%s' is not a whole number, as a size must be.".formatted(place, text));
        }
        return size.intValueExact();
    }

    /** Without zeros at its end. */
    private static BigDecimal number(final String text, final String place) {
        try {
            final BigDecimal number = new BigDecimal(text.strip());
            if (number.signum() >= 0 && number.compareTo(MAX_NUMBER) <= 0) {
                return number.stripTrailingZeros();
            }
        } catch (final NumberFormatException _) {
            // reported below, like values out of bounds
        }
        throw UserError.usage(
                "%s: '%s' is not a number from 0 to %s."
                        .formatted(place, text, MAX_NUMBER.toPlainString()));
    }
}
