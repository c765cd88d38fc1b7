/** A thousand simulated roles before one controller: what it needs, and how fast it merges. */
package io.tickmark.bench.scale;
