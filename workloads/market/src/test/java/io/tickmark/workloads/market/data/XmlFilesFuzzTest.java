package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.settings.UserError;
import java.io.ByteArrayInputStream;
import java.util.concurrent.TimeUnit;

final class XmlFilesFuzzTest {
    private static final FieldDictionary DICTIONARY = FieldDictionary.own();

    @FuzzTest(maxDuration = "1m")
    void shouldReadAMessageFileOrSayWhatIsWrong(final byte[] bytes) {
        final MessageFile file;
        try (XmlFile xml = XmlFile.open("messages.xml", new ByteArrayInputStream(bytes))) {
            file = new MessageFileReader(xml, DICTIONARY).read("messages.xml");
        } catch (final UserError e) {
            assertThat(e.getMessage()).contains("messages.xml line ").hasSizeLessThan(1000);
            return;
        }
        encode(file);
    }

    /** What was read can be sent. */
    private static void encode(final MessageFile file) {
        final MessageEncoder encoder = new MessageEncoder(DICTIONARY, TimeUnit.MICROSECONDS);
        final PayloadDecoder decoder = new PayloadDecoder(DICTIONARY);
        for (final int domain : new int[] {DomainTypes.MARKET_PRICE, DomainTypes.MARKET_BY_ORDER}) {
            if (file.has(domain)) {
                for (final MessageKind kind : MessageKind.values()) {
                    file.messages(domain).of(kind).stream()
                            .filter(template -> template.maxBytes(1) <= 1 << 16)
                            .forEach(template -> {
                                final Wire wire = new Wire();
                                wire.write(
                                        template.maxBytes(1), it -> encode(encoder, it, template));
                                assertThat(Wire.decode(decoder, wire.read()))
                                        .isEqualTo(CodecReturnCodes.SUCCESS);
                            });
                }
            }
        }
    }

    private static int encode(
            final MessageEncoder encoder,
            final EncodeIterator iterator,
            final MessageTemplate template) {
        final Tracking tracking = new Tracking().timed(1, 1, 1);
        return template.kind() == MessageKind.REFRESH
                ? encoder.refresh(
                        iterator,
                        template,
                        1,
                        tracking,
                        new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true))
                : encoder.any(iterator, template, 1, tracking, new PostHeader(1, 1));
    }

    @FuzzTest(maxDuration = "1m")
    void shouldReadAnItemListOrSayWhatIsWrong(final byte[] bytes) {
        try (XmlFile xml = XmlFile.open("items.xml", new ByteArrayInputStream(bytes))) {
            assertThat(ItemList.read(xml, "items.xml", 3, "--item-count")).hasSize(3);
        } catch (final UserError e) {
            assertThat(e.getMessage()).contains("items.xml").hasSizeLessThan(1000);
        }
    }

    @FuzzTest(maxDuration = "1m")
    void shouldSurviveWhateverAMessageHolds(final byte[] bytes) {
        final var message = new Wire().put(bytes).read();
        if (message != null) {
            Wire.decode(new PayloadDecoder(DICTIONARY), message);
        }
    }
}
