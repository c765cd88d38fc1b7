/** The price feed behind another HTTP server, to measure what the chosen one is worth. */
package io.tickmark.bench.feed;
