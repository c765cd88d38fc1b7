/**
 * What providers of both kinds send: images in spare time, updates and generic messages in bursts.
 */
package io.tickmark.workloads.market.source;
