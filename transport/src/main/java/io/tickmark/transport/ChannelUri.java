package io.tickmark.transport;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The address of a channel: {@code scheme://authority?name=value&name} (RFC 3986 generic syntax,
 * without user information and fragment), or {@code scheme:authority?name=value|name=value} as
 * Aeron writes it. A parameter without a value is {@code true}.
 *
 * @param scheme the transport's name, in lower case
 * @param authority host and port, name or medium; may be empty
 * @param parameters in the order written
 * @param hierarchical whether it was written with two slashes
 */
public record ChannelUri(
        String scheme, String authority, Map<String, String> parameters, boolean hierarchical) {
    private static final int MAX_LENGTH = 4096;

    /** Copies the parameters. */
    public ChannelUri {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /**
     * Reads a channel.
     *
     * @param text as the user wrote it
     * @return the channel; the scheme is not looked up yet
     * @throws UserError if it does not have that form
     */
    public static ChannelUri parse(final String text) {
        final int colon = text.indexOf(':');
        if (colon < 1
                || text.length() > MAX_LENGTH
                || !text.substring(0, colon).matches("[a-z][a-z0-9+.-]*")) {
            throw UserError.usage(
                    "--channel: '"
                            + shortened(text)
                            + "' is not a channel; write scheme://address?name=value, for example udp://127.0.0.1:4001.");
        }
        final String rest = text.substring(colon + 1);
        final boolean hierarchical = rest.startsWith("//");
        final String address = hierarchical ? rest.substring(2) : rest;
        final int question = address.indexOf('?');
        final String authority = question < 0 ? address : address.substring(0, question);
        final Map<String, String> parameters = new LinkedHashMap<>();
        if (question >= 0) {
            for (final String pair : address.substring(question + 1).split("[&|]")) {
                addParameter(parameters, pair, text);
            }
        }
        return new ChannelUri(text.substring(0, colon), authority, parameters, hierarchical);
    }

    private static void addParameter(
            final Map<String, String> parameters, final String pair, final String text) {
        final int equals = pair.indexOf('=');
        final String name = equals < 0 ? pair : pair.substring(0, equals);
        if (name.isEmpty()) {
            throw UserError.usage(
                    "--channel: '"
                            + shortened(text)
                            + "' has an empty parameter; write ?name=value&name=value.");
        }
        if (parameters.put(name, equals < 0 ? "true" : pair.substring(equals + 1)) != null) {
            throw UserError.usage(
                    "--channel: '"
                            + shortened(text)
                            + "' gives '"
                            + name
                            + "' twice; give it once.");
        }
    }

    private static String shortened(final String text) {
        return text.length() <= 120 ? text : text.substring(0, 120) + "...";
    }

    /**
     * Reads the parameters after the question mark.
     *
     * @param <S> the record
     * @param type its class
     * @return the record, with every value within its bounds
     * @throws UserError if a parameter is unknown or its value wrong
     */
    public <S extends Record> S read(final Class<S> type) {
        return read(type, parameters);
    }

    /**
     * Reads some of the parameters after the question mark; the others belong to another record.
     *
     * @param <S> the record
     * @param type its class
     * @param part of the parameters
     * @return the record, with every value within its bounds
     * @throws UserError if a parameter is unknown or its value wrong
     */
    public <S extends Record> S read(final Class<S> type, final Map<String, String> part) {
        try {
            return Settings.read(type, part, key -> "?" + key);
        } catch (final UserError e) {
            throw e.at("--channel " + this);
        }
    }

    /**
     * The same channel with another authority.
     *
     * @param other the authority
     * @return the channel
     */
    public ChannelUri withAuthority(final String other) {
        return new ChannelUri(scheme, other, parameters, hierarchical);
    }

    /**
     * The same channel with one parameter set.
     *
     * @param name of the parameter
     * @param value of the parameter
     * @return the channel
     */
    public ChannelUri with(final String name, final String value) {
        final Map<String, String> changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return new ChannelUri(scheme, authority, changed, hierarchical);
    }

    /**
     * The same channel without some parameters.
     *
     * @param names of parameters, whether it has them or not
     * @return the channel
     */
    public ChannelUri without(final Set<String> names) {
        final Map<String, String> left = new LinkedHashMap<>(parameters);
        left.keySet().removeAll(names);
        return new ChannelUri(scheme, authority, left, hierarchical);
    }

    /**
     * The text form; {@link #parse} reads it back.
     *
     * @return the channel as text
     */
    @Override
    public String toString() {
        final StringBuilder text =
                new StringBuilder(scheme).append(hierarchical ? "://" : ":").append(authority);
        if (!parameters.isEmpty()) {
            final StringJoiner joined = new StringJoiner(hierarchical ? "&" : "|", "?", "");
            parameters.forEach((name, value) -> joined.add(name + "=" + value));
            text.append(joined);
        }
        return text.toString();
    }
}
