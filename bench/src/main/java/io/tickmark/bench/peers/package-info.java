/**
 * Side-by-side runs: ours through the front door, and the peers it is compared with, each in
 * separate processes. Run by {@code bench/run}.
 */
package io.tickmark.bench.peers;
