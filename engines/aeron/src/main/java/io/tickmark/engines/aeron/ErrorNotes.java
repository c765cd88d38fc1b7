package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.Plural;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.ErrorHandler;

/**
 * The errors that a driver and its client reported: counted, the first few kept, nothing printed.
 */
public final class ErrorNotes implements ErrorHandler {
    private static final int MOST_KEPT = 10;
    private static final int MOST_CHARACTERS = 300;

    private final Set<String> kept = new LinkedHashSet<>();
    private long count;
    private long notKept;

    @Override
    public synchronized void onError(final Throwable error) {
        count++;
        final String sentence = sentence(error);
        if (kept.size() < MOST_KEPT) {
            kept.add(sentence);
        } else if (!kept.contains(sentence)) {
            notKept++;
        }
    }

    /** No errors yet. */
    public ErrorNotes() {}

    /** The number of errors. */
    synchronized long count() {
        return count;
    }

    /**
     * The first distinct ones, and how many others there were.
     *
     * @return one line each
     */
    public synchronized List<String> kept() {
        final List<String> all = new ArrayList<>(kept);
        if (notKept > 0) {
            all.add(Plural.of(notKept, "more error"));
        }
        return all;
    }

    /**
     * One line without the name of a class.
     *
     * @param error to describe
     * @return its message
     */
    public static String sentence(final Throwable error) {
        final String text =
                (error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage())
                        .replaceAll("\\s+", " ")
                        .replaceFirst("^(ERROR|WARN|FATAL) - ", "")
                        .replaceFirst("^([a-z]+\\.)+[A-Za-z]+ : ((ERROR|WARN|FATAL) - )?", "")
                        .replaceFirst("^([a-z]+\\.)+[A-Za-z]+: ", "")
                        .replaceFirst(", errorCodeValue=\\d+$", "")
                        .replaceFirst(" publication=Publication\\{.*$", "")
                        .strip();
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    /** The same with a full stop. */
    static String ended(final Throwable error) {
        final String sentence = sentence(error);
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
