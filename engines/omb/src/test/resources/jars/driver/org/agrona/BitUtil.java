package org.agrona;

/** A library that the driver brings in a version of its own, under a name that the bench has too. */
public final class BitUtil {
    private BitUtil() {}

    public static String version() {
        return "of-the-driver";
    }
}
