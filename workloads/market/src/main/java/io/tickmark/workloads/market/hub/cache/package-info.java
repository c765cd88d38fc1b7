/** Last images of items, into which updates are merged field by field. No connection. */
package io.tickmark.workloads.market.hub.cache;
