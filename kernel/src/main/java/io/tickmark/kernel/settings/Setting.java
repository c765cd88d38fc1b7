package io.tickmark.kernel.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one component of a settings record. The component's name in kebab case is the option
 * ({@code payloadBytes} is {@code --payload-bytes}); unchanged, it is the key in plans, JSON and
 * docs.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /**
     * Unit of a share: 0.03 and {@code 3%} are the same. Without the sign, values above the whole
     * are refused, so that a user who means 5 % does not get 500 %.
     */
    String PART = "part or %";

    /** Unit of a share whose key states that it is in percent: 3 and {@code 3%} are the same. */
    String PERCENT = "%";

    /**
     * One sentence for the user: what it does.
     *
     * @return the sentence
     */
    String help();

    /**
     * The key, where it cannot be the component's name because the word is reserved in Java ({@code
     * interface}); in camel case.
     *
     * @return the key; the component's name where empty
     */
    String key() default "";

    /**
     * Default in the text form that a user would type; empty text, list or map where this is empty.
     *
     * @return the default
     */
    String byDefault() default "";

    /**
     * Further spellings accepted on the command line, dashes included ({@code -m}, {@code
     * -numIter}).
     *
     * @return aliases
     */
    String[] aliases() default {};

    /**
     * Keys under which it was known before, in camel case; refused with a sentence that names the
     * new one.
     *
     * @return former keys
     */
    String[] formerly() default {};

    /**
     * Value, as a user would type it, for a further trial in a process that has already run the
     * same test with other settings, as the trials of a search do: a warm-up has less to do there.
     * A duration is only ever shortened to it.
     *
     * @return the value; the setting's own where empty
     */
    String whenWarm() default "";

    /**
     * Unit of the value, for help and docs ({@code bytes}, {@code msg/s}); empty where it has none.
     * Of a duration it is the unit of a number that is typed without one.
     *
     * @return the unit
     */
    String unit() default "";

    /**
     * Smallest value allowed; for a list it holds for each element, for a duration it is in ns.
     *
     * @return inclusive lower bound
     */
    double min() default Double.NEGATIVE_INFINITY;

    /**
     * Largest value allowed; for a list it holds for each element, for a duration it is in ns.
     *
     * @return inclusive upper bound
     */
    double max() default Double.POSITIVE_INFINITY;

    /**
     * Names of the roles to which the address in the value belongs, where it is not the role's own
     * ({@code host} of a client). In a plan on several hosts, loopback in it means the host of the
     * first of these roles that takes part, while in other settings it means the role's own host.
     *
     * @return names of roles; none for the role's own address, and for a value that is not an
     *     address
     */
    String[] peers() default {};

    /**
     * Word for the value in help ({@code N}, {@code URI}); derived from the type where empty.
     *
     * @return the label
     */
    String label() default "";
}
