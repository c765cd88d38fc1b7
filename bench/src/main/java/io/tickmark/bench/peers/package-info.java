/**
 * Side-by-side runs: ours through the front door, and the peers it is compared with, each in
 * processes of its own. Run by {@code bench/run}.
 */
package io.tickmark.bench.peers;
