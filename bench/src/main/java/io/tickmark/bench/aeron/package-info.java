/**
 * A bare Aeron stream: claim, copy, commit on one side, poll and count on the other, with the
 * driver as our engine sets it and none of our recording. What our own stream is compared with.
 */
package io.tickmark.bench.aeron;
