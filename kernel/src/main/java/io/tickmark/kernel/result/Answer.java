package io.tickmark.kernel.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a command was asked to find out, derived from the rows of its run: it is read before them,
 * and in place of a verdict that all criteria were met.
 *
 * @param headline one sentence
 * @param figures by name, numbers and texts; units are in the names
 * @param notes further sentences, by subject
 */
public record Answer(String headline, Map<String, Object> figures, List<Note> notes) {
    /** Copies map and list; the order is kept. */
    public Answer {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        notes = List.copyOf(notes);
    }

    /**
     * Sentences about one subject.
     *
     * @param title a few words
     * @param sentences about it
     */
    public record Note(String title, List<String> sentences) {
        /** Copies the list. */
        public Note {
            sentences = List.copyOf(sentences);
        }
    }
}
