/**
 * The messages of providers of both kinds: images in spare time, updates and generic messages in
 * bursts.
 */
package io.tickmark.workloads.market.source;
