/**
 * What reading a capture costs: captures that are made, and a program that reads one again and
 * again.
 */
package io.tickmark.bench.wire;
