package io.tickmark.kernel.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Defaults that settings of a group have in one of the records that share it, in place of those of
 * {@link Setting#byDefault}. Belongs on the component that holds the group.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Defaults {
    /**
     * The defaults.
     *
     * @return {@code key=default} for each, the default in the text form that a user would type
     */
    String[] value();
}
