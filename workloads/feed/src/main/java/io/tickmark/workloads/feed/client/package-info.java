/**
 * Clients without a browser, thousands on one thread; they share no code with the server but the
 * layouts.
 */
package io.tickmark.workloads.feed.client;
