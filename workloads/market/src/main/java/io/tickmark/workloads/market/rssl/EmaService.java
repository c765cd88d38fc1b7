package io.tickmark.workloads.market.rssl;

import io.tickmark.workloads.market.DictionarySettings;
import java.util.List;

/**
 * A service as a configuration file of the Message API describes it; the library then answers
 * directory and dictionary requests by itself.
 *
 * @param name of the service
 * @param id of the service
 * @param domains that it has
 * @param files dictionary that it provides
 */
public record EmaService(
        String name, int id, List<Integer> domains, DictionarySettings.Files files) {
    /** Copies the list. */
    public EmaService {
        domains = List.copyOf(domains);
    }

    String directory() {
        final StringBuilder capabilities = new StringBuilder();
        domains.forEach(domain ->
                capabilities.append("<CapabilitiesEntry value=\"%d\"/>".formatted(domain)));
        return """
        <DirectoryGroup><DefaultDirectory value="Directory_1"/><DirectoryList><Directory>
        <Name value="Directory_1"/><Service><Name value="%s"/>
        <InfoFilter><ServiceId value="%d"/><Vendor value="tickmark"/><IsSource value="1"/>
        <Capabilities>%s</Capabilities><AcceptingConsumerStatus value="0"/>
        <DictionariesProvided><DictionariesProvidedEntry value="Dictionary_1"/></DictionariesProvided>
        <DictionariesUsed><DictionariesUsedEntry value="Dictionary_1"/></DictionariesUsed>
        <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>
        <SupportsQoSRange value="0"/><ItemList value=""/><SupportsOutOfBandSnapshots value="0"/>
        </InfoFilter>
        <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter>
        </Service></Directory></DirectoryList></DirectoryGroup>
        <DictionaryGroup><DictionaryList><Dictionary><Name value="Dictionary_1"/>
        <DictionaryType value="DictionaryType::FileDictionary"/>
        <RdmFieldDictionaryItemName value="RWFFld"/><EnumTypeDefItemName value="RWFEnum"/>
        <RdmFieldDictionaryFileName value="%s"/><EnumTypeDefFileName value="%s"/>
        </Dictionary></DictionaryList></DictionaryGroup>
        """
                .formatted(
                        EmaFile.text(name),
                        id,
                        capabilities,
                        EmaFile.text(files.fields()),
                        EmaFile.text(files.enums()));
    }
}
