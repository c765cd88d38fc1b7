package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import java.util.Optional;

/** A trial cannot continue; caught by the trial itself. */
final class TrialVoid extends Exception {
    private static final long serialVersionUID = 1L;

    private final UserError.Kind kind;

    private TrialVoid(final String sentence, final UserError.Kind kind) {
        super(sentence);
        this.kind = kind;
    }

    static TrialVoid because(final String sentence) {
        return new TrialVoid(sentence, null);
    }

    static TrialVoid because(final String sentence, final UserError.Kind kind) {
        return new TrialVoid(sentence, kind);
    }

    /** Set when the user can correct it. */
    Optional<UserError.Kind> kind() {
        return Optional.ofNullable(kind);
    }
}
