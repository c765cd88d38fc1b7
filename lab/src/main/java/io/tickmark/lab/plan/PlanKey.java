package io.tickmark.lab.plan;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes one key of a plan; the plan's schema is generated from it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface PlanKey {
    /** One sentence for the user. */
    String help();

    /** Whether it must be given. */
    boolean required() default false;

    /** Smallest number allowed. */
    double min() default Double.NEGATIVE_INFINITY;

    /** Largest number allowed. */
    double max() default Double.POSITIVE_INFINITY;

    /** Regular expression that text, or each text of a list, must match. */
    String pattern() default "";

    /** Fewest elements of a list. */
    int minItems() default 0;
}
