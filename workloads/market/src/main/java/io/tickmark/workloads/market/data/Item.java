package io.tickmark.workloads.market.data;

/**
 * An item to request or to publish.
 *
 * @param domainType one of {@link com.refinitiv.eta.rdm.DomainTypes}
 * @param name its name within the service
 * @param posts whether it is posted to
 * @param genericMessages whether generic messages are sent for it
 * @param snapshot whether it is asked for without updates
 */
public record Item(
        int domainType, String name, boolean posts, boolean genericMessages, boolean snapshot) {}
