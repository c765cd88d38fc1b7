package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The channels of a server, from one file.
 *
 * @param channels in the order of the file
 */
public record ChannelList(List<ChannelSettings> channels) {
    private static final String SHIPPED = "/io/tickmark/workloads/feed/channels.yaml";
    private static final int MAX_BYTES = 100_000;
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** Copies the list. */
    public ChannelList {
        channels = List.copyOf(channels);
    }

    /**
     * The channels that come with tickmark.
     *
     * @return the list
     */
    public static ChannelList shipped() {
        try (InputStream file = ChannelList.class.getResourceAsStream(SHIPPED)) {
            return read(
                    new String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8),
                    SHIPPED);
        } catch (final IOException e) {
            throw new IllegalStateException(SHIPPED + " is not in the jar", e);
        }
    }

    /**
     * The channels of a file; the shipped ones where no file is named.
     *
     * @param file path, or empty
     * @return the list
     * @throws UserError if it cannot be read or is invalid
     */
    public static ChannelList of(final String file) {
        if (file.isEmpty()) {
            return shipped();
        }
        final Path path = Path.of(file);
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw UserError.usage(
                        "--channel-file %s: is larger than %d bytes; that is not a list of channels."
                                .formatted(file, MAX_BYTES));
            }
            return read(Files.readString(path), file);
        } catch (final IOException e) {
            throw UserError.usage(
                    "--channel-file %s: cannot be read: %s.".formatted(file, IoReason.of(e)));
        }
    }

    /** Reads a list; {@code name} is for errors. */
    static ChannelList read(final String text, final String name) {
        final Object file;
        try {
            file = YAML.readValue(text, Object.class);
        } catch (final JacksonException e) {
            throw UserError.usage(
                    "%s line %d: %s"
                            .formatted(
                                    name,
                                    e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                                    e.getOriginalMessage()));
        }
        if (!(file instanceof final Map<?, ?> map)
                || map.size() != 1
                || !(map.get("channels") instanceof final List<?> entries)
                || entries.isEmpty()) {
            throw UserError.usage(
                    name
                            + ": must hold one key, 'channels', with a list of channels; see docs/feed.md.");
        }
        final List<ChannelSettings> channels = new ArrayList<>();
        for (final Object entry : entries) {
            final String place = name + " channel " + (channels.size() + 1);
            final ChannelSettings channel = channel(entry, place);
            if (channels.stream().anyMatch(each -> each.name().equals(channel.name()))) {
                throw UserError.usage(
                        "%s: there is another channel '%s'; names must differ."
                                .formatted(place, channel.name()));
            }
            channels.add(channel);
        }
        return new ChannelList(channels);
    }

    private static ChannelSettings channel(final Object entry, final String place) {
        if (!(entry instanceof final Map<?, ?> map)
                || !map.keySet().stream().allMatch(String.class::isInstance)) {
            throw UserError.usage(place + ": must be keys and values.");
        }
        final Map<String, Object> values = new java.util.LinkedHashMap<>();
        map.forEach((key, value) -> values.put((String) key, value));
        return Settings.read(ChannelSettings.class, values, key -> place + " key '" + key + "'");
    }

    /**
     * The channel of that name.
     *
     * @param name to look up
     * @return the channel, if there is one
     */
    public Optional<ChannelSettings> find(final String name) {
        return channels.stream().filter(channel -> channel.name().equals(name)).findFirst();
    }

    /**
     * The channel of that name.
     *
     * @param name to look up
     * @return the channel
     * @throws UserError if there is none
     */
    public ChannelSettings get(final String name) {
        return find(name)
                .orElseThrow(() ->
                        UserError.usage(
                                "'%s' is not a channel; known are %s."
                                        .formatted(
                                                name,
                                                String.join(
                                                        ", ",
                                                        channels.stream()
                                                                .map(ChannelSettings::name)
                                                                .toList()))));
    }
}
