package io.tickmark.kernel.role;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Addresses that roles of a trial exchange through the controller.
 *
 * @param values each with the role that bound it
 */
public record Endpoints(List<Endpoint> values) {
    /** Nothing bound. */
    public static final Endpoints NONE = new Endpoints(List.of());

    /**
     * One address.
     *
     * @param role name of the role that bound it; set by the host where the role leaves it empty
     * @param index of that role, from 1
     * @param name what it is: {@code channel} for a channel URI others connect to
     * @param value the address
     */
    public record Endpoint(String role, int index, String name, String value) {
        /** Checks that no value is missing. */
        public Endpoint {
            requireNonNull(role);
            requireNonNull(name);
            requireNonNull(value);
        }
    }

    /** Copies the list. */
    public Endpoints {
        values = List.copyOf(values);
    }

    /**
     * Endpoints of one role, names to values; role and index are set by the host.
     *
     * @param nameToValue for example {@code channel -> udp://127.0.0.1:40123}
     * @return endpoints
     */
    public static Endpoints of(final Map<String, String> nameToValue) {
        final List<Endpoint> values = new ArrayList<>();
        nameToValue.forEach((name, value) -> values.add(new Endpoint("", 0, name, value)));
        return new Endpoints(values);
    }

    /**
     * The values bound under one name.
     *
     * @param name of the endpoint
     * @return values in the order of binding, empty when none was bound
     */
    public List<String> named(final String name) {
        return values.stream().filter(e -> e.name().equals(name)).map(Endpoint::value).toList();
    }

    /**
     * These and others.
     *
     * @param others to append
     * @return both
     */
    public Endpoints and(final Endpoints others) {
        final List<Endpoint> all = new ArrayList<>(values);
        all.addAll(others.values);
        return new Endpoints(all);
    }

    /**
     * The same values under the name of the role that bound them.
     *
     * @param role name
     * @param index from 1
     * @return endpoints with role and index set
     */
    public Endpoints boundBy(final String role, final int index) {
        return new Endpoints(
                values.stream().map(e -> new Endpoint(role, index, e.name(), e.value())).toList());
    }
}
